"""Entry points: the curves of a goal, and the best posture of many goals."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...numeric import entry, kernel
from .contour_curves import candidates, chains, curve_point, link_crossings
from .contour_tips import add_loops
from .elbow_surface import Place
from .goal_search import ORIENTATION, search
from .posture import Goal
from .rows import BOXES, CURVE, CURVES, LEAVES, PARAMETER, STAGE, write_posture

NO_CURVE = -1
TRACE = -1


class Goals(NamedTuple):
    """Many goals of one kind: wrist positions at one distance from the elbow.

    `mode` is what the hand should do (or TRACE); its orientations are by rows.
    """

    positions: Any
    radius: float
    mode: int
    turns: Any


@kernel
def trace(t, m, g, R, w):
    """All curves of one goal into the scratch w; returns their number, boxes and leaves looked at."""
    leaves, boxes = candidates(t, m, g, R, w.stack, w.leaves)
    edges, loops = link_crossings(t, m, g, R, leaves, w)
    curves = chains(t, m, g, R, edges, w)
    return add_loops(t, m, g, R, w, loops, curves), boxes, leaves


@entry
def solve_goals(t, m, goals, w, out, start, stop):
    """The best posture of goals start … stop − 1, one row of `out` each; mode TRACE only leaves the curves in w."""
    R, mode = goals.radius, goals.mode
    for n in range(start, stop):
        g, q = goals.positions[n], goals.turns[n]
        g, G = (g[0], g[1], g[2]), (q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8])
        curves, boxes, leaves = trace(t, m, g, R, w)
        out[n, STAGE], out[n, CURVES], out[n, BOXES], out[n, LEAVES] = NO_CURVE, curves, boxes, leaves
        if curves == 0 or mode == TRACE:
            continue
        goal = Goal(g, R, mode, G)
        stage, c, k = search(t, goal, w, curves, w.values)
        patch, x, y = curve_point(t, g, R, w, c, k)
        out[n, STAGE], out[n, CURVE], out[n, PARAMETER] = stage, c, k
        write_posture(t, Place(patch, x, y), goal, stage == ORIENTATION, out, n)


@entry
def curve_places(t, g, R, curves, c, parameters, places, where):
    """Domain places and patches at real parameters along curve c."""
    for n in range(parameters.shape[0]):
        p, x, y = curve_point(t, (g[0], g[1], g[2]), R, curves, c, parameters[n])
        where[n], places[n, 0], places[n, 1] = p, x, y


@entry
def postures_at(t, patches, places, goals, mode, turns, clamp, out):
    """The posture at each domain place for its goal, one row of `out` each; `clamp` keeps the wrist in its limits."""
    for n in range(places.shape[0]):
        g, q = goals[n], turns[n]
        goal = Goal((g[0], g[1], g[2]), 0.0, mode, (q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8]))
        write_posture(t, Place(patches[n], places[n, 0], places[n, 1]), goal, clamp, out, n)
