"""Functions that print, log, convert and add."""

import re

import numpy as np
import pytest
import sinew as mujoco
from conftest import BOXES

CHAINS = """
<mujoco>
  <worldbody>
    <body name="a"><joint name="j1" axis="0 1 0"/><geom size=".1" pos=".2 .1 0"/>
      <body pos=".3 0 0">
        <joint name="j2" axis="0 0 1"/><joint name="j3" axis="1 0 0" type="slide"/><geom size=".1" pos=".2 0 .1"/>
      </body>
    </body>
    <body pos="0 0 3"><joint name="b" type="ball"/><geom size=".1" pos="0 .3 0"/></body>
  </worldbody>
  <actuator>
    <motor joint="j1"/>
    <pid joint="j2" kp="10" kv="1" input="pos vel ff"/>
    <orientation joint="b" kp="1" input="quat"/>
    <orientation joint="b" kp="1"/>
    <dcmotor joint="j2" motorconst="1" resistance="1"/>
  </actuator>
</mujoco>
"""


@pytest.fixture(name="chains")
def fixture_chains():
    model = mujoco.MjModel.from_xml_string(CHAINS)
    data = mujoco.MjData(model)
    data.qpos[:3] = [0.3, -0.4, 0.1]
    mujoco.mj_forward(model, data)
    return model, data


@pytest.fixture(autouse=True)
def keep_log_settings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kept = mujoco.mju_getLogConfig()
    yield
    mujoco.mju_setLogConfig(kept)


def test_the_square_root_of_the_inertia(chains):
    model, data = chains
    vec, res = np.arange(1.0, 7.0), np.empty(6)
    mujoco.mj_mulM2(model, data, res, vec)
    dense = np.empty((6, 6))
    mujoco.mj_fullM(model, data, dense)
    assert res @ res == pytest.approx(vec @ dense @ vec, rel=1e-13)
    # MuJoCo 3.12.0, mj_mulM2 of this state
    golden = [
        1.2619859989243354, 1.3329703600195995, 6.32846951064111, 2.5099682205156966, 0.6472086375185665,
        3.7649523307735446,
    ]  # fmt: skip
    np.testing.assert_allclose(res, golden, rtol=1e-12)


def test_inertia_is_added_to_a_sparse_matrix(chains):
    model, data = chains
    dst, pattern = np.ones(model.nC), [model.M_rownnz.copy(), model.M_rowadr.copy(), model.M_colind.copy()]
    mujoco.mj_addM(model, data, dst, *pattern)
    assert np.array_equal(dst, 1 + data.M)
    # rows with room and another pattern: initially only the diagonal
    nv = model.nv
    values, columns = np.zeros((nv, nv)), np.zeros((nv, nv), np.int32)
    values[:, 0], columns[:, 0] = 2, range(nv)
    count, start = np.ones(nv, np.int32), np.arange(0, nv * nv, nv, dtype=np.int32)
    mujoco.mj_addM(model, data, values.ravel(), count, start, columns.ravel())
    assert np.array_equal(count, model.M_rownnz)
    dense, expected = np.zeros((nv, nv)), np.empty((nv, nv))
    mujoco.mju_sparse2dense(dense, values.ravel(), count, start, columns.ravel())
    mujoco.mj_fullM(model, data, expected)
    assert np.allclose(dense, np.tril(expected) + 2 * np.eye(nv), atol=0)
    count[:] = 1
    with pytest.raises(TypeError, match="no room"):
        mujoco.mj_addM(model, data, np.zeros(nv), count, np.arange(nv, dtype=np.int32), np.arange(nv, dtype=np.int32))


def test_an_added_contact_takes_effect():
    model = mujoco.MjModel.from_xml_string(BOXES)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    before, contact = data.ncon, mujoco.MjContact()
    contact.geom, contact.dim, contact.dist, contact.includemargin = [0, 1], 3, -0.01, 0
    contact.frame = [0, 0, 1, 1, 0, 0, 0, 1, 0]
    contact.friction, contact.solref, contact.solimp = 1, data.contact[0].solref, data.contact[0].solimp
    assert mujoco.mj_addContact(model, data, contact) == 0
    assert data.ncon == before + 1 and data.contact[before].dist == -0.01
    rows = data.nefc
    mujoco.mj_makeConstraint(model, data)
    assert data.nefc == rows + 4 and data.contact[before].efc_address >= 0
    contact.geom = [0, 99]
    with pytest.raises(ValueError, match="two geoms"):
        mujoco.mj_addContact(model, data, contact)


def test_actuator_inputs_have_names(chains):
    model, _ = chains
    # MuJoCo 3.12.0, mj_actuatorInputName
    names = [[None], ["pos", "vel", "ff"], ["qw", "qx", "qy", "qz"], ["rx", "ry", "rz"], ["voltage"]]
    for actuator, inputs in enumerate(names):
        assert [mujoco.mj_actuatorInputName(model, actuator, i) for i in range(len(inputs))] == inputs
        assert mujoco.mj_actuatorInputName(model, actuator, len(inputs)) is None
    with pytest.raises(ValueError):
        mujoco.mj_actuatorInputName(model, 5, 0)


