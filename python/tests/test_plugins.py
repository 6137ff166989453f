"""Plugins in Python, and MuJoCo's own: the laws of the C++ tests through the package."""

import copy

import numpy as np
import pytest
import sinew as mujoco

MODEL = """<mujoco>
  <extension>
    <plugin plugin="demo.winch"/><plugin plugin="demo.speed"/><plugin plugin="demo.drag"/>
    <plugin plugin="demo.ball"><instance name="ball"/></plugin>
  </extension>
  <asset><mesh name="ball" inertia="exact"><plugin instance="ball"/></mesh></asset>
  <worldbody>
    <geom type="box" size="1 1 .1" pos="0 0 -.1"/>
    <body pos="0 0 .12"><freejoint/><geom type="sdf" mesh="ball"><plugin instance="ball"/></geom>
      <plugin plugin="demo.drag"><config key="coefficient" value="3"/></plugin></body>
    <body pos="3 0 1"><joint name="slide" type="slide" axis="0 0 1"/><geom size=".1"/></body>
  </worldbody>
  <actuator><plugin joint="slide" plugin="demo.winch"><config key="gain" value="50"/></plugin></actuator>
  <sensor><plugin plugin="demo.speed"/></sensor>
</mujoco>"""


class Winch(mujoco.Plugin):
    """A force that builds up with the control."""

    name = "demo.winch"
    capabilities = mujoco.mjtPluginCapabilityBit.mjPLUGIN_ACTUATOR
    attributes = ("gain",)

    class Instance:
        def __init__(self, gain):
            self.gain = gain

        def actuator_force(self, world, actuator):
            return world.state[0]

        def advance(self, world):
            return [world.state[0] + world.model.timestep * self.gain * world.ctrl[0]]

    def state_size(self, config):
        return 1

    def make(self, model, instance, config):
        return self.Instance(float(config["gain"]))


class Speed(mujoco.Plugin):
    """The speeds of all dofs."""

    name = "demo.speed"
    capabilities = mujoco.mjtPluginCapabilityBit.mjPLUGIN_SENSOR
    stage = mujoco.mjtStage.mjSTAGE_VEL

    class Instance:
        def sensor(self, world, sensor):
            assert world.model.sensor_dim[sensor] == 7
            return np.abs(world.qvel)

    def sensor_size(self, config):
        return 7

    def make(self, model, instance, config):
        assert model.nv == 7
        return self.Instance()


class Drag(mujoco.Plugin):
    name = "demo.drag"
    capabilities = mujoco.mjtPluginCapabilityBit.mjPLUGIN_PASSIVE
    attributes = ("coefficient",)

    class Instance:
        def __init__(self, coefficient):
            self.coefficient = coefficient
            self.calls = 0
            self.fails = False

        def passive_force(self, world):
            if self.fails:
                raise ValueError("the wind is too strong")
            self.calls += 1
            Drag.seen = world
            return -self.coefficient * world.qvel

    def make(self, model, instance, config):
        self.last = self.Instance(float(config["coefficient"] or 1))
        return self.last


class Ball(mujoco.Plugin):
    name = "demo.ball"
    capabilities = mujoco.mjtPluginCapabilityBit.mjPLUGIN_SDF

    class Shape:
        def distance(self, x):
            return float(np.linalg.norm(x)) - 0.1

        def gradient(self, x):
            return x / np.linalg.norm(x)

        def box(self):
            return (0, 0, 0), (0.11, 0.11, 0.11)

    def shape(self, config):
        return self.Shape()


@pytest.fixture(scope="module")
def drag():
    return Drag()


@pytest.fixture(scope="module")
def model(drag):
    return mujoco.MjModel.from_xml_string(MODEL, plugins=[Winch(), Speed(), drag, Ball()])


def test_all_four_kinds_join_the_step(model):
    data = mujoco.MjData(model)
    data.ctrl[0] = 0.5
    data.qvel[6] = -1
    mujoco.mj_forward(model, data)
    assert data.sensordata.tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert data.qfrc_passive[6] == 3
    mujoco.mj_resetData(model, data)
    data.ctrl[0] = 0.5
    mujoco.mj_step(model, data, nstep=10)
    assert data.plugin_state[0] == pytest.approx(10 * 0.002 * 25)
    mujoco.mj_step(model, data, nstep=150)
    assert data.ncon >= 1 and data.qpos[2] == pytest.approx(0.1, abs=0.01)


def test_state_is_copied_and_part_of_the_state_vector(model):
    data = mujoco.MjData(model)
    data.ctrl[0] = 1
    mujoco.mj_step(model, data, nstep=3)
    other = copy.copy(data)
    assert other.plugin_state[0] == data.plugin_state[0] > 0
    signature = mujoco.mjtState.mjSTATE_PLUGIN
    state = np.empty(mujoco.mj_stateSize(model, signature))
    mujoco.mj_getState(model, data, state, signature)
    assert state.tolist() == data.plugin_state.tolist()


def test_what_a_function_raises_is_raised_by_the_step(model, drag):
    data = mujoco.MjData(model)
    drag.last.fails = True
    with pytest.raises(RuntimeError, match="the wind is too strong"):
        mujoco.mj_step(model, data)
    drag.last.fails = False
    mujoco.mj_step(model, data)


def test_views_end_with_the_call(model, drag):
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with pytest.raises(RuntimeError, match="valid only during the call"):
        Drag.seen.qvel  # noqa: B018


def test_unknown_plugins_are_refused():
    with pytest.raises(ValueError, match="plugin 'demo.winch' not found"):
        mujoco.MjModel.from_xml_string(MODEL)
    with pytest.raises(ValueError, match="already registered"):
        mujoco.MjModel.from_xml_string("<mujoco/>", plugins=[Ball(), Ball()])


def test_saved_models_name_their_plugins(model, tmp_path):
    path = str(tmp_path / "model.mjb")
    mujoco.mj_saveModel(model, path)
    with pytest.raises(ValueError, match="demo"):
        mujoco.MjModel.from_binary_path(path)
    again = mujoco.MjModel.from_binary_path(path, plugins=[Winch(), Speed(), Drag(), Ball()])
    assert again.nplugin == 4


def test_mujocos_own_need_no_registration():
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><extension><plugin plugin="mujoco.pid"><instance name="servo"><config key="kp" value="7"/></instance>
        </plugin></extension><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
        <actuator><plugin joint="j" instance="servo"/></actuator></mujoco>"""
    )
    data = mujoco.MjData(model)
    data.ctrl[0] = 2
    mujoco.mj_forward(model, data)
    assert data.actuator_force[0] == 14
    assert model.actuator_plugin.tolist() == [0] and data.nplugin == model.nplugin == 1


def test_skins_have_their_arrays():
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><body name="a"/></worldbody><deformable><skin name="s" vertex="0 0 0 1 0 0 0 1 0"
        face="0 1 2"><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 2"/></skin>
        </deformable></mujoco>"""
    )
    assert model.nskin == 1 and model.skin_vert.shape == (3, 3) and model.skin_face.tolist() == [[0, 1, 2]]
    assert model.skin_bonevertweight.tolist() == [1, 1, 1]
    assert model.skin("s").id == 0
