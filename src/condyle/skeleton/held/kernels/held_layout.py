"""What the rows of joints are computed from: records of bodies, and where the parts of a result begin."""

from typing import Any, NamedTuple

from ....numeric import inlined, record


class HeldBody(NamedTuple):
    """A body: its parent (−1: the world), the records of its joint, and where its numbers begin everywhere."""

    parent: int
    first: int  # of the joint's segments in the codes
    segments: int
    nv: int
    nq: int
    q: int  # in the coordinates of a state
    v: int  # in velocities
    row: int  # in the rows across
    at: int  # in the numbers: offset R (9), its origin from the centre of mass (3), the same of the placement, then
    # the moment of inertia (6) and the mass
    plain: int  # where the places (q, v) of coordinates that just add up stand in the codes, and how many there are
    plains: int


class Sizes(NamedTuple):
    """Of a model: bodies, rows across, velocities, coordinates, the scratch of a joint; 1 where rates are wanted."""

    bodies: int
    rows: int
    nv: int
    nq: int
    work: int
    rates: int


class Parts(NamedTuple):
    """Where the parts of a member's result begin."""

    A: int  # (rows, 6 bodies)
    along: int  # (nv, 6 bodies)
    gap: int
    behind: int
    rate: int
    v: int
    lag: int  # what velocities gain where no body accelerates
    rank: int
    next: int  # coordinates moved by what they are behind
    end: int


class Scratch(NamedTuple):
    """Interleaved arrays of one block of states."""

    x: Any  # R (9), p (3), u (6) of every body, then q
    out: Any
    q: Any  # of one joint
    v: Any
    S: Any
    H: Any
    columns: Any
    work: Any
    W: Any  # (nv, 6): columns on their way to a triangle
    Q: Any  # (6, 6): orthonormal columns, first those along S
    w: Any  # (6,) a reflection
    back: Any  # (nv, 6): the inverse of S along it


BODY_SIZE = len(HeldBody._fields)


def parts_of(size: Sizes) -> Parts:
    """The parts of a result, one after another."""
    n, m, nv = 6 * size.bodies, size.rows, size.nv
    at = [0]
    for count in (m * n, nv * n, m, nv, m, nv, nv, size.bodies, size.nq):
        at.append(at[-1] + count)
    return Parts(*at)


@inlined
def held_body(t, i):
    """Body i."""
    return record(HeldBody, t.codes, i * BODY_SIZE)
