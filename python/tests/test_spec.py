"""MjSpec: reading, building, editing, compiling and writing models."""

import copy
import gc
import os
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import sinew as mujoco
from sinew import MjSpec, spec

CART = """
<mujoco model="cart">
  <compiler angle="radian"/>
  <default>
    <geom rgba="0.2 0.4 0.6 1"/>
    <default class="heavy"><geom density="5000"/></default>
  </default>
  <worldbody>
    <body name="cart" pos="0 0 1">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.5"/>
      <geom name="box" type="box" size="0.2 0.1 0.05" class="heavy"/>
      <site name="top" pos="0 0 0.05" euler="0 0 0.5"/>
      <body name="pole" pos="0 0 0.1">
        <joint name="hinge" axis="0 1 0"/>
        <geom name="rod" type="capsule" fromto="0 0 0 0 0 0.6" size="0.02"/>
        <site name="tip" pos="0 0 0.6"/>
      </body>
    </body>
    <frame name="mount" pos="2 0 0"/>
  </worldbody>
  <actuator><motor name="push" joint="slide" gear="2"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
  <keyframe><key name="bent" qpos="0.1 0.2"/></keyframe>
</mujoco>
"""

ARM = """
<mujoco model="arm">
  <worldbody>
    <body name="upper" euler="90 0 0">
      <joint name="shoulder"/><geom name="bone" type="capsule" size="0.05 0.2"/>
    </body>
  </worldbody>
  <actuator><motor name="drive" joint="shoulder"/></actuator>
</mujoco>
"""

LISTS = (
    "bodies frames joints geoms sites cameras lights meshes hfields textures materials pairs excludes flexes equalities "
    "tendons actuators sensors numerics texts tuples keys"
).split()


@pytest.fixture(name="cart")
def fixture_cart():
    return MjSpec.from_string(CART)


