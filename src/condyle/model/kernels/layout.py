"""Records of a model in the tables that kernels read: `codes` (integers) and `numbers` (floats).

A record is a run of integers in `codes`, in the order of the fields of its class; the header is the first. Fields named
`at` and `first_…` are positions. A slot is a place for a body in arrays over bodies: 0 the world, i + 1 body i.
"""

from typing import NamedTuple


class Header(NamedTuple):
    """How much there is of everything, and where it begins."""

    bodies: int
    nq: int
    nv: int
    first_body: int
    prescribed: int  # position of nv flags
    driven: int  # 1 if any coordinate is prescribed
    work: int  # numbers of scratch that the largest joint function needs
    gravity: int  # position of 3 numbers
    widest: int  # most velocities of one joint, or of the coordinates of one coupling
    coordinate_elements: int  # forces on coordinates
    first_coordinate_element: int
    lines: int  # forces between two points
    first_line: int
    quaternions: int
    first_quaternion: int
    plain: int  # coordinates whose rate is their velocity
    first_plain: int
    knotted: int  # coordinates that select rows
    first_knotted: int
    constraints: int
    first_constraint: int
    constraint_rows: int
    position_rows: int  # of constraints that hold positions; they come first
    drives: int = 0  # prescribed motions as functions of time, for simulations only
    first_drive: int = 0
    folding: int = 0  # position of the Folding of a model with followers
    pairs: int = 0  # forces between two frames
    first_pair: int = 0
    armature: int = 0  # position of nv numbers: inertia of what turns with a coordinate beside the bodies
    grouping: int = 0  # position of the Grouping of a model with constraints; 0 if it has none


class Body(NamedTuple):
    """A body and the joint that moves it."""

    parent: int  # slot
    shape: int  # of the joint's form: GENERAL, LINEAR, PLANE, CURVE or FOLLOWING
    q0: int
    v0: int
    nv: int
    segment: int  # the joint in its general form
    segments: int
    mass: int  # position of the mass and the principal moments
    row: int = 0  # the row of a LINEAR joint; the head of a PLANE one
    children: int = 0  # 1 if it has any
    starts: int = 0  # 1 if it is the first of its siblings that an inward pass meets
    plane_segment: int = 0  # the joint in its form in a plane
    freedom: int = 0  # what can move the body without being prescribed: NOTHING, OWN_JOINT or SOMETHING_ABOVE


class CoordinateElement(NamedTuple):
    """A force on one coordinate; numbers: the constants of its law."""

    law: int
    q: int
    v: int
    at: int


class LineElement(NamedTuple):
    """A force along the line between points of two slots; numbers: both points (3 each), the constants of its law."""

    law: int
    slot_a: int
    slot_b: int
    at: int


class PairElement(NamedTuple):
    """A force between frames of two slots, read as three turns and shifts, or as a gap between two surfaces.

    Numbers: both frames (12 each); of a gap the Gap; the constants of the law, at `constants`.
    """

    law: int
    slot_a: int
    slot_b: int
    at: int
    reading: int  # TURNS, PLANE_GAP or SPHERE_GAP
    constants: int


class Quaternion(NamedTuple):
    """A unit quaternion in q and its velocities; if free, three numbers of translation follow in both."""

    q: int
    v: int
    free: int


class Plain(NamedTuple):
    """A coordinate whose rate is its velocity."""

    q: int
    v: int


class Knotted(NamedTuple):
    """A coordinate with breakpoints; `axis` is the position of an Axis record."""

    q: int
    v: int
    axis: int


class Drive(NamedTuple):
    """A prescribed coordinate: a grid on time, and rows: centre (padded to 4), coefficients of x, ẋ and ẍ."""

    q: int
    v: int
    breaks: int
    count: int  # pyright: ignore[reportIncompatibleMethodOverride]  # a record's field hides tuple.count
    buckets: int
    size: int
    rows: int
    order: int


class Constraint(NamedTuple):
    """What all constraints have: kind, first row and number of rows, the index that it was given."""

    kind: int
    first_row: int
    rows: int
    given: int


class Loop(NamedTuple):
    """A POINT, WELD, DISTANCE or LINE between two slots, which `root` is or carries, the nearest of all that do.

    `frames`: position of two frames (rotation 9, position 3 numbers each) and of the distance.
    """

    kind: int
    first_row: int
    rows: int
    given: int
    slot_a: int
    slot_b: int
    frames: int
    root: int


class Coupling(NamedTuple):
    """A COUPLE: a coordinate and a function of others, as segments of a slide along x."""

    kind: int
    first_row: int
    rows: int
    given: int
    q: int
    v: int
    other_q: int  # the first of the others
    other_v: int
    slide: int
    slides: int
    span: int  # velocities from the first of the others to the last


class Rolling(NamedTuple):
    """A ROLL: a body, the segments of its contact frame, and the position of the axes along which nothing slips."""

    kind: int
    first_row: int
    rows: int
    given: int
    body: int
    contact: int
    contacts: int
    tangents: int


