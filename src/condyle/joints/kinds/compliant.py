"""A joint that gives a little: the motion of another joint, then small shifts and turns in all other directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ...errors import BadShape, BadValue, NotSupported, require
from ...spatial.arrays import real_numbers
from ...typing import ArrayLike
from .. import functions
from ..joint import Joint
from ..rank_check import sample_coordinates
from .compose import compose
from .product import product

GIVES = ("give_rx", "give_ry", "give_rz", "give_x", "give_y", "give_z")  # in the order of twists [ω; v]
SHIFTS_FIRST = (3, 4, 5, 0, 1, 2)
ARM = 0.1  # [m] how far from the child's origin a turn counts like a shift
SLANTED = 0.1  # sine of the least angle between what the joint moves in and what gives
LOOKED = 256  # places of the domain


def compliant(joint: Joint, *, across: ArrayLike | None = None) -> Joint:
    """A joint that gives: its motion, then shifts and turns of the child in the directions that it does not move in.

    G(q) · shift(give_x, …) · turn(give_rx) · turn(give_ry) · turn(give_rz): as many small coordinates as make six. Of
    the child's six directions those are left out which the joint moves in itself, so no mass stands between joint and
    child and no direction counts twice. `ModelBuilder.add_compliance` puts springs on them; as these stiffen, the
    motion becomes that of the joint itself, with a difference in proportion to 1/stiffness.

    Parameters
    ----------
    joint : Joint
        Of at most five velocities: a spline, a hinge, a surface, a contact.
    across : array_like, shape (6 - nv, 6), optional
        Twists [ω; v] in the child's axes that give, instead of axes of the child; needed where the joint's own motion
        turns from one axis of the child to another. Their coordinates are give_1, give_2, …

    Returns
    -------
    Joint
        With the joint's coordinates and then give_x, give_y, give_z [m], give_rx, give_ry, give_rz [rad], as far as
        they give.

    Raises
    ------
    NotSupported
        If the joint has six velocities already, or no choice of axes serves its whole domain, with the place.
    BadShape, BadValue
        If `across` has another shape, or gives in a direction that the joint moves in, with the place.

    Examples
    --------
    A hinge that gives in the five other directions:

    >>> import condyle as cd
    >>> cd.joints.compliant(cd.joints.revolute("z")).coordinates
    ('angle', 'give_x', 'give_y', 'give_z', 'give_rx', 'give_ry')
    """
    require(isinstance(joint, Joint), "compliant: give a joint", BadValue, got=type(joint).__name__)
    expected = f"compliant: {joint.title} moves in all six directions already, so nothing is left to give"
    require(joint.nv < 6, expected, NotSupported)
    q = sample_coordinates(joint, LOOKED, 0) if joint.nq else np.zeros((1, 0))
    moves = unit_columns(joint.jacobian(q) / np.repeat([1.0, ARM], 3)[:, None])
    names, twists = own_axes(joint, q, moves) if across is None else given_twists(joint, q, moves, across)
    gives = product(twists, [functions.linear(k) for k in range(len(twists))], coordinates=names)
    return replace(compose(joint, gives), title="compliant")


def unit_columns(S: np.ndarray) -> np.ndarray:
    """Orthonormal columns (..., 6, n) of the same span; empty without columns."""
    return np.linalg.qr(S)[0] if S.shape[-1] else S


def own_axes(joint: Joint, q: np.ndarray, moves: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Names and twists of the child's axes that give: all but those nearest to the joint's motion over its domain."""
    choices = [list(c) for c in combinations(range(6), joint.nv)]
    apart = np.stack([np.abs(np.linalg.det(moves[:, c])) for c in choices], axis=1)
    best = int(np.argmax(apart.min(axis=0)))
    k = int(np.argmin(apart[:, best]))
    expected = f"compliant: {joint.title} moves along different axes of its child over its domain; at {place_of(q[k])}"
    advice = "what it moves in is hardly among those left out. Give the twists across it: across="
    require(bool(apart[k, best] > SLANTED), f"{expected} {advice}", NotSupported)
    kept = [i for i in SHIFTS_FIRST if i not in choices[best]]
    return [GIVES[i] for i in kept], np.eye(6)[kept]


def given_twists(joint: Joint, q: np.ndarray, moves: np.ndarray, across: ArrayLike) -> tuple[list[str], np.ndarray]:
    """Names and twists as given, independent of the joint's motion everywhere."""
    twists = real_numbers(across, "compliant: across")
    shape = (6 - joint.nv, 6)
    require(twists.shape == shape, f"compliant: across needs shape {shape}", BadShape, shape=twists.shape)
    own = unit_columns((twists / np.repeat([1.0, ARM], 3)).T)
    both = np.concatenate([moves, np.broadcast_to(own, (len(moves), *own.shape))], axis=2)
    least = np.linalg.svd(both, compute_uv=False)[:, -1]
    k = int(np.argmin(least))
    expected = f"compliant: across gives in a direction that {joint.title} moves in itself at {place_of(q[k])}"
    require(bool(least[k] > SLANTED), expected, BadValue)
    return [f"give_{i}" for i in range(1, len(twists) + 1)], twists


def place_of(q: np.ndarray) -> str:
    """Coordinates in words."""
    return "q = (" + ", ".join(f"{x:.4g}" for x in q) + ")"


def given_way(coordinates: Sequence[str]) -> dict[str, int]:
    """By name, the coordinates of a joint that give, and which of six constants (or of `across`) is theirs."""
    own = {name: GIVES.index(name) for name in coordinates if name in GIVES}
    numbered = [name for name in coordinates if name in tuple(f"give_{i}" for i in range(1, 7))]
    return own or {name: int(name.removeprefix("give_")) - 1 for name in numbered}
