"""Renderer: pictures of a world as arrays."""

from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from sinew import _enums, _render, _sinew

__all__ = ["BatchRenderer", "Renderer"]

_TOO_LARGE = """
Image {name} {size} > framebuffer {name} {limit}. Either reduce the image
{name} or specify a larger offscreen framebuffer in the model XML using the
clause:
<visual>
  <global off{name}="my_{name}"/>
</visual>"""


def _camera_of(model: Any, camera: Union[int, str, Any]) -> Any:
    """The MjvCamera of a camera's name or number (-1: the default free camera)."""
    if isinstance(camera, _sinew.MjvCamera):
        return camera
    number = camera
    if isinstance(camera, str):
        number = _sinew.mj_name2id(model, int(_enums.mjtObj.mjOBJ_CAMERA), camera)
        if number == -1:
            raise ValueError(f'The camera "{camera}" does not exist.')
    number = int(number)
    if number < -1 or number >= model.ncam:
        raise ValueError(f"The camera id {number} is out of range [-1, {model.ncam}).")
    found = _sinew.MjvCamera()
    found.fixedcamid = number
    if number == -1:
        _sinew.mjv_defaultFreeCamera(model, found)
    else:
        found.type = int(_enums.mjtCamera.mjCAMERA_FIXED)
    return found


