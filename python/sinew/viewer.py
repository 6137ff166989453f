"""The viewer: a running simulation in a browser, on this machine or through ssh.

    with sinew.viewer.launch_passive(model, data) as viewer:
        while viewer.is_running():
            sinew.mj_step(model, data)
            viewer.sync()

As mujoco.viewer, on every platform with the ordinary interpreter. The address is printed; a browser is opened where
there is a desktop. SINEW_VIEWER=off makes viewers that show nothing, for automatic runs.
"""

import argparse
import base64
import contextlib
import json
import os
import socket
import struct
import sys
import time
import weakref
import webbrowser
import zlib
from typing import Any, Callable, ContextManager, List, Optional, Sequence, Tuple, Union

import numpy as np

from sinew import _enums, _render, _sinew

__all__ = ["Handle", "launch", "launch_passive", "launch_from_path"]

MAX_USER_GEOMS = 100000

KeyCallback = Callable[[int], None]
Loader = Callable[[], Tuple[Any, Any]]


def _open(show_left_ui: bool, show_right_ui: bool, options: Any, key_callback: Optional[KeyCallback] = None) -> Any:
    """A viewer that listens, and its address for the user; None if SINEW_VIEWER=off."""
    options = dict(options)
    wanted = options.pop("open", None)
    if os.environ.get("SINEW_VIEWER", "").lower() in ("off", "0", "disable"):
        return None
    if not _sinew._has_view:
        raise NotImplementedError("this sinew was built without its viewer (Debian's package libboost-dev was missing)")
    viewer = _sinew._Viewer(show_left=show_left_ui, show_right=show_right_ui, on_key=key_callback, **options)
    print(f"sinew viewer: {viewer.address}", flush=True)
    remote = "SSH_CONNECTION" in os.environ
    display = sys.platform in ("darwin", "win32") or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    if remote or not display:
        print(f"from another machine: ssh -L {viewer.port}:127.0.0.1:{viewer.port} {socket.gethostname()}", flush=True)
    if wanted or (wanted is None and display and not remote and not _in_notebook()):
        with contextlib.suppress(Exception):
            webbrowser.open(viewer.address)
    return viewer


def _in_notebook() -> bool:
    return "ipykernel" in sys.modules


