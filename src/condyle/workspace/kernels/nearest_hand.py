"""The hand nearest to what was asked, on all elbow curves of a goal, proven by bounds.

Along a curve the angle left over, E, changes by no more than the forearm turns. So between two places of a curve, on
whose way the forearm turns by at most T, nothing is below (E₁ + E₂ − T)/2; stretches that may hold something better are
halved until none is left. The forearm turns by |f′| and, about itself, by (y·z′ − cos φ y·f′)/sin φ: fast near a
straight elbow, where sin φ is bounded below by its values at both ends and its slope. A straight elbow leaves the twist
free.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...numeric import as_int64, inlined, kernel
from ...spatial.kernels.algebra import add3, cross, dot3, scale3, sub3
from .contour_curves import curve_point
from .elbow_surface import gap, rigid, shoulder_slopes
from .golden_section import golden_part, golden_point
from .measured_rim import outside
from .posture import (
    STRAIGHT,
    UpperArm,
    closest_hand,
    forearm_frame,
    turned,
    twist_excess,
    upper_arm,
)
from .wrist import Effort, excess

TOLERANCE = 1e-4  # [rad] by which a hand that is not found may be nearer
MOST = 20000  # places looked at for one goal
DEPTH = 60  # halvings of a stretch
TINY = 1e-14  # [rad] of turn of either link over a stretch that is not halved any more
NONE = 1e-10  # [rad] or [m] outside a limit that counts as none
BENT = 0.7  # share of sin φ kept over a stretch whose turn is read from its ends
ROUND = 1.1  # by how much a stretch may be longer than its ends show
TWISTS, NARROWINGS = 24, 30
UNKNOWN = -1.0  # an angle left over that no bound has asked for
AT, X, Y, TX, TY, LEFT, TWIST, FLEXION, RIM, SINE, LINKS, FOREARM, TURN, FRAME = range(14)
LOOK = FRAME + 9


class Found(NamedTuple):
    """The best so far: E, its curve and parameter, the width of the stretch it is from, and how many looks are left."""

    value: float
    curve: int
    at: float
    width: float
    looks: int


@kernel
def hand_effort():
    """How hard the nearest wrist is looked for at each place."""
    return Effort(as_int64(6), as_int64(40), 1e-7)


@kernel
def straight_twist(t, arm, x0, goal):
    """The twist inside its range with which a straight arm's hand comes nearest, and the angle left over."""
    step, best, value, low, high = arm.span / TWISTS, 0.0, math.inf, 0.0, 0.0
    for k in range(TWISTS + 1 + NARROWINGS):
        at = k * step if k <= TWISTS else golden_point(low, best, high)
        frame = forearm_frame(turned(x0, arm.z, at), arm.z, arm.flexion)
        v = closest_hand(t, frame, goal, hand_effort())[1]
        better = v < value
        if k > TWISTS:
            low, high = golden_part(low, best, high, at, better)
        elif better:
            low, high = max(at - step, 0.0), min(at + step, arm.span)
        if better:
            best, value = at, v
    return best, value


@inlined
def low_side(arm):
    """x̂₀, the side of the bend at twist 0."""
    return turned(arm.side, arm.z, -arm.twist)


@kernel
def freed(t, arm, goal):
    """A straight arm with the twist that serves the hand best, any other arm as it is."""
    if math.sin(arm.flexion) >= STRAIGHT:
        return arm
    x0 = low_side(arm)
    twist = straight_twist(t, arm, x0, goal)[0]
    return UpperArm(arm.shoulder, arm.elbow, arm.z, turned(x0, arm.z, twist), twist, arm.span, arm.flexion)


@kernel
def slopes_of_links(t, patch, x, y, direction):
    """z′ and e′ along a direction of the domain."""
    _, _, _, ex, ey = rigid(t, patch, x, y)
    _, sx, sy = shoulder_slopes(t, patch, x, y)
    e = add3(scale3(direction[0], ex), scale3(direction[1], ey))
    s = add3(scale3(direction[0], sx), scale3(direction[1], sy))
    return scale3(1.0 / t.lengths[1], sub3(e, s)), e


