"""`python -m benchmarks.muscle_smoothness [steps]`: every coordinate of every model is swept, and jumps are named.

A length jumps where it changes by other than its slope says, a moment arm where it changes by much more than beside it.
A conditional point, the end of a moving point's range, a joint's spline that ends, and a wrap that the path meets or
leaves demand jumps; what is left over is `unexplained`.
"""

import sys
import warnings
from typing import NamedTuple

import numpy as np

import condyle as cd
from condyle.joints.functions import Function

from .rows.trial import PLACES

__all__ = ["Jump", "jumps", "sweep"]

WIDEST = 2.5  # [rad or m] on either side of zero
LENGTH, ARM = 2e-6, 2e-4  # [m]: what is no jump


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
    L = cd.muscles.lengths(model, q)
    slope = -cd.muscles.moment_arms(model, q)[:, :, model.v_index(coordinate)]
    h = x[1] - x[0]
    off = np.abs(np.diff(L, axis=0) - 0.5 * h * (slope[1:] + slope[:-1]))
    turn = np.abs(np.diff(slope, axis=0))
    usual = np.maximum.reduce([np.roll(turn, k, axis=0) for k in (-3, -2, 2, 3)])
    for kind, size, bad in (("length", off, off > LENGTH), ("moment arm", turn, turn > ARM + 3.0 * usual)):
        for i, m in np.argwhere(bad).tolist():
            middle = 0.5 * (x[i] + x[i + 1])
            why = reason(model, model.muscles[m], coordinate, (x[i], x[i + 1]))
            yield Jump(model.muscles[m].name, coordinate, middle, kind, float(size[i, m]), why)


def reason(model, muscle, coordinate, between):
    """What demands a jump of a muscle between two values of a coordinate."""
    for point in muscle.path.points:
        ends = () if point.range is None else point.range
        if point.coordinate is not None and model.shown_name(point.coordinate) == model.shown_name(coordinate):
            if any(between[0] - 2e-5 <= end <= between[1] + 2e-5 for end in ends):
                return f"{'moving' if point.way else 'conditional'} point {point.name!r}"
    if knot_between(model, coordinate, between):
        return "a knot of the joint"
    if muscle.path.wraps:
        return "wrap " + ", ".join(w.wrap_object for w in muscle.path.wraps)
    return "unexplained"


def knot_between(model, coordinate, between):
    """Whether a function of a joint has a knot there."""
    for body in model.bodies:
        for f in getattr(body.joint, "functions", ()) or ():
            knots = np.asarray(getattr(f, "knots", ()) if isinstance(f, Function) else ())
            if ((knots >= between[0]) & (knots <= between[1])).any():
                return True
    return False


def main(steps):
    """Print all jumps of all models."""
    folder = next(place for place in PLACES if place.is_dir())
    for path in sorted(folder.glob("*/*.osim")):
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
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