def _png(pixels: Any) -> bytes:
    """A PNG of rows of rgb pixels."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = pixels.reshape(height, 3 * width)

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows.tobytes(), 1))
        + chunk(b"IEND", b"")
    )


def _rect(rect: Any) -> List[int]:
    return [int(rect.left), int(rect.bottom), int(rect.width), int(rect.height)]


def _figure(rect: Any, figure: Any) -> Any:
    lines = []
    for i in range(len(figure.linepnt)):
        n = int(figure.linepnt[i])
        if n > 0:
            points = np.asarray(figure.linedata[i][: 2 * n], float)
            lines.append(
                {
                    "name": _text(figure.linename[i]),
                    "rgb": [float(x) for x in figure.linergb[i]],
                    "x": points[0::2].tolist(),
                    "y": points[1::2].tolist(),
                }
            )
    return {"rect": _rect(rect), "title": _text(figure.title), "xlabel": _text(figure.xlabel), "lines": lines}


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


class Handle:
    """A viewer of a world that the caller steps."""

    def __init__(self, viewer: Any, model: Any, data: Any) -> None:
        self._viewer = viewer
        self._model = model
        self._data = data
        self._scene: Any = None
        self._flags: Any = None
        self._overlay: Any = {"op": "overlay", "texts": [], "figures": [], "images": []}
        self._closed = False
        # without a viewer, what the caller may read and write all the same
        self._cam: Any = viewer.cam if viewer else _sinew.MjvCamera()
        self._opt: Any = viewer.opt if viewer else _sinew.MjvOption()
        self._perturb: Any = viewer.perturb if viewer else _sinew.MjvPerturb()

    @property
    def cam(self) -> Any:
        """Camera of the page that has the controls."""
        return self._cam

    @property
    def opt(self) -> Any:
        """What is drawn."""
        return self._opt

    @property
    def perturb(self) -> Any:
        """The selected body, and how it is pulled."""
        return self._perturb

    pert = perturb

    @property
    def m(self) -> Any:
        return self._model

    @property
    def d(self) -> Any:
        return self._data

    @property
    def user_scn(self) -> Any:
        """Geoms [0:ngeom] are drawn in addition; its flags are the rendering flags."""
        if self._scene is None:
            self._scene = _sinew.MjvScene(self._model, MAX_USER_GEOMS)
            self._flags = np.array(self._scene.flags)
        return self._scene

    @property
    def viewport(self) -> Any:
        """The canvas of the page."""
        width, height = self._viewer.viewport if self._alive() else (0, 0)
        return _render.MjrRect(0, 0, width, height)

    @property
    def url(self) -> str:
        """Where to look; empty if there is no viewer."""
        return str(self._viewer.address) if self._viewer else ""

    @property
    def clients(self) -> int:
        """Pages that are connected."""
        return int(self._viewer.clients) if self._alive() else 0

    @property
    def run(self) -> bool:
        """Whether the page's run button is on: for loops that can be paused from the page."""
        return bool(self._viewer.run) if self._alive() else True

    def step_requested(self) -> int:
        """Single steps that pages asked for since the last call."""
        return int(self._viewer.steps_requested()) if self._alive() else 0

    def _alive(self) -> bool:
        return self._viewer is not None and not self._closed

    def is_running(self) -> bool:
        """False after close, and when a page ended the viewer."""
        return not self._closed and (self._viewer is None or self._viewer.is_running())

    def lock(self) -> ContextManager[Any]:
        """Hold it to change what is drawn in one piece. The model and the data are only read by sync."""
        if self._alive():
            return _Lock(self._viewer)
        return contextlib.nullcontext()

    def sync(self, state_only: bool = False) -> None:
        """Takes over what changed on the page (controls, positions, options, the mouse), then shows the world.

        Does not wait for the network. With state_only the model is not copied, and what is drawn is computed from the
        state.
        """
        if not self._alive():
            return
        if self._scene is not None:
            changed = not np.array_equal(self._flags, self._scene.flags)
            self._viewer.share_scene(self._scene, changed)
            self._flags = np.array(self._scene.flags)
        self._viewer.sync(self._model, self._data, state_only)

    def close(self) -> None:
        self._closed = True
        if self._viewer is not None:
            self._viewer.close()

    def plot(self, name: str, value: float) -> None:
        """A number of the caller's own, such as a reward, that pages can plot and watch under this name."""
        if self._alive():
            self._viewer.plot(name, value)

    def update_hfield(self, hfieldid: int) -> None:
        self._update(hfieldid, self._model.nhfield, "height field")

    def update_mesh(self, meshid: int) -> None:
        self._update(meshid, self._model.nmesh, "mesh")

    def update_texture(self, texid: int) -> None:
        self._update(texid, self._model.ntex, "texture")

    def _update(self, index: int, count: int, kind: str) -> None:
        if not 0 <= index < count:
            raise ValueError(f"there is no {kind} {index}: the model has {count}")
        if self._alive():
            self._viewer.update_assets(self._model)

    def set_texts(self, texts: Union[Tuple[Any, Any, Any, Any], Sequence[Tuple[Any, Any, Any, Any]]]) -> None:
        """(font, gridpos, left text, right text), or a list of them; None stands for a default."""
        rows: Sequence[Any] = [texts] if isinstance(texts, tuple) else texts
        self._overlay["texts"] = [
            {
                "font": int(_enums.mjtFontScale.mjFONTSCALE_150 if font is None else font),
                "grid": int(_enums.mjtGridPos.mjGRID_TOPLEFT if grid is None else grid),
                "left": _text(left or ""),
                "right": _text(right or ""),
            }
            for font, grid, left, right in rows
        ]
        self._send_overlay()

    def clear_texts(self) -> None:
        self._overlay["texts"] = []
        self._send_overlay()

    def set_figures(self, figures: Union[Tuple[Any, Any], Sequence[Tuple[Any, Any]]]) -> None:
        """(MjrRect, MjvFigure), or a list of them."""
        rows: Sequence[Any] = [figures] if isinstance(figures, tuple) else figures
        self._overlay["figures"] = [_figure(rect, figure) for rect, figure in rows]
        self._send_overlay()

    def clear_figures(self) -> None:
        self._overlay["figures"] = []
        self._send_overlay()

    def set_images(self, images: Union[Tuple[Any, Any], Sequence[Tuple[Any, Any]]]) -> None:
        """(MjrRect, array of height x width x 3 bytes), or a list of them."""
        rows: Sequence[Any] = [images] if isinstance(images, tuple) else images
        sent = []
        for rect, image in rows:
            pixels = np.asarray(image)
            if pixels.shape[:2] != (rect.height, rect.width):
                raise ValueError(f"the image has the shape {pixels.shape[:2]}, its rectangle {(rect.height, rect.width)}")
            if pixels.shape != (rect.height, rect.width, 3) or pixels.dtype != np.uint8:
                raise ValueError("an image needs height x width x 3 bytes (numpy.uint8)")
            sent.append({"rect": _rect(rect), "png": base64.b64encode(_png(pixels)).decode()})
        self._overlay["images"] = sent
        self._send_overlay()

    def clear_images(self) -> None:
        self._overlay["images"] = []
        self._send_overlay()

    def _send_overlay(self) -> None:
        if self._alive():
            self._viewer.set_overlay(json.dumps(self._overlay))

    def __enter__(self) -> "Handle":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def _repr_html_(self) -> str:
        """The page itself, in a notebook."""
        if not self._alive():
            return "<p>the viewer is closed</p>"
        return (
            f'<iframe src="{self.url}" width="100%" height="600" style="border:0" allow="fullscreen"></iframe>'
            f'<p><a href="{self.url}" target="_blank">open in a window of its own</a></p>'
        )

    def __repr__(self) -> str:
        return f"<viewer at {self.url}>" if self._alive() else "<viewer, closed>"


