"""Pictures with MuJoCo's names: contexts, buffers, mjr_* and figures. Drawing is done by the compiled _Canvas."""

from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from sinew import _enums, _sinew

__all__ = [
    "MjrContext", "MjrRect", "MjrRendererInfo", "MjvFigure", "mjr_addAux", "mjr_blitAux", "mjr_blitBuffer", "mjr_changeFont",
    "mjr_drawPixels", "mjr_figure", "mjr_findRect", "mjr_finish", "mjr_getError", "mjr_getRendererInfo", "mjr_label",
    "mjr_maxViewport", "mjr_overlay", "mjr_readPixels", "mjr_rectangle", "mjr_render", "mjr_resizeOffscreen",
    "mjr_restoreBuffer", "mjr_setAux", "mjr_setBuffer", "mjr_text", "mjr_uploadHField", "mjr_uploadMesh",
    "mjr_uploadTexture", "mjv_defaultFigure",
]  # fmt: skip

_NO_RENDERER = "this build of sinew has no renderer: install libembree-dev and build it again"
_WINDOW, _OFFSCREEN = 0, 1
_NAUX = 10
_MOST_SIDE = 16384


def _canvas(model: Any, threads: int = 1) -> Any:
    if not _sinew._has_render:
        raise NotImplementedError(_NO_RENDERER)
    return _sinew._Canvas(model, threads=threads)


class MjrRect:
    """A rectangle of pixels, from the lower left."""

    def __init__(self, left: int, bottom: int, width: int, height: int) -> None:
        self.left = int(left)
        self.bottom = int(bottom)
        self.width = int(width)
        self.height = int(height)

    def __copy__(self) -> "MjrRect":
        return MjrRect(self.left, self.bottom, self.width, self.height)

    def __deepcopy__(self, memo: Any) -> "MjrRect":
        return self.__copy__()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MjrRect) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"MjrRect(left={self.left}, bottom={self.bottom}, width={self.width}, height={self.height})"


class MjrRendererInfo:
    """Which renderer draws."""

    def __init__(self) -> None:
        self.name = "sinew ray caster"
        self.version = _sinew._version


class _Buffer:
    """Colors and depths of a framebuffer; row 0 is the lowest. Depth is that of OpenGL: 0 near, 1 far."""

    def __init__(self, width: int, height: int) -> None:
        if not (0 <= width <= _MOST_SIDE and 0 <= height <= _MOST_SIDE):
            raise ValueError(f"a buffer cannot have {width} x {height} pixels: each side must be 0 to {_MOST_SIDE}")
        self.width = width
        self.height = height
        self.rgb = np.zeros((height, width, 3), np.uint8)
        self.depth = np.ones((height, width), np.float32)

    def part(self, rect: MjrRect) -> Tuple[slice, slice, slice, slice]:
        """Rows and columns of the buffer that a rectangle covers, and those of the rectangle."""
        if rect.width < 0 or rect.height < 0:
            raise ValueError("a rectangle cannot have a negative size")
        top, right = rect.bottom + rect.height, rect.left + rect.width
        b, t = min(max(rect.bottom, 0), self.height), min(max(top, 0), self.height)
        l, r = min(max(rect.left, 0), self.width), min(max(right, 0), self.width)
        t, r = max(t, b), max(r, l)
        return (slice(b, t), slice(l, r), slice(b - rect.bottom, t - rect.bottom), slice(l - rect.left, r - rect.left))


