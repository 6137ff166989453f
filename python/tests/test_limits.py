"""Loading is bounded by a memory limit that the caller can set, and Ctrl-C ends it."""

import signal
import subprocess
import sys
import textwrap

import pytest

import sinew as mujoco

LARGE = "<mujoco><size nuserdata='1000000'/></mujoco>"


def test_a_world_whose_stack_is_taken_does_not_run():
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    data = mujoco.MjData(model)
    data.pstack = data.narena
    with pytest.raises(mujoco.FatalError, match=r"\Amj_stackAlloc: out of memory, stack overflow"):
        mujoco.mj_forward(model, data)
    mujoco.mj_resetData(model, data)
    assert data.pstack == 0
    mujoco.mj_forward(model, data)


def test_all_loading_functions_take_a_memory_limit(tmp_path):
    path = tmp_path / "large.xml"
    path.write_text(LARGE)
    loads = (
        lambda **limit: mujoco.MjModel.from_xml_string(LARGE, **limit),
        lambda **limit: mujoco.MjModel.from_xml_path(str(path), **limit),
        lambda **limit: mujoco.MjSpec.from_string(LARGE).compile(**limit),
        lambda **limit: mujoco.MjSpec.from_file(str(path)).compile(**limit),
    )
    for load in loads:
        assert load().nuserdata == 1000000
        with pytest.raises(ValueError, match="and the limit is 4.77 MiB"):
            load(memory_limit=5_000_000)
    with pytest.raises(ValueError, match="and the limit is 10 bytes"):
        mujoco.MjSpec.from_string(LARGE, memory_limit=10)


def test_a_limit_that_is_not_a_number_of_bytes_is_a_type_error():
    with pytest.raises(TypeError):
        mujoco.MjModel.from_xml_string(LARGE, memory_limit="much")


def test_ctrl_c_ends_loading_with_a_keyboard_interrupt():
    program = textwrap.dedent("""
        import sys
        import sinew
        try:
            print("loading", flush=True)
            sinew.MjModel.from_xml_string('''<mujoco><compiler><lengthrange mode="all" inttotal="24000"/></compiler>
              <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
              <actuator><motor joint="j"/></actuator></mujoco>''')
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "loading\n"
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=30)[0] == "interrupted\n"
