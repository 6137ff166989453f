"""Pictures with MuJoCo's names, as clients call them."""

import copy
import subprocess
import sys
import threading

import numpy as np
import pytest
import sinew as mujoco

XML = """<mujoco>
  <visual><global offwidth="200" offheight="150"/></visual>
  <asset><texture name="t" type="2d" builtin="checker" width="32" height="32" rgb1="1 0 0" rgb2="0 1 0"/>
    <material name="t" texture="t" texrepeat="4 4" reflectance=".2"/></asset>
  <worldbody>
    <light pos="0 0 4" dir="0 0 -1"/>
    <camera name="top" pos="0 0 4"/>
    <camera name="flat" pos="0 0 4" projection="orthographic" fovy="3"/>
    <geom name="floor" type="plane" size="3 3 1" material="t"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom name="ball" size=".5" rgba="0 0 1 1"/></body>
  </worldbody>
</mujoco>"""

pytestmark = pytest.mark.skipif(not mujoco._sinew._has_render, reason="built without Embree")


@pytest.fixture(name="world")
def make_world():
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def test_renderer_draws_rgb_depth_and_segments(world):
    model, data = world
    with mujoco.Renderer(model, 60, 80) as renderer:
        assert (renderer.height, renderer.width, renderer.model) == (60, 80, model)
        renderer.update_scene(data, "top")
        rgb = renderer.render()
        assert rgb.shape == (60, 80, 3) and rgb.dtype == np.uint8
        assert rgb[30, 40, 2] > 100 and rgb[30, 40, 0] == rgb[30, 40, 1]
        renderer.enable_depth_rendering()
        depth = renderer.render()
        assert depth.dtype == np.float32
        assert abs(depth[30, 40] - 2.5) < 2e-3 and abs(depth[0, 0] - 4) < 1e-4
        renderer.enable_segmentation_rendering()
        segments = renderer.render()
        geom = int(mujoco.mjtObj.mjOBJ_GEOM)
        assert segments[30, 40].tolist() == [model.geom("ball").id, geom]
        assert segments[0, 0].tolist() == [model.geom("floor").id, geom]
        renderer.disable_segmentation_rendering()
        out = np.empty((60, 80, 3), np.uint8)
        assert renderer.render(out=out) is out
        assert (out == rgb).all()
        everything = renderer.render_all()
        assert (everything["rgb"] == rgb).all() and (everything["depth"] == depth).all()
        assert (everything["segmentation"] == segments).all()
        distance, geom_index, normal = renderer.cast([[0, 0, 3]], [[0, 0, -1]])
        assert abs(distance[0] - 1.5) < 1e-5 and abs(normal[0, 2] - 1) < 1e-5
        assert renderer.scene.geoms[geom_index[0]].objid == model.geom("ball").id
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render()
    with pytest.raises(RuntimeError, match="after close"):
        renderer.update_scene(data)


def test_orthographic_depth_is_right(world):
    model, data = world
    with mujoco.Renderer(model, 50, 50) as renderer:
        renderer.update_scene(data, "flat")
        renderer.enable_depth_rendering()
        depth = renderer.render()
        # the pixel's center is half a pixel, 0.03 m, from the axis of the ball in both directions
        center = 3 - np.sqrt(0.5**2 - 2 * 0.03**2)
        assert abs(depth[25, 25] - center) < 1e-5 and abs(depth[1, 1] - 4) < 1e-5


def test_wrong_arguments(world):
    model, data = world
    with pytest.raises(ValueError, match="Image width 201 > framebuffer width 200"):
        mujoco.Renderer(model, 10, 201)
    with pytest.raises(ValueError, match="Image height 151 > framebuffer height 150"):
        mujoco.Renderer(model, 151, 10)
    mujoco.Renderer(model, 151, 10, limit=False).close()
    for size in ((0, 10), (10, -1)):
        with pytest.raises(ValueError):
            mujoco.Renderer(model, *size)
    renderer = mujoco.Renderer(model, 10, 12)
    with pytest.raises(ValueError, match='The camera "roof" does not exist'):
        renderer.update_scene(data, "roof")
    for camera in (-2, 2):
        with pytest.raises(ValueError, match="out of range"):
            renderer.update_scene(data, camera)
    renderer.update_scene(data)
    with pytest.raises(ValueError, match="out.shape"):
        renderer.render(out=np.empty((12, 10, 3), np.uint8))
    renderer.enable_segmentation_rendering()
    with pytest.raises(ValueError, match="out.shape"):
        renderer.render(out=np.empty((12, 10, 3), np.uint8))
    with pytest.raises(ValueError):
        mujoco.MjvScene(model, -1)
    scene = mujoco.MjvScene(model, 5)
    with pytest.raises(ValueError, match="maxgeom"):
        scene.ngeom = 6
    with pytest.raises(NotImplementedError, match="figure"):
        mujoco.mjr_figure(mujoco.MjrRect(0, 0, 1, 1), mujoco.MjvFigure(), mujoco.MjrContext())
    with pytest.raises(RuntimeError):
        mujoco.mjr_render(mujoco.MjrRect(0, 0, 5, 5), scene, mujoco.MjrContext())
    data.geom_xpos[:] = np.nan
    renderer.disable_segmentation_rendering()
    renderer.update_scene(data)
    assert not renderer.render().any()


