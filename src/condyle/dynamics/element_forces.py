"""What every force of a model does in a state: its force, where it acts, and its power."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import unknown_name
from ..forces import BetweenFrames, Element, OnCoordinate
from ..forces.kernels.declaration import COORDINATE, LINE
from ..forces.registry import CODES
from ..model import Model
from ..model.followers import follower_rates, follower_values
from ..typing import ArrayLike
from .arguments import states
from .kinematics import Motion, body_matrices, checked_motion


class ElementForce(NamedTuple):
    """What one force does.

    Attributes
    ----------
    value : ndarray, shape (...)
        The generalised force on a coordinate [N m or N], the tension between points [N], or the size of the force
        between frames [N].
    power : ndarray, shape (...)
        What it does to the motion [W]; negative where it takes or stores.
    place : ndarray, shape (..., 3)
        Where it acts on the second body, in the world [m]; NaN on coordinates.
    force : ndarray, shape (..., 3)
        On the second body, in world axes [N]; the first one gets the opposite at the same place. NaN on coordinates.
    moment : ndarray, shape (..., 3)
        On the second body beside that [N m].
    """

    value: np.ndarray
    power: np.ndarray
    place: np.ndarray
    force: np.ndarray
    moment: np.ndarray


@dataclass(frozen=True)
class ElementForces:
    """What all forces of a model do, by name: `found["hertz@world-ball"].force`.

    Attributes
    ----------
    names : tuple of str
        Of the forces, as in `model.forces`.
    value, power : ndarray, shape (..., forces)
    place, force, moment : ndarray, shape (..., forces, 3)
        As of `ElementForce`.
    """

    names: tuple[str, ...]
    value: np.ndarray
    power: np.ndarray
    place: np.ndarray
    force: np.ndarray
    moment: np.ndarray

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """Value, power, place, force and moment."""
        return self.value, self.power, self.place, self.force, self.moment

    def __getitem__(self, name: str) -> ElementForce:
        if name not in self.names:
            raise unknown_name("force", name, self.names, "this model")
        k = self.names.index(name)
        vectors = (x[..., k, :] for x in (self.place, self.force, self.moment))
        return ElementForce(self.value[..., k], self.power[..., k], *vectors)


def element_forces(model: Model, q: ArrayLike, v: ArrayLike) -> ElementForces:
    """What the springs, dampers, limits, bushings and contacts of a model do in its states.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.

    Returns
    -------
    ElementForces
        By name, in the order of `model.forces`.

    Raises
    ------
    CondyleError
        If a state is not of finite numbers of the model's shape.

    Examples
    --------
    A ball of 1 kg rests where the ground carries its weight:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder().add_body("ball", joint=cd.joints.prismatic("z"), inertia=cd.Inertia.sphere(1.0, 0.1))
    >>> model = b.add_contact("ball", sphere=((0, 0, 0), 0.1), stiffness=9.81e6, margin=1e-9).build()
    >>> found = cd.element_forces(model, [0.1 - 1e-4], [0.0])  # K d^(3/2) with d = 0.1 mm
    >>> found["hertz@world-ball"].force.round(3) + 0.0
    array([0.  , 0.  , 9.81])
    """
    s = states(model, q, v=v)
    x = checked_motion(model, s)
    T = body_matrices(model, x)
    own = [_of_one(model, force, s["q"], s["v"], x, T) for force in model.forces]
    count, shape = len(model.forces), (*s.batch, len(model.forces))
    value, power = (np.stack([np.zeros(s.count), *(f[k] for f in own)], axis=-1)[:, 1:] for k in (0, 1))
    vectors = [np.stack([np.zeros((s.count, 3)), *(f[k] for f in own)], axis=1)[:, 1:] for k in (2, 3, 4)]
    names = tuple(f.name for f in model.forces)
    return ElementForces(names, value.reshape(shape), power.reshape(shape),
                         *(y.reshape(*s.batch, count, 3) for y in vectors))  # fmt: skip


def _of_one(model: Model, force: Element, q: np.ndarray, v: np.ndarray, x: Motion, T: np.ndarray) -> ElementForce:
    if isinstance(force.at, OnCoordinate):
        return _on_coordinate(model, force, q, v)
    first, second = (_frame_rows(model, body, frame, x, T) for body, frame in
                     ((force.at.a, force.at.frame_a), (force.at.b, force.at.frame_b)))  # fmt: skip
    if force.declared.reading == LINE:
        return _on_line(force, first, second)
    return _on_pair(model, force, first, second)


def _on_coordinate(model: Model, force: Element[OnCoordinate], q: np.ndarray, v: np.ndarray) -> ElementForce:
    if force.at.q >= model.nq:
        q, v = (np.concatenate(pair, axis=1)
                for pair in ((q, follower_values(model, q)), (v, follower_rates(model, q, v))))  # fmt: skip
    value = _law(force, q[:, force.at.q], v[:, force.at.v])
    none = np.full((len(q), 3), np.nan)
    return ElementForce(value, value * v[:, force.at.v], none, none, none)


def _law(force: Element, x: np.ndarray, rate: np.ndarray) -> np.ndarray:
    from .kernels.law_values import law_forces

    out = np.zeros(len(x))
    reading = 0 if force.declared.reading == COORDINATE else 1
    law_forces(0.0, reading, CODES[force.law], np.array(force.constants), np.stack([x, rate], axis=1), out)
    return out


def _on_line(force: Element[BetweenFrames], first: np.ndarray, second: np.ndarray) -> ElementForce:
    apart = second[:, 9:12] - first[:, 9:12]
    length = np.linalg.norm(apart, axis=1)
    along = apart / np.where(length > 0.0, length, 1.0)[:, None]
    speed = _speed(second, second[:, 9:12]) - _speed(first, first[:, 9:12])
    rate = (along * speed).sum(axis=1)
    tension = _law(force, length, rate)
    return ElementForce(tension, -tension * rate, second[:, 9:12], -tension[:, None] * along, np.zeros_like(along))


def _on_pair(model: Model, force: Element[BetweenFrames], first: np.ndarray, second: np.ndarray) -> ElementForce:
    from .kernels.law_values import pair_forces

    number = next(k for k, f in enumerate(model.pair_forces) if f is force)
    out, rows = np.zeros((len(first), 9)), np.ascontiguousarray(np.concatenate([first, second], axis=1))
    pair_forces(0.0, model.tables[:2], number, rows, out)
    place, push, moment = out[:, :3], out[:, 3:6], out[:, 6:]
    slip = _speed(second, place) - _speed(first, place)
    power = (push * slip).sum(axis=1) + (moment * (second[:, 15:18] - first[:, 15:18])).sum(axis=1)
    return ElementForce(np.linalg.norm(push, axis=1), power, place, push, moment)


def _frame_rows(model: Model, body: int, frame: np.ndarray, x: Motion, T: np.ndarray) -> np.ndarray:
    """A frame on a body (count, 21): rotation, origin, the body's centre of mass and its velocities, in the world."""
    if body < 0:
        row = np.concatenate([frame[:3, :3].ravel(), frame[:3, 3], np.zeros(9)])
        return np.broadcast_to(row, (len(x.p), 21))
    X, R = T[:, body] @ frame, x.R[:, body]
    turns, shifts = (np.einsum("sij,sj->si", R, x.twist[:, body, k : k + 3]) for k in (0, 3))
    return np.concatenate([X[:, :3, :3].reshape(-1, 9), X[:, :3, 3], x.p[:, body], turns, shifts], axis=1)


def _speed(row: np.ndarray, place: np.ndarray) -> np.ndarray:
    """The velocity of the material point of a body that is at a place."""
    return row[:, 18:21] + np.cross(row[:, 15:18], place - row[:, 12:15])
