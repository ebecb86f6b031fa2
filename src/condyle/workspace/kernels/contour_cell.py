"""One leaf of the grid: where the curve crosses its edges, and which crossings it joins inside.

Islands are the parts of the leaf's border with the rarer sign of F: a lone corner, or the middle of an edge whose ends
have the other sign. Each has a crossing where it begins and one where it ends, counter-clockwise. Islands that are one
region inside the leaf are joined end to next begin, an island alone end to its own begin: on this way the island is on
the left. Links are kept in the direction in which F < 0 is on the left.
"""

from __future__ import annotations

import math

from ...numeric import as_int64, inlined, kernel
from ...spatial.kernels.algebra import dot3
from .elbow_surface import Sphere, gap

ONCE, TWICE = 1, 2  # how often an edge is crossed
ONWARD, BACK, BRANCHES = 0, 1, 2  # columns of links: the next crossing, the last one, and islands on the way onward
DOUBT = 0.02  # share of the change of slope by which a cubic's extremum may be wrong
SAMPLES = 15  # on the line between two islands
MARGIN = 0.5  # barycentrics by which the linear guess of an extremum may lie outside its leaf
STEP = 1e-5  # difference step for the Hessian, in domain units


@inlined
def corner(m, leaf, k, g, R):
    """F and its slopes at a corner of a leaf."""
    v, s = m.triangles[leaf, k], m.slopes
    d = (m.elbow[v, 0] - g[0], m.elbow[v, 1] - g[1], m.elbow[v, 2] - g[2])
    Fx = 2.0 * (d[0] * s[leaf, k, 0] + d[1] * s[leaf, k, 1] + d[2] * s[leaf, k, 2])
    Fy = 2.0 * (d[0] * s[leaf, k, 3] + d[1] * s[leaf, k, 4] + d[2] * s[leaf, k, 5])
    return dot3(d, d) - R * R, Fx, Fy


@inlined
def cubic_extremum(Fa, Fb, sa, sb):
    """The extremum in (0, 1) of the cubic with these ends and end slopes of opposite signs, and its value."""
    c, d = 3.0 * (Fb - Fa) - 2.0 * sa - sb, sa + sb - 2.0 * (Fb - Fa)
    root = math.sqrt(max(c * c - 3.0 * d * sa, 0.0))
    q = -(c + math.copysign(root, c))
    k = q / (3.0 * d) if d != 0.0 else 2.0
    if not 0.0 <= k <= 1.0:
        k = sa / q if q != 0.0 else 0.5
    return k, Fa + k * (sa + k * (c + k * d))


@kernel
def hidden_peak(t, m, patch, a, b, ends, sphere):
    """Where between vertices a and b F reaches the other sign most; −1 where it does not.

    `ends`: F twice, of one sign, and its two slopes along the edge.
    """
    (Fa, Fb, sa, sb), (g, R) = ends, sphere
    sign = -1.0 if Fa < 0.0 else 1.0
    if sign * sa >= 0.0 or sign * sb <= 0.0:
        return -1.0
    k, value = cubic_extremum(Fa, Fb, sa, sb)
    if sign * value > DOUBT * abs(sb - sa):
        return -1.0
    ax, ay = m.at[a, 0], m.at[a, 1]
    dx, dy = m.at[b, 0] - ax, m.at[b, 1] - ay
    low, high = 0.0, 1.0
    for _ in range(50):
        F, Fx, Fy = gap(t, patch, ax + k * dx, ay + k * dy, g, R)
        if sign * F < 0.0 and F * F > 1e-30:
            return k
        slope = Fx * dx + Fy * dy
        low, high, sa, sb = (k, high, slope, sb) if sign * slope < 0.0 else (low, k, sa, slope)
        following = low + (high - low) * sa / (sa - sb) if sa != sb else 0.5 * (low + high)
        if high - low < 1e-12 or abs(following - k) < 1e-14:
            break
        k = following
    return -1.0


@inlined
def record(w, e, a, b, patch, times, peak, edges):
    """Note a crossed edge, once."""
    if w.ends[e, 3] == 0:
        w.ends[e, 0], w.ends[e, 1], w.ends[e, 2], w.ends[e, 3], w.peaks[e] = a, b, patch, times, peak
        w.crossing[edges] = e
        edges += 1
    return edges