def test_the_rotation_nearest_to_a_matrix():
    # MuJoCo 3.12.0, mju_mat2Rot
    for mat, golden, iterations in [
        ([0, -1, 0, 1, 0, 0.1, 0, 0, 1], [0.70688618920815, -0.01766112331765, 0.01766112353299, 0.7068861895280], 20),
        ([0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6],
         [0.8000000003914, 0.199999999826, -0.39999999965, -0.39999999965], 17),
        ([1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 0], 0),
    ]:  # fmt: skip
        quat = np.array([1.0, 0, 0, 0])
        assert mujoco.mju_mat2Rot(quat, mat) == iterations
        np.testing.assert_allclose(quat, golden, atol=1e-11)


def test_spatial_vectors_are_transformed_to_another_point_and_frame():
    # MuJoCo 3.12.0, mju_transformSpatial
    arguments = [0.1, 0.2, 0.3], [1, -1, 2], [0, -1, 0, 1, 0, 0, 0, 0, 1]
    res = np.empty(6)
    mujoco.mju_transformSpatial(res, [1, 2, 3, 4, 5, 6], 0, *arguments)
    np.testing.assert_allclose(res, [2, -1, 3, 4, 3, 9], atol=1e-14)
    mujoco.mju_transformSpatial(res, [1, 2, 3, 4, 5, 6], 1, *arguments)
    np.testing.assert_allclose(res, [3.4, 14.7, 12.3, 5, -4, 6], atol=1e-14)


def test_a_ray_hits_triangles():
    # MuJoCo 3.12.0, mju_raySkin
    vertex, face, nearest = [0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2], np.full(1, 7, np.int32)
    assert mujoco.mju_raySkin(1, 3, face, vertex, [0.2, 0.1, 1], [0, 0, -1], nearest) == 1 and nearest[0] == 0
    assert mujoco.mju_raySkin(1, 3, face, vertex, [0.6, 0.1, 1], [0, 0, -2], nearest) == 0.5 and nearest[0] == 1
    assert mujoco.mju_raySkin(1, 3, face, vertex, [2, 0.1, 1], [0, 0, -2], None) == -1


def test_a_debug_reset_fills_fields_that_are_not_yet_computed(creature, world):
    mujoco.mj_resetDataDebug(creature, world, 170)
    assert np.array_equal(world.qpos, creature.qpos0) and not world.qvel.any() and not world.ctrl.any()
    assert world.xpos[0, 0] == -3.7206620809969885e-103  # MuJoCo 3.12.0
    mujoco.mj_step(creature, world)
    assert np.isfinite(world.qpos).all() and np.abs(world.xpos).max() > 1e-3


def test_precisions_are_converted():
    double, single = np.array([0.1, 2.5]), np.empty(2, np.float32)
    mujoco.mju_n2f(single, double)
    assert single.tolist() == double.astype(np.float32).tolist()
    back = np.empty(2)
    mujoco.mju_f2n(back, single)
    assert back.tolist() == single.astype(float).tolist()
    for function in (mujoco.mju_n2d, mujoco.mju_d2n):
        function(back, double)
        assert back.tolist() == double.tolist()
    for wrong in (lambda: mujoco.mju_n2f(back, double), lambda: mujoco.mju_f2n(back, single[:1])):
        with pytest.raises(TypeError):
            wrong()


