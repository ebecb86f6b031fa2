"""Where a contact of two letters ends: pairs of places at which both outlines have equal curvature, κ_A + κ_B = 0.

They are curves in the plane of the two coordinates. A motion that comes to one cannot go on: there the coordinates need
infinite speeds. They are found from the outlines alone.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from ..simulation import Trajectory
from .glyphs import WORD
from .letters import SPANS, curvature
from .scene import PALETTE

__all__ = ["draw_limits", "equal_curvature"]

FINE = 40 * SPANS  # samples of an outline between which its curvature has at most one root
HALVINGS = 50


def equal_curvature(parent: str, child: str, places=None) -> np.ndarray:
    """Pairs (n, 2) of places on two letters' outlines with κ_A + κ_B = 0, for all of the parent's `places`."""
    first = np.linspace(0.0, SPANS, 4 * SPANS, endpoint=False) if places is None else np.asarray(places, float)
    grid = np.linspace(0.0, SPANS, FINE + 1)
    above = curvature(parent, first)[:, None] + curvature(child, grid) > 0.0
    row, cell = np.nonzero(above[:, 1:] != above[:, :-1])
    low, high, wanted = grid[cell], grid[cell + 1], curvature(parent, first[row])
    rising = above[row, cell + 1]
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        beyond = (wanted + curvature(child, middle) > 0.0) == rising
        low, high = np.where(beyond, low, middle), np.where(beyond, middle, high)
    return np.stack([first[row], 0.5 * (low + high)], axis=1)


def draw_limits(run: Trajectory, path) -> None:
    """Save a picture of a motion of letters(2): the seven contacts in their coordinates, and the limits in red."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(16.0, 2.9), layout="constrained")
    FigureCanvasAgg(figure)
    for k, (axes, (a, b)) in enumerate(zip(figure.subplots(1, 7, sharey=True), pairwise(WORD), strict=True)):
        axes.plot(*equal_curvature(a, b).T, ".", color=PALETTE[0], markersize=1.0)
        axes.plot(*(run.q[:, 2 * k + 1 : 2 * k + 3] % SPANS).T, ".", color=PALETTE[1], markersize=2.0)
        axes.set(title=f"{b} on {a}", xlabel=f"on the {a}", xlim=(0, SPANS), ylim=(0, SPANS), aspect="equal")
        axes.set_ylabel("on the child" if k == 0 else "")
    figure.savefig(Path(path), dpi=100)