class MjrContext:
    """Where pictures are drawn. It owns no OpenGL objects and may be used from any thread, one at a time."""

    def __init__(self, model: Any = None, fontscale: int = 150) -> None:
        self.fontScale = int(fontscale)
        self.readDepthMap = int(_enums.mjtDepthMap.mjDEPTH_ZERONEAR)
        self.readPixelFormat = 0x1907  # GL_RGB
        self.currentBuffer = _WINDOW
        self.windowAvailable = 0
        self.windowSamples = 0
        self.windowStereo = 0
        self.windowDoublebuffer = 0
        self.glInitialized = 0
        self.offWidth = 0
        self.offHeight = 0
        self.offSamples = 0
        self.lineWidth = 1.0
        self.shadowClip = 0.0
        self.shadowScale = 0.0
        self.shadowSize = 0
        self.fogStart = 0.0
        self.fogEnd = 0.0
        self.fogRGBA = np.zeros(4, np.float32)
        self.auxWidth = np.zeros(_NAUX, np.int32)
        self.auxHeight = np.zeros(_NAUX, np.int32)
        self.auxSamples = np.zeros(_NAUX, np.int32)
        self.ntexture = 0
        self.nskin = 0
        self._canvas: Any = None
        self._off = _Buffer(0, 0)
        self._aux: List[Optional[_Buffer]] = [None] * _NAUX
        self._current = self._off
        if model is None:
            return
        self._canvas = _canvas(model)
        visual, extent = model.vis, model.stat.extent
        self.lineWidth = visual.global_.linewidth
        self.shadowClip = visual.map.shadowclip * extent
        self.shadowScale = visual.map.shadowscale
        self.shadowSize = visual.quality.shadowsize
        self.fogStart = visual.map.fogstart * extent
        self.fogEnd = visual.map.fogend * extent
        self.fogRGBA[:] = visual.rgba.fog
        self.offSamples = visual.quality.offsamples
        self.ntexture = model.ntex
        self.nskin = model.nskin
        self.glInitialized = 1
        self._resize(visual.global_.offwidth, visual.global_.offheight)

    def _resize(self, width: int, height: int) -> None:
        current = self._current is self._off
        self._off = _Buffer(width, height)
        self.offWidth, self.offHeight = width, height
        if current:
            self._current = self._off

    def _ready(self) -> Any:
        if self._canvas is None:
            raise RuntimeError("the MjrContext has no model, or was freed")
        return self._canvas

    def free(self) -> None:
        """Releases everything; the context cannot draw afterwards."""
        self._canvas = None
        self._off = self._current = _Buffer(0, 0)
        self._aux = [None] * _NAUX
        self.offWidth = self.offHeight = 0

    def __copy__(self) -> "MjrContext":
        raise TypeError("an MjrContext cannot be copied")

    def __deepcopy__(self, memo: Any) -> "MjrContext":
        raise TypeError("an MjrContext cannot be copied")


def _buffer_depth(metres: Any, scene: Any) -> Any:
    """OpenGL's depth of distances: 0 at the near plane, 1 at the far plane."""
    view = _sinew.mjv_averageCamera(scene.camera[0], scene.camera[1])
    near, far = float(view.frustum_near), float(view.frustum_far)
    if not far > near > 0:
        return np.ones_like(metres)
    z = metres.astype(np.float64)
    if view.orthographic:
        depth = (z - near) / (far - near)
    else:
        depth = 1 - near * (far - z) / (z * (far - near))
    return np.clip(depth, 0, 1).astype(np.float32)


def mjr_render(viewport: MjrRect, scn: Any, con: MjrContext) -> None:
    """Draws a scene into a rectangle of the current buffer."""
    canvas = con._ready()
    if viewport.width <= 0 or viewport.height <= 0:
        return
    rgb = np.empty((viewport.height, viewport.width, 3), np.uint8)
    metres = np.empty((viewport.height, viewport.width), np.float32)
    canvas.render(scn, viewport.width, viewport.height, rgb, metres)
    rows, columns, own_rows, own_columns = con._current.part(viewport)
    con._current.rgb[rows, columns] = rgb[::-1][own_rows, own_columns]
    con._current.depth[rows, columns] = _buffer_depth(metres, scn)[::-1][own_rows, own_columns]


def _flat(array: Any, name: str, dtype: Any, size: int, writable: bool) -> Any:
    if not isinstance(array, np.ndarray) or array.dtype != dtype or not array.flags.c_contiguous:
        raise TypeError(f"{name} must be a C-contiguous array of {np.dtype(dtype)}")
    if writable and not array.flags.writeable:
        raise TypeError(f"{name} must be writable")
    if array.size != size:
        raise TypeError(f"{name} has {array.size} elements instead of {size}")
    return array.reshape(-1)


def mjr_readPixels(rgb: Optional[Any], depth: Optional[Any], viewport: MjrRect, con: MjrContext) -> None:
    """Copies a rectangle of the current buffer into arrays, rows from the bottom."""
    con._ready()
    rows, columns, own_rows, own_columns = con._current.part(viewport)
    shape = (viewport.height, viewport.width)
    if rgb is not None:
        out = _flat(rgb, "rgb", np.uint8, 3 * viewport.width * viewport.height, True).reshape(shape + (3,))
        out[own_rows, own_columns] = con._current.rgb[rows, columns]
    if depth is not None:
        out = _flat(depth, "depth", np.float32, viewport.width * viewport.height, True).reshape(shape)
        values = con._current.depth[rows, columns]
        zero_near = con.readDepthMap == int(_enums.mjtDepthMap.mjDEPTH_ZERONEAR)
        out[own_rows, own_columns] = values if zero_near else 1 - values


