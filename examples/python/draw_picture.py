"""Pictures: a tower of boxes, as color, as depth and as segments, without a display.

    python3 draw_picture.py --out boxes.png
"""

from __future__ import annotations

import argparse
import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import sinew

MODEL = Path(__file__).resolve().parents[2] / "models" / "boxes.xml"


def write_png(path: str, rgb: NDArray[np.uint8]) -> None:
    """An 8-bit color PNG: a header, the compressed rows with a filter byte each, and an end."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    height, width, _ = rgb.shape
    rows = b"".join(b"\0" + row.tobytes() for row in rgb)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + body)


def main() -> None:
    parser = argparse.ArgumentParser(description="draws a tower of boxes")
    parser.add_argument("--out", default="boxes.png")
    arguments = parser.parse_args()

    model = sinew.MjModel.from_xml_path(str(MODEL))
    data = sinew.MjData(model)
    sinew.mj_step(model, data, nstep=200)
    with sinew.Renderer(model, height=240, width=320) as renderer:
        renderer.update_scene(data)
        color = renderer.render()
        renderer.enable_depth_rendering()
        depth = renderer.render()
        renderer.disable_depth_rendering()
        renderer.enable_segmentation_rendering()
        segments = renderer.render()[:, :, 0]
    # three pictures side by side; depth from white (near) to black (far, up to the horizon)
    near = float(depth.min())
    gray = np.asarray(255 * near / depth, np.uint8)
    palette = np.random.default_rng(1).integers(60, 255, (int(segments.max()) + 2, 3)).astype(np.uint8)
    palette[0] = 0
    picture = np.concatenate([color, np.repeat(gray[:, :, None], 3, axis=2), palette[segments + 1]], axis=1)
    write_png(arguments.out, picture)
    seen = len(np.unique(segments[segments >= 0]))
    print(f"{seen} geoms are seen, the nearest at {near:.2f} m: {arguments.out}")


if __name__ == "__main__":
    main()
