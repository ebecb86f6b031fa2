"""Springs between points of bodies, and springs and limits on the angles of hinges: what they are, and their energy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import BadShape, BadTree, BadValue, NotFinite, require
from .engine.joint_gaps import Side, hinge_angles, place_of, sides

if TYPE_CHECKING:
    from .skeleton import Skeleton
    from .state import State


class Spring(NamedTuple):
    """A damped spring between points of two bodies (−1: the world), each in its body's axes from the centre of mass.

    It pulls both with stiffness · (distance − length) + damping · (rate of the distance) [N] along the line between
    them; points that coincide have no such line and no force.

    Attributes
    ----------
    name : str
    bodies : tuple of two int
        −1 is the world.
    points : ndarray, shape (2, 3)
        [m]
    stiffness : float
        [N/m]
    length : float
        At rest [m].
    damping : float
        [N s/m]
    """

    name: str
    bodies: tuple[int, int]
    points: np.ndarray  # (2, 3) [m]
    stiffness: float  # [N/m]
    length: float  # [m]
    damping: float = 0.0  # [N s/m]


class Limit(NamedTuple):
    """Drives a hinge back to angles in [low, high] by stiffness · (how far beyond) + damping · rate, and never pulls.

    Where low = high it is a torsion spring at rest there. Angles count from where the frames of both bodies agree,
    with whole turns, positive where the first body is ahead of the second about +axis.

    Attributes
    ----------
    joint : int
        Number of the hinge.
    low, high : float
        [rad]; infinite for none.
    stiffness : float
        [N m/rad]
    damping : float
        While beyond [N m s/rad].
    """

    joint: int
    low: float  # [rad], −∞ for none
    high: float  # [rad], ∞ for none
    stiffness: float  # [N m/rad]
    damping: float = 0.0  # [N m s/rad], while beyond


def check_springs(springs: tuple[Spring, ...], bodies: tuple[str, ...]) -> None:
    """Two different bodies, points, and numbers that are not negative."""
    names, n = [s.name for s in springs], len(bodies)
    require(len(set(names)) == len(names), "spring names must differ from each other", names=names)
    for s in springs:
        a, b = s.bodies
        require(
            -1 <= a < n and -1 <= b < n,
            f"spring {s.name!r} is between bodies {a} and {b}; there are {n} bodies, 0 to {n - 1}, the world is -1",
            BadTree,
        )
        require(a != b, f"spring {s.name!r} begins and ends on one body; it needs two different ones", BadTree)
        points = np.asarray(s.points, float)
        require(points.shape == (2, 3), f"spring {s.name!r}: points must be (2, 3); got {points.shape}", BadShape)
        require(np.isfinite(points).all(), f"spring {s.name!r}: points must be finite numbers", NotFinite)
        _not_negative(f"spring {s.name!r}", stiffness=s.stiffness, length=s.length, damping=s.damping)


def check_limits(limits: tuple[Limit, ...], names: tuple[str, ...], kinds: tuple[str, ...]) -> None:
    """On hinges, with low ≤ high, and numbers that are not negative."""
    for limit in limits:
        require(0 <= limit.joint < len(names), f"a limit names joint {limit.joint}; there are {len(names)}", BadTree)
        name, kind = names[limit.joint], kinds[limit.joint]
        require(kind == "hinge", f"joint {name!r} is a {kind}: only a hinge has an angle for a spring or a limit")
        low, high = limit.low, limit.high
        require(low <= high, f"limit of joint {name!r}: low must not be above high [rad]", low=low, high=high)
        some = np.isfinite([low, high]).any()
        require(some, f"limit of joint {name!r}: give low, high or both [rad]", low=low, high=high)
        _not_negative(f"limit of joint {name!r}", stiffness=limit.stiffness, damping=limit.damping)
        require(
            low < high or limit.damping == 0.0,
            f"joint {name!r}: a torsion spring (low = high) has no damping of its own; give the joint friction instead",
            damping=limit.damping,
        )


def past_ends(x: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """How far x is past its limits: positive above the upper one, negative below the lower one."""
    return np.where(x > high, x - high, np.where(x < low, x - low, 0.0))


def limit_damper_power(stiffness, past, damping, rate) -> np.ndarray:
    """What the damper of a limit takes: the power of its push beyond that of the spring, never positive."""
    stored = stiffness * past
    push = stored + damping * rate
    kept = np.where(past > 0, np.maximum(push, 0.0), np.where(past < 0, np.minimum(push, 0.0), 0.0))
    return -(kept - stored) * rate


def _not_negative(what: str, **numbers: float) -> None:
    for name, value in numbers.items():
        good = np.isfinite(value) and value >= 0
        require(good, f"{what}: {name} must be a finite number, not negative; got {value:g}", BadValue)


def elastic_tables(skeleton: Skeleton) -> tuple[np.ndarray, np.ndarray]:
    """What the kernels read: (springs, 11) bodies, points, stiffness, length, damping; (limits, 5) as in `Limit`."""
    n = len(skeleton.masses)
    springs = [
        (*(n if i < 0 else i for i in s.bodies), *np.ravel(s.points), s.stiffness, s.length, s.damping)
        for s in skeleton.springs
    ]
    return np.array(springs, float).reshape(-1, 11), np.array(skeleton.limits, float).reshape(-1, 5)


class Stretch(NamedTuple):
    """Springs (..., springs) and limits (..., limits): how far beyond rest, and at what rate."""

    spring: np.ndarray  # [m]
    spring_rate: np.ndarray  # [m/s]
    past: np.ndarray  # [rad]
    past_rate: np.ndarray  # [rad/s], of the hinge, beyond or not


def _spring_sides(skeleton: Skeleton, state: State) -> list[tuple[np.ndarray, ...]]:
    """Where both ends of every spring are and how they move, (..., springs, 3) each."""
    points = np.array([s.points for s in skeleton.springs], float).reshape(-1, 2, 3)
    bodies = np.array([s.bodies for s in skeleton.springs], int).reshape(-1, 2)
    return [place_of(state, bodies[:, k], points[:, k])[:2] for k in (0, 1)]


def spring_ends(skeleton: Skeleton, state: State) -> tuple[np.ndarray, np.ndarray]:
    """(..., springs, 3) [m], world axes: where every spring begins and ends."""
    (start, _), (end, _) = _spring_sides(skeleton, state)
    return start, end


def stretch(skeleton: Skeleton, state: State) -> Stretch:
    """How far springs and limits are from rest."""
    (p1, v1), (p2, v2) = _spring_sides(skeleton, state)
    apart, speed = p2 - p1, v2 - v1
    distance = np.sqrt((apart * apart).sum(axis=-1))
    along = apart / np.where(distance > 0, distance, 1.0)[..., None]
    low, high = (np.array([limit[k] for limit in skeleton.limits], float) for k in (1, 2))
    joints = np.array([limit.joint for limit in skeleton.limits], int)
    both = sides(skeleton, state)
    angle = hinge_angles(skeleton, state, both)[..., joints]
    return Stretch(
        distance - [s.length for s in skeleton.springs],
        (along * speed).sum(axis=-1),
        past_ends(angle, low, high),
        _turning(both)[..., joints],
    )


def _turning(both: tuple[Side, Side]) -> np.ndarray:
    """(..., joints) [rad/s]: how fast the first body turns ahead of the second about its z axis."""
    return ((both[0].spin - both[1].spin) * both[0].frame[..., 2]).sum(axis=-1)


def elastic_energy(skeleton: Skeleton, state: State) -> np.ndarray:
    """(...,) [J]: ½ stiffness · stretch² of all springs and limits."""
    if not (skeleton.springs or skeleton.limits):
        return np.zeros(state.shape)
    x = stretch(skeleton, state)
    k, c = [s.stiffness for s in skeleton.springs], [limit.stiffness for limit in skeleton.limits]
    return 0.5 * (np.array(k) * x.spring**2).sum(axis=-1) + 0.5 * (np.array(c) * x.past**2).sum(axis=-1)


def damper_power(skeleton: Skeleton, state: State) -> np.ndarray:
    """(...,) [W], never positive: what the dampers of springs and limits do beyond giving back stored energy."""
    if not (skeleton.springs or skeleton.limits):
        return np.zeros(state.shape)
    x = stretch(skeleton, state)
    springs = -(x.spring_rate**2 * [s.damping for s in skeleton.springs]).sum(axis=-1)
    stiffness, damping = (np.array([limit[k] for limit in skeleton.limits], float) for k in (3, 4))
    return springs + limit_damper_power(stiffness, x.past, damping, x.past_rate).sum(axis=-1)