def mjr_drawPixels(rgb: Optional[Any], depth: Optional[Any], viewport: MjrRect, con: MjrContext) -> None:
    """Copies arrays, rows from the bottom, into a rectangle of the current buffer."""
    con._ready()
    rows, columns, own_rows, own_columns = con._current.part(viewport)
    shape = (viewport.height, viewport.width)
    if rgb is not None:
        values = _flat(rgb, "rgb", np.uint8, 3 * viewport.width * viewport.height, False).reshape(shape + (3,))
        con._current.rgb[rows, columns] = values[own_rows, own_columns]
    if depth is not None:
        values = _flat(depth, "depth", np.float32, viewport.width * viewport.height, False).reshape(shape)
        con._current.depth[rows, columns] = values[own_rows, own_columns]


def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:
    """Draws offscreen from now on. There is no window: drawing to it goes to the same buffer."""
    if int(framebuffer) not in (_WINDOW, _OFFSCREEN):
        raise ValueError("framebuffer must be mjFB_WINDOW or mjFB_OFFSCREEN")
    con.currentBuffer = _OFFSCREEN
    con._current = con._off


def mjr_restoreBuffer(con: MjrContext) -> None:
    """Draws into the offscreen buffer again, after mjr_setAux."""
    con._current = con._off


def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:
    """Makes a new offscreen buffer."""
    con._ready()
    if width < 1 or height < 1:
        raise ValueError("width and height must be positive")
    con._resize(int(width), int(height))


def mjr_maxViewport(con: MjrContext) -> MjrRect:
    """The whole current buffer."""
    return MjrRect(0, 0, con._current.width, con._current.height)


def _aux_of(index: int, con: MjrContext) -> _Buffer:
    if not 0 <= index < _NAUX:
        raise ValueError(f"index must be 0 to {_NAUX - 1}")
    buffer = con._aux[index]
    if buffer is None:
        raise ValueError(f"there is no auxiliary buffer {index}")
    return buffer


def mjr_addAux(index: int, width: int, height: int, samples: int, con: MjrContext) -> None:
    """Makes an auxiliary buffer."""
    con._ready()
    if not 0 <= index < _NAUX:
        raise ValueError(f"index must be 0 to {_NAUX - 1}")
    con._aux[index] = _Buffer(int(width), int(height))
    con.auxWidth[index], con.auxHeight[index], con.auxSamples[index] = width, height, samples


def mjr_setAux(index: int, con: MjrContext) -> None:
    """Draws into an auxiliary buffer from now on."""
    con._current = _aux_of(index, con)


def mjr_blitAux(index: int, src: MjrRect, left: int, bottom: int, con: MjrContext) -> None:
    """Copies a rectangle of an auxiliary buffer into the offscreen buffer."""
    buffer = _aux_of(index, con)
    rows, columns, _, _ = buffer.part(src)
    rgb = buffer.rgb[rows, columns]
    to = MjrRect(left, bottom, rgb.shape[1], rgb.shape[0])
    rows, columns, own_rows, own_columns = con._off.part(to)
    con._off.rgb[rows, columns] = rgb[own_rows, own_columns]


def mjr_blitBuffer(src: MjrRect, dst: MjrRect, flg_color: int, flg_depth: int, con: MjrContext) -> None:
    """Copies a rectangle of the current buffer, scaled, to another."""
    con._ready()
    if src.width < 1 or src.height < 1 or dst.width < 1 or dst.height < 1:
        return
    buffer = con._current
    y = src.bottom + (np.arange(dst.height) * src.height) // dst.height
    x = src.left + (np.arange(dst.width) * src.width) // dst.width
    y, x = np.clip(y, 0, buffer.height - 1), np.clip(x, 0, buffer.width - 1)
    rows, columns, own_rows, own_columns = buffer.part(dst)
    pictures: tuple[tuple[Any, Any], ...] = ((flg_color, buffer.rgb), (flg_depth, buffer.depth))
    for wanted, values in pictures:
        if wanted:
            values[rows, columns] = values[np.ix_(y, x)][own_rows, own_columns]