def test_models_and_worlds_are_written_as_text(creature, world, boxes, tmp_path):
    model_file, data_file = tmp_path / "model.txt", tmp_path / "data.txt"
    mujoco.mj_printModel(creature, str(model_file))
    text = model_file.read_text()
    assert re.search(r"^  nq +13$", text, re.M) and re.search(r"^  timestep +0.002$", text, re.M)
    assert re.search(r"BODY_PARENTID\n( +\d+\n){%d}" % creature.nbody, text)
    boxes.qpos[2] = 0.123456
    mujoco.mj_printFormattedData(boxes.model, boxes, str(data_file), "%.5f")
    text = data_file.read_text()
    assert re.search(r"QPOS\n.*\n.*\n  0.12346\n", text) and re.search(r"CONTACT 0\n(  .*\n)*  geom1 +0\n", text)
    assert f"  ncon                {boxes.ncon}\n" in text and f"  nefc                {boxes.nefc}\n" in text
    mujoco.mj_printData(creature, world, str(data_file))
    mujoco.mj_printFormattedModel(creature, str(model_file), "%g")
    for wrong in (
        lambda: mujoco.mj_printModel(creature, str(tmp_path)),
        lambda: mujoco.mj_printFormattedModel(creature, str(model_file), "%d %d"),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_matrices_are_printed(capsys):
    mujoco.mju_printMat([[1, 2, 3], [4, 5, 6]])
    assert capsys.readouterr().out == "1.00000000 2.00000000 3.00000000\n4.00000000 5.00000000 6.00000000\n\n"
    mujoco.mju_printMatSparse([7, 8, 9], [1, 2], [0, 1], [0, 1, 3])
    assert capsys.readouterr().out == " 0: 7.00000000\n 1: 8.00000000   3: 9.00000000\n\n"


def test_messages_are_logged_according_to_the_settings(tmp_path, capsys):
    log = tmp_path / "MUJOCO_LOG.TXT"
    topic = mujoco.mjtLogTopic.mjTOPIC_SLEEP
    mujoco.mju_info(topic, "not asked for")
    assert not log.exists() and capsys.readouterr().out == ""
    mujoco.mju_info(0, "hello")
    assert capsys.readouterr().out == "INFO: hello\n" and log.read_text().endswith("\nINFO: hello\n\n")
    config = mujoco.MjLogConfig.get()
    config.topics, config.logto_file, config.logto_console = 1 << (topic - 1), True, False
    config.logfile = "other.txt"
    mujoco.mju_setLogConfig(config)
    assert mujoco.mju_getLogConfig() == config
    mujoco.mju_info(topic, "asleep")
    assert capsys.readouterr().out == "" and "INFO: asleep" in (tmp_path / "other.txt").read_text()
    mujoco.mju_message(mujoco.MjLogMessage(level=mujoco.mjtLogLevel.mjLOG_WARNING, func="f", subject="odd", body="more"))
    mujoco.mju_writeLog("NOTE", "by hand")
    assert re.search(r"WARNING: f: odd\nmore\n\n.*\nNOTE: by hand\n", (tmp_path / "other.txt").read_text())
    with pytest.raises(mujoco.FatalError, match="over"):
        mujoco.mju_message(mujoco.MjLogMessage(level=mujoco.mjtLogLevel.mjLOG_ERROR, subject="over"))


def test_the_files_of_a_model_are_listed_whether_they_exist_or_not(tmp_path):
    (tmp_path / "sub").mkdir()
    part = '<mujoco><asset><hfield name="h" file="hill.png" size="1 1 1 1"/></asset></mujoco>'
    (tmp_path / "sub" / "part.xml").write_text(part)
    (tmp_path / "child.xml").write_text('<mujoco><worldbody><body name="c"><geom size="1"/></body></worldbody></mujoco>')
    (tmp_path / "main.xml").write_text("""
      <mujoco><compiler meshdir="meshes" texturedir="images"/><include file="sub/part.xml"/>
        <asset><mesh name="m" file="a.obj"/><texture name="t" type="2d" file="b.png"/>
          <model name="child" file="child.xml"/></asset>
        <worldbody><frame><attach model="child" body="c" prefix="x_"/></frame></worldbody></mujoco>""")
    found = mujoco.mju_getXMLDependencies(str(tmp_path / "main.xml"))
    parts = {"main.xml", "sub/part.xml", "child.xml", "meshes/a.obj", "images/b.png", "meshes/hill.png"}
    assert {str(tmp_path / part) for part in parts} == set(found)
    with pytest.raises(ValueError):
        mujoco.mju_getXMLDependencies(str(tmp_path / "nothing.xml"))


def test_a_model_is_loaded_from_files_in_memory(tmp_path):
    mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    xml = '<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    (tmp_path / "disk.obj").write_bytes(mesh)
    with mujoco.MjVfs() as vfs:
        vfs["m.obj"] = mesh
        vfs.add_buffer("model.xml", xml)
        vfs.add_file(str(tmp_path), "disk.obj")
        assert list(vfs) == ["m.obj", "model.xml", "disk.obj"] and vfs["disk.obj"] == mesh
        assert mujoco.MjModel.from_xml_string(xml, vfs=vfs).nmesh == 1
        assert mujoco.MjModel.from_xml_path("model.xml", vfs=vfs).nmesh == 1
        with pytest.raises(ValueError, match="Repeated file name"):
            vfs.add_buffer("m.obj", mesh)
        with pytest.raises(ValueError, match="assets or vfs, not both"):
            mujoco.MjModel.from_xml_string(xml, {"m.obj": mesh}, vfs)
        vfs.delete_file("m.obj")
        with pytest.raises(ValueError, match="m.obj"):
            mujoco.MjModel.from_xml_string(xml, vfs=vfs)
    vfs.close()
    for use in (lambda: vfs["m.obj"], lambda: len(vfs), lambda: vfs.add_buffer("a", b""), lambda: "a" in vfs):
        with pytest.raises(RuntimeError, match="closed"):
            use()


def test_missing_features_raise_not_implemented_error(creature, world):
    for name in ("mj_printScene", "mj_printFormattedScene", "mj_copyBack"):
        with pytest.raises(NotImplementedError, match=name):
            getattr(mujoco, name)(creature, world)
    mujoco.mju_threadpool(world, 4)
    with pytest.raises(TypeError):
        mujoco.mju_threadpool(creature, 4)