class _Lock:
    def __init__(self, viewer: Any) -> None:
        self._viewer = viewer

    def __enter__(self) -> None:
        self._viewer.acquire()

    def __exit__(self, *error: Any) -> None:
        self._viewer.release()


def _check(model: Any, data: Any) -> None:
    if not isinstance(model, _sinew.MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}")
    if not isinstance(data, _sinew.MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {data!r}")


def launch_passive(
    model: Any,
    data: Any,
    *,
    key_callback: Optional[KeyCallback] = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
    **options: Any,
) -> Handle:
    """A viewer of a world that the caller steps; returns at once.

    key_callback gets GLFW codes of keys pressed on the page, from a thread of the viewer. Further options: port, host,
    token, with_token, read_only, fps, open (whether to open a browser; by default where there is a desktop).
    """
    _check(model, data)
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    _sinew.mj_forward(model, data)
    viewer = _open(show_left_ui, show_right_ui, options, key_callback)
    handle = Handle(viewer, model, data)
    handle.sync()
    if viewer is not None:  # a handle that nobody keeps ends its viewer
        weakref.finalize(handle, viewer.close)
    return handle


def launch(
    model: Any = None,
    data: Any = None,
    *,
    loader: Optional[Loader] = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
    **options: Any,
) -> None:
    """Simulates a model in real time and shows it; returns when a page ends the viewer or after Ctrl-C.

    model: an MjModel, or a function that returns a model and its data. Without one the page asks for a file. The
    module's callbacks are called. `data` has the last state afterwards.
    """
    if model is None and data is not None:
        raise ValueError("mjData is specified but mjModel is not")
    if callable(model) and data is not None:
        raise ValueError("mjData should not be specified when an mjModel loader is used")
    if loader is not None and model is not None:
        raise ValueError("model and loader are both specified")
    if callable(model):
        loader, model = model, None
    if loader is not None:
        model, data = loader()
    if model is not None:
        if data is None:
            data = _sinew.MjData(model)
        _check(model, data)
    viewer = _open(show_left_ui, show_right_ui, options)
    if viewer is None:
        return
    try:
        if model is None:
            while viewer.is_running():
                viewer.wait(0.2)
        else:
            _simulate(viewer, model, data)
    except KeyboardInterrupt:
        pass
    finally:
        viewer.close()


def _simulate(viewer: Any, model: Any, data: Any) -> None:
    """Steps a world in real time in this thread, where Python's callbacks and Ctrl-C work."""
    period = 1 / 60
    start, simulated = time.perf_counter(), data.time
    _sinew.mj_forward(model, data)
    while viewer.is_running():
        now = time.perf_counter()
        if viewer.run:
            late = simulated + now - start - data.time
            if not -0.1 < late < 0.1:  # a reset, or a machine that is too slow: no catching up
                start, simulated, late = now, data.time, 0.0
            steps = int(late / model.opt.timestep)
            end = now + 0.7 * period
            while steps > 0 and time.perf_counter() < end:
                _sinew.mj_step(model, data)
                steps -= 1
        else:
            for _ in range(viewer.steps_requested()):
                _sinew.mj_step(model, data)
            _sinew.mj_forward(model, data)
            start, simulated = now, data.time
        viewer.sync(model, data)
        viewer.wait(max(0.0005, period - (time.perf_counter() - now)))


def launch_from_path(path: Union[str, "os.PathLike[str]"], **options: Any) -> None:
    """Simulates the model of a file and shows it; loads it again when the file changes. As the command `sinew view`."""
    left, right = options.pop("show_left_ui", True), options.pop("show_right_ui", True)
    viewer = _open(left, right, options)
    if viewer is None:
        return
    try:
        viewer.open(os.fspath(path))
        while viewer.is_running():
            viewer.wait(0.2)
    except KeyboardInterrupt:
        pass
    finally:
        viewer.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Show a model in a browser")
    parser.add_argument("--mjcf", help="the model's file; without one the page asks for it")
    chosen = parser.parse_args()
    if chosen.mjcf:
        launch_from_path(chosen.mjcf)
    else:
        launch()
