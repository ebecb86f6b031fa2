"""The best posture on the curves of a goal: every point first, then refinement between neighbours.

Stages: no limit broken, then most comfortable; else the smallest penalty; else position kept exactly and the hand's
orientation as near as the wrist allows, proven by bounds. The answer depends on the goal only, never on a starting
posture.
"""

from __future__ import annotations

import math

from ...numeric import as_int64, inlined, kernel, seldom
from .contour_curves import curve_point
from .golden_section import golden_part, golden_point
from .nearest_hand import MOST, Found, freed, hand_effort, search_curve
from .posture import FREE, closest_hand, forearm_frame, judged, upper_arm

MET = 1e-20  # squared excess [rad²] that counts as none
BIG = 1e6
TOTAL, COMFORT, POSITION, ORIENTATION = 0, 1, 2, 3


@kernel
def score(t, kind, patch, x, y, goal):
    """What a stage minimises at a place; a place it may not use scores above BIG."""
    arm = upper_arm(t, patch, x, y, goal.g)
    first, second, comfort = judged(t, patch, x, y, arm, goal)
    if kind == TOTAL:
        return first + second
    if kind == POSITION:
        return first
    broken = first + second if kind == COMFORT else first
    if broken > MET:
        return BIG + broken
    if kind == COMFORT:
        return comfort
    arm = freed(t, arm, goal)
    return closest_hand(t, forearm_frame(arm.side, arm.z, arm.flexion), goal, hand_effort())[1]


@kernel
def refine(t, kind, goal, curves, place, value):
    """Golden section beside parameter k of curve c, `place` (c, k, width); never worse than at the point itself."""
    c, k, width = place
    last = curves.starts[c + 1] - curves.starts[c] - 1.0
    low, high = (k - width, k + width) if curves.closed[c] else (max(k - width, 0.0), min(k + width, last))
    best = k
    for _ in range(96):
        if high - low < 1e-11 or (kind != COMFORT and kind != ORIENTATION and value <= 0.0):
            break
        at = golden_point(low, best, high)
        patch, x, y = curve_point(t, goal.g, goal.R, curves, c, at)
        v = score(t, kind, patch, x, y, goal)
        better = v < value
        low, high = golden_part(low, best, high, at, better)
        if better:
            best, value = at, v
    return best, value


@kernel
def best_of(t, kind, goal, curves, count, values):
    """(value, curve, parameter) of the smallest score: all points, then every local minimum that may still win."""
    best, where, at = math.inf, -1, 0.0
    for c in range(count):
        for n in range(curves.starts[c], curves.starts[c + 1]):
            values[n] = score(t, kind, curves.patches[n], curves.points[n, 0], curves.points[n, 1], goal)
            if values[n] < best:
                best, where, at = values[n], c, n - curves.starts[c] + 0.0
    if kind == TOTAL and best <= MET:
        return best, where, at
    for c in range(count):
        first, last = curves.starts[c], curves.starts[c + 1]
        for n in range(first, last):
            if is_dip(values, first, last, n, curves.closed[c]) and worth(kind, values[n], best):
                k, value = refine(t, kind, goal, curves, (c, n - first + 0.0, 1.0), values[n])
                if value < best:
                    best, where, at = value, c, k
    return best, where, at


@inlined
def worth(kind, value, best):
    """Whether a dip can still beat the best: comfort and orientation change little between neighbours."""
    if kind in (COMFORT, ORIENTATION):
        return value < best + 0.2
    return best > MET


@inlined
def is_dip(values, first, last, n, is_closed):
    """Whether no neighbour of point n is smaller."""
    before, after = n - 1, n + 1
    if before < first:
        before = last - 1 if is_closed else n
    if after >= last:
        after = first if is_closed else n
    return values[n] <= values[before] and values[n] <= values[after]


@inlined
def following(kind, value, goal):
    """The stage after `kind` ended with `value`, or −1 when the answer stands."""
    if kind == TOTAL:
        return COMFORT if value <= MET else (POSITION if goal.mode != FREE and goal.kept == 0 else -1)
    return ORIENTATION if kind == POSITION and value <= MET else -1


@seldom
def proven(t, goal, curves, count, w, found):
    """The nearest hand of all curves, and whether it is known that none is nearer.

    `found` is what points and golden sections gave; a better one is refined in its turn.
    """
    best, known = found, True
    for c in range(count):
        best, decided = search_curve(t, goal, curves, c, w.values, w.looks, best)
        known = known and decided and w.whole[c] == 1
    if best.value < found.value:
        place = best.curve, best.at, best.width
        k, value = refine(t, as_int64(ORIENTATION), goal, curves, place, best.value)
        best = Found(value, best.curve, k, best.width, best.looks)
    return best, known


@kernel
def search(t, goal, curves, count, w):
    """The best posture's stage, curve and parameter, and whether no other hand is nearer.

    Stage COMFORT: all limits kept. ORIENTATION: position kept, the hand's orientation given up. TOTAL: position and
    orientation kept, limits broken. POSITION: the position itself breaks a limit.
    """
    kind = as_int64(TOTAL)  # a literal would give Numba a second specialisation
    stage, where, at, known = TOTAL if goal.kept == 1 and goal.mode != FREE else POSITION, -1, 0.0, True
    while kind >= 0:
        value, c, k = best_of(t, kind, goal, curves, count, w.values)
        if value < BIG:  # else the only allowed places lie between points: keep the one found before
            where, at = c, k
        if kind != TOTAL:
            stage = kind
        if kind == ORIENTATION:
            best, known = proven(t, goal, curves, count, w, Found(min(value, BIG), where, at, 1.0, as_int64(MOST)))
            where, at = best.curve, best.at
        kind = following(kind, value, goal)
    return stage, where, at, known