def same_model(a, b):
    """Whether all numbers of two models are the same."""
    for name in ("body_mass", "body_inertia", "body_pos", "geom_size", "geom_rgba", "jnt_axis", "actuator_gear", "qpos0"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
    return a.nq == b.nq and a.nu == b.nu


def test_a_file_and_its_text_are_the_same_model(cart, tmp_path):
    path = tmp_path / "cart.xml"
    path.write_text(CART, encoding="utf-8")
    from_file = MjSpec.from_file(str(path))
    assert from_file.modelfiledir == str(tmp_path)
    assert same_model(from_file.compile(), cart.compile())
    assert same_model(cart.compile(), mujoco.MjModel.from_xml_string(CART))


def test_written_mjcf_compiles_to_the_same_model(cart, tmp_path):
    cart.geom("box").size[0] = 0.3
    text = cart.to_xml()
    assert same_model(mujoco.MjModel.from_xml_string(text), cart.compile())
    cart.to_file(str(tmp_path / "out.xml"))
    assert same_model(mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml")), cart.compile())


def test_assets_and_included_files_need_not_be_on_disk():
    mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    xml = '<mujoco><include file="part.xml"/><worldbody><geom type="mesh" mesh="tetra"/></worldbody></mujoco>'
    part = '<mujoco><asset><mesh name="tetra" file="tetra.obj"/></asset></mujoco>'
    spec = MjSpec.from_string(xml, include={"part.xml": part}, assets={"tetra.obj": mesh})
    assert spec.compile().nmeshvert == 4
    del spec.assets["tetra.obj"]
    with pytest.raises(ValueError, match="tetra.obj"):
        spec.compile()
    spec.assets["tetra.obj"] = mesh
    assert spec.copy().compile().nmesh == 1
    host = MjSpec.from_string(CART)
    host.attach(spec, prefix="p_", frame="mount")
    assert host.compile().nmesh == 1
    spec.assets["tetra.obj"] = mesh + b"#"
    host.attach(spec, prefix="q_", frame="mount")  # files of an attached model are renamed as its elements are
    assert host.compile().nmesh == 2


def test_a_zip_file_contains_the_model_and_its_assets(tmp_path):
    mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    xml = """<mujoco model="thing"><asset><mesh name="tetra" file="sub/tetra.obj"/></asset>
      <worldbody><geom type="mesh" mesh="tetra"/></worldbody></mujoco>"""
    made = MjSpec.from_string(xml, assets={"sub/tetra.obj": mesh})
    path = tmp_path / "thing.zip"
    made.to_zip(str(path))
    with open(path, "rb") as file:
        for read in (MjSpec.from_zip(str(path)), MjSpec.from_zip(file)):
            assert read.assets == made.assets and read.modelname == "thing"
            assert same_model(read.compile(), made.compile())
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("second.xml", xml)
    with pytest.raises(ValueError, match="one .xml file"):
        MjSpec.from_zip(str(path))


def test_make_flex_makes_what_flexcomp_makes(cart):
    cart.delete(cart.keys[0])
    words = {"count": [3, 3, 1], "spacing": [0.1, 0.1, 0.1], "mass": 1, "radius": 0.01, "edgeequality": "true"}
    flex = cart.body("pole").make_flex("cloth", **words)
    assert flex is cart.flex("cloth") and len(flex.vertbody) == 9
    written = cart.to_xml()
    comp = """<mujoco><worldbody><body name="pole"><joint/><geom size="1"/><flexcomp name="cloth" type="grid" count="3 3 1"
      spacing="0.1 0.1 0.1" mass="1" radius="0.01"><edge equality="true"/></flexcomp></body></worldbody></mujoco>"""
    expected = MjSpec.from_string(comp).compile()
    model = cart.compile()
    assert model.nflexvert == 9 and model.nv == expected.nv + 1
    for name in ("flex_vert", "flex_edge", "flex_elem", "flexedge_length0"):
        np.testing.assert_array_equal(getattr(model, name), getattr(expected, name), name)
    assert MjSpec.from_string(written).compile().nflexvert == 9
    with pytest.raises(ValueError, match="repeated name 'cloth' in flex"):
        cart.worldbody.make_flex("cloth", **words)
    with pytest.raises(TypeError, match="Invalid stretchiness keyword"):
        cart.worldbody.make_flex("other", stretchiness=3)


def test_elements_use_plugins(cart):
    cart.activate_plugin("mujoco.pid")
    shared = cart.add_plugin(name="shared", plugin_name="mujoco.pid", config={"kp": "3"}, active=True)
    pull = cart.add_actuator(name="pull", target="slide", trntype=mujoco.mjtTrn.mjTRN_JOINT, plugin=shared)
    own = cart.add_actuator(name="own", target="slide", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    own.plugin.plugin_name = "mujoco.pid"
    own.plugin.config = {"kp": "5"}
    own.plugin.active = True
    assert (pull.plugin.name, pull.plugin.plugin_name, own.plugin.config) == ("shared", "mujoco.pid", {"kp": "5"})
    model = cart.compile()
    data = mujoco.MjData(model)
    assert model.nplugin == 2
    data.ctrl[model.actuator("pull").id] = data.ctrl[model.actuator("own").id] = 0.1
    mujoco.mj_forward(model, data)
    forces = data.actuator_force[model.actuator("pull").id], data.actuator_force[model.actuator("own").id]
    np.testing.assert_allclose(forces, (0.3, 0.5))
    own.plugin.active = False
    shared.config = {"kp": "4"}
    assert MjSpec.from_string(cart.to_xml()).plugins[0].config == {"kp": "4"}


def test_bones_of_a_skin_are_columns(cart):
    skin = cart.add_skin(name="skin", vert=[0, 0, 0, 1, 0, 0, 0, 1, 0], face=[0, 1, 2])
    skin.bodyname = ["cart", "pole"]
    skin.bindpos = [0, 0, 0, 0, 0, 1]
    skin.bindquat = [1, 0, 0, 0, 1, 0, 0, 0]
    skin.vertid = [[0, 1], [2]]
    skin.vertweight = [[1, 1], [1]]
    skin.bodyname[1] = "box"
    assert skin.bodyname == ["cart", "box"]
    skin.bodyname[1] = "pole"
    model = cart.compile()
    assert (model.nskin, model.nskinbone) == (1, 2)
    np.testing.assert_array_equal(model.skin_bonevertid, [0, 1, 2])
    np.testing.assert_array_equal(model.skin_bonebindpos, [[0, 0, 0], [0, 0, 1]])
    with pytest.raises(IndexError):
        skin.bodyname[2] = "cart"


def test_text_is_written_as_mujoco_writes_it():
    spec = MjSpec.from_string("""<mujoco><default><default class="a"><geom size="0.1"/></default></default><worldbody>
      <body childclass="a"><joint name="j" range="-90 90"/><geom/><geom class="main" size="0.2" user="1 2"/></body></worldbody>
      <keyframe><key qpos="0.5"/></keyframe></mujoco>""")
    text = spec.to_xml()
    assert text.startswith('<mujoco model="MuJoCo Model">\n  <compiler angle="radian"/>\n\n  <size nuser_geom="2"/>\n\n  <default>')
    assert '<geom class="main" size="0.2 0 0" user="1 2"/>' in text and '<geom/>' in text
    again = MjSpec.from_string(text).compile()
    np.testing.assert_array_equal(again.jnt_range, spec.compile().jnt_range)
    np.testing.assert_array_equal(again.key_qpos, [[0.5]])
    flat = MjSpec.from_string('<mujoco><compiler eulerseq="zyx"/><worldbody><geom class="main" size="1"/></worldbody></mujoco>')
    assert "eulerseq" not in flat.to_xml() and "class" not in flat.to_xml()


def test_an_error_of_the_compiler_names_the_element_as_mujoco_does(cart):
    cart.worldbody.add_geom(name="bad", size=[-1, 0, 0])
    with pytest.raises(ValueError, match=r"\AError: .*\nElement name 'bad', id 0"):
        cart.compile()
    cart.delete(cart.geom("bad"))
    cart.add_actuator(name="lost", target="nothing", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    with pytest.raises(ValueError, match=r"\nElement name 'lost', id 1"):
        cart.compile()
    with pytest.raises(ValueError, match="Element name '', id 1, line 2"):
        mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/><body>\n<geom/></body></worldbody></mujoco>")


def test_a_model_built_from_scratch():
    spec = MjSpec()
    spec.modelname = "built"
    spec.option.timestep = 0.01
    spec.option.gravity = [0, 0, -5]
    spec.compiler.degree = False
    spec.default.geom.rgba = [1, 0, 0, 1]
    body = spec.worldbody.add_body(name="b", pos=[0, 0, 1])
    body.add_freejoint(name="free")
    geom = body.add_geom(name="g", type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.2, 0.3])
    assert geom.rgba.tolist() == [1, 0, 0, 1]
    body.add_site(name="s", pos=[0, 0, 0.3], euler=[0, 0, np.pi / 2])
    child = body.add_body(name="child", pos=[0.5, 0, 0])
    joint = child.add_joint(name="hinge", axis=[0, 1, 0], range=[-1, 1], damping=0.5)
    child.add_geom(size=[0.1], mass=3)
    body.add_camera(name="eye", fovy=60)
    spec.worldbody.add_light(pos=[0, 0, 3])
    actuator = spec.add_actuator(name="a", target="hinge", trntype=mujoco.mjtTrn.mjTRN_JOINT, gear=[4])
    actuator.set_to_position(kp=10, kv=2)
    spec.add_sensor(name="p", type=mujoco.mjtSensor.mjSENS_JOINTPOS, objtype=mujoco.mjtObj.mjOBJ_JOINT, objname="hinge")
    spec.add_key(name="k", qpos=[0, 0, 2, 1, 0, 0, 0, 0.5])
    model = spec.compile()
    assert (model.nq, model.nv, model.nu, model.nsensor, model.nkey) == (8, 7, 1, 1, 1)
    assert model.opt.timestep == 0.01 and model.opt.gravity[2] == -5
    assert model.jnt_range[1].tolist() == [-1, 1] and joint.range.tolist() == [-1, 1]
    assert model.dof_damping[6] == 0.5
    assert model.body("child").mass[0] == 3
    assert model.site("s").quat[3] == pytest.approx(np.sqrt(0.5))
    assert model.actuator("a").gainprm[0] == 10 and model.actuator("a").biasprm[2] == -2
    assert model.actuator("a").gear[0] == 4
    assert model.key("k").qpos[2] == 2
    assert model.cam("eye").fovy[0] == 60
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    assert data.qvel[2] < 0


def test_every_list_matches_the_model(cart):
    model = cart.compile()
    assert [len(getattr(cart, name)) for name in ("bodies", "joints", "geoms", "sites")] == [3, 2, 2, 2]
    for name in LISTS:
        assert isinstance(getattr(cart, name), list), name
    assert [b.name for b in cart.bodies] == ["world", "cart", "pole"]
    for i, geom in enumerate(cart.geoms):
        assert model.geom(geom.name).id == geom.id == i
    assert cart.worldbody.bodies == [cart.body("cart")]
    assert cart.body("cart").parent == cart.worldbody and cart.worldbody.parent is None
    assert cart.geom("rod").parent == cart.body("pole")


def test_elements_are_found_by_name_kind_and_position(cart):
    assert cart.geom("rod").type == mujoco.mjtGeom.mjGEOM_CAPSULE
    assert cart.geom("nothing") is None
    assert cart.joint("hinge").type == mujoco.mjtJoint.mjJNT_HINGE
    assert [g.name for g in cart.find_all("geom")] == ["box", "rod"]
    assert [g.name for g in cart.find_all(mujoco.mjtObj.mjOBJ_GEOM)] == ["box", "rod"]
    body = cart.body("cart")
    assert [s.name for s in body.find_all("site")] == ["top", "tip"]
    assert body.find_child("pole").name == "pole"
    assert body.first_body().name == "pole" and body.next_body(body.first_body()) is None
    assert body.first_geom() == body.geoms[0] and body.first_joint().name == "slide"
    assert body.first_site().name == "top" and body.first_camera() is None and body.first_light() is None
    with pytest.raises(ValueError, match="not a kind of element"):
        cart.find_all("gem")


def test_attributes_are_read_and_written_in_place(cart):
    geom = cart.geom("box")
    geom.size[1] = 0.15
    geom.pos += 0.25
    geom.rgba = [0, 0, 0, 0.5]
    geom.friction = 0.7
    assert geom.size.tolist() == [0.2, 0.15, 0.05]
    assert geom.friction.tolist() == [0.7, 0.005, 0.0001]
    key = cart.key("bent")
    key.qpos[1] = 0.9
    model = cart.compile()
    assert model.geom("box").size[1] == 0.15 and model.geom("box").pos[0] == 0.25
    assert model.geom("box").rgba[3] == 0.5
    assert model.key("bent").qpos.tolist() == [0.1, 0.9]
    copied = geom.size.copy()
    copied[0] = 7
    assert geom.size[0] == 0.2


def test_names_of_mujoco_and_of_mjcf_mean_the_same(cart):
    joint = cart.joint("hinge")
    joint.solref_limit = [0.01, 2]
    assert joint.solreflimit.tolist() == [0.01, 2]
    joint.actfrcrange = [-1, 1]
    joint.userdata = [1, 2]
    geom = cart.geom("rod")
    geom.type = "sphere"
    assert geom.type == mujoco.mjtGeom.mjGEOM_SPHERE
    assert cart.actuator("push").target == "slide"
    assert cart.sensor("angle").objname == "hinge"
    assert cart.sensor("angle").objtype == mujoco.mjtObj.mjOBJ_JOINT
    assert "solref_limit" in dir(joint) and "add_geom" in dir(cart.worldbody)


def test_orientations_have_alternative_forms(cart):
    site = cart.site("top")
    assert site.alt.euler.tolist() == [0, 0, 0.5] and site.alt.type == 4
    site.alt.axisangle = [1, 0, 0, np.pi]
    assert site.alt.type == 1
    assert cart.compile().site("top").quat[1] == pytest.approx(1)
    site.quat = [1, 0, 0, 0]
    assert site.alt.type == 0
    assert cart.compile().site("top").quat.tolist() == [1, 0, 0, 0]
    with pytest.raises(AttributeError, match="axisangle, xyaxes, zaxis, euler"):
        site.alt.roll = 1


def test_inertias_of_bodies(cart):
    body = cart.body("pole")
    assert not body.explicitinertial
    body.mass, body.ipos, body.inertia = 2.5, [0, 0, 0.3], [0.1, 0.1, 0.01]
    assert body.explicitinertial
    model = cart.compile()
    assert model.body("pole").mass[0] == 2.5 and model.body("pole").inertia.tolist() == [0.1, 0.1, 0.01]
    body.explicitinertial = False
    assert cart.compile().body("pole").mass[0] < 2


def test_geoms_win_over_a_mass_without_a_position():
    """Measured of MuJoCo 3.12.0: the mass of a body with geoms counts if ipos or explicitinertial is given too."""
    sphere = 4 / 3 * np.pi * 0.1**3 * 1000

    def mass(geoms, **values):
        spec = MjSpec()
        body = spec.worldbody.add_body(name="b", **values)
        body.add_freejoint()
        if geoms:
            body.add_geom(size=[0.1, 0, 0])
        written = MjSpec.from_string(spec.to_xml()).compile()
        model = spec.compile()
        assert written.body_mass[1] == model.body_mass[1]
        return model.body_mass[1]

    ones = [1, 1, 1]
    assert mass(True, mass=1) == pytest.approx(sphere)
    assert mass(True, mass=1, inertia=ones) == pytest.approx(sphere)
    assert mass(True, mass=1, fullinertia=[1, 1, 1, 0, 0, 0]) == pytest.approx(sphere)
    assert mass(True, mass=1, inertia=ones, ipos=[0, 0, 0]) == 1
    assert mass(True, mass=1, inertia=ones, explicitinertial=True) == 1
    assert mass(False, mass=1, inertia=ones) == 1
    assert np.isnan(MjSpec().worldbody.add_body(mass=1).ipos).all()
    for values in ({"mass": 1}, {"mass": 1, "explicitinertial": True}):
        with pytest.raises(ValueError, match="Element name 'b', id 1"):
            mass(False, **values)


@pytest.mark.parametrize("copies", [False, True])
def test_the_world_of_a_model_is_attached_as_a_body(copies):
    child = MjSpec.from_string("""<mujoco><worldbody><geom name="t" size="0.1"/><site name="s" pos="1 0 0"/><body name="c" pos="0 0 1">
      <joint name="j"/><geom size="0.1"/></body></worldbody><actuator><motor name="m" joint="j"/></actuator></mujoco>""")
    child.copy_during_attach = copies
    inner = child.body("c")
    parent = MjSpec()
    with pytest.raises(ValueError, match="repeated name|already used"):
        parent.worldbody.add_geom(name="t", size=[0.1, 0, 0])
        parent.worldbody.add_site().attach_body(child.worldbody, "", "")
    assert child.worldbody.first_body() is inner and child.worldbody.first_geom().name == "t"
    parent = MjSpec()
    body = parent.worldbody.add_site(pos=[0, 0, 2]).attach_body(child.worldbody, "pre-", "-0")
    assert body.name == "pre-world-0" and inner.name == ("c" if copies else "pre-c-0")
    body.add_freejoint()
    model = parent.compile()
    assert (model.nbody, model.nq, model.nu) == (3, 8, 1) and model.body_pos[1].tolist() == [0, 0, 2]
    assert [parent.geoms[0].name, parent.sites[1].name, parent.actuators[0].name] == ["pre-t-0", "pre-s-0", "pre-m-0"]


def test_unset_values_are_nan_and_values_can_be_unset(cart):
    geom = cart.geom("box")
    assert np.isnan(geom.mass) and np.isnan(geom.fromto).all() and np.isnan(cart.stat.extent)
    geom.mass = 4
    assert cart.compile().body("cart").mass[0] == 4
    geom.mass = np.nan
    assert np.isnan(geom.mass)
    cart.stat.extent = 3
    assert cart.compile().stat.extent == 3
    rod = cart.geom("rod")
    rod.fromto = np.full(6, np.nan)
    rod.size = [0.02, 0.1, 0]
    assert cart.compile().geom("rod").size[1] == 0.1


def test_default_classes(cart):
    heavy = cart.find_default("heavy")
    assert cart.geom("box").classname == heavy and cart.geom("rod").classname == cart.default
    assert heavy.geom.density == 5000
    body = cart.body("cart")
    assert body.add_geom(heavy, size=[0.1]).density == 5000
    light = cart.add_default("light", heavy)
    light.geom.density = 10
    holder = body.add_body(light, name="holder")
    assert holder.add_geom(size=[0.1]).density == 10
    assert holder.add_body().add_geom(size=[0.1]).classname == light
    assert [c.name for c in cart.defaults] == ["main", "heavy", "light"]
    assert same_model(mujoco.MjModel.from_xml_string(cart.to_xml()), cart.compile())
    with pytest.raises(ValueError, match="already exists"):
        cart.add_default("heavy")
    with pytest.raises(ValueError, match="no default class"):
        cart.geom("rod").classname = "missing"


def test_every_kind_of_element_can_be_added_and_deleted(cart):
    body = cart.body("pole")
    frame = body.add_frame(name="tilt", pos=[0, 0, 0.1])
    inside = body.add_site(name="inside", frame=frame)
    cart.add_texture(name="tex", type=mujoco.mjtTexture.mjTEXTURE_2D, builtin="checker", width=4, height=4)
    material = cart.add_material(name="mat", rgba=[1, 1, 0, 1])
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "tex"
    assert material.textures[1] == "tex"
    tetra = {"uservert": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], "userface": [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]}
    cart.add_mesh(name="mesh", **tetra)
    cart.add_hfield(name="field", nrow=2, ncol=2, size=[1, 1, 1, 0.1], userdata=[0, 1, 0, 1])
    tendon = cart.add_tendon(name="string")
    assert tendon.wrap_site("top").target.name == "top"
    tendon.wrap_site("tip")
    fixed = cart.add_tendon(name="sum")
    fixed.wrap_joint("slide", 2)
    fixed.wrap_joint("hinge", -1)
    items = [(mujoco.mjtObj.mjOBJ_BODY, "pole", 1.5)]
    cart.activate_plugin("mujoco.pid")
    instance = cart.add_plugin(name="instance", plugin_name="mujoco.pid", active=True)
    added = [
        body.add_geom(name="shape", type=mujoco.mjtGeom.mjGEOM_MESH, meshname="mesh", material="mat", mass=1),
        body.add_joint(name="extra", axis=[1, 0, 0]),
        body.add_site(name="mark"),
        body.add_camera(name="cam"),
        body.add_light(name="lamp"),
        body.add_body(name="leaf"),
        frame,
        inside,
        cart.add_pair(name="pair", geomname1="box", geomname2="shape"),
        cart.add_exclude(name="apart", bodyname1="cart", bodyname2="pole"),
        instance,
        cart.add_skin(
            name="skin", vert=[0, 0, 0, 1, 0, 0, 0, 1, 0], face=[0, 1, 2], bodyname=["pole"], bindpos=[0, 0, 0],
            bindquat=[1, 0, 0, 0], vertid=[[0, 1, 2]], vertweight=[[1, 1, 1]]
        ),
        cart.add_flex(name="rope", dim=1, vertbody=["cart", "pole"], elem=[0, 1], contype=0, conaffinity=0),
        cart.add_equality(
            name="tie", type=mujoco.mjtEq.mjEQ_JOINT, objtype=mujoco.mjtObj.mjOBJ_JOINT, name1="slide", data=[0, 1]
        ),
        tendon,
        fixed,
        cart.add_actuator(name="pull", target="string", trntype=mujoco.mjtTrn.mjTRN_TENDON, plugin=instance),
        cart.add_sensor(name="where", type=mujoco.mjtSensor.mjSENS_FRAMEPOS, objtype=mujoco.mjtObj.mjOBJ_SITE, objname="tip"),
        cart.add_numeric(name="number", data=[1, 2, 3]),
        cart.add_text(name="text", data="hello"),
        cart.add_tuple(name="tuple", items=items),
        cart.add_key(name="rest", qpos=[0, 0, 0]),
        material,
        cart.mesh("mesh"),
        cart.hfield("field"),
        cart.texture("tex"),
        cart.add_default("light"),
    ]
    assert {element._node.kind for element in added} == set(spec.CLASSES)
    cart.key("bent").qpos = [0.1, 0.2, 0]
    cart.body("leaf").add_geom(size=[0.01])
    model = cart.compile()
    assert (model.ntendon, model.nmesh, model.nhfield, model.ntex, model.nmat) == (2, 1, 1, 1, 1)
    assert (model.npair, model.nexclude, model.neq, model.nu, model.nsensor, model.nflex) == (1, 1, 1, 2, 2, 1)
    assert [w.target.name for w in fixed.path] == ["slide", "hinge"] and fixed.path[1].coef == -1
    assert cart.tuple("tuple").items == [(1, "pole", 1.5)]
    assert same_model(mujoco.MjModel.from_xml_string(cart.to_xml()), model)
    for element in added:
        if element._node.alive:
            cart.delete(element)
        with pytest.raises(ValueError, match="was deleted"):
            _ = element.name
    cart.key("bent").qpos = [0.1, 0.2]
    assert same_model(cart.compile(), mujoco.MjModel.from_xml_string(CART))


def test_deleting_an_element_deletes_what_refers_to_it(cart):
    hinge, sensor = cart.joint("hinge"), cart.sensor("angle")
    cart.delete(cart.body("pole"))
    assert cart.sensors == [] and [b.name for b in cart.bodies] == ["world", "cart"]
    for gone in (hinge, sensor):
        with pytest.raises(ValueError, match="was deleted"):
            gone.name = "x"
        assert "deleted" in repr(gone)
    assert cart.compile().key("bent").qpos.tolist() == [0.1]
    unnamed = cart.body("cart").add_geom(size=[0.1])
    unnamed.delete()
    assert len(cart.geoms) == 1
    with pytest.raises(ValueError, match="world"):
        cart.worldbody.delete()
    with pytest.raises(ValueError, match="not part of this MjSpec"):
        cart.delete(MjSpec.from_string(CART).geom("box"))
    with pytest.raises(TypeError):
        cart.delete("box")


def test_a_body_is_deleted_from_a_tree_that_does_not_compile(cart):
    cart.add_pair(name="pair", geomname1="box", geomname2="nothing")
    cart.delete(cart.body("pole"))
    with pytest.raises(ValueError, match="nothing"):
        cart.compile()
    cart.delete(cart.pair("pair"))
    with pytest.raises(ValueError, match="at most 1"):  # which of the numbers belonged to it could not be told
        cart.compile()
    cart.key("bent").qpos = [0.1]
    assert cart.compile().nkey == 1


def test_keyframes_lose_the_numbers_of_a_deleted_body_with_meshes_in_memory():
    tetra = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    spec = MjSpec.from_string("""<mujoco><asset><mesh file="t.obj"/></asset><worldbody>
      <body name="a"><joint/><geom type="mesh" mesh="t"/></body><body name="b"><joint/><geom type="mesh" mesh="t"/></body>
      </worldbody><keyframe><key qpos="1 2"/></keyframe></mujoco>""", assets={"t.obj": tetra})
    spec.delete(spec.body("a"))
    assert spec.compile().key_qpos.tolist() == [[2]]


def test_a_frame_is_deleted_with_its_contents(cart):
    body = cart.body("cart")
    frame = body.add_frame(pos=[0, 0, 1])
    inner = body.add_frame(frame=frame)
    gone = [
        body.add_geom(size=[0.1], frame=frame),
        body.add_site(frame=inner),
        body.add_body(frame=inner),
        cart.add_sensor(
            name="look", type=mujoco.mjtSensor.mjSENS_FRAMEPOS, objtype=mujoco.mjtObj.mjOBJ_SITE, objname="eye"
        ),
    ]
    gone[1].name = "eye"
    gone[2].add_geom(size=[0.1])
    kept = body.add_frame(pos=[0, 0, 2])
    ball = body.add_geom(name="ball", size=[0.1], frame=kept)
    cart.delete(frame)
    for element in (inner, frame, *gone):
        with pytest.raises(ValueError, match="was deleted"):
            _ = element.name
    assert ball.frame == kept and cart.compile().geom("ball").pos.tolist() == [0, 0, 2]
    assert sorted(f.name for f in cart.frames) == ["", "mount"]


def test_deleting_a_default_class_leaves_its_elements_unchanged(cart):
    before = cart.compile()
    heavy = cart.find_default("heavy")
    record = heavy.geom
    cart.delete(heavy)
    assert cart.find_default("heavy") is None and cart.geom("box").classname.name == "main"
    assert same_model(cart.compile(), before) and same_model(mujoco.MjModel.from_xml_string(cart.to_xml()), before)
    for gone in (heavy, record):
        with pytest.raises(ValueError, match="was deleted"):
            _ = gone.density if gone is record else gone.name
    with pytest.raises(ValueError, match="main"):
        cart.delete(cart.default)


def test_frames(cart):
    body = cart.body("cart")
    outer = body.add_frame(name="outer", pos=[0, 0, 1])
    inner = body.add_frame(name="inner", frame=outer, pos=[0, 0, 2])
    geom = body.add_geom(name="far", size=[0.1], frame=inner)
    assert geom.frame == inner and inner.frame == outer and outer.frame is None
    assert cart.compile().geom("far").pos[2] == 3
    geom.set_frame(None)
    assert cart.compile().geom("far").pos[2] == 0
    cart.site("top").set_frame(outer)
    assert cart.compile().site("top").pos[2] == 1.05
    for wrong in (lambda: outer.set_frame(inner), lambda: cart.geom("rod").set_frame(outer)):
        with pytest.raises(ValueError):
            wrong()


def test_bodies_of_other_models_are_attached(cart):
    arm = MjSpec.from_string(ARM)
    body = cart.frame("mount").attach_body(arm.body("upper"), "left_", "_1")
    assert body.name == "left_upper_1" and body.parent == cart.worldbody
    model = cart.compile()
    assert model.body("left_upper_1").pos[0] == 2
    assert model.body("left_upper_1").quat[1] == pytest.approx(np.sqrt(0.5))  # degrees, as in the arm
    assert model.actuator("left_drive_1").trnid[0] == model.joint("left_shoulder_1").id
    assert model.key("bent").qpos.tolist() == [0.1, 0.2, 0]
    body.pos = [1, 0, 0]
    assert cart.compile().body("left_upper_1").pos[0] == 3
    with pytest.raises(ValueError, match="already exists|already used"):
        cart.frame("mount").attach_body(MjSpec.from_string(ARM).body("upper"), "left_", "_1")


def test_attached_elements_become_part_of_the_other_model(cart):
    """As measured with MuJoCo 3.12.0: names, edits through the child's elements, and that the child cannot be compiled."""
    arm = MjSpec.from_string(ARM)
    upper, bone, drive, world = arm.body("upper"), arm.geom("bone"), arm.actuator("drive"), arm.worldbody
    attached = cart.frame("mount").attach_body(upper, prefix="x_")
    assert upper == attached == cart.body("x_upper") == arm.body("x_upper") and arm.body("upper") is None
    assert bone == cart.geom("x_bone") and drive == cart.actuator("x_drive") and drive.target == "x_shoulder"
    assert bone.parent == attached and attached.parent == cart.worldbody and world.parent is None
    upper.pos = [5, 0, 0]
    bone.size[0] = 0.07
    upper.add_site(name="added")
    model = cart.compile()
    assert model.body("x_upper").pos[0] == 7 and model.geom("x_bone").size[0] == 0.07
    assert model.site("added").bodyid[0] == model.body("x_upper").id
    with pytest.raises(ValueError, match="attached by reference to another one: compile that one"):
        arm.compile()
    cart.delete(upper)
    with pytest.raises(ValueError, match="was deleted"):
        _ = bone.name
    gone = cart.worldbody.add_frame()
    gone.delete()
    for wrong in (lambda: cart.worldbody.attach_frame(gone), lambda: gone.attach_body(cart.body("pole"))):
        with pytest.raises(ValueError, match="was deleted"):
            wrong()


@pytest.mark.parametrize("which", ["parent", "child"])
def test_attaching_copies_on_request(cart, which):
    arm = MjSpec.from_string(ARM)
    (cart if which == "parent" else arm).copy_during_attach = True
    upper = arm.body("upper")
    attached = cart.frame("mount").attach_body(upper, prefix="x_")
    assert upper.name == "upper" and attached != upper
    upper.pos = [5, 0, 0]
    assert cart.compile().body("x_upper").pos[0] == 2 and arm.compile().body("upper").pos[0] == 5


def test_an_attached_model_is_in_its_own_frame(cart):
    arm = MjSpec.from_string(ARM)
    upper = arm.body("upper")
    frame = cart.attach(arm, prefix="a_", frame="mount")
    assert frame != cart.frame("mount") and frame.frame == cart.frame("mount")
    assert upper.frame == frame and upper.name == "a_upper"
    frame.pos = [0, 1, 0]
    assert cart.compile().body("a_upper").pos.tolist() == [2, 1, 0]
    other = MjSpec.from_string(ARM)
    inner = other.worldbody.add_frame(name="inner", pos=[0, 0, 1])
    ball = other.worldbody.add_geom(name="ball", size=[0.1], frame=inner)
    cart.worldbody.add_frame(name="before")
    moved = cart.body("cart").attach_frame(inner, prefix="b_")
    assert moved == inner == cart.frame("b_inner") and ball == cart.geom("b_ball") and ball.frame == inner
    assert other.body("upper").name == "upper"


def test_whole_models_are_attached_to_frames_and_sites(cart):
    arm = MjSpec.from_string(ARM)
    arm.copy_during_attach = True
    assert cart.attach(arm, prefix="a_", frame="mount").parent == cart.worldbody
    frame = cart.attach(arm, prefix="b_", site=cart.site("tip"))
    assert frame.parent == cart.body("pole")
    at_site = cart.site("top").attach_body(arm.body("upper"), prefix="c_")
    copied = cart.worldbody.attach_frame(cart.frame("mount"), prefix="d_")
    assert copied.name == "d_mount" and at_site.parent == cart.body("cart")
    model = cart.compile()
    assert model.body("b_upper").pos[2] == 0.6 and model.body("c_upper").pos[2] == 0.05
    assert model.body("d_a_upper").pos[0] == 2
    assert model.nu == 5
    for error, call in [
        (ValueError, lambda: cart.attach(arm)),
        (ValueError, lambda: cart.attach(arm, frame="none")),
        (TypeError, lambda: cart.attach(None, frame="mount")),
        (ValueError, lambda: cart.attach(arm, prefix="a_", frame="mount")),
    ]:
        with pytest.raises(error):
            call()


def test_a_running_simulation_continues_with_the_edited_model(cart):
    model = cart.compile()
    data = mujoco.MjData(model)
    data.qvel[:] = [1, 2]
    mujoco.mj_step(model, data, 10)
    cart.body("pole").add_joint(name="roll", axis=[1, 0, 0])
    cart.key("bent").qpos = [0, 0, 0]
    new_model, new_data = cart.recompile(model, data)
    assert (new_model.nq, new_data.time) == (3, data.time)
    assert new_data.qpos[:2].tolist() == data.qpos.tolist() and new_data.qpos[2] == 0
    assert new_data.model is new_model
    mujoco.mj_step(new_model, new_data)


def test_elements_are_bound_to_the_compiled_model(cart):
    cart.body("cart").add_geom(size=[0.3])
    cart.worldbody.add_body(name="free").add_freejoint(name="root")
    cart.body("free").add_geom(size=[0.1])
    cart.key("bent").delete()
    model = cart.compile()
    data = mujoco.MjData(model)
    assert model.bind(cart.geom("rod")).id == model.geom("rod").id
    model.bind(cart.body("pole")).pos[2] = 0.7
    assert model.body("pole").pos[2] == 0.7
    geoms = model.bind(cart.geoms)
    assert geoms.size.shape == (4, 3) and len(geoms) == 4 and geoms.id == [0, 1, 2, 3]
    assert np.array_equal(geoms.rgba, model.geom_rgba) and geoms.name[0] == "box"
    geoms.friction = [0.5, 0.1, 0.1]
    assert np.all(model.geom_friction == [0.5, 0.1, 0.1])
    joints = data.bind([cart.joint("hinge"), cart.joint("root"), cart.joint("slide")])
    assert joints.qpos.shape == (9,) and joints.qvel.shape == (8,)
    joints.qpos = np.arange(9)
    assert data.joint("hinge").qpos[0] == 0 and data.joint("slide").qpos[0] == 8
    assert data.joint("root").qpos.tolist() == [1, 2, 3, 4, 5, 6, 7]
    data.bind(cart.actuators).ctrl = 0.5
    assert data.ctrl.tolist() == [0.5]
    mujoco.mj_forward(model, data)
    assert np.array_equal(data.bind(cart.sites).xpos, data.site_xpos)
    assert data.bind([]).qpos.size == 0 and "qpos" in dir(joints)
    for wrong in (lambda: data.bind([cart.geom("box"), cart.joint("hinge")]), lambda: data.bind("box"),
                  lambda: data.bind([3])):  # fmt: skip
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="recompile"):
        data.bind(cart.add_mesh(name="m"))
    other = MjSpec.from_string(ARM)
    with pytest.raises(ValueError, match="recompile"):
        model.bind(other.geom("bone"))


def test_copies_are_independent(cart):
    for other in (cart.copy(), copy.copy(cart), copy.deepcopy(cart)):
        other.geom("box").size = [1, 1, 1]
        other.delete(other.body("pole"))
    assert cart.geom("box").size[0] == 0.2 and cart.body("pole") is not None


def test_elements_keep_their_tree_alive():
    geom = MjSpec.from_string(CART).geom("box")
    size = geom.size
    gc.collect()
    size[0] = 0.7
    assert geom.size[0] == 0.7 and geom.parent.name == "cart"


def test_settings(cart):
    cart.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    cart.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    cart.nuserdata = 5
    cart.visual.global_.fovy = 33
    cart.compiler.LRopt.accel = 7
    model = cart.compile()
    assert model.opt.integrator == 1 and model.opt.disableflags & 16 == 16
    assert model.nuserdata == 5 and model.vis.global_.fovy == 33
    assert cart.compiler.degree == 0 and cart.option.timestep == 0.002
    cart.meshdir = "meshes"
    assert cart.compiler.meshdir == "meshes" and cart.meshdir == "meshes"
    cart.compiler.settotalmass = 10
    assert cart.compile().body_mass.sum() == pytest.approx(10)


def test_actuator_shortcuts(cart):
    actuator = cart.actuator("push")
    for set_to, expected in [
        (lambda: actuator.set_to_velocity(kv=3), (3, 0, -3)),
        (lambda: actuator.set_to_position(kp=5, dampratio=1), (5, -5, 1)),
        (lambda: actuator.set_to_damper(kv=2), (0, 0, 0)),
        (lambda: actuator.set_to_motor(), (1, 0, 0)),
        (lambda: actuator.set_to_intvelocity(kp=4), (4, -4, 0)),
        (lambda: actuator.set_to_adhesion(gain=8), (8, 0, 0)),
    ]:
        set_to()
        assert actuator.gainprm[0] == expected[0]
    actuator.set_to_cylinder(timeconst=0.1, area=2)
    assert actuator.dyntype == mujoco.mjtDyn.mjDYN_FILTER
    actuator.set_to_muscle(timeconst=[0.02, 0.05], force=10)
    assert actuator.gaintype == mujoco.mjtGain.mjGAIN_MUSCLE
    with pytest.raises(ValueError, match="kv and dampratio"):
        actuator.set_to_position(kp=1, kv=1, dampratio=1)
    with pytest.raises(TypeError, match="has no 'kq'"):
        actuator.set_to_position(kp=1, kq=1)


def test_wrong_values_raise_a_helpful_error_and_change_nothing(cart):
    geom = cart.geom("box")
    for error, text, call in [
        (ValueError, "pos should be a list/array of size 3", lambda: setattr(geom, "pos", [1, 2])),
        (ValueError, "only finite numbers", lambda: setattr(geom, "pos", [1, 2, np.inf])),
        (TypeError, "must be numbers", lambda: setattr(geom, "pos", "here")),
        (TypeError, "must be a number", lambda: setattr(geom, "density", None)),
        (TypeError, "must be a str", lambda: setattr(geom, "material", 3)),
        (TypeError, "must be a str", lambda: setattr(geom, "name", 3)),
        (TypeError, "not an integer", lambda: setattr(geom, "condim", 1.5)),
        (ValueError, "is not one of 0 \\(plane\\)", lambda: setattr(geom, "type", 77)),
        (TypeError, "did you mean 'sphere'", lambda: setattr(geom, "type", "spere")),
        (AttributeError, "did you mean 'friction'", lambda: geom.frictoin),
        (AttributeError, "did you mean 'friction'", lambda: setattr(geom, "frictoin", 1)),
        (AttributeError, "no attribute 'nothing'", lambda: cart.nothing),
        (AttributeError, "no attribute 'nothing'", lambda: setattr(cart, "nothing", 1)),
        (ValueError, "not an orientation", lambda: setattr(geom, "quat", [0, 0, 0, 0])),
        (AttributeError, "can't set|no setter", lambda: setattr(geom, "parent", cart.worldbody)),
        (TypeError, "not part of an MjSpec", lambda: cart.worldbody.add_geom("heavy")),
        (ValueError, "same MjSpec", lambda: cart.worldbody.add_geom(MjSpec().default)),
        (ValueError, "a fixed tendon wraps joints only", lambda: wrong_tendon(cart)),
        (ValueError, "same MjSpec", lambda: cart.add_material(cart.geom("box"))),
        (ValueError, "has no body", lambda: cart.default.site.attach_body(cart.body("pole"))),
        (ValueError, "cannot be deleted", lambda: cart.default.geom.delete()),
        (ValueError, "too large", lambda: setattr(geom, "type", 2**40)),
        (TypeError, "must be a str", lambda: cart.geom(3)),
    ]:
        with pytest.raises(error, match=text):
            call()
    assert geom.pos.tolist() == [0, 0, 0] and geom.condim == 3
    with pytest.raises(ValueError):
        cart.worldbody.add_geom(name="bad", size=[1, 2, 3, 4])
    with pytest.raises(TypeError, match="Invalid typ keyword"):
        cart.add_sensor(typ=3)
    assert cart.geom("bad") is None and len(cart.sensors) == 1


def wrong_tendon(spec):
    tendon = spec.add_tendon()
    tendon.wrap_site("top")
    tendon.wrap_joint("hinge", 1)


def test_invalid_models_are_rejected_with_a_reason(cart):
    with pytest.raises(ValueError, match="XML Error.*<geom> has no attribute 'siz'"):
        MjSpec.from_string('<mujoco><worldbody><geom siz="1"/></worldbody></mujoco>')
    with pytest.raises(ValueError, match="no_such_file"):
        MjSpec.from_file("no_such_file.xml")
    cart.sensor("angle").objname = "hing"
    with pytest.raises(ValueError, match="hing.*did you mean 'hinge'"):
        cart.compile()
    with pytest.raises(TypeError):
        cart.recompile(None, None)


def test_reprs_are_readable(cart):
    assert repr(cart) == "<MjSpec 'cart': 3 body, 2 joint, 2 geom, 1 actuator, 1 sensor>"
    assert repr(cart.geom("box")) == "<MjsGeom geom 'box'>"
    assert repr(cart.default) == "<MjsDefault default 'main'>"


ERRORS = (
    TypeError, ValueError, AttributeError, IndexError, KeyError, OverflowError, NotImplementedError, OSError,
    zipfile.BadZipFile, mujoco.FatalError,
)  # fmt: skip


def storm(seed, count):
    """Random calls and assignments on trees, their elements and batches; returns how many were rejected."""
    rng = random.Random(seed)
    spec = MjSpec.from_string(CART)
    model = spec.compile()
    batch = mujoco.Batch(model, 3, threads=2)
    held, refused = [batch], 0
    values = [None, 3, -1, 2**40, 0.5, np.nan, np.inf, "x", "", "hinge", b"b", [], [1], [1, 2, 3], np.zeros((2, 2)), True,
              {}, object(), model, batch, [0, 2], "geom"]  # fmt: skip
    skipped = {"to_file", "to_zip", "nuserdata", "nkey", "width", "height", "nsample", "actdim", "dim"}
    for k in range(count):
        target = rng.choice([spec, *held])
        try:
            name = rng.choice([n for n in dir(target) if not n.startswith("_")])
            if name in skipped or name.startswith("nuser"):
                continue
            attribute = getattr(target, name)
            if callable(attribute):
                attribute = attribute(*(rng.choice([*values, *held]) for _ in range(rng.choice([0, 1, 1, 2]))))
            elif rng.random() < 0.5:
                setattr(target, name, rng.choice(values))
            new = attribute if isinstance(attribute, list) else [attribute]
            held += [x for x in new[:5] if type(x).__name__.startswith("Mjs")]
        except ERRORS:
            refused += 1
        del held[1:-20]
        if k % 200 == 199:
            spec = MjSpec.from_string(CART)
    return refused


@pytest.mark.parametrize("seed", [1, 2])
def test_random_wrong_calls_raise_and_never_crash(seed):
    paths = [str(Path(mujoco.__file__).parents[1]), str(Path(__file__).parent)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    code = f"import test_spec; print(test_spec.storm({seed}, 1500))"
    run = subprocess.run([sys.executable, "-B", "-W", "ignore", "-c", code], env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    assert int(run.stdout) > 300


def test_a_flex_is_read_edited_and_added():
    spec = MjSpec.from_string(
        """<mujoco><option><flag contact="disable" spring="disable" damper="disable" equality="disable"/></option>
        <worldbody><flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1"><pin id="0"/>
        <elasticity young="10" thickness=".01" elastic2d="both"/></flexcomp></worldbody></mujoco>"""
    )
    cloth = spec.flex("cloth")
    assert [f.name for f in spec.flexes] == ["cloth"]
    assert cloth.vertbody[:2] == ["world", "cloth_1"] and cloth.young == 10 and cloth.dim == 2
    assert list(cloth.elem[:3]) == [0, 3, 4] and cloth.elastic2d == 3
    cloth.young = 20
    cloth.friction = [0.5, 0.01, 0.001]
    rope = spec.add_flex(name="rope", dim=1, vertbody=["cloth_1", "cloth_2"], elem=[0, 1])
    rope.edgestiffness = 5
    model = spec.compile()
    assert model.nflex == 2 and model.flex_edgestiffness[1] == 5 and model.flex_friction[0, 0] == 0.5
    assert list(model.flex_vertbodyid[9:]) == [1, 2]
    again = MjSpec.from_string(spec.to_xml()).compile()
    np.testing.assert_array_equal(again.flex_stiffness, model.flex_stiffness)
