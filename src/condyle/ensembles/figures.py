"""Figures of an ensemble, as data: bands of quantiles, histograms, tornadoes, Sobol indices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import BadShape, require
from ..plots import Band, Bar, Curve, Panel
from ..typing import ArrayLike

if TYPE_CHECKING:
    from .result import Ensemble

BLUE, ORANGE = "#2b6cb0", "#d9822b"


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
    times = np.arange(q.shape[1], dtype=float) if t is None else np.asarray(t, float)
    require(times.shape == q.shape[1:], f"{output!r} has {q.shape[1]} records", BadShape, t=times.shape)
    outer = Band(times, q[0], q[4], "5 to 95 %", BLUE, 0.18)
    inner = Band(times, q[1], q[3], "25 to 75 %", BLUE, 0.32)
    median = Curve(times, q[2], "median", color=BLUE)
    return Panel(output, [median], "record" if t is None else "t [s]", y or output, bands=[outer, inner])


def histogram(found: Ensemble, output: str, y: str) -> Panel:
    """How many members have which value."""
    counts, edges = np.histogram(found[output][found.good], bins="auto" if found.good.sum() < 10_000 else 100)
    steps = Curve(np.repeat(edges, 2), np.concatenate([[0], np.repeat(counts, 2), [0]]), color=BLUE)
    return Panel(f"{output}: {int(found.good.sum())} members", [steps], y or output, "members")


def tornado(found: Ensemble, output: str, y: str) -> Panel:
    """The mean of the output from where a parameter is low to where it is high."""
    bars = [Bar(e.name, e.low, e.high, BLUE if e.high >= e.low else ORANGE) for e in found.tornado(output)]
    return Panel("parameter from low to high", [], y or output, bars=bars)


def indices(found: Ensemble, output: str) -> Panel:
    """Shares of the variance that parameters explain, by themselves and with others."""
    s = found.sobol_indices(output)
    rows = zip(s.names, s.first_order, s.total_order, strict=True)
    bars = [Bar(f"{name} {kind}", 0.0, float(x), color) for name, first, total in rows
            for kind, x, color in (("alone", first, BLUE), ("in all", total, ORANGE))]  # fmt: skip
    return Panel("Sobol indices", [], "share of the variance", bars=bars)
