"""A line plot as an SVG file, without a plotting library."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 140, 34, 44
COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f")


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers (1, 2 or 5 times a power of ten) between two bounds."""
    step = 10 ** math.floor(math.log10((high - low) / wanted))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (factor * step) <= wanted)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def bounds(values: NDArray[np.float64]) -> tuple[float, float]:
    low, high = float(np.min(values)), float(np.max(values))
    margin = 0.05 * (high - low) if high > low else 0.5 * max(abs(high), 1.0)
    return low - margin, high + margin


def write_plot(
    path: str | Path, x: Any, lines: Mapping[str, Any], *, title: str = "", xlabel: str = "", ylabel: str = ""
) -> None:
    """Writes lines over a common x; `lines` maps the name of each to its values."""
    xs = np.asarray(x, dtype=float)
    ys = {name: np.asarray(values, dtype=float) for name, values in lines.items()}
    (x0, x1), (y0, y1) = bounds(xs), bounds(np.concatenate(list(ys.values())))
    x0, x1 = float(xs.min()), float(xs.max())

    def px(value: float) -> float:
        return LEFT + (value - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)

    def py(value: float) -> float:
        return HEIGHT - BOTTOM - (value - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)

    def text(at: tuple[float, float], content: str, anchor: str = "middle", turn: str = "") -> str:
        return f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}"{turn}>{escape(content)}</text>'

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text((WIDTH / 2, 20), title),
        text(((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8), xlabel),
        text((16, (TOP + HEIGHT - BOTTOM) / 2), ylabel, turn=f' transform="rotate(-90 16 {(TOP + HEIGHT - BOTTOM) / 2})"'),
    ]
    for tick in ticks(x0, x1):
        out.append(f'<path d="M{px(tick):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        out.append(text((px(tick), HEIGHT - BOTTOM + 16), f"{tick:g}"))
    for tick in ticks(y0, y1):
        out.append(f'<path d="M{LEFT} {py(tick):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(text((LEFT - 6, py(tick) + 4), f"{tick:g}", anchor="end"))
    for i, (name, values) in enumerate(ys.items()):
        color = COLORS[i % len(COLORS)]
        points = " ".join(f"{px(a):.1f},{py(b):.1f}" for a, b in zip(xs, values))
        out.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        if i < 16:
            y = TOP + 14 + 16 * i
            out.append(f'<path d="M{WIDTH - RIGHT + 10} {y - 4}h18" stroke="{color}" stroke-width="2"/>')
            out.append(text((WIDTH - RIGHT + 32, y), name, anchor="start"))
    Path(path).write_text("\n".join([*out, "</svg>", ""]), encoding="utf-8")
