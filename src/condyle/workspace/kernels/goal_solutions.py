"""Entry points: the curves of a goal, and the best posture of many goals."""

from __future__ import annotations

from ...numeric import entry, kernel
from .contour_curves import candidates, chains, curve_point, link_crossings
from .contour_tips import add_loops
from .goal_search import ORIENTATION, Goal, search
from .rows import BOXES, CURVE, CURVES, LEAVES, PARAMETER, STAGE, write_posture

NO_CURVE = -1
TRACE = -1


@kernel
def trace(t, m, g, R, w):
    """All curves of one goal into the scratch w; returns their number, boxes and leaves looked at."""
    leaves, boxes = candidates(t, m, g, R, w.stack, w.leaves)
    edges, loops = link_crossings(t, m, g, R, leaves, w)
    curves = chains(t, m, g, R, edges, w)
    return add_loops(t, m, g, R, w, loops, curves), boxes, leaves


@entry
def solve_goals(t, m, goals, R, mode, turns, w, out, start, stop):
    """The best posture of goals start … stop − 1, one row of `out` each; mode TRACE only leaves the curves in w."""
    for n in range(start, stop):
        g, q = goals[n], turns[n]
        g, G = (g[0], g[1], g[2]), (q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8])
        curves, boxes, leaves = trace(t, m, g, R, w)
        out[n, STAGE], out[n, CURVES], out[n, BOXES], out[n, LEAVES] = NO_CURVE, curves, boxes, leaves
        if curves == 0 or mode == TRACE:
            continue
        stage, c, k = search(t, Goal(g, R, mode, G), w, curves, w.values)
        patch, x, y = curve_point(t, g, R, w, c, k)
        out[n, STAGE], out[n, CURVE], out[n, PARAMETER] = stage, c, k
        write_posture(t, patch, x, y, g, mode, G, stage == ORIENTATION, out, n)


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
        G = (q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8])
        write_posture(t, patches[n], places[n, 0], places[n, 1], (g[0], g[1], g[2]), mode, G, clamp, out, n)
