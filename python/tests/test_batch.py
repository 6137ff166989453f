"""Batch: laws of many worlds of one model."""

import gc
import threading

import numpy as np
import pytest
import sinew as mujoco

XML = """
<mujoco model="scene">
  <option timestep="0.005"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 0.3"><freejoint/><geom name="ball" size="0.1"/></body>
    <body name="arm" pos="0.6 0 0.8">
      <joint name="shoulder" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder" gear="3"/></actuator>
  <sensor><jointpos joint="shoulder"/></sensor>
  <keyframe><key name="high" time="2" qpos="0 0 1 1 0 0 0 0.5" ctrl="0.1"/></keyframe>
</mujoco>
"""
N = 6


@pytest.fixture(name="model")
def fixture_model():
    return mujoco.MjModel.from_xml_string(XML)


def set_apart(batch):
    rng = np.random.default_rng(3)
    batch.qvel = rng.normal(size=batch.qvel.shape)
    batch.ctrl = rng.normal(size=batch.ctrl.shape)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_world_equals_a_separate_data_bit_for_bit(model, threads):
    batch = mujoco.Batch(model, N, threads=threads, observe=["*"])
    set_apart(batch)
    qvel, ctrl = batch.qvel.copy(), batch.ctrl.copy()
    batch.step(100)
    for w in range(N):
        data = mujoco.MjData(model)
        data.qvel, data.ctrl = qvel[w], ctrl[w]
        mujoco.mj_step(model, data, 100)
        for name in ("qpos", "qvel", "qacc", "sensordata", "xpos", "xmat", "cvel", "qfrc_constraint"):
            assert getattr(batch, name)[w].tobytes() == getattr(data, name).tobytes(), name
        assert batch.time[w] == data.time


def test_arrays_have_a_row_per_world_and_are_live(model):
    batch = mujoco.Batch(model, N)
    assert batch.qpos.shape == (N, model.nq)
    assert batch.xpos.shape == (N, model.nbody, 3)
    assert batch.sensordata.shape == (N, model.nsensordata)
    assert batch.act.shape == (N, 0)
    assert batch.warning.shape == (N, 7)
    qpos = batch.qpos
    assert batch.qpos is qpos
    qpos[2, 2] = 0.05
    batch.forward()
    assert batch.xpos[2, 1, 2] == 0.05
    assert batch.ncon.tolist() == [0, 0, 1, 0, 0, 0]
    batch.qvel = 0.25
    assert np.all(batch.qvel == 0.25)
    batch.step()
    assert np.all(qpos[:, 0] > 0)


def test_accessing_an_unrecorded_output_says_how_to_record_it(model):
    batch = mujoco.Batch(model, 1)
    with pytest.raises(AttributeError, match=r"observe=\['cvel'"):
        _ = batch.cvel
    assert mujoco.Batch(model, 1, observe=["cvel"]).cvel.shape == (1, model.nbody, 6)


def test_an_array_keeps_its_batch_alive(model):
    batch = mujoco.Batch(model, N)
    qpos, mass = batch.qpos, batch.vary("body_mass")
    expected = qpos.copy()
    del batch
    gc.collect()
    assert np.array_equal(qpos, expected)
    assert np.array_equal(mass[3], model.body_mass)


def test_worlds_are_reset_by_mask_and_index(model):
    batch = mujoco.Batch(model, N, threads=2)
    set_apart(batch)
    batch.step(4)
    mask = np.array([True, False, False, True, False, False])
    batch.reset(mask)
    assert np.array_equal(batch.time == 0, mask)
    assert np.array_equal(batch.qpos[3], model.qpos0)
    batch.reset([1, 2], keyframe="high")
    assert batch.time.tolist()[:3] == [0, 2, 2]
    batch.reset(worlds=np.array([2, 4, 5])[::2], keyframe=0)
    assert batch.qpos[5, 7] == 0.5
    batch.reset()
    assert np.all(batch.time == 0)


def test_states_are_saved_and_restored(model):
    batch = mujoco.Batch(model, N)
    set_apart(batch)
    batch.step(3)
    state = batch.get_state()
    assert state.shape == (N, 1 + model.nq + model.nv)
    qpos = batch.qpos.copy()
    batch.step(3)
    batch.reset(state=state)
    assert np.array_equal(batch.qpos, qpos)
    batch.reset([0, 4], state=state[1])
    assert np.array_equal(batch.qpos[4], qpos[1])
    assert batch.get_state(spec=2, worlds=[4]).tolist() == [qpos[1].tolist()]


