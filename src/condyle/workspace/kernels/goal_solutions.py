"""Entry points: the curves of a goal, and the best posture of many goals."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...numeric import entry, kernel
from .contour_curves import candidates, chains, curve_point, curves_of, link_crossings
from .contour_loops import add_loops
from .contour_straight import add_turns
from .elbow_surface import Place
from .goal_search import ORIENTATION, search
from .posture import Goal
from .posture_rows import BOXES, CURVE, CURVES, LEAVES, PARAMETER, PROVEN, STAGE, write_posture

NO_CURVE = -1
TRACE = -1


class Goals(NamedTuple):
    """Many goals of one kind: wrist positions at one distance from the elbow.

    `mode` is what the hand should do (or TRACE); its orientations are by rows. The rest is of `Goal`.
    """

    positions: Any
    radius: float
    mode: int
    turns: Any
    axis: tuple
    trimmed: int
    kept: int


@kernel
def one_goal(goals, n):
    """Goal n of many."""
    g, q, axis = goals.positions[n], goals.turns[n], goals.axis
    G = (q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8])
    return Goal((g[0], g[1], g[2]), goals.radius, goals.mode, G, axis, goals.trimmed, goals.kept)


@kernel
def trace(t, m, goal, w):
    """All curves of one goal into the scratch w; returns their number, boxes and leaves looked at."""
    g, R = goal.g, goal.R
    leaves, boxes = candidates(t, m, g, R, w.stack, w.leaves)
    edges, loops = link_crossings(t, m, g, R, leaves, w)
    curves = chains(t, m, g, R, edges, w)
    curves = add_loops(t, m, g, R, w, loops, curves)
    add_turns(t, g, R, w, curves)
    return curves, boxes, leaves


@entry
def solve_goals(t, m, goals, w, out, start, stop):
    """The best posture of goals start … stop − 1, one row of `out` each; mode TRACE only leaves the curves in w."""
    for n in range(start, stop):
        goal = one_goal(goals, n)
        count, boxes, leaves = trace(t, m, goal, w)
        out[n, STAGE], out[n, CURVES], out[n, BOXES], out[n, LEAVES] = NO_CURVE, count, boxes, leaves
        if count == 0 or goal.mode == TRACE:
            continue
        curves = curves_of(w)
        stage, c, k, known = search(t, goal, curves, count, w)
        patch, x, y = curve_point(t, goal.g, goal.R, curves, c, k)
        out[n, STAGE], out[n, CURVE], out[n, PARAMETER], out[n, PROVEN] = stage, c, k, 1.0 if known else 0.0
        write_posture(t, Place(patch, x, y), goal, stage == ORIENTATION, out, n)


@entry
def curve_places(t, g, R, curves, c, parameters, places, where):
    """Domain places and patches at real parameters along curve c."""
    for n in range(parameters.shape[0]):
        p, x, y = curve_point(t, (g[0], g[1], g[2]), R, curves, c, parameters[n])
        where[n], places[n, 0], places[n, 1] = p, x, y


@entry
def postures_at(t, patches, places, goals, clamp, out):
    """The posture at each domain place for its goal, one row of `out` each; `clamp` keeps the wrist in its limits."""
    for n in range(places.shape[0]):
        write_posture(t, Place(patches[n], places[n, 0], places[n, 1]), one_goal(goals, n), clamp, out, n)