class Folding(NamedTuple):
    """What a model has beyond others if coordinates of it are functions of others: followers, and clusters of bodies.

    A guest is a column that a body has beyond those of its own velocities: how it moves with a velocity of another
    joint that its own coordinates follow. Its number in the columns is nv + its own.
    """

    followers: int
    first_follower: int
    guests: int
    first_guest: int  # position of the velocity of every guest
    open: int  # position of nv flags: 1 for the velocities that clusters eliminate
    first_body: int  # position of the FoldedBody of every body
    room: int  # most numbers in q of one joint
    clusters: int
    first_cluster: int
    cluster_room: int  # numbers of scratch of all clusters
    widest: int  # most velocities of one cluster
    world_roots: int  # clusters that are eliminated at the world
    first_world_root: int
    loads: int  # loads on followers, records of CoordinateElement: q is the follower, v the velocity that it follows
    first_load: int


class FoldedBody(NamedTuple):
    """What a body has of the folding."""

    nq: int  # of its joint, followers included
    nv: int
    places: int  # position of where each of these nq is: in q, or −1 − a follower
    rates: int  # the same for nv and v
    columns: int  # position of the number of the column that each of these nv adds to
    guests: int
    first_guest: int
    member: int  # position of its Member, 0 if it is in no cluster
    roots: int  # clusters that are eliminated at this body
    first_root: int  # position of their numbers


class Follower(NamedTuple):
    """A coordinate that is a function of another one, q and v, or of the follower `source` if that is not −1."""

    q: int
    v: int
    source: int
    root: int  # the velocity that it follows in the end
    slide: int  # its function, as segments of a slide along x
    slides: int
    nv: int  # 0 if the function is constant


class Cluster(NamedTuple):
    """Velocities that are eliminated together, at the slot from which all bodies that they move by guests hang.

    Its scratch begins at `at`: D (k²), u (k), the least D that is not zero (k), and at `reaction` U of the slot (6 k).
    """

    slot: int
    velocities: int  # k
    first_velocity: int  # position of their numbers
    at: int
    reaction: int
    body: int  # that the first of them moves, for the status


class Member(NamedTuple):
    """A body of a cluster: where its U and its parent's begin, and its open columns: (number in cluster, column)."""

    cluster: int
    at: int
    parent: int
    columns: int
    first_column: int


class Grouping(NamedTuple):
    """Constraints in groups, each of which an inward pass eliminates at the slot from which all that it moves hangs.

    Constraints that move the same body are in one group. Models with followers have no grouping.
    """

    groups: int
    first_group: int
    first_body: int  # position of the GroupedBody of every body
    velocities: int  # position of the group of every velocity's body, −1 for none
    coupled: int  # 1 if constraints act on coordinates, not on bodies alone
    room: int  # numbers of scratch of all groups
    widest: int  # most rows of one group
    world_roots: int  # groups that are eliminated at the world
    first_world_root: int


class Group(NamedTuple):
    """Constraints that are eliminated together.

    Its scratch begins at `at`: D (k²), b (k), λ (k), what D would be if all forces had the best lever (k), and at
    `reaction` K of the slot that it hangs from (6 k).
    """

    rows: int  # k
    constraints: int
    first_constraint: int  # position of their GroupedConstraint records
    at: int
    reaction: int


class GroupedConstraint(NamedTuple):
    """A constraint of a group: its number, its first row in the group, and where K of the bodies a and b begins."""

    number: int
    row: int
    at_a: int
    at_b: int


class GroupedBody(NamedTuple):
    """What a body has of the grouping."""

    group: int  # −1 if no constraint moves it against the slot from which it hangs
    at: int  # where its K begins
    parent: int  # where that of its parent begins
    roots: int  # groups that are eliminated at this body
    first_root: int  # position of their numbers


HEADER_SIZE, BODY_SIZE = len(Header._fields), len(Body._fields)
COORDINATE_ELEMENT_SIZE, LINE_SIZE, PAIR_SIZE = (
    len(kind._fields) for kind in (CoordinateElement, LineElement, PairElement)
)
DRIVE_SIZE = len(Drive._fields)
QUATERNION_SIZE, PLAIN_SIZE, KNOTTED_SIZE = len(Quaternion._fields), len(Plain._fields), len(Knotted._fields)
CONSTRAINT_SIZE = len(Coupling._fields)  # the longest of them
FRAME_SIZE = 12
FOLLOWER_SIZE, FOLDED_SIZE, CLUSTER_SIZE = len(Follower._fields), len(FoldedBody._fields), len(Cluster._fields)
GROUP_SIZE, GROUPED_BODY_SIZE = len(Group._fields), len(GroupedBody._fields)
GROUPED_CONSTRAINT_SIZE = len(GroupedConstraint._fields)

GENERAL, LINEAR, PLANE, FOLLOWING, CURVE = 0, 1, 2, 3, 4
NOTHING, OWN_JOINT, SOMETHING_ABOVE = 0, 1, 2

# linear row: M0, M1, M2 (9 each), P0, P1, P2, P3 (3 each), g (6), w
ROW_P, ROW_G, ROW_W = 27, 39, 45

# head of a joint in a plane, A · P(q) · B: rotation and position of A, then of B
PLANE_PA, PLANE_RB, PLANE_PB = 9, 12, 21

TURNS, PLANE_GAP, SPHERE_GAP = range(3)  # readings of a pair of frames: a plane is on a, spheres are on a and b
RADIUS_A, RADIUS_B, RADIUS, SHARE, GAP_SIZE = range(5)  # numbers of a gap: radii of both, relative radius, share

POINT, WELD, COUPLE, ROLL, DISTANCE, LINE = range(6)