def _text_of(text: Union[str, bytes, None]) -> str:
    if text is None:
        return ""
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


def _draw_text(buffer: _Buffer, x: int, y: int, text: str, scale: float, color: Sequence[float] = (1, 1, 1)) -> None:
    """x, y: the left end of the first line's base, from the lower left."""
    if buffer.rgb.size == 0:
        return
    picture = np.ascontiguousarray(buffer.rgb[::-1])
    _sinew._draw_text(picture, buffer.width, buffer.height, int(x), buffer.height - int(y), text, scale)
    drawn = picture[::-1]
    if tuple(color) != (1, 1, 1):
        written = (drawn == 255).all(axis=2) & (drawn != buffer.rgb).any(axis=2)
        drawn = drawn.copy()
        drawn[written] = np.clip(np.asarray(color) * 255, 0, 255).astype(np.uint8)
    buffer.rgb[...] = drawn


def _scale(font: int, con: MjrContext) -> float:
    return con.fontScale / 100 * (2 if int(font) == int(_enums.mjtFont.mjFONT_BIG) else 1)


def mjr_overlay(
    font: int, gridpos: int, viewport: MjrRect, overlay: Union[str, bytes], overlay2: Union[str, bytes, None], con: MjrContext
) -> None:
    """Two columns of text in a corner of a rectangle."""
    con._ready()
    scale = _scale(font, con)
    left, right = _text_of(overlay), _text_of(overlay2)
    size = [_sinew._text_size(text, scale) if text else (0, 0) for text in (left, right)]
    gap = 2 * _sinew._text_size(" ", scale)[0] if left and right else 0
    line = _sinew._text_size("X", scale)[1]
    width, height = size[0][0] + gap + size[1][0], max(size[0][1], size[1][1])
    margin = 4
    grid = int(gridpos)
    names = _enums.mjtGridPos
    on_right = grid in (int(names.mjGRID_TOPRIGHT), int(names.mjGRID_BOTTOMRIGHT), int(names.mjGRID_RIGHT))
    centered = grid in (int(names.mjGRID_TOP), int(names.mjGRID_BOTTOM))
    below = grid in (int(names.mjGRID_BOTTOMLEFT), int(names.mjGRID_BOTTOMRIGHT), int(names.mjGRID_BOTTOM))
    middle = grid in (int(names.mjGRID_LEFT), int(names.mjGRID_RIGHT))
    x = viewport.left + margin
    if on_right:
        x = viewport.left + viewport.width - width - margin
    elif centered:
        x = viewport.left + (viewport.width - width) // 2
    top = viewport.bottom + viewport.height - margin
    if below:
        top = viewport.bottom + height + margin
    elif middle:
        top = viewport.bottom + (viewport.height + height) // 2
    for text, start in ((left, x), (right, x + size[0][0] + gap)):
        if text:
            _draw_text(con._current, start, top - line, text, scale)


def mjr_text(font: int, txt: Union[str, bytes], con: MjrContext, x: float, y: float, r: float, g: float, b: float) -> None:
    """Text at relative coordinates of the current buffer."""
    con._ready()
    buffer = con._current
    _draw_text(buffer, int(x * buffer.width), int(y * buffer.height), _text_of(txt), _scale(font, con), (r, g, b))


def mjr_rectangle(viewport: MjrRect, r: float, g: float, b: float, a: float) -> None:
    """Not available: without a context it has no buffer to draw into."""
    raise NotImplementedError("mjr_rectangle draws into the current OpenGL context, which sinew does not have: use mjr_label")


def mjr_label(
    viewport: MjrRect, font: int, txt: Union[str, bytes], r: float, g: float, b: float, a: float, rt: float, gt: float,
    bt: float, con: MjrContext,
) -> None:  # fmt: skip
    """A rectangle with centered text."""
    con._ready()
    rows, columns, _, _ = con._current.part(viewport)
    part = con._current.rgb[rows, columns]
    color = np.clip(np.array([r, g, b]) * 255, 0, 255)
    con._current.rgb[rows, columns] = (part * (1 - a) + color * a).astype(np.uint8)
    text, scale = _text_of(txt), _scale(font, con)
    width, height = _sinew._text_size(text, scale)
    x, y = viewport.left + (viewport.width - width) // 2, viewport.bottom + (viewport.height - height) // 2
    _draw_text(con._current, x, y, text, scale, (rt, gt, bt))


