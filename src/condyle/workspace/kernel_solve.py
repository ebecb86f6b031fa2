"""Entry points: the curves of a goal, and the best posture of many goals."""

from __future__ import annotations

from ..numeric import entry, kernel
from .kernel_curves import candidates, chains, curve_point, link_crossings
from .kernel_hidden import hidden_curves
from .kernel_rows import BOXES, CURVE, CURVES, LEAVES, PARAMETER, STAGE, write_posture
from .kernel_search import ORIENTATION, Goal, search

NO_CURVE = -1
TRACE = -1


@kernel
def trace(t, m, g, R, w):
    """All curves of one goal into the scratch w; returns their number, boxes and leaves looked at."""
    leaves, boxes = candidates(t, m, g, R, w.stack, w.leaves)
    edges, hidden = link_crossings(t, m, g, R, w.leaves, leaves, w.links, w.ends, w.crossing, w.unsure)
    curves = chains(t, m, g, R, w.links, w.ends, w.crossing, edges, w.points, w.patches, w.starts, w.closed)
    if hidden > 0:
        curves = hidden_curves(t, m, g, R, w.unsure, hidden, w.centres, w.points, w.patches, w.starts, w.closed, curves)
    return curves, boxes, leaves


@entry
def solve_goals(t, m, goals, R, mode, turns, axes, w, out, start, stop):
    """The best posture of goals start … stop − 1, one row of `out` each; mode TRACE only leaves the curves in w."""
    for n in range(start, stop):
        g, q, a = goals[n], turns[n], axes[n]
        g, axis = (g[0], g[1], g[2]), (a[0], a[1], a[2])
        G = (q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8])
        curves, boxes, leaves = trace(t, m, g, R, w)
        out[n, STAGE], out[n, CURVES], out[n, BOXES], out[n, LEAVES] = NO_CURVE, curves, boxes, leaves
        if curves == 0 or mode == TRACE:
            continue
        stage, c, k = search(t, Goal(g, R, mode, G, axis), w, curves, w.values)
        patch, x, y = curve_point(t, g, R, w, c, k)
        out[n, STAGE], out[n, CURVE], out[n, PARAMETER] = stage, c, k
        write_posture(t, patch, x, y, g, mode, G, axis, stage == ORIENTATION, out, n)


@entry
def curve_places(t, g, R, curves, c, parameters, places, where):
    """Domain places and patches at real parameters along curve c."""
    for n in range(parameters.shape[0]):
        p, x, y = curve_point(t, (g[0], g[1], g[2]), R, curves, c, parameters[n])
        where[n], places[n, 0], places[n, 1] = p, x, y


@entry
def postures_at(t, patches, places, goals, mode, turns, axes, out):
    """The posture at each domain place for its goal: one row of `out` each."""
    for n in range(places.shape[0]):
        g, q, a = goals[n], turns[n], axes[n]
        G = (q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8])
        patch = patches[n]
        write_posture(
            t, patch, places[n, 0], places[n, 1], (g[0], g[1], g[2]), mode, G, (a[0], a[1], a[2]), False, out, n
        )
