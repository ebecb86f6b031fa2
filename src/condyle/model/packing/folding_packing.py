"""The followers of a model, their guest columns and the clusters of bodies that they tie together, for kernels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...forces.registry import CODES
from ...joints.packing import TableBuilder
from ..kernels import layout as at
from .body_paths import carriers

if TYPE_CHECKING:
    from ..model import Model


@dataclass
class Column:
    """A guest column: on a body, for a velocity of another joint."""

    body: int
    velocity: int


@dataclass
class Tied:
    """A cluster: its free velocities, the bodies that its columns move by themselves, and what follows from these."""

    velocities: list[int]
    bodies: set[int]

    def hung(self, parents: list[int]) -> tuple[int, list[int]]:
        """The body (−1: the world) from which all hang, and the members below it, in rising order."""
        strict = [set(carriers(parents, b)[1:]) for b in self.bodies]
        root = max(set.intersection(*strict))  # numbers rise outward, so the largest is the nearest
        members = {m for b in self.bodies for m in carriers(parents, b) if m > root and root in carriers(parents, m)}
        return root, sorted(members)


def roots(model: Model) -> list[int]:
    """The velocity that each follower follows in the end."""
    known = {(p.body, p.coordinate): p.v for p in model.coordinate_places}
    for f in model.followers:
        known[f.body, f.coordinate] = known[f.driver_place]
    return [known[f.body, f.coordinate] for f in model.followers]


def guests(model: Model) -> list[Column]:
    """All guest columns, body by body."""
    owner = [i for i, n in enumerate(model.freedoms) for _ in range(n)]
    pairs = {(f.body, v) for f, v in zip(model.followers, roots(model), strict=True) if owner[v] != f.body}
    return [Column(*pair) for pair in sorted(pairs)]


def clusters(model: Model, columns: list[Column]) -> list[Tied]:
    """Free velocities with guests; those whose members meet are one cluster."""
    owner = [i for i, n in enumerate(model.freedoms) for _ in range(n)]
    parents = [body.parent for body in model.bodies]
    found: list[Tied] = []
    for v in sorted({c.velocity for c in columns} - model.prescribed_columns):
        new = Tied([v], {owner[v], *(c.body for c in columns if c.velocity == v)})
        while met := [t for t in found if set(t.hung(parents)[1]) & set(new.hung(parents)[1])]:
            found = [t for t in found if t not in met]
            new = Tied(
                sorted([*new.velocities, *(v for t in met for v in t.velocities)]), new.bodies.union(*_bodies(met))
            )
        found.append(new)
    return found


def _bodies(tied: Iterable[Tied]) -> list[set[int]]:
    return [t.bodies for t in tied]


def pack_folding(tables: TableBuilder, model: Model) -> dict[str, int]:
    """Append all that kernels read of followers; where its head is, for the header."""
    if not model.followers:
        return {}
    columns = guests(model)
    tied = clusters(model, columns)
    records, members, room = _clusters(tables, model, columns, tied)
    hanging = _hanging(model, tied)
    world = hanging.get(-1, [])
    folding = at.Folding(
        followers=len(model.followers),
        first_follower=tables.records(_followers(tables, model)),
        guests=len(columns),
        first_guest=tables.integers([c.velocity for c in columns]),
        open=tables.integers([int(any(v in t.velocities for t in tied)) for v in range(model.nv)]),
        first_body=tables.records(_bodies_of(tables, model, columns, members, hanging)),
        room=max(1, *(body.joint.nq for body in model.bodies), *(body.joint.nv for body in model.bodies)),
        clusters=len(tied),
        first_cluster=tables.records(records),
        cluster_room=room,
        widest=max((len(t.velocities) for t in tied), default=0),
        world_roots=len(world),
        first_world_root=tables.integers(world),
        **_loads(tables, model),
    )
    return {"folding": tables.integers(folding)}


def _hanging(model: Model, tied: list[Tied]) -> dict[int, list[int]]:
    """Body (−1: the world) → the numbers of the clusters that hang from it."""
    parents = [body.parent for body in model.bodies]
    found: dict[int, list[int]] = {}
    for n, t in enumerate(tied):
        found.setdefault(t.hung(parents)[0], []).append(n)
    return found


def _followers(tables: TableBuilder, model: Model) -> list[at.Follower]:
    places = {(p.body, p.coordinate): p for p in model.coordinate_places}
    numbers = {(f.body, f.coordinate): k for k, f in enumerate(model.followers)}
    records = []
    for f, root in zip(model.followers, roots(model), strict=True):
        driver = places.get(f.driver_place)
        q, v = (driver.q, driver.v) if driver else (0, 0)
        slide = tables.joint(f.slide.segments, [(0, 0)])
        source = -1 if driver else numbers[f.driver_place]
        records.append(at.Follower(q, v, source, root, slide, len(f.slide.segments), f.slide.nv))
    return records


def _clusters(
    tables: TableBuilder, model: Model, columns: list[Column], tied: list[Tied]
) -> tuple[list[at.Cluster], dict[int, int], int]:
    """Records of clusters, where the Member of each body begins, and how much scratch all need."""
    owner = [i for i, n in enumerate(model.freedoms) for _ in range(n)]
    parents, room = [body.parent for body in model.bodies], 0
    records, members = [], {}
    for n, t in enumerate(tied):
        k = len(t.velocities)
        root, inner = t.hung(parents)
        start, room = room, room + k * k + 2 * k
        rooms = {body: room + 6 * k * m for m, body in enumerate([root, *inner])}
        room += 6 * k * len(rooms)
        velocities = tables.integers(t.velocities)
        records.append(at.Cluster(root + 1, k, velocities, start, rooms[root], owner[t.velocities[0]]))
        for body in inner:
            own = [(j, v) for j, v in enumerate(t.velocities) if owner[v] == body]
            own += [
                (t.velocities.index(c.velocity), model.nv + g)
                for g, c in enumerate(columns) if c.body == body and c.velocity in t.velocities
            ]  # fmt: skip
            member = at.Member(n, rooms[body], rooms[parents[body]], len(own), tables.records(own))
            members[body] = tables.integers(member)
    return records, members, room


def _bodies_of(
    tables: TableBuilder, model: Model, columns: list[Column], members: dict[int, int], hanging: dict[int, list[int]]
) -> list[at.FoldedBody]:
    ends = {(c.body, c.velocity): model.nv + g for g, c in enumerate(columns)}
    follow, records = roots(model), []
    for i, body in enumerate(model.bodies):
        own = {p.coordinate: p for p in model.coordinate_places if p.body == i}
        places, rates, to = [], [], []
        for c, (nq, nv) in enumerate(body.joint.widths):
            if c in own:
                places += range(own[c].q, own[c].q + nq)
                rates += range(own[c].v, own[c].v + nv)
                to += range(own[c].v, own[c].v + nv)
            else:
                f = model.follower_numbers[i][c]
                places.append(-1 - f)
                rates.append(-1 - f)
                to.append(ends.get((i, follow[f]), follow[f]))
        mine = [g for g, c in enumerate(columns) if c.body == i]
        records.append(at.FoldedBody(
            body.joint.nq, body.joint.nv, tables.integers(places), tables.integers(rates), tables.integers(to),
            len(mine), mine[0] if mine else 0, members.get(i, 0), len(hanging.get(i, [])),
            tables.integers(hanging.get(i, [])),
        ))  # fmt: skip
    return records


def _loads(tables: TableBuilder, model: Model) -> dict[str, int]:
    """Loads on followers."""
    follow = roots(model)
    records = [
        at.CoordinateElement(CODES[f.law], f.at.q - model.nq, follow[f.at.q - model.nq], tables.floats(f.constants))
        for f in model.coordinate_forces if f.at.q >= model.nq
    ]  # fmt: skip
    return {"loads": len(records), "first_load": tables.records(records)}