class Renderer:
    """Draws worlds of a model into arrays of height x width pixels.

    With limit=False the size may exceed vis.global_.offwidth and offheight. threads: 0 for all cores; the pictures do
    not depend on it.
    """

    def __init__(
        self,
        model: Any,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: Any = 150,
        *,
        threads: int = 1,
        limit: bool = True,
    ) -> None:
        self._canvas: Any = None
        buffer = model.vis.global_
        for name, size, most in (("width", width, buffer.offwidth), ("height", height, buffer.offheight)):
            if limit and size > most:
                raise ValueError(_TOO_LARGE.format(name=name, size=size, limit=most))
            if size < 1:
                raise ValueError(f"{name} must be positive, not {size}")
        self._model = model
        self._width = int(width)
        self._height = int(height)
        self._scene = _sinew.MjvScene(model, int(max_geom))
        self._option = _sinew.MjvOption()
        self._depth = False
        self._segmentation = False
        self._canvas = _render._canvas(model, threads)

    @property
    def model(self) -> Any:
        return self._model

    @property
    def scene(self) -> Any:
        return self._scene

    @property
    def height(self) -> int:
        return self._height

    @property
    def width(self) -> int:
        return self._width

    def enable_depth_rendering(self) -> None:
        self._segmentation = False
        self._depth = True

    def disable_depth_rendering(self) -> None:
        self._depth = False

    def enable_segmentation_rendering(self) -> None:
        self._segmentation = True
        self._depth = False

    def disable_segmentation_rendering(self) -> None:
        self._segmentation = False

    def _require_open(self, what: str) -> None:
        if self._canvas is None:
            raise RuntimeError(f"{what} cannot be called after close.")

    def update_scene(self, data: Any, camera: Union[int, str, Any] = -1, scene_option: Optional[Any] = None) -> None:
        """What the next picture shows: the world as it is now, seen by a camera of the model (name or number), the
        default free camera (-1) or an MjvCamera."""
        self._require_open("update_scene")
        camera = _camera_of(self._model, camera)
        option = self._option if scene_option is None else scene_option
        everything = int(_enums.mjtCatBit.mjCAT_ALL)
        _sinew.mjv_updateScene(self._model, data, option, None, camera, everything, self._scene)

    def render(self, *, out: Optional[Any] = None) -> Any:
        """The picture: (height, width, 3) bytes from the top, or (height, width) meters in depth mode, or (height,
        width, 2) object id and type in segmentation mode, -1 for the background. Written into `out` if given."""
        self._require_open("render")
        size = (self._height, self._width)
        if self._depth:
            return self._draw(out, size, np.float32, "depth")
        if not self._segmentation:
            return self._draw(out, size + (3,), np.uint8, "rgb")
        if out is not None and out.shape not in (size + (2,), size + (3,)):
            raise ValueError(f"Expected `out.shape == {size + (3,)}`. Got `out.shape={out.shape}` instead.")
        segments = np.empty(size, np.int32)
        self._canvas.render(self._scene, self._width, self._height, segment=segments)
        objects = self._objects(segments)
        if out is not None and out.shape == objects.shape and out.dtype == objects.dtype:
            out[...] = objects
            return out
        return objects

    def render_all(self) -> Dict[str, Any]:
        """rgb, depth and segmentation in one pass."""
        self._require_open("render_all")
        rgb = np.empty((self._height, self._width, 3), np.uint8)
        depth = np.empty((self._height, self._width), np.float32)
        segments = np.empty((self._height, self._width), np.int32)
        self._canvas.render(self._scene, self._width, self._height, rgb, depth, segments)
        return {"rgb": rgb, "depth": depth, "segmentation": self._objects(segments)}

    def cast(self, origins: Any, directions: Any) -> Tuple[Any, Any, Any]:
        """Where rays meet the scene, as of a lidar: distances in lengths of the direction (-1: nothing), indices of
        scene.geoms, normals."""
        self._require_open("cast")
        return self._canvas.cast(self._scene, origins, directions)  # type: ignore[no-any-return]

    def _draw(self, out: Optional[Any], shape: Tuple[int, ...], dtype: Any, name: str) -> Any:
        if out is not None and out.shape != shape:
            raise ValueError(f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead.")
        direct = out is not None and out.dtype == dtype and out.flags.c_contiguous and out.flags.writeable
        picture = out if direct else np.empty(shape, dtype)
        self._canvas.render(self._scene, self._width, self._height, **{name: picture})
        if out is None or direct:
            return picture
        out[...] = picture
        return out

    def _objects(self, segments: Any) -> Any:
        """Object id and type of the geoms of the scene."""
        geoms = self._scene.geoms
        table = np.full((self._scene.ngeom + 1, 2), -1, np.int32)
        n = self._scene.ngeom
        segid = np.asarray(geoms.segid[:n])
        shown = segid >= 0
        table[segid[shown] + 1, 0] = np.asarray(geoms.objid[:n])[shown]
        table[segid[shown] + 1, 1] = np.asarray(geoms.objtype[:n])[shown]
        return table[segments + 1]

    def close(self) -> None:
        """Releases the renderer; drawing afterwards is an error."""
        self._canvas = None

    def __enter__(self) -> "Renderer":
        return self

    def __exit__(self, *args: Any) -> None:
        self.close()


class BatchRenderer:
    """Draws the worlds of a Batch, each seen by every camera, on all cores (threads=0) or as many as given.

    Pictures are arrays of (worlds, cameras, height, width, ...). They are kept: a render of some worlds leaves the
    pictures of the others as they are.
    """

    def __init__(
        self,
        batch: Any,
        height: int = 84,
        width: int = 84,
        cameras: Sequence[Union[int, str, Any]] = (-1,),
        *,
        scene_option: Optional[Any] = None,
        threads: int = 0,
    ) -> None:
        if width < 1 or height < 1:
            raise ValueError(f"height and width must be positive, not {height} and {width}")
        model = batch.world_model(0) if len(batch) else None
        if model is None:
            raise ValueError("the batch has no worlds")
        self._batch = batch
        self._size = (int(height), int(width))
        self._cameras = [_camera_of(model, camera) for camera in cameras]
        self._option = _sinew.MjvOption() if scene_option is None else scene_option
        self._canvas = _render._canvas(model, threads)
        self._pictures: Dict[str, Any] = {}

    def render(self, kind: str = "rgb", worlds: Optional[Any] = None) -> Any:
        """rgb: bytes, three per pixel; depth: meters; segmentation: id and type of the object, -1 for the background.
        worlds: None (all), a mask, an index or a list of indices. Returns the pictures of all worlds, in an array that
        the next call writes into."""
        kinds = {"rgb": (np.uint8, (3,)), "depth": (np.float32, ()), "segmentation": (np.int32, (2,))}
        if kind not in kinds:
            raise ValueError(f"kind must be one of {', '.join(kinds)}, not {kind!r}")
        dtype, last = kinds[kind]
        shape = (len(self._batch), len(self._cameras)) + self._size + last
        if kind not in self._pictures:
            self._pictures[kind] = np.zeros(shape, dtype)
        height, width = self._size
        self._canvas.render_batch(
            self._batch, self._cameras, self._option, width, height, worlds=worlds, **{kind: self._pictures[kind]}
        )
        return self._pictures[kind]