def mjr_figure(viewport: MjrRect, fig: Any, con: MjrContext) -> None:
    """Not available: sinew draws no figures."""
    raise NotImplementedError("sinew draws no figures: mjr_figure is not available; use a plotting package")


def mjr_changeFont(fontscale: int, con: MjrContext) -> None:
    """The size of text, in percent."""
    con.fontScale = int(fontscale)


def mjr_finish() -> None:
    """Pictures are complete when mjr_render returns."""


def mjr_getError() -> int:
    """There is no OpenGL: no error."""
    return 0


def mjr_getRendererInfo(info: MjrRendererInfo) -> None:
    """Which renderer draws."""
    info.__init__()  # type: ignore[misc]


def mjr_findRect(x: int, y: int, nrect: int, rect: Any) -> int:
    """The first rectangle with this pixel, -1: none."""
    rects = rect if isinstance(rect, (list, tuple)) else [rect]
    for i, r in enumerate(rects[: int(nrect)]):
        if r.left <= x < r.left + r.width and r.bottom <= y < r.bottom + r.height:
            return i
    return -1


def mjr_uploadTexture(m: Any, con: MjrContext, texid: int) -> None:
    """Draws with the model's current pixels of a texture from now on."""
    con._ready().upload_texture(m, texid)


def mjr_uploadMesh(m: Any, con: MjrContext, meshid: int) -> None:
    """Draws with the model's current vertices of a mesh from now on."""
    con._ready().upload_mesh(m, meshid)


def mjr_uploadHField(m: Any, con: MjrContext, hfieldid: int) -> None:
    """Draws with the model's current heights of a height field from now on."""
    con._ready().upload_hfield(m, hfieldid)


class MjvFigure:
    """Data of a figure. It can be filled and read; drawing it is not available."""

    def __init__(self) -> None:
        lines, points = 100, 1001
        self.flg_legend = 1
        self.flg_ticklabel = np.ones(2, np.int32)
        self.flg_extend = 1
        self.flg_barplot = 0
        self.flg_selection = 0
        self.flg_symmetric = 0
        self.linewidth = 3.0
        self.gridwidth = 1.0
        self.gridsize = np.full(2, 2, np.int32)
        self.gridrgb = np.full(3, 0.4, np.float32)
        self.figurergba = np.array([0, 0, 0, 1], np.float32)
        self.panergba = np.array([0, 0, 0, 1], np.float32)
        self.legendrgba = np.array([0, 0, 0, 0.3], np.float32)
        self.textrgb = np.ones(3, np.float32)
        self.linergb = np.zeros((lines, 3), np.float32)
        self.range = np.array([[0, 1], [0, 1]], np.float32)
        self.xformat = "%.0f"
        self.yformat = "%.2g"
        self.minwidth = "XXX"
        self.title = ""
        self.xlabel = ""
        self.linename = [""] * lines
        self.legendoffset = 0
        self.subplot = 0
        self.highlight = np.zeros(2, np.int32)
        self.highlightid = -1
        self.selection = 0.0
        self.linepnt = np.zeros(lines, np.int32)
        self.linedata = np.zeros((lines, 2 * points), np.float32)
        self.xaxispixel = np.zeros(2, np.int32)
        self.yaxispixel = np.zeros(2, np.int32)
        self.xaxisdata = np.zeros(2, np.float32)
        self.yaxisdata = np.zeros(2, np.float32)
        first = [(1, 0.3, 0.3), (0.1, 1, 0.1), (0.3, 0.3, 1), (0.1, 1, 1), (1, 0.2, 1), (1, 1, 0.1), (1, 0.6, 0.2),
                 (0.6, 0.7, 0.4)]  # fmt: skip
        self.linergb[: len(first)] = first
        for i in range(len(first), lines):
            self.linergb[i] = [0.1 + 0.8 * _halton(i, base) for base in (2, 3, 5)]


def _halton(i: int, base: int) -> float:
    value, step = 0.0, 1.0
    while i > 0:
        step /= base
        value += step * (i % base)
        i //= base
    return value


def mjv_defaultFigure(fig: MjvFigure) -> None:
    """Sets all fields to their defaults."""
    MjvFigure.__init__(fig)
