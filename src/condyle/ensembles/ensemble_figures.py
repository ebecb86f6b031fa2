"""Figures of an ensemble, as data: bands of quantiles, histograms, tornadoes, Sobol indices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import BadShape, require
from ..plots import Band, Bar, Curve, Panel
from ..typing import ArrayLike

if TYPE_CHECKING:
    from .ensemble_result import Ensemble

BLUE, ORANGE, PALE, GRAY = "#2b6cb0", "#d9822b", "#b8d0e8", "#555b63"
LOW, HIGH = (ORANGE, "lowest fifth of the parameter"), (BLUE, "highest fifth")


def panels_of(found: Ensemble, output: str, t: ArrayLike | None, y: str) -> list[Panel]:
    """What is to be seen of an output."""
    x = found[output]
    require(x.ndim in (1, 2), f"{output!r} is neither a number nor a curve per member", BadShape, shape=x.shape)
    if x.ndim == 2:
        return [bands(found, output, t, y)]
    panels = [histogram(found, output, y), tornado(found, output, y)]
    if found.design.kind == "sensitivity" and found.good.all() and np.ptp(x) > 0.0:
        panels.append(indices(found, output))
    return panels


def bands(found: Ensemble, output: str, t: ArrayLike | None, y: str) -> Panel:
    """The median of curves, and what half and nine tenths of the members are within."""
    q = found.quantiles(output)
    if t is None and found.t is not None and len(found.t) == q.shape[1]:
        t = found.t
    times = np.arange(q.shape[1], dtype=float) if t is None else np.asarray(t, float)
    require(times.shape == q.shape[1:], f"{output!r} has {q.shape[1]} records", BadShape, t=times.shape)
    outer = Band(times, q[0], q[4], "5 to 95 %", BLUE, 0.18)
    inner = Band(times, q[1], q[3], "25 to 75 %", BLUE, 0.32)
    median = Curve(times, q[2], "median", color=BLUE)
    return Panel(output, [median], "record" if t is None else "t [s]", y or output, bands=[outer, inner])


def histogram(found: Ensemble, output: str, y: str) -> Panel:
    """How many members have which value."""
    counts, edges = np.histogram(found[output][found.good], bins="auto" if found.good.sum() < 10_000 else 100)
    x, high = np.repeat(edges, 2)[1:-1], np.repeat(counts, 2)
    outline = Curve(np.repeat(edges, 2), np.concatenate([[0], high, [0]]), color=BLUE)
    area = Band(x, np.zeros(len(x)), high, color=BLUE, opacity=0.25)
    return Panel(f"{int(found.good.sum())} members", [outline], y or output, "members", bands=[area])


def tornado(found: Ensemble, output: str, y: str) -> Panel:
    """The mean of the output where a parameter is low, and where it is high, beside the mean of all."""
    mean, effects = float(found[output][found.good].mean()), found.tornado(output)
    sides = [(e.name, x, *look) for e in effects for x, look in ((e.low, LOW), (e.high, HIGH))]
    bars = [Bar(name, mean, x, color, label=label) for name, x, color, label in sides]
    middle = Curve([mean, mean], [-0.5, len(effects) - 0.5], "mean of all", color=GRAY, width=1.0)
    return Panel("mean where one parameter is low or high", [middle], y or output, bars=bars)


def indices(found: Ensemble, output: str) -> Panel:
    """Shares of the variance that parameters explain, by themselves and with others."""
    s = found.sobol_indices(output)
    kinds = (s.total_order, PALE, 0.8, "with others"), (s.first_order, BLUE, 0.4, "by itself")
    bars = [
        Bar(name, 0.0, float(x), color, height, label)
        for shares, color, height, label in kinds
        for name, x in zip(s.names, shares, strict=True)
    ]
    return Panel("Sobol indices", [], "share of the variance", bars=bars)
