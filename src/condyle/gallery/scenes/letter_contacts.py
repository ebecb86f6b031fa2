"""Contacts of the letters that touch: where they end, and where letters run into each other away from them.

A contact ends where both outlines have equal curvature, κ_A + κ_B = 0: curves in the plane of its two coordinates. A
motion that comes to one cannot go on: there the coordinates need infinite speeds. They are found from the outlines
alone. That letters cross elsewhere nothing in the model forbids; `crossings` looks for it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np

from ...plots import Curve, Panel, draw_chart
from ...simulation import Trajectory
from ...spatial import SE3
from ..scene import PALETTE, Scene
from .glyphs import WORD
from .letters import SPANS, curvature, letters, outline_spline, relative_curvature

SPARED = 0.005  # [m] around a contact: there the outlines touch
SAMPLES = 240
FINE = 40 * SPANS  # samples of an outline between which its curvature has at most one root
HALVINGS = 50
EVERY = 6  # records between looks for crossings


def inside(points: np.ndarray, polygon: np.ndarray) -> np.ndarray:
    """Which of the points (n, 2) are inside a closed polygon (m, 2): an odd number of its edges is to their right."""
    (x, y), (ax, ay), (bx, by) = points.T[:, :, None], polygon.T, np.roll(polygon, -1, axis=0).T
    spans = (ay > y) != (by > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        right = x < ax + (y - ay) * (bx - ax) / (by - ay)
    return (spans & right).sum(axis=1) % 2 == 1


def crossings(run: Trajectory, record: int) -> list[tuple[str, str]]:
    """Pairs (a, b) of letters(2) with a part of a's outline inside b, but for 5 mm around the contact of neighbours."""
    names, poses, q = run.model.names, run.poses()[record], run.q[record]
    plans = [_placed(poses[k], outline_spline(letter)(_places())) for k, letter in enumerate(WORD)]
    contacts = [_placed(poses[k], outline_spline(WORD[k])(q[2 * k + 1] % SPANS)[None]) for k in range(len(WORD) - 1)]
    out = []
    for i, j in permutations(range(len(WORD)), 2):
        points = plans[i] if abs(i - j) > 1 else _away_from(plans[i], contacts[min(i, j)])
        if _near(plans[i], plans[j]) and inside(points, plans[j]).any():
            out.append((names[i], names[j]))
    return out


def _places() -> np.ndarray:
    return np.linspace(0.0, SPANS, SAMPLES, endpoint=False)


def _placed(pose: SE3, plan: np.ndarray) -> np.ndarray:
    """Points (n, 2) of a letter in the world's upright plane."""
    return pose.apply(np.column_stack([plan, np.zeros(len(plan))]))[:, [0, 2]]


def _away_from(points: np.ndarray, contact: np.ndarray) -> np.ndarray:
    return points[np.linalg.norm(points - contact, axis=1) > SPARED]


def _near(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether the boxes of two outlines overlap."""
    return bool(np.all((a.min(axis=0) < b.max(axis=0)) & (b.min(axis=0) < a.max(axis=0))))


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
    panels = []
    for k, (a, b) in enumerate(pairwise(WORD)):
        limits = Curve(*equal_curvature(a, b).T, style=".", color=PALETTE[0], size=1.0)
        places = Curve(*(run.q[:, 2 * k + 1 : 2 * k + 3] % SPANS).T, style=".", color=PALETTE[1], size=2.0)
        across = {"xlim": (0, SPANS), "ylim": (0, SPANS), "equal": True, "heights": k == 0}
        panels.append(Panel(f"{b} on {a}", [limits, places], f"on the {a}", "" if k else "on the child", **across))
    draw_chart(panels, path, size=(16.0, 2.9), dpi=100)


def touching_letters() -> Scene:
    """The chain of letters that touch along both outlines, with what is to be known of its contacts."""
    scene = letters(2)
    return replace(scene, words=lambda run: _told(scene, run), extras={"limits.png": draw_limits})


def _told(scene: Scene, run: Trajectory) -> str:
    """What happened, how far the contacts stay from losing rank, and which letters run into each other and when."""
    words = f"Every contact keeps its rank: κ_A + κ_B is at least {relative_curvature(run.q).min():.1f} 1/m."
    found = [(run.t[k], pair) for k in range(0, len(run.t), EVERY) for pair in crossings(run, k)]
    crossed = [f"t = {t:.2f} s: a part of {a} is inside {b}." for t, (a, b) in found]
    return "\n".join([scene.told(run), words, *(crossed or ["No letter runs into another away from the contacts."])])


def check() -> None:
    """Energy stays, no letters cross, and every contact has rank."""
    run = letters(2).run(0.5, record=0.05)
    assert np.ptp(run.energy().total) < 1e-4
    assert not any(crossings(run, k) for k in range(len(run.t)))
    assert relative_curvature(run.q).min() > 5.0