@inlined
def near(w, e, vertex):
    """The crossing of an edge that is nearer to a vertex; the only one of an edge crossed once."""
    return 2 * e if w.ends[e, 3] == ONCE or w.ends[e, 0] == vertex else 2 * e + 1


@inlined
def add_island(w, islands, begin, end, x, y):
    """One more island, with a point of it."""
    w.islands[islands, 0], w.islands[islands, 1] = begin, end
    w.island_at[islands, 0], w.island_at[islands, 1] = x, y
    return islands + 1


@kernel
def edge_island(t, m, w, leaf, k, corners, sphere, counts):
    """The island in the middle of edge k, whose ends are of one sign, if any; returns new `counts` (edges, islands)."""
    (one, two), (edges, islands), patch = corners, counts, leaf // 4**m.level
    e, a, b = m.edges[leaf, k], m.triangles[leaf, k], m.triangles[leaf, (k + 1) % 3]
    dx, dy = m.at[b, 0] - m.at[a, 0], m.at[b, 1] - m.at[a, 1]
    if w.ends[e, 3] == 0:
        sa, sb = one[1] * dx + one[2] * dy, two[1] * dx + two[2] * dy
        peak = hidden_peak(t, m, patch, a, b, (one[0], two[0], sa, sb), sphere)
        if peak < 0.0:
            return edges, islands
        edges = record(w, e, a, b, patch, as_int64(TWICE), peak, edges)
    share = w.peaks[e] if w.ends[e, 0] == a else 1.0 - w.peaks[e]
    x, y = m.at[a, 0] + share * dx, m.at[a, 1] + share * dy
    return edges, add_island(w, islands, near(w, e, a), near(w, e, b), x, y)


@kernel
def corner_island(m, w, leaf, k, patch, edges, islands):
    """The island of a lone corner, between the crossings of its two edges."""
    p, a, b = m.triangles[leaf, (k + 2) % 3], m.triangles[leaf, k], m.triangles[leaf, (k + 1) % 3]
    before, after = m.edges[leaf, (k + 2) % 3], m.edges[leaf, k]
    edges = record(w, before, p, a, patch, as_int64(ONCE), -1.0, edges)
    edges = record(w, after, a, b, patch, as_int64(ONCE), -1.0, edges)
    return edges, add_island(w, islands, near(w, before, a), near(w, after, a), m.at[a, 0], m.at[a, 1])


@kernel
def one_region(t, w, patch, i, j, sign, g, R):
    """Whether F keeps its sign on the line between two islands."""
    ax, ay = w.island_at[i, 0], w.island_at[i, 1]
    bx, by = w.island_at[j, 0], w.island_at[j, 1]
    for n in range(SAMPLES):
        k = (n + 1.0) / (SAMPLES + 1.0)
        if sign * gap(t, patch, ax + k * (bx - ax), ay + k * (by - ay), g, R)[0] < 0.0:
            return False
    return True


@inlined
def join(w, a, b, islands):
    """Link two crossings: with F < 0 on its left the curve goes from a to b, in a leaf with so many islands."""
    w.links[a, ONWARD], w.links[b, BACK], w.links[a, BRANCHES] = b, a, islands


@kernel
def join_islands(t, w, patch, islands, sign, g, R):
    """Link the crossings around every region of the leaf; regions are of `sign`."""
    ways = 0
    for i in range(islands):  # is it one region with the next?
        one = islands > 1 and one_region(t, w, patch, i, (i + 1) % islands, sign, g, R)
        w.joined[i] = 1 if one else 0
        ways += w.joined[i]
    for i in range(islands):
        before, following = (i + islands - 1) % islands, i
        if w.joined[i] == 1 or ways > 1:
            following = (i + 1) % islands
        elif w.joined[before] == 1:
            following = before
        end, begin = w.islands[i, 1], w.islands[following, 0]
        if sign < 0.0:
            join(w, end, begin, islands)
        else:
            join(w, begin, end, islands)


@inlined
def may_turn(m, leaf, one, two, three):
    """Where the slopes, taken as linear in the leaf, vanish; False when that is outside of it by more than MARGIN."""
    ux, uy, vx, vy = two[1] - one[1], two[2] - one[2], three[1] - one[1], three[2] - one[2]
    det = ux * vy - uy * vx
    if det == 0.0:
        return 0.0, 0.0, False
    v, w = (vx * one[2] - vy * one[1]) / det, (uy * one[1] - ux * one[2]) / det
    a, b, c = m.triangles[leaf, 0], m.triangles[leaf, 1], m.triangles[leaf, 2]
    u = 1.0 - v - w
    x, y = u * m.at[a, 0] + v * m.at[b, 0] + w * m.at[c, 0], u * m.at[a, 1] + v * m.at[b, 1] + w * m.at[c, 1]
    return x, y, min(u, min(v, w)) > -MARGIN


