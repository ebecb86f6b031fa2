"""The constraints of a model in groups that kernels eliminate one after the other, from the tips of the tree inward."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...joints.packing import TableBuilder
from ..kernels import layout as at
from ..resolved_constraints import Coupling, Loop, Rolling
from .body_paths import carriers, common_carrier

if TYPE_CHECKING:
    from ..model import Model


@dataclass
class Group:
    """Numbers of constraints, the bodies that they move against each other, and what carries all these (−1: world)."""

    constraints: list[int]
    members: set[int]
    root: int


def grouped(model: Model) -> list[Group]:
    """All groups; constraints that move the same body are in one."""
    found: list[Group] = []
    for number, c in enumerate(model.constraints):
        members, root = _moved(model, c)
        met = [g for g in found if g.members & members]
        found = [g for g in found if not g.members & members]
        found.append(
            Group(
                sorted([number, *(k for g in met for k in g.constraints)]),
                members.union(*(g.members for g in met)),
                min([root, *(g.root for g in met)]),  # those that share a body hang one above the other
            )
        )
    return found


def _moved(model: Model, c: Loop | Coupling | Rolling) -> tuple[set[int], int]:
    """The bodies that a constraint moves against each other, and what carries all of them."""
    parents = [body.parent for body in model.bodies]
    if isinstance(c, Rolling):
        return {c.body}, parents[c.body]
    if isinstance(c, Loop):
        root, ends = common_carrier(parents, c.a, c.b), [c.a, c.b]
    else:
        owner = [i for i, n in enumerate(model.freedoms) for _ in range(n)]
        ends = [owner[v] for v in (c.v, *(v for _, v in c.read))]
        root = max(set.intersection(*(set(carriers(parents, body)[1:]) for body in ends)))
    paths = [carriers(parents, body) for body in ends]
    return {body for path in paths for body in path[: path.index(root)]}, root


def pack_grouping(tables: TableBuilder, model: Model) -> dict[str, int]:
    """Append all that kernels read of groups; where its head is, for the header."""
    if not model.constraints or model.followers:
        return {}
    groups = grouped(model)
    owners = {body: n for n, g in enumerate(groups) for body in g.members}
    rooms, starts, room = _rooms(model, groups)
    world = [n for n, g in enumerate(groups) if g.root < 0]
    head = at.Grouping(
        groups=len(groups),
        first_group=tables.records(_groups(tables, model, groups, rooms, starts)),
        first_body=tables.records(_bodies(tables, model, groups, owners, rooms)),
        velocities=tables.integers([owners.get(i, -1) for i, n in enumerate(model.freedoms) for _ in range(n)]),
        coupled=int(any(isinstance(c, Coupling) for c in model.constraints)),
        room=room,
        widest=max(_rows(model, g) for g in groups),
        world_roots=len(world),
        first_world_root=tables.integers(world),
    )
    return {"grouping": tables.integers(head)}


def _rows(model: Model, group: Group) -> int:
    return sum(model.constraints[k].rows for k in group.constraints)


def _rooms(model: Model, groups: list[Group]) -> tuple[dict[tuple[int, int], int], list[int], int]:
    """Where K of each (group, body) begins, where each group begins, and how much scratch all need."""
    rooms, starts, room = {}, [], 0
    for n, g in enumerate(groups):
        k = _rows(model, g)
        starts.append(room)
        room += k * k + 3 * k
        for body in (g.root, *sorted(g.members)):
            rooms[n, body] = room
            room += 6 * k
    return rooms, starts, room


def _groups(
    tables: TableBuilder, model: Model, groups: list[Group], rooms: dict[tuple[int, int], int], starts: list[int]
) -> list[at.Group]:
    records = []
    for n, (g, start) in enumerate(zip(groups, starts, strict=True)):
        row, parts = 0, []
        for k in g.constraints:
            c = model.constraints[k]
            parts.append(at.GroupedConstraint(k, row, *(rooms[n, body] for body in _ends(model, c))))
            row += c.rows
        records.append(at.Group(row, len(parts), tables.records(parts), start, rooms[n, g.root]))
    return records


def _ends(model: Model, c: Loop | Coupling | Rolling) -> tuple[int, int]:
    """The bodies that a constraint pushes; one of coordinates pushes none, and any of its group will do."""
    if isinstance(c, Loop):
        return c.a, c.b
    body = c.body if isinstance(c, Rolling) else [i for i, n in enumerate(model.freedoms) for _ in range(n)][c.v]
    return body, model.bodies[body].parent


def _bodies(
    tables: TableBuilder, model: Model, groups: list[Group], owners: dict[int, int], rooms: dict[tuple[int, int], int]
) -> list[at.GroupedBody]:
    records = []
    for i, body in enumerate(model.bodies):
        n, roots = owners.get(i, -1), [k for k, g in enumerate(groups) if g.root == i]
        places = (rooms[n, i], rooms[n, body.parent]) if n >= 0 else (0, 0)
        records.append(at.GroupedBody(n, *places, len(roots), tables.integers(roots)))
    return records
