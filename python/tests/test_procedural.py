"""Models made by programs, the way MuJoCo's tutorials of MjSpec make them."""

import numpy as np
import sinew as mujoco
from sinew import MjSpec

LEG = """
<mujoco>
  <compiler angle="radian"/>
  <default><joint damping="2"/><geom type="capsule"/></default>
  <worldbody>
    <body name="thigh"><joint name="hip" axis="0 0 1"/><body name="shin"><joint name="knee" axis="0 1 0"/></body></body>
  </worldbody>
  <actuator><position name="hip" joint="hip" kp="10"/><position name="knee" joint="knee" kp="10"/></actuator>
</mujoco>
"""
RADIUS = 0.1


def leg(color):
    spec = MjSpec.from_string(LEG)
    spec.body("thigh").add_geom(fromto=[0, 0, 0, RADIUS, 0, 0], size=[RADIUS / 4, 0, 0], rgba=color)
    shin = spec.body("shin")
    shin.add_geom(fromto=[0, 0, 0, 0, 0, -RADIUS], size=[RADIUS / 5, 0, 0], rgba=color)
    shin.pos[0] = RADIUS
    return spec


def creature(legs, color):
    spec = MjSpec.from_string('<mujoco><compiler angle="radian"/><worldbody/></mujoco>')
    spec.copy_during_attach = True
    spec.worldbody.add_geom(name="torso", type=mujoco.mjtGeom.mjGEOM_ELLIPSOID, size=[RADIUS, RADIUS, RADIUS / 2], rgba=color)
    one = leg(color)
    for i in range(legs):
        angle = 2 * i * np.pi / legs
        place = [RADIUS * np.cos(angle), RADIUS * np.sin(angle), 0]
        spec.worldbody.add_site(pos=place, euler=[0, 0, angle]).attach_body(one.body("thigh"), "", f"-{i}")
    return spec


def test_creatures_in_an_arena_move():
    arena = MjSpec()
    arena.compiler.degree = False
    arena.add_texture(
        name="squares", type=mujoco.mjtTexture.mjTEXTURE_2D, builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER, width=30, height=30
    )
    arena.add_material(name="grid", texrepeat=[5, 5]).textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "squares"
    arena.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[2, 2, 0.1], material="grid")
    colors = ([1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1])
    for i, color in enumerate(colors):
        site = arena.worldbody.add_site(pos=(i, 0.0, 0.15), group=3)
        site.attach_body(creature(3 + i, color).worldbody, "", f"-{i}").add_freejoint()
    model = arena.compile()
    assert (model.nbody, model.nu, model.njnt) == (1 + 3 + 24, 24, 3 + 24)
    data = mujoco.MjData(model)
    torsos = [geom for geom in arena.worldbody.find_all(mujoco.mjtObj.mjOBJ_GEOM) if "torso" in geom.name]
    assert [geom.name for geom in torsos] == ["torso-0", "torso-1", "torso-2"]
    np.testing.assert_array_equal([model.bind(geom).rgba for geom in torsos], np.float32(colors))
    actuators = [data.bind(actuator) for actuator in arena.actuators]
    for step in range(200):
        for phase, actuator in enumerate(actuators):
            actuator.ctrl = 0.9 * np.sin(5 * data.time + phase)
        mujoco.mj_step(model, data)
    places = np.array([data.bind(geom).xpos for geom in torsos])
    assert np.isfinite(places).all() and data.ncon > 0 and (places[:, 2] < 0.2).all()
    assert np.abs(places[:, :2] - [[0, 0], [1, 0], [2, 0]]).max() > 1e-3


def test_rocks_fall_on_terrain():
    random = np.random.default_rng(0)
    spec = MjSpec()
    height = random.uniform(size=(16, 16))
    spec.add_hfield(name="ground", size=[5, 5, 1, 0.1], nrow=16, ncol=16, userdata=height.flatten())
    picture = spec.add_texture(name="bands", type=mujoco.mjtTexture.mjTEXTURE_2D, width=16, height=16)
    picture.data = (255 * random.uniform(size=(16, 16, 3))).astype(np.uint8).tobytes()
    spec.add_material(name="bands").textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "bands"
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname="ground", material="bands")
    spec.default.mesh.scale = np.array([0.3, 0.3, 0.3])
    for i in range(4):
        points = random.normal(size=(20, 3))
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        spec.add_mesh(name=f"rock{i}", uservert=points.flatten())
        body = spec.worldbody.add_body(name=f"rock{i}", pos=[i - 1.5, 0, 2], mass=1)
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=f"rock{i}")
        body.add_freejoint()
    model = spec.compile()
    assert (model.nmesh, model.tex_data.size) == (4, 768)
    assert (model.body_mass[1:] > 10).all()  # of the meshes: a mass without a position yields to geoms
    data = mujoco.MjData(model)
    while data.time < 2:
        mujoco.mj_step(model, data)
    assert (data.xpos[1:, 2] > 0).all() and (data.xpos[1:, 2] < 1.6).all()
