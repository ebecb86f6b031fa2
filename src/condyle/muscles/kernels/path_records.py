"""Readers of the records of paths, and the scratch that they are evaluated in."""

from typing import Any, NamedTuple

from ...numeric import inlined, record
from .path_layout import PATH_SIZE, POINT_SIZE, WRAP_SIZE, PathRecord, PathsHeader, PointRecord, WrapRecord


class PathScratch(NamedTuple):
    """Arrays of one path at a time, interleaved by lane."""

    x: Any  # places of the vertices, in the world
    on: Any  # 1 where a point counts, else 0
    pull: Any  # derivative of the length by the place of each vertex
    frames: Any  # frames of the wraps in the world, 12 numbers each
    order: Any  # numbers of the vertices in the order in which the path meets them
    arcs: Any  # length on each wrap
    homes: Any  # the point of the path after which each wrap first touched it, or −1
    failed: Any  # status of the path
    slopes: Any  # derivative of each moving point's place by its coordinate, in the world
    wrenches: Any  # on each slot, for a tension of −1
    length: Any
    q: Any  # the coordinate of one moving point
    work: Any


@inlined
def paths_header(t):
    """How much there is of everything, and where it begins."""
    return record(PathsHeader, t.codes, 0)


@inlined
def path_at(t, i):
    """Path i."""
    return record(PathRecord, t.codes, paths_header(t).first_path + i * PATH_SIZE)


@inlined
def point_at(t, path, k):
    """Point k of a path."""
    return record(PointRecord, t.codes, path.first_point + k * POINT_SIZE)


@inlined
def wrap_at(t, path, k):
    """Wrap k of a path."""
    return record(WrapRecord, t.codes, path.first_wrap + k * WRAP_SIZE)