@kernel
def write_turns(t, patch, arm, goal, looks, row):
    """The curve's direction in the domain, and by how much the links turn along it."""
    x, y = looks[row, X], looks[row, Y]
    _, Fx, Fy = gap(t, patch, x, y, goal.g, goal.R)
    steep = max(math.hypot(Fx, Fy), 1e-300)
    tx, ty = -Fy / steep, Fx / steep
    dz, de = slopes_of_links(t, patch, x, y, (tx, ty))
    df = scale3(-1.0 / goal.R, de)
    across, sine, cosine = cross(arm.z, arm.side), math.sin(arm.flexion), math.cos(arm.flexion)
    by_z, by_f = dot3(across, dz), dot3(across, df)
    spin = max(abs(by_z - cosine * by_f), abs(by_f - cosine * by_z)) / max(sine, STRAIGHT)
    fore = math.sqrt(dot3(df, df))
    looks[row, TX], looks[row, TY], looks[row, SINE], looks[row, FOREARM] = tx, ty, sine, fore
    looks[row, LINKS], looks[row, TURN] = fore + math.sqrt(dot3(dz, dz)), math.hypot(fore, spin)


@kernel
def look(t, goal, curves, c, k, looks, row):
    """One place of a curve into a row of `looks`: limits broken, how fast links turn; the hand's angle stays open."""
    patch, x, y = curve_point(t, goal.g, goal.R, curves, c, k)
    arm = freed(t, upper_arm(t, patch, x, y, goal.g), goal)
    looks[row, AT], looks[row, X], looks[row, Y], looks[row, LEFT] = k, x, y, UNKNOWN
    looks[row, TWIST] = twist_excess(arm.twist, arm.span) if t.weights[0] > 0.0 else 0.0
    looks[row, FLEXION] = excess(arm.flexion, t.limits[0, 0], t.limits[0, 1]) if t.weights[1] > 0.0 else 0.0
    looks[row, RIM] = outside(t, x, y) if goal.trimmed == 1 else 0.0
    frame = forearm_frame(arm.side, arm.z, arm.flexion)
    for i in range(9):
        looks[row, FRAME + i] = frame[i]
    write_turns(t, patch, arm, goal, looks, row)


@kernel
def left_over(t, goal, looks, row):
    """The angle left over at a place, worked out when it is first asked for."""
    if looks[row, LEFT] == UNKNOWN:
        F = looks[row]
        frame = (F[FRAME], F[FRAME + 1], F[FRAME + 2], F[FRAME + 3], F[FRAME + 4], F[FRAME + 5], F[FRAME + 6],
                 F[FRAME + 7], F[FRAME + 8])  # fmt: skip
        looks[row, LEFT] = closest_hand(t, frame, goal, hand_effort())[1]
    return looks[row, LEFT]


@inlined
def largest(looks, a, b, what):
    """A bound of a slope between two places: the larger one, and their difference more."""
    p, q = looks[a, what], looks[b, what]
    return max(p, q) + abs(p - q)


@inlined
def least(looks, a, b, what, change):
    """A lower bound between two places of what changes by no more than `change`."""
    return 0.5 * (looks[a, what] + looks[b, what] - change)


@kernel
def way_between(looks, a, b):
    """How long the curve is between two places of the domain; infinite where it may turn back."""
    dx, dy = looks[b, X] - looks[a, X], looks[b, Y] - looks[a, Y]
    chord = math.hypot(dx, dy)
    if chord == 0.0:
        return 0.0
    one = (looks[a, TX] * dx + looks[a, TY] * dy) / chord
    two = (looks[b, TX] * dx + looks[b, TY] * dy) / chord
    along = min(abs(one), abs(two))
    return ROUND * chord / along if along > 0.5 and one * two > 0.0 else math.inf