def test_a_renderer_outlives_its_model():
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene = mujoco.MjvScene(model, 100)
    context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_150)
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, camera)
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    geoms = scene.geoms
    del model, data
    rect = mujoco.MjrRect(0, 0, 40, 30)
    mujoco.mjr_render(rect, scene, context)
    rgb = np.empty((30, 40, 3), np.uint8)
    mujoco.mjr_readPixels(rgb, None, rect, context)
    assert rgb.any()
    del scene
    assert geoms[0].type == mujoco.mjtGeom.mjGEOM_PLANE


def offscreen(model, data, width, height):
    """The order of calls of Gymnasium's OffScreenViewer."""
    from sinew.egl import GLContext

    gl = GLContext(width, height)
    gl.make_current()
    scene = mujoco.MjvScene(model, 1000)
    context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_150)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)
    rect = mujoco.MjrRect(0, 0, width, height)
    camera, option, perturb = mujoco.MjvCamera(), mujoco.MjvOption(), mujoco.MjvPerturb()
    camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
    camera.fixedcamid = 0
    mujoco.mjv_updateScene(model, data, option, perturb, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    scene.ngeom += 1
    marker = scene.geoms[scene.ngeom - 1]
    mujoco.mjv_initGeom(marker, mujoco.mjtGeom.mjGEOM_BOX, np.full(3, 0.2), np.array([1.0, 1, 1]), np.eye(3).flatten(),
                        np.array([1, 1, 0, 1], np.float32))  # fmt: skip
    marker.segid = scene.ngeom - 1
    marker.label = "here"
    mujoco.mjr_render(rect, scene, context)
    mujoco.mjr_overlay(mujoco.mjtFont.mjFONT_NORMAL, mujoco.mjtGridPos.mjGRID_BOTTOMLEFT, rect, "t".encode(), b"1", context)
    rgb = np.zeros(3 * width * height, np.uint8)
    depth = np.zeros(width * height, np.float32)
    mujoco.mjr_readPixels(rgb, depth, rect, context)
    scene.flags[mujoco.mjtRndFlag.mjRND_SEGMENT] = 1
    scene.flags[mujoco.mjtRndFlag.mjRND_IDCOLOR] = 1
    mujoco.mjr_render(rect, scene, context)
    segments = np.zeros((height, width, 3), np.uint8)
    mujoco.mjr_readPixels(segments, None, rect, context)
    context.free()
    gl.free()
    return rgb.reshape(height, width, 3), depth.reshape(height, width), segments.astype(int) @ [1, 256, 65536], scene


def test_offscreen_calls_of_gymnasium(world):
    model, data = world
    rgb, depth, segments, scene = offscreen(model, data, 100, 100)
    assert scene.ngeom == 3
    assert segments[50, 50] == 2 and segments[5, 50] == 1
    assert (segments == 3).sum() > 20 and (segments == 3)[50:, 50:].any()  # rows from the bottom: +y is above
    near, far = (model.vis.map.znear * model.stat.extent, model.vis.map.zfar * model.stat.extent)
    metres = near / (1 - depth * (1 - near / far))
    assert abs(metres[50, 50] - 2.5) < 0.01
    assert (rgb[segments == 3].mean(axis=0)[:2] > 60).all()


def test_buffers_and_text(world):
    model, data = world
    context = mujoco.MjrContext(model, 100)
    assert (context.offWidth, context.offHeight) == (200, 150)
    assert mujoco.mjr_maxViewport(context) == mujoco.MjrRect(0, 0, 200, 150)
    mujoco.mjr_resizeOffscreen(20, 10, context)
    full = mujoco.mjr_maxViewport(context)
    picture = np.arange(600).astype(np.uint8).reshape(10, 20, 3)
    mujoco.mjr_drawPixels(picture, None, full, context)
    back = np.zeros_like(picture)
    mujoco.mjr_readPixels(back, None, full, context)
    assert (back == picture).all()
    for wrong in (np.zeros(599, np.uint8), np.zeros(600, np.int8), [0] * 600, np.zeros((600, 2), np.uint8)[:, 0]):
        with pytest.raises(TypeError):
            mujoco.mjr_readPixels(wrong, None, full, context)
    outside = np.full(3 * 30 * 30, 9, np.uint8)
    mujoco.mjr_readPixels(outside, None, mujoco.MjrRect(-5, -5, 30, 30), context)  # what is outside stays as it was
    assert outside[0] == 9 and (outside.reshape(30, 30, 3)[5:15, 5:25] == picture).all()
    mujoco.mjr_addAux(0, 8, 8, 0, context)
    mujoco.mjr_setAux(0, context)
    mujoco.mjr_label(mujoco.MjrRect(0, 0, 8, 8), 0, "", 1, 0, 0, 1, 1, 1, 1, context)
    mujoco.mjr_restoreBuffer(context)
    mujoco.mjr_blitAux(0, mujoco.MjrRect(0, 0, 8, 8), 0, 0, context)
    mujoco.mjr_readPixels(back, None, full, context)
    assert back[7, 7].tolist() == [255, 0, 0] and (back[8:] == picture[8:]).all()
    mujoco.mjr_text(0, "Hi", context, 0, 0, 1, 1, 1)
    assert mujoco.mjr_getError() == 0 and mujoco.mjr_finish() is None
    rects = [mujoco.MjrRect(0, 0, 5, 5), mujoco.MjrRect(5, 0, 5, 5)]
    assert mujoco.mjr_findRect(6, 1, 2, rects) == 1 and mujoco.mjr_findRect(50, 1, 2, rects) == -1
    info = mujoco.MjrRendererInfo()
    mujoco.mjr_getRendererInfo(info)
    model.tex_data[:] = 255
    mujoco.mjr_uploadTexture(model, context, 0)
    with pytest.raises(Exception, match="no texture 1"):
        mujoco.mjr_uploadTexture(model, context, 1)


def test_records_have_mujocos_defaults(world):
    model, data = world
    geom = mujoco.MjvGeom()
    assert geom.mat.shape == (3, 3) and geom.label == "" and geom.objid == -1
    geom.mat = np.eye(3).flatten()
    geom.label = "a" * 99
    with pytest.raises(ValueError):
        geom.label = "a" * 100
    other = copy.deepcopy(geom)
    other.pos[0] = 3
    assert geom.pos[0] == 0 and other.label == geom.label
    option = mujoco.MjvOption()
    assert option.flags.dtype == np.uint8 and option.flags.shape == (31,)
    assert option.flags[mujoco.mjtVisFlag.mjVIS_TEXTURE] == 1 and option.geomgroup.tolist() == [1, 1, 1, 0, 0, 0]
    option.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] = True
    mujoco.mjv_defaultOption(option)
    assert option.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] == 0

    class Camera(mujoco.MjvCamera):  # as dm_control does
        def __init__(self, distance):
            super().__init__()
            self.distance = distance

    camera = Camera(5)
    assert (camera.azimuth, camera.elevation, camera.distance) == (90, -45, 5)
    scene = mujoco.MjvScene(model, 7)
    assert len(scene.geoms) == 7 and len(scene.lights) == 100 and len(scene.camera) == 2 and scene.maxgeom == 7
    assert scene.flags.shape == (11,) and scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] == 1
    mujoco.mjv_updateScene(model, data, option, None, camera, 7, scene)
    assert len(copy.copy(scene).geoms) == scene.ngeom == 2
    assert mujoco.MjvScene().ngeom == 0 and mujoco.MjvFigure().linedata.shape == (100, 2002)
    full = mujoco.MjvScene(model, 1)
    mujoco.mjv_updateScene(model, data, option, None, camera, 7, full)
    assert full.ngeom == 1 and full.status == 1


