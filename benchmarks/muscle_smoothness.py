"""`python -m benchmarks.muscle_smoothness [steps [name]]`: each coordinate of each model is swept, and jumps are named.

A length jumps where it changes by other than its slope says, a moment arm where it changes by much more than beside it,
and both only if they do so in steps that are a hundred times finer, too. Conditional points, ends of moving points'
ranges, ends of a path that meet, ends of cylinders, and wraps that a path meets from a side where it may not go demand
jumps; a path over a wrap may also change sides. What is none of these is `unexplained`.
"""

import sys
import warnings
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

import condyle as cd
from condyle.dynamics.arguments import states
from condyle.muscles.path_curves import path_vertices

from .rows.trial import PLACES

__all__ = ["Jump", "jumps", "sweep"]

WIDEST = 2.5  # [rad or m] on either side of zero
LENGTH, ARM, FINER = 2e-6, 2e-4, 100  # [m] and less is no jump; how much finer a second look is
GRAZES = 2e-3  # [m]: a line to a tangent point that is shorter turns fast
MOVED = 2e-5  # [m]: tangent points that move by more in a fine step jump


class Jump(NamedTuple):
    """Where a length (or a moment arm) jumps, by how much, and what demands it."""

    muscle: str
    coordinate: str
    at: float
    kind: str
    size: float
    why: str


def sweep(model, coordinate, steps):
    """Values of a coordinate over its range, and all coordinates with the others at their defaults."""
    low, high = np.clip(model.ranges.get(coordinate, (-1.0, 1.0)), -WIDEST, WIDEST)
    x, k = np.linspace(low, high, steps), model.q_index(coordinate)
    q = np.tile(model.neutral(), (steps, 1))
    q[:, k] = x
    return x, q


def jumps(model, coordinate, steps):
    """All jumps of lengths and moment arms about a coordinate of its own sweep."""
    x, q = sweep(model, coordinate, steps)
    off, turn = changes(model, coordinate, x, q)
    usual = np.maximum.reduce([np.roll(turn, k, axis=0) for k in (-3, -2, 2, 3)])
    for n, (kind, size, bad) in enumerate(
        [("length", off, off > LENGTH), ("moment arm", turn, turn > ARM + 3.0 * usual)]
    ):
        for i, m in np.argwhere(bad).tolist():
            fine = np.linspace(x[i], x[i + 1], FINER + 1)
            near = np.tile(q[i], (FINER + 1, 1))
            near[:, model.q_index(coordinate)] = fine
            closer = changes(model, coordinate, fine, near)[n][:, m]
            if closer.max() > 0.3 * size[i, m]:
                at = int(closer.argmax())
                why = reason(model, model.muscles[m], coordinate, fine[at : at + 2], near[at])
                yield Jump(model.muscles[m].name, coordinate, float(fine[at]), kind, float(closer.max()), why)


def changes(model, coordinate, x, q):
    """By how much lengths change beyond their slopes, and moment arms, from each value of a coordinate to the next."""
    L = cd.muscles.lengths(model, q)
    slope = -cd.muscles.moment_arms(model, q)[:, :, model.v_index(coordinate)]
    off = np.diff(L, axis=0) - 0.5 * (x[1] - x[0]) * (slope[1:] + slope[:-1])
    return np.abs(off), np.abs(np.diff(slope, axis=0))


def reason(model, muscle, coordinate, between, q):
    """What demands a jump of a muscle between two values of a coordinate; q is the pose at the first."""
    for point in muscle.path.points:
        ends = () if point.range is None else point.range
        reads = point.coordinate is not None and model.shown_name(point.coordinate) == model.shown_name(coordinate)
        if reads and any(between[0] - 2e-5 <= end <= between[1] + 2e-5 for end in ends):
            return f"{'moving' if point.way else 'conditional'} point {point.name!r}"
    if muscle.path.wraps:
        return wrap_reason(model, muscle, coordinate, between, q)
    k = [m.name for m in model.muscles].index(muscle.name)
    return "its ends meet" if cd.muscles.lengths(model, q)[k] < 1e-4 else "unexplained"


def wrap_reason(model, muscle, coordinate, between, q):
    """What changes where a path meets its wraps."""
    Q = np.stack([q, q])
    Q[:, model.q_index(coordinate)] = between
    alone = replace(model, muscles=(muscle,))
    (X,), (order,), _, (frames,), (wraps,) = path_vertices(alone, states(alone, Q), 1)
    points, found = len(muscle.path.points), []
    for k, wrap in enumerate(wraps):
        first = points + 2 * k
        touched = (order == first).any(axis=1)
        if touched.all():
            R = frames[:, k, :9].reshape(2, 3, 3)
            ends = np.einsum("tji,tnj->tni", R, X[:, first : first + 2] - frames[:, k, None, 9:])
            shift = np.linalg.norm(np.diff(ends, axis=0), axis=-1).max()
            found += [(shift, f"changes sides of {wrap.name}")]
        elif touched.any():
            found += [(np.inf, edge_reason(wrap, X[touched][0, first : first + 2], frames[touched][0, k], touched[1]))]
    size, why = max(found, default=(0.0, ""))
    return why if size > MOVED else grazing_reason(X[0], order[0], points, wraps)


def grazing_reason(X, order, points, wraps):
    """Whether a point of the path comes to the surface of a wrap, so that the short line to it turns fast."""
    met = order[order >= 0].astype(int)
    for a, b in pairwise(met):
        if (a < points) != (b < points) and np.linalg.norm(X[a] - X[b]) < GRAZES:
            return f"a point of the path comes to the surface of {wraps[(max(a, b) - points) // 2].name}"
    return "unexplained"


def edge_reason(wrap, ends, frame, begins):
    """Why a path begins or ends to touch a wrap all at once."""
    z = np.abs((ends - frame[9:]) @ frame[:9].reshape(3, 3))[:, 2]
    does = "begins" if begins else "ends"
    if wrap.kind == "WrapCylinder" and (z > 0.48 * float(wrap.sizes["length"])).all():
        return f"{does} to touch {wrap.name} at the end of the cylinder"
    if wrap.quadrant.lower() not in ("all", ""):
        return f"{does} to touch {wrap.name} from the side where it may not go (quadrant {wrap.quadrant})"
    return f"{does} to touch {wrap.name} all at once"


def main(steps, only=""):
    """Print all jumps of all models, or of those with a word in their names."""
    folder = next(place for place in PLACES if place.is_dir())
    for path in sorted(p for p in folder.glob("*/*.osim") if only in p.stem):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = cd.load(path)
            if not model.muscles:
                continue
            found = [j for c in model.coordinates for j in jumps(model, c, steps)]
        print(f"{path.parent.name}/{path.stem}: {len(model.coordinates)} coordinates, {len(found)} jumps", flush=True)
        for j in found:
            print(f"  {j.muscle} over {j.coordinate} at {j.at:.5f}: {j.kind} by {j.size:.3g} m, {j.why}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, *sys.argv[2:3])