@kernel
def extremum(t, patch, x, y, reach, g, R):
    """The minimum or maximum of F in a patch near (x, y), by Newton with difference Hessians; False beyond `reach`."""
    cx, cy = x, y
    for _ in range(25):
        _, Fx, Fy = gap(t, patch, x, y, g, R)
        _, ax, ay = gap(t, patch, x + STEP, y, g, R)
        _, bx, by = gap(t, patch, x, y + STEP, g, R)
        xx, yy, xy = (ax - Fx) / STEP, (by - Fy) / STEP, 0.5 * ((ay - Fy) + (bx - Fx)) / STEP
        det = xx * yy - xy * xy
        if det <= 0.0:  # a saddle is no loop
            return x, y, False
        dx, dy = (yy * Fx - xy * Fy) / det, (xx * Fy - xy * Fx) / det
        x, y = x - dx, y - dy
        if (x - cx) ** 2 + (y - cy) ** 2 > reach * reach:
            return x, y, False
        if dx * dx + dy * dy < 1e-24:
            break
    return x, y, True


@inlined
def inside_leaf(m, leaf, x, y):
    """Whether a place is in a leaf, its border included."""
    a, b, c = m.triangles[leaf, 0], m.triangles[leaf, 1], m.triangles[leaf, 2]
    one = (m.at[b, 0] - m.at[a, 0]) * (y - m.at[a, 1]) - (m.at[b, 1] - m.at[a, 1]) * (x - m.at[a, 0])
    two = (m.at[c, 0] - m.at[b, 0]) * (y - m.at[b, 1]) - (m.at[c, 1] - m.at[b, 1]) * (x - m.at[b, 0])
    three = (m.at[a, 0] - m.at[c, 0]) * (y - m.at[c, 1]) - (m.at[a, 1] - m.at[c, 1]) * (x - m.at[c, 0])
    return min(one, min(two, three)) >= 0.0 or max(one, max(two, three)) <= 0.0


@kernel
def hidden_loop(t, m, w, leaf, corners, sphere, loops):
    """Note a loop that lies inside a leaf of one sign: its extremum there is of the other sign."""
    (one, two, three), (g, R), patch = corners, sphere, leaf // 4**m.level
    x, y, good = may_turn(m, leaf, one, two, three)
    if not good or loops == w.centers.shape[0]:
        return loops
    x, y, good = extremum(t, patch, x, y, 2.0 ** (1 - m.level), g, R)
    if good and inside_leaf(m, leaf, x, y) and (gap(t, patch, x, y, g, R)[0] < 0.0) != (one[0] < 0.0):
        w.centers[loops, 0], w.centers[loops, 1], w.center_patches[loops] = x, y, patch
        loops += 1
    return loops


@kernel
def link_leaf(t, m, leaf, g, R, w, edges, loops):
    """Crossings of one leaf, linked; returns the numbers of crossed edges and of hidden loops so far."""
    patch = leaf // 4**m.level
    a, b, c = as_int64(0), as_int64(1), as_int64(2)  # literals would be compiled one by one
    values = corner(m, leaf, a, g, R), corner(m, leaf, b, g, R), corner(m, leaf, c, g, R)
    below = values[0][0] < 0.0, values[1][0] < 0.0, values[2][0] < 0.0
    islands, sign = as_int64(0), 1.0 if below[0] else -1.0
    for k in range(3):
        if below[k] != below[(k + 1) % 3] and below[k] != below[(k + 2) % 3]:
            edges, islands = corner_island(m, w, leaf, k, patch, edges, islands)
            sign = -1.0 if below[k] else 1.0
        if below[k] == below[(k + 1) % 3]:
            ends = values[k], values[(k + 1) % 3]
            edges, islands = edge_island(t, m, w, leaf, k, ends, Sphere(g, R), (edges, islands))
    if islands > 0:
        join_islands(t, w, patch, islands, sign, g, R)
        return edges, loops
    return edges, hidden_loop(t, m, w, leaf, values, Sphere(g, R), loops)
