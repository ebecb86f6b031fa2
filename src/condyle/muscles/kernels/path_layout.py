"""Records of paths in the tables that kernels read, and the kinds of points, wraps and statuses.

A vertex is a point where a path may bend: first the path's own points, in their order, then two tangent points for each
of its wraps. A slot is 0 for the world and i + 1 for body i, as in the recursions of `dynamics`.

Two fixed points of one body in a row are as far from each other in every pose, and what pulls them together does
nothing to the body. So a point whose neighbours are all such is left out of a path without wraps.
"""

from typing import NamedTuple


class PathsHeader(NamedTuple):
    """How much there is of everything, and where it begins."""

    paths: int
    first_path: int
    work: int  # numbers of scratch that the largest function of a moving point needs
    vertices: int  # most of one path
    wraps: int  # most of one path


class PathRecord(NamedTuple):
    """A path: its points, its wraps, and the bodies that its length depends on, outermost first."""

    points: int
    first_point: int
    wraps: int
    first_wrap: int
    bodies: int
    first_body: int  # position of (body, 1 if its parent is one of them) for each
    changing: int  # 1 if there are points that move or do not always count
    constant: int  # position of the length of what was left out
    left_out: int  # points that were left out


class PointRecord(NamedTuple):
    """A point of a path; numbers at `at`: place (3), for CONDITIONAL also low, high; for MOVING frame (12), low, high.

    `coordinate` is the position in q of what the point reads, or −1 − a follower; `velocity` its velocity.
    """

    kind: int
    slot: int
    at: int
    coordinate: int = 0
    velocity: int = 0
    segment: int = 0  # the place of a moving point, as the segments of a joint without turns
    segments: int = 0


class WrapRecord(NamedTuple):
    """An object that a path may wrap over; numbers at `at`: its frame (12), then its sizes (3) as its kind says."""

    kind: int
    slot: int
    at: int
    axis: int  # of the active side
    sign: int  # of the active side; 0: all
    first: int  # point from which on segments may wrap
    last: int  # point up to which they may


PATHS_SIZE, PATH_SIZE = len(PathsHeader._fields), len(PathRecord._fields)
POINT_SIZE, WRAP_SIZE = len(PointRecord._fields), len(WrapRecord._fields)

FIXED, CONDITIONAL, MOVING = range(3)
CYLINDER, SPHERE, ELLIPSOID, TORUS = range(4)
# sizes: CYLINDER: radius, half length; SPHERE: radius; ELLIPSOID: three radii; TORUS: radius of the tube, of its circle
NONE, INSIDE, WRAPPED, MANDATORY = range(4)
CONDITION_SLACK = 1e-5  # by which a conditional point counts beyond its range [rad or m]

NOT_SETTLED, NO_GEODESIC, NO_POINTS = 1, 2, 3  # kinds of status of a path in a pose; then KINDS · path
