"""Joints one after another as a single joint: G(q) = G_1(q_1) · G_2(q_2) · …"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import BadValue, require
from ..canonical_form import normalized, shifted
from ..joint import Joint


def compose(*joints: Joint, names: Sequence[str] | None = None, outside: str | None = None) -> Joint:
    """One joint with the coordinates of all, in order; a name that occurs again gets a number: angle, angle_2.

    `outside` defaults to "error" if any of them refuses to be extended.

    Parameters
    ----------
    *joints : Joint
        In the order in which they move the child.
    names : sequence of str, optional
        Names of all coordinates, instead of the joints' own.
    outside : {"extend", "error"}, optional
        Beyond the domain: continue at the end rates, or raise.

    Returns
    -------
    Joint

    Raises
    ------
    BadValue
        If an argument is not a joint, or there is none.

    Examples
    --------
    >>> import condyle as cd
    >>> cd.joints.compose(cd.joints.revolute("x"), cd.joints.revolute("y")).coordinates
    ('angle', 'angle_2')
    """
    require(joints, "compose: give at least one joint")
    for k, joint in enumerate(joints):
        require(
            isinstance(joint, Joint), f"compose: argument {k} must be a joint", BadValue, argument=type(joint).__name__
        )
    starts = [sum(len(j.coordinates) for j in joints[:k]) for k in range(len(joints))]
    segments = [shifted(s, by) for joint, by in zip(joints, starts, strict=True) for s in joint.segments]
    strict = "error" if any(j.outside == "error" for j in joints) else "extend"
    title = " · ".join(j.title for j in joints)
    corners = tuple(c for j in joints for c in j.corners or ((),) * len(j.coordinates))
    names_of_all = distinct([c for j in joints for c in j.coordinates])
    joint = Joint(normalized(segments), names_of_all, outside or strict, title, corners=corners)
    return joint if names is None else joint.renamed(names)


def distinct(names: list[str]) -> tuple[str, ...]:
    """The names with numbers added where they occur again."""
    taken: list[str] = []
    for name in names:
        tries = (name if k == 1 else f"{name}_{k}" for k in range(1, len(names) + 2))
        taken.append(next(t for t in tries if t not in taken))
    return tuple(taken)