@kernel
def turn_between(looks, a, b, way):
    """By how much the forearm turns on the way between two places; infinite where the elbow may be straight."""
    links = largest(looks, a, b, LINKS)
    low = least(looks, a, b, SINE, links * way)
    if low <= 0.0 or way == math.inf:
        return math.inf
    if low > BENT * max(looks[a, SINE], looks[b, SINE]):
        return way * largest(looks, a, b, TURN)
    return way * math.hypot(largest(looks, a, b, FOREARM), links / low)


@kernel
def forbidden(t, looks, a, b, way, turn):
    """Whether a limit is broken all the way between two places."""
    if least(looks, a, b, FLEXION, largest(looks, a, b, LINKS) * way) > NONE:
        return True
    if least(looks, a, b, RIM, t.rates[1] * way) > NONE:
        return True
    return least(looks, a, b, TWIST, turn + t.rates[0] * way) > NONE


@kernel
def decided(t, goal, looks, a, b, best):
    """1 when nothing allowed and better lies between two places, 0 when that is open, −1 when it cannot be decided."""
    way = way_between(looks, a, b)
    turn, links = turn_between(looks, a, b, way), largest(looks, a, b, LINKS) * way
    if way < math.inf and forbidden(t, looks, a, b, way, turn):
        return 1
    if min(looks[a, SINE], looks[b, SINE]) < STRAIGHT and links < 10.0 * STRAIGHT:
        return 1  # the best of all twists was looked at
    if turn < math.inf:
        both = left_over(t, goal, looks, a) + left_over(t, goal, looks, b)
        if 0.5 * (both - turn) >= best - TOLERANCE:
            return 1
    return 0 if links > TINY else -1


@inlined
def allowed(looks, row):
    """Whether a place keeps its limits."""
    return max(looks[row, TWIST], max(looks[row, FLEXION], looks[row, RIM])) <= NONE


@kernel
def better_of(t, goal, looks, row, c, width, found):
    """The best so far, with one more place."""
    if allowed(looks, row) and left_over(t, goal, looks, row) < found.value:
        return Found(looks[row, LEFT], c, looks[row, AT], width, found.looks - 1)
    return Found(found.value, found.curve, found.at, found.width, found.looks - 1)


@kernel
def look_at_point(t, goal, curves, c, k, values, looks, row):
    """Point k of a curve into a row, with the angle left over that the search found there, if any."""
    look(t, goal, curves, c, k + 0.0, looks, row)
    first = curves.starts[c]
    value = values[first + k % (curves.starts[c + 1] - first)]
    if value <= math.pi:  # else a limit is broken there
        looks[row, LEFT] = value


@kernel
def search_stretch(t, goal, curves, c, looks, found):
    """Halve the stretch between rows 0 and 1 until nothing better is left in it; row 0 ends as its last place.

    Returns the best, and whether all of the stretch was decided.
    """
    top, proven = 1, True
    while top > 0:
        answer = decided(t, goal, looks, 0, top, found.value)
        if answer == 0 and top < DEPTH and found.looks > 0:
            low, high = looks[0, AT], looks[top, AT]
            middle = 0.5 * (low + high)
            look(t, goal, curves, c, middle, looks, top + 1)
            found = better_of(t, goal, looks, top + 1, c, high - low, found)
            top += 1
            continue
        proven = proven and answer == 1
        for i in range(LOOK):
            looks[0, i] = looks[top, i]
        top -= 1
    return found, proven


@kernel
def search_curve(t, goal, curves, c, values, looks, found):
    """The best of one curve and those before, and whether all of the curve was decided.

    `values` has the angles left over at the points, where no limit is broken.
    """
    count, proven = curves.starts[c + 1] - curves.starts[c], True
    look_at_point(t, goal, curves, c, as_int64(0), values, looks, as_int64(0))
    found = better_of(t, goal, looks, 0, c, 1.0, found)
    for k in range(count if curves.closed[c] else count - 1):
        look_at_point(t, goal, curves, c, k + 1, values, looks, as_int64(1))
        found = better_of(t, goal, looks, 1, c, 1.0, found)
        found, decided_here = search_stretch(t, goal, curves, c, looks, found)
        proven = proven and decided_here
    return found, proven
