"""Readers of a model's records."""

from ...numeric import inlined, record
from .layout import (
    BODY_SIZE,
    CLUSTER_SIZE,
    CONSTRAINT_SIZE,
    COORDINATE_ELEMENT_SIZE,
    DRIVE_SIZE,
    FOLDED_SIZE,
    FOLLOWER_SIZE,
    GROUP_SIZE,
    GROUPED_BODY_SIZE,
    GROUPED_CONSTRAINT_SIZE,
    KNOTTED_SIZE,
    LINE_SIZE,
    PAIR_SIZE,
    PLAIN_SIZE,
    QUATERNION_SIZE,
    Body,
    Cluster,
    Constraint,
    CoordinateElement,
    Coupling,
    Drive,
    FoldedBody,
    Folding,
    Follower,
    Group,
    GroupedBody,
    GroupedConstraint,
    Grouping,
    Header,
    Knotted,
    LineElement,
    Loop,
    Member,
    PairElement,
    Plain,
    Quaternion,
    Rolling,
)


@inlined
def header(t):
    """How much there is of everything, and where it begins."""
    return record(Header, t.codes, 0)


@inlined
def body_at(t, i):
    """Body i."""
    return record(Body, t.codes, header(t).first_body + i * BODY_SIZE)


@inlined
def mass_and_moments(t, body):
    """The mass and the principal moments of a body."""
    at = body.mass
    return t.numbers[at], (t.numbers[at + 1], t.numbers[at + 2], t.numbers[at + 3])


@inlined
def is_prescribed(t, k):
    """Whether velocity k is prescribed."""
    return t.codes[header(t).prescribed + k] != 0


@inlined
def armature(t, k):
    """The inertia that velocity k has of its own, of rotors that no body has."""
    return t.numbers[header(t).armature + k]


@inlined
def coordinate_element_at(t, i):
    """Force i on a coordinate."""
    return record(CoordinateElement, t.codes, header(t).first_coordinate_element + i * COORDINATE_ELEMENT_SIZE)


@inlined
def line_at(t, i):
    """Force i between two points."""
    return record(LineElement, t.codes, header(t).first_line + i * LINE_SIZE)


@inlined
def pair_at(t, i):
    """Force i between two frames."""
    return record(PairElement, t.codes, header(t).first_pair + i * PAIR_SIZE)


@inlined
def quaternion_at(t, i):
    """Quaternion i."""
    return record(Quaternion, t.codes, header(t).first_quaternion + i * QUATERNION_SIZE)


@inlined
def plain_at(t, i):
    """Coordinate i of those whose rate is their velocity."""
    return record(Plain, t.codes, header(t).first_plain + i * PLAIN_SIZE)


@inlined
def knotted_at(t, i):
    """Coordinate i of those with breakpoints."""
    return record(Knotted, t.codes, header(t).first_knotted + i * KNOTTED_SIZE)


@inlined
def drive_at(t, i):
    """Prescribed motion i."""
    return record(Drive, t.codes, header(t).first_drive + i * DRIVE_SIZE)


@inlined
def constraint_at(t, i):
    """What constraint i has in common with all others."""
    return record(Constraint, t.codes, header(t).first_constraint + i * CONSTRAINT_SIZE)


@inlined
def loop_at(t, i):
    """Constraint i, a POINT, WELD, DISTANCE or LINE."""
    return record(Loop, t.codes, header(t).first_constraint + i * CONSTRAINT_SIZE)


@inlined
def coupling_at(t, i):
    """Constraint i, a COUPLE."""
    return record(Coupling, t.codes, header(t).first_constraint + i * CONSTRAINT_SIZE)


@inlined
def rolling_at(t, i):
    """Constraint i, a ROLL."""
    return record(Rolling, t.codes, header(t).first_constraint + i * CONSTRAINT_SIZE)


@inlined
def folding(t):
    """What a model with followers has beyond others."""
    return record(Folding, t.codes, header(t).folding)


@inlined
def folded_at(t, i):
    """What body i has of the folding."""
    return record(FoldedBody, t.codes, folding(t).first_body + i * FOLDED_SIZE)


@inlined
def follower_at(t, i):
    """Follower i."""
    return record(Follower, t.codes, folding(t).first_follower + i * FOLLOWER_SIZE)


@inlined
def guest_velocity(t, g):
    """The velocity of guest column g."""
    return t.codes[folding(t).first_guest + g]


@inlined
def is_open(t, k):
    """Whether velocity k is eliminated by a cluster."""
    return t.codes[folding(t).open + k] != 0


@inlined
def cluster_at(t, i):
    """Cluster i."""
    return record(Cluster, t.codes, folding(t).first_cluster + i * CLUSTER_SIZE)


@inlined
def member_at(t, at):
    """The member at a position of the codes."""
    return record(Member, t.codes, at)


@inlined
def follower_element_at(t, i):
    """Force i on followers."""
    return record(CoordinateElement, t.codes, folding(t).first_load + i * COORDINATE_ELEMENT_SIZE)


@inlined
def grouping(t):
    """The groups of a model's constraints."""
    return record(Grouping, t.codes, header(t).grouping)


@inlined
def group_at(t, i):
    """Group i of constraints."""
    return record(Group, t.codes, grouping(t).first_group + i * GROUP_SIZE)


@inlined
def grouped_constraint_at(t, group, i):
    """Constraint i of a group."""
    return record(GroupedConstraint, t.codes, group.first_constraint + i * GROUPED_CONSTRAINT_SIZE)


@inlined
def grouped_body_at(t, i):
    """What body i has of the grouping."""
    return record(GroupedBody, t.codes, grouping(t).first_body + i * GROUPED_BODY_SIZE)


@inlined
def group_of_velocity(t, k):
    """The group of the body that velocity k moves, −1 if it is in none."""
    return t.codes[grouping(t).velocities + k]