def test_mouse_picking_and_perturbation(world):
    model, data = world
    camera, scene, option = mujoco.MjvCamera(), mujoco.MjvScene(model, 50), mujoco.MjvOption()
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
    mujoco.mjv_updateScene(model, data, option, None, camera, 7, scene)
    point, ids = np.zeros(3), [np.zeros(1, np.int32) for _ in range(3)]
    body = mujoco.mjv_select(model, data, option, 1.0, 0.5, 0.5, scene, point, *ids)
    assert body == 1 and ids[0][0] == 1 and abs(point[2] - 1.5) < 1e-6
    perturb = mujoco.MjvPerturb()
    perturb.select = 1
    mujoco.mjv_initPerturb(model, data, scene, perturb)
    perturb.active = mujoco.mjtPertBit.mjPERT_TRANSLATE
    perturb.refselpos[0] += 1
    mujoco.mjv_applyPerturbForce(model, data, perturb)
    assert data.xfrc_applied[1, 0] > 0
    head, forward, up, right = (np.zeros(3) for _ in range(4))
    mujoco.mjv_cameraInModel(head, forward, up, scene)
    assert np.allclose(head, [0, 0, 4]) and np.allclose(forward, [0, 0, -1])
    mujoco.mjv_cameraFrame(head, forward, up, right, data, camera)
    assert np.allclose(right, [1, 0, 0])
    view = mujoco.mjv_camera2GLCamera(model, data, camera)
    assert np.allclose(view.pos, [0, 0, 4])
    free = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, free)
    mujoco.mjv_moveCamera(model, mujoco.mjtMouse.mjMOUSE_ROTATE_H, 0.1, 0, free)
    assert abs(free.azimuth - 72) < 1e-9
    geom = mujoco.MjvGeom()
    mujoco.mjv_connector(geom, mujoco.mjtGeom.mjGEOM_ARROW, 0.1, [0, 0, 0], [0, 0, 2])
    assert np.allclose(geom.size, [0.1, 0.1, 2])


