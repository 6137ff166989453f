"""The viewer's handle, with a client that speaks the protocol over a socket."""

import base64
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time

import numpy as np
import pytest
import sinew
import sinew.viewer

pytestmark = pytest.mark.skipif(not sinew._sinew._has_view, reason="built without the viewer")

MODEL = """<mujoco><worldbody><body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body>
  <body name="arm"><joint name="hinge" axis="0 1 0"/><geom size=".1"/></body></worldbody>
  <asset><texture name="t" type="2d" builtin="flat" width="4" height="4"/></asset>
  <actuator><motor name="motor" joint="hinge"/></actuator></mujoco>"""


class Page:
    """A WebSocket client."""

    def __init__(self, url):
        host, port, token = re.match(r"http://([\d.]+):(\d+)/\?token=(\S+)", url).groups()
        self.socket = socket.create_connection((host, int(port)), timeout=20)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /ws?token={token} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        assert b" 101 " in head
        self.send(op="hello", protocol=1)

    def _more(self):
        received = self.socket.recv(65536)
        if not received:
            raise EOFError
        self.buffer += received

    def _take(self, n):
        while len(self.buffer) < n:
            self._more()
        taken, self.buffer = self.buffer[:n], self.buffer[n:]
        return taken

    def _frame(self, code, content):
        mask = os.urandom(4)
        head = bytes([0x80 | code, 0x80 | min(len(content), 126)])
        if len(content) >= 126:
            head += struct.pack(">H", len(content))
        self.socket.sendall(head + mask + bytes(c ^ mask[i % 4] for i, c in enumerate(content)))

    def send(self, **message):
        self._frame(1, json.dumps(message).encode())

    def next(self):
        while True:
            code, length = self._take(2)
            if length == 126:
                (length,) = struct.unpack(">H", self._take(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self._take(8))
            content = self._take(length)
            if code & 15 == 9:
                self._frame(10, content)
            elif code & 15 == 8:
                raise EOFError
            elif code & 15 == 1:
                return json.loads(content)
            elif code & 15 == 2:
                return content

    def until(self, op, holds=lambda m: True):
        """The next message of an op (a text) or a kind (a number) for which a condition holds."""
        while True:
            m = self.next()
            if (m["op"] if isinstance(m, dict) else m[0]) == op and holds(m):
                return m

    def settle(self):
        """Waits until what was sent before has been done."""
        self.send(op="state")
        return self.until("state")


@pytest.fixture
def world():
    model = sinew.MjModel.from_xml_string(MODEL)
    return model, sinew.MjData(model)


@pytest.fixture
def shown(world, capsys):
    with sinew.viewer.launch_passive(*world, port=0, open=False) as handle:
        yield handle, Page(handle.url)


def sync(handle):
    time.sleep(0.03)  # more often it would return early
    handle.sync()


def test_the_address_is_printed(world, capsys):
    with sinew.viewer.launch_passive(*world, port=0, open=False) as handle:
        assert handle.url in capsys.readouterr().out
        assert handle.is_running() and handle.m is world[0] and handle.d is world[1]
        assert handle.url in handle._repr_html_() and "<iframe" in handle._repr_html_()
    assert not handle.is_running()
    handle.sync()
    handle.close()
    with handle.lock():
        pass
    assert "closed" in repr(handle)


def test_what_changes_on_the_page_reaches_the_world(shown):
    handle, page = shown
    page.until(2)
    page.send(op="ctrl", i=0, v=0.5)
    page.send(op="qpos", i=7, v=-0.25)
    page.send(op="opt", path="gravity", value=[0, 0, -1])
    page.settle()
    sync(handle)
    assert handle.d.ctrl[0] == 0.5 and handle.d.qpos[7] == -0.25 and handle.m.opt.gravity[2] == -1


def test_the_page_shows_the_world(shown):
    handle, page = shown
    page.until(2)
    handle.d.qpos[2] = 3
    sinew.mj_forward(handle.m, handle.d)
    sync(handle)
    page.until(2, lambda m: struct.pack("<f", 3) in m)
    handle.d.qpos[2] = 4
    time.sleep(0.03)
    handle.sync(state_only=True)
    page.until(2, lambda m: struct.pack("<f", 4) in m)


def test_own_geoms_options_and_camera(shown):
    handle, page = shown
    page.until(2)
    with handle.lock():
        scene = handle.user_scn
        assert scene.maxgeom == 100000
        sinew.mjv_initGeom(
            scene.geoms[0], sinew.mjtGeom.mjGEOM_ARROW, np.ones(3), np.zeros(3), np.eye(3).ravel(), np.ones(4, np.float32)
        )
        scene.ngeom = 1
        handle.opt.flags[sinew.mjtVisFlag.mjVIS_CONTACTPOINT] = 1
        handle.cam.distance = 7
        scene.flags[sinew.mjtRndFlag.mjRND_SHADOW] = 0
    sync(handle)
    page.until("settings", lambda m: m["option"]["flags"][14] == 1 and m["flags"][0] == 0)
    page.until("camera", lambda m: m["distance"] == 7)
    page.until(1, lambda m: struct.unpack_from("<H", m, 16)[0] == int(sinew.mjtGeom.mjGEOM_ARROW))
    page.send(op="cam", azimuth=33)
    page.send(op="rnd", flags={"3": 1})
    page.send(op="option", option={"label": 2})
    page.send(op="viewport", width=640, height=480)
    page.send(op="select_body", body=1)
    page.settle()
    sync(handle)
    assert handle.cam.azimuth == 33 and handle.opt.label == 2 and handle.perturb.select == 1
    assert handle.user_scn.flags[3] == 1 and handle.user_scn.flags[0] == 0
    assert (handle.viewport.width, handle.viewport.height) == (640, 480)


def test_overlays(shown):
    handle, page = shown
    page.until(2)
    handle.set_texts((None, None, "left", "right"))
    sync(handle)
    overlay = page.until("overlay")
    assert overlay["texts"] == [{"font": 150, "grid": 0, "left": "left", "right": "right"}]
    figure = sinew.MjvFigure()
    figure.title = "cost"
    figure.linepnt[0] = 2
    figure.linedata[0][:4] = [0, 1, 2, 3]
    handle.set_figures((sinew.MjrRect(1, 2, 3, 4), figure))
    sync(handle)
    lines = page.until("overlay", lambda m: m["figures"])["figures"][0]
    assert lines["rect"] == [1, 2, 3, 4] and lines["title"] == "cost"
    assert lines["lines"][0]["x"] == [0, 2] and lines["lines"][0]["y"] == [1, 3]
    image = np.zeros((2, 3, 3), np.uint8)
    handle.set_images((sinew.MjrRect(0, 0, 3, 2), image))
    sync(handle)
    png = page.until("overlay", lambda m: m["images"])["images"][0]["png"]
    assert base64.b64decode(png).startswith(b"\x89PNG")
    with pytest.raises(ValueError):
        handle.set_images((sinew.MjrRect(0, 0, 2, 3), image))
    handle.clear_texts()
    handle.clear_figures()
    handle.clear_images()
    sync(handle)
    page.until("overlay", lambda m: not m["texts"] and not m["figures"] and not m["images"])


def test_keys_run_button_steps_and_plots(world):
    pressed = []
    with sinew.viewer.launch_passive(*world, key_callback=pressed.append, port=0, open=False) as handle:
        page = Page(handle.url)
        page.until(2)
        page.send(op="keypress", key=65)
        page.send(op="pause")
        page.send(op="step", n=2)
        page.settle()
        time.sleep(0.2)
        assert pressed == [65] and not handle.run and handle.step_requested() == 2 and handle.step_requested() == 0
        handle.plot("reward", 1.5)
        page.send(op="watch", signals=["reward"])
        assert page.until("watch")["columns"] == ["reward"]
        assert struct.unpack_from("<f", page.until(5), 12)[0] == 1.5
        handle.m.tex_data[:] = 200
        handle.update_texture(0)
        sync(handle)
        page.until("model")
        with pytest.raises(ValueError):
            handle.update_mesh(0)
        page.send(op="quit")
        for _ in range(100):
            if not handle.is_running():
                break
            time.sleep(0.02)
        assert not handle.is_running()


def test_the_mouse_pulls_only_the_body_that_it_holds(shown):
    handle, page = shown
    page.until(2)
    handle.d.xfrc_applied[2, 0] = 5  # the script's own
    page.send(op="select_body", body=1)
    page.send(op="drag", action="move_v", dx=0.1, dy=0)
    page.settle()
    sync(handle)
    assert np.abs(handle.d.xfrc_applied[1]).max() > 0 and handle.d.xfrc_applied[2, 0] == 5
    page.send(op="release")
    page.settle()
    sync(handle)
    assert np.abs(handle.d.xfrc_applied[1]).max() == 0 and handle.d.xfrc_applied[2, 0] == 5


def test_wrong_arguments(world):
    model, data = world
    with pytest.raises(ValueError, match="model"):
        sinew.viewer.launch_passive(None, data)
    with pytest.raises(ValueError, match="data"):
        sinew.viewer.launch_passive(model, None)
    with pytest.raises(ValueError, match="callable"):
        sinew.viewer.launch_passive(model, data, key_callback=1)
    with pytest.raises(ValueError):
        sinew.viewer.launch(None, data)
    with pytest.raises(ValueError):
        sinew.viewer.launch(model, loader=lambda: (model, data))


def test_off(world, monkeypatch):
    monkeypatch.setenv("SINEW_VIEWER", "off")
    with sinew.viewer.launch_passive(*world) as handle:
        handle.sync()
        handle.cam.distance = 3
        handle.user_scn.ngeom = 0
        handle.set_texts((None, None, "a", "b"))
        assert handle.is_running() and handle.url == "" and handle.run
    assert not handle.is_running()
    sinew.viewer.launch(*world)


LAUNCH = """
import sinew, sinew.viewer, sys
model = sinew.MjModel.from_xml_string(sys.argv[1])
data = sinew.MjData(model)
calls = []
sinew.set_mjcb_control(lambda m, d: calls.append(d.time))
sinew.viewer.launch(model, data, port=0, open=False)
print("ended", data.time > 0.1, len(calls) > 10)
"""


def test_launch_simulates_until_the_page_ends_it():
    with subprocess.Popen([sys.executable, "-B", "-c", LAUNCH, MODEL], stdout=subprocess.PIPE, text=True) as process:
        page = Page(process.stdout.readline().split()[-1])
        page.until("status", lambda m: m["time"] > 0.2)
        page.send(op="quit")
        assert "ended True True" in process.stdout.read()
    assert process.returncode == 0


def test_launch_from_path_loads_and_serves_a_file(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(MODEL)
    code = f"import sinew.viewer; sinew.viewer.launch_from_path({str(path)!r}, port=0, open=False)"
    with subprocess.Popen([sys.executable, "-B", "-c", code], stdout=subprocess.PIPE, text=True) as process:
        page = Page(process.stdout.readline().split()[-1])
        assert page.until("model")["file"] == str(path)
        page.send(op="seek", time=0)
        page.send(op="quit")
        process.wait(20)
    assert process.returncode == 0
