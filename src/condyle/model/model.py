"""An articulated body: a frozen tree of bodies and joints with its loads, as the builder made it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from ..errors import BadShape, NotFinite, require, unknown_name
from ..joints.form import FACTORS, FREE, WIDTHS
from .body import Body, CoordinateLoad, Spring
from .limits import Limits, limits_of

__all__ = ["Model"]


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """Bodies in the order they were added; parents come before children. Make one with `ModelBuilder`."""

    bodies: tuple[Body, ...]
    gravity: np.ndarray
    coordinate_loads: tuple[CoordinateLoad, ...] = ()
    springs: tuple[Spring, ...] = ()
    prescribed: dict = field(default_factory=dict)  # velocity index → Prescribed
    constraints: tuple = ()
    ranges: dict = field(default_factory=dict)  # coordinate name → (low, high)
    ratings: dict = field(default_factory=dict)  # coordinate name → Rating
    folder: Path | None = None  # where it was loaded from: mesh files are looked for from there
    notes: tuple[str, ...] = ()  # what a foreign file said that the model does not do

    @cached_property
    def joint_starts(self) -> list[tuple[int, int]]:
        """Where each body's joint begins in q and in v."""
        ends = np.cumsum([(0, 0), *((b.joint.nq, b.joint.nv) for b in self.bodies)], axis=0)
        return [(int(q), int(v)) for q, v in ends[:-1]]

    @cached_property
    def nq(self) -> int:
        """How many numbers q has."""
        return sum(b.joint.nq for b in self.bodies)

    @cached_property
    def nv(self) -> int:
        """How many degrees of freedom: the length of v, a and τ."""
        return sum(b.joint.nv for b in self.bodies)

    @property
    def nbodies(self) -> int:
        """How many bodies; the world is not one."""
        return len(self.bodies)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return tuple(b.name for b in self.bodies)

    @cached_property
    def _coordinate_places(self) -> dict[str, tuple[int, int, int]]:
        """Full name → (body, q index, v index)."""
        out = {}
        for i, (body, (q0, v0)) in enumerate(zip(self.bodies, self.joint_starts, strict=True)):
            for c, (q, v) in zip(body.joint.coordinates, body.joint.offsets, strict=True):
                single = len(body.joint.coordinates) == 1
                out[body.joint_name if single else f"{body.joint_name}.{c}"] = (i, q0 + q, v0 + v)
        return out

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates: `joint.coordinate`, or `joint` alone if it has one."""
        return tuple(self._coordinate_places)

    def body_index(self, name: str | int) -> int:
        """The number of a body, by name."""
        if isinstance(name, (int, np.integer)):
            require(0 <= name < self.nbodies, f"body number must be 0 to {self.nbodies - 1}", got=int(name))
            return int(name)
        if name not in self._body_places:
            raise unknown_name("body", name, self.names)
        return self._body_places[name]

    @cached_property
    def _body_places(self) -> dict[str, int]:
        return {b.name: i for i, b in enumerate(self.bodies)}

    def place_of(self, coordinate: str) -> tuple[int, int, int]:
        """(body, index in q, index in v) of a coordinate, by name."""
        places = self._coordinate_places
        if coordinate in places:
            return places[coordinate]
        joint, _, name = coordinate.partition(".")
        if joint in places and self.bodies[places[joint][0]].joint.coordinates == (name,):
            return places[joint]  # `knee.q` for a joint with one coordinate
        raise unknown_name("coordinate", coordinate, places)

    def q_index(self, coordinate: str) -> int:
        """Where a coordinate stands in q (its first number)."""
        return self.place_of(coordinate)[1]

    def v_index(self, coordinate: str) -> int:
        """Where a coordinate stands in v, a and τ (its first number)."""
        return self.place_of(coordinate)[2]

    @cached_property
    def prescribed_columns(self) -> frozenset[int]:
        """Velocity indices whose motion is given."""
        return frozenset(self.prescribed)

    @cached_property
    def quaternions(self) -> list[tuple[int, int, str]]:
        """(index in q, index in v, joint name) of every quaternion."""
        out = []
        for body, (q0, v0) in zip(self.bodies, self.joint_starts, strict=True):
            for segment in body.joint.segments:
                if segment.kind != FACTORS:
                    q, v = body.joint.offsets[segment.grid.coordinates[0]]
                    out.append((q0 + q, v0 + v, body.joint_name))
        return out

    @cached_property
    def free_quaternions(self) -> frozenset[int]:
        """Where in q the quaternions begin that a position follows."""
        widths = {at: width for (at, _, _), width in zip(self.quaternions, self._quaternion_widths(), strict=True)}
        return frozenset(at for at, width in widths.items() if width == WIDTHS[FREE])

    def _quaternion_widths(self) -> list[tuple[int, int]]:
        return [WIDTHS[s.kind] for body in self.bodies for s in body.joint.segments if s.kind != FACTORS]

    @cached_property
    def plain_places(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions in q and in v of the coordinates whose rate is their velocity: all but quaternions."""
        taken_q: set[int] = set()
        taken_v: set[int] = set()
        for (q, v, _), (nq, nv) in zip(self.quaternions, self._quaternion_widths(), strict=True):
            taken_q |= set(range(q, q + nq))
            taken_v |= set(range(v, v + nv))
        return (
            np.array([i for i in range(self.nq) if i not in taken_q], dtype=int),
            np.array([i for i in range(self.nv) if i not in taken_v], dtype=int),
        )

    @cached_property
    def tables(self) -> tuple[np.ndarray, np.ndarray]:
        """What kernels read."""
        from .pack import pack_model

        return pack_model(self)

    @cached_property
    def inertial_frames(self) -> np.ndarray:
        """X_BC of every body (nbodies, 4, 4): centre of mass and principal axes, the frames kernels work in."""
        from .inertial import inertial_frame

        return np.array([inertial_frame(b) for b in self.bodies]).reshape(-1, 4, 4)

    def neutral(self) -> np.ndarray:
        """A q to start from: zero, moved into each coordinate's domain and range; unit quaternions."""
        q = np.zeros(self.nq)
        for at, _, _ in self.quaternions:
            q[at] = 1.0
        for name, (i, k, _) in self._coordinate_places.items():
            low, high = self.range_of(name)
            if self.bodies[i].joint.nq and np.isfinite([low, high]).any() and q[k] != 1.0:
                q[k] = np.clip(0.0, low, high)
        return q

    def range_of(self, coordinate: str) -> tuple[float, float]:
        """The range of a coordinate: as set, else its joint's domain."""
        i, q, _ = self.place_of(coordinate)
        if coordinate in self.ranges:
            return self.ranges[coordinate]
        offsets = [self.joint_starts[i][0] + o[0] for o in self.bodies[i].joint.offsets]
        return self.bodies[i].joint.domain[offsets.index(q)]

    @cached_property
    def limits(self) -> dict[str, Limits]:
        """All that is known of each coordinate that is one number: range, velocity, effort, damping, friction."""
        return limits_of(self)

    def with_gravity(self, gravity) -> Model:
        """A copy under another gravity [m/s²]."""
        gravity = np.asarray(gravity, dtype=float)
        require(gravity.shape == (3,), "gravity must be three numbers [m/s²]", BadShape, shape=gravity.shape)
        require(np.isfinite(gravity).all(), "gravity must be finite", NotFinite, gravity=gravity.tolist())
        return replace(self, gravity=gravity)

    def without_loads(self) -> Model:
        """A copy in free space: no gravity, springs, dampers, limits or prescribed motion."""
        return replace(self, gravity=np.zeros(3), coordinate_loads=(), springs=(), prescribed={}, constraints=())

    def __repr__(self) -> str:
        loads = len(self.springs) + len(self.coordinate_loads)
        extra = f", {loads} loads" if loads else ""
        extra += f", {len(self.prescribed)} prescribed" if self.prescribed else ""
        extra += f", {len(self.constraints)} constraints" if self.constraints else ""
        return f"<Model: {self.nbodies} bodies, {self.nv} degrees of freedom{extra}>"