def test_threads_get_equal_pictures(world):
    model, data = world
    pictures = [None] * 6

    def draw(i):
        with mujoco.Renderer(model, 40, 50, threads=1 + i % 3) as renderer:
            for _ in range(5):
                renderer.update_scene(data, i % 2)
                pictures[i] = renderer.render()

    threads = [threading.Thread(target=draw, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(2, 6):
        assert (pictures[i] == pictures[i % 2]).all()


@pytest.mark.parametrize("value", ["egl", "osmesa", "glfw", "off", "disable", "nonsense", ""])
def test_any_back_end_gives_pictures_without_a_display(value):
    code = f"""
import os, sys
os.environ["MUJOCO_GL"] = os.environ["SINEW_GL"] = {value!r}
os.environ.pop("DISPLAY", None)
import sinew
sinew.install_as_mujoco()
import mujoco, mujoco.egl, mujoco.glfw, mujoco.osmesa, mujoco.gl_context, mujoco.rendering.classic
model = mujoco.MjModel.from_xml_string({XML!r})
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
mujoco.GLContext(5, 5).make_current()
renderer = mujoco.Renderer(model, 20, 30)
renderer.update_scene(data)
before = renderer.render()
if os.fork() == 0:
    again = mujoco.Renderer(model, 20, 30)
    again.update_scene(data)
    os._exit(0 if (again.render() == before).all() and (renderer.render() == before).all() else 1)
assert os.wait()[1] == 0 and before.any()
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_worlds_of_a_batch_are_drawn_as_alone():
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><camera name="up" pos="0 0 5" fovy="90"/><light pos="0 0 4"/><geom type="plane" size="3 3 1"/>
        <body pos="0 0 .5"><joint type="slide" axis="1 0 0"/><geom name="ball" size=".4"/></body></worldbody></mujoco>"""
    )
    batch = mujoco.Batch(model, 4)
    batch.qpos[:, 0] = [-1, 0, 1, 2]
    with mujoco.Renderer(model, 24, 32) as alone:
        many = mujoco.BatchRenderer(batch, 24, 32, cameras=["up", -1], threads=2)
        pictures = {kind: many.render(kind) for kind in ("rgb", "depth", "segmentation")}
        assert pictures["rgb"].shape == (4, 2, 24, 32, 3)
        data = mujoco.MjData(model)
        for world in range(4):
            data.qpos[0] = batch.qpos[world, 0]
            mujoco.mj_forward(model, data)
            for i, camera in enumerate(["up", -1]):
                alone.update_scene(data, camera)
                np.testing.assert_array_equal(pictures["rgb"][world, i], alone.render())
                alone.enable_depth_rendering()
                np.testing.assert_array_equal(pictures["depth"][world, i], alone.render())
                alone.enable_segmentation_rendering()
                np.testing.assert_array_equal(pictures["segmentation"][world, i], alone.render())
                alone.disable_segmentation_rendering()
    before = pictures["rgb"].copy()
    batch.qpos[:, 0] += 0.5
    after = many.render("rgb", worlds=[1])
    changed = [(after[k] != before[k]).any() for k in range(4)]
    assert changed == [False, True, False, False]
    after = many.render(worlds=np.array([True, False, False, False]))
    assert (after[0] != before[0]).any()
    with pytest.raises(ValueError, match="kind"):
        many.render("normals")
    with pytest.raises(ValueError, match='"down"'):
        mujoco.BatchRenderer(batch, cameras=["down"])
    with pytest.raises(ValueError, match="positive"):
        mujoco.BatchRenderer(batch, 0, 10)
    with pytest.raises(IndexError):
        many.render(worlds=[4])
    with pytest.raises(TypeError, match="sinew.Batch"):
        many._canvas.render_batch(model, [], mujoco.MjvOption(), 10, 10)