def test_worlds_have_their_own_values_of_model_fields(model):
    batch = mujoco.Batch(model, N, threads=2)
    gravity, mass = batch.vary("opt.gravity"), batch.vary("body_mass")
    assert gravity.shape == (N, 3) and mass.shape == (N, model.nbody)
    assert batch.vary("geom_friction").shape == (N, model.ngeom, 3)
    assert batch.vary("opt.timestep").shape == (N,)
    assert batch.vary("geom_rgba").dtype == np.float32
    gravity[:, 2] = -np.arange(N)
    mass[:, 2] *= np.linspace(0.5, 2, N)
    batch.update_constants()
    batch.step(20)
    assert np.all(np.diff(batch.qpos[:, 2]) < 0)
    assert np.array_equal(batch.varied["body_mass"], mass)
    assert "body_invweight0" in batch.varied
    own = batch.world_model(3)
    assert own.body_mass[2] == mass[3, 2]
    data = mujoco.MjData(own)
    mujoco.mj_step(own, data, 20)
    assert data.qpos.tobytes() == batch.qpos[3].tobytes()
    copied = batch.world_data(3)
    assert copied.qpos.tobytes() == batch.qpos[3].tobytes()
    assert copied.model.body_mass[2] == mass[3, 2]


def test_a_diverging_world_is_reported_and_does_not_affect_others(model):
    good, bad = mujoco.Batch(model, N), mujoco.Batch(model, N)
    bad.qvel[4, 0] = np.inf
    for batch in (good, bad):
        batch.step(10)
    assert bad.diverged.tolist() == [False, False, False, False, True, False]
    assert bad.warning[4].sum() > 0
    others = [0, 1, 2, 3, 5]
    assert np.array_equal(bad.qpos[others], good.qpos[others])
    bad.reset(bad.diverged)
    assert not bad.diverged.any()


def test_python_threads_may_step_the_same_batch(model):
    batch = mujoco.Batch(model, N, threads=2)
    threads = [threading.Thread(target=lambda: [batch.step() for _ in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.allclose(batch.time, 80 * 0.005)


def test_a_batch_has_a_readable_repr(model):
    batch = mujoco.Batch(model, N, threads=1)
    assert repr(batch) == "<sinew.Batch of 6 worlds of 'scene': nq=8, nv=7, nu=1, threads=1>"
    assert len(batch) == N and batch.threads == 1 and batch.model is model
    assert batch.nbytes > N * batch.nbytes_per_world > 0


def test_misuse_raises(model):
    batch = mujoco.Batch(model, N)
    for error, call in [
        (TypeError, lambda: mujoco.Batch(None, 1)),
        (ValueError, lambda: mujoco.Batch(model, 0)),
        (ValueError, lambda: mujoco.Batch(model, 1, threads=-1)),
        (ValueError, lambda: mujoco.Batch(model, 1, observe=["nothing"])),
        (ValueError, lambda: batch.vary("body_mas")),
        (ValueError, lambda: batch.vary("body_parentid")),
        (ValueError, lambda: batch.reset(np.zeros(5, bool))),
        (IndexError, lambda: batch.reset([6])),
        (IndexError, lambda: batch.reset(-1)),
        (IndexError, lambda: batch.reset(2**40)),
        (ValueError, lambda: batch.reset([True, False])),
        (ValueError, lambda: batch.reset([1, 1])),
        (TypeError, lambda: batch.reset([0.5])),
        (ValueError, lambda: batch.reset(np.zeros((2, 2), int))),
        (KeyError, lambda: batch.reset(keyframe="none")),
        (ValueError, lambda: batch.reset(keyframe=3)),
        (TypeError, lambda: batch.reset(keyframe=0.5)),
        (ValueError, lambda: batch.reset(keyframe=0, state=np.zeros(3))),
        (ValueError, lambda: batch.reset(state=np.zeros(3))),
        (ValueError, lambda: batch.reset(state="x")),
        (ValueError, lambda: batch.get_state(1 << 20)),
        (ValueError, lambda: batch.step(-1)),
        (IndexError, lambda: batch.world_data(6)),
        (ValueError, lambda: setattr(batch, "qpos", np.zeros((N, 3)))),
        (AttributeError, lambda: delattr(batch, "qpos")),
    ]:
        with pytest.raises(error):
            call()
