"""Differentiable functions as pairs of NumPy functions, values and cotangents: what automatic differentiation calls.

Arrays come as (lead axes…, batch axes…, numbers): the lead axes are those of a vectorising map, along which parameters
vary too; parameters have lead axes only. Cotangents of coordinates are those of their nq numbers, tangent to the sphere
of a unit quaternion; quaternions of any length are taken, and count as their rotations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..dynamics import (
    forward_dynamics,
    forward_dynamics_vjp,
    forward_kinematics,
    inverse_dynamics,
    inverse_dynamics_vjp,
)
from ..errors import BadShape, NotSupported, require, unknown_name
from ..model import Model
from ..model.parameters import POSES, parameters_of, shape_of
from ..simulation import simulate, simulate_vjp
from ..simulation.schedule import make_plan
from ..simulation.simulate_vjp import require_gradient
from ..spatial.quaternions import multiply, rotation_from_quaternion

Arrays = Sequence[np.ndarray]


@dataclass(frozen=True)
class HostCall:
    """A function of states and of parameters of a model.

    Attributes
    ----------
    model : Model
    names : tuple of str
        Of the parameters, whose arrays come after those of the states.
    sizes : tuple of int
        How many numbers a state has in each array; the first are coordinates.
    value : callable
        value(model, *states) gives a tuple of results.
    pull : callable
        pull(model, states, cotangents, names) gives the cotangents of the states, that of q along the steps of
        `integrate`, and a dict of those of parameters.
    results : tuple of tuple of int
        Shapes of the results of one state.
    require_gradient : callable
        Raises where there is no gradient, before a package calls `pull` and hides the error in one of its own.
    """

    model: Model
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    value: Callable[..., tuple[np.ndarray, ...]]
    pull: Callable[..., tuple[tuple[np.ndarray, ...], dict[str, np.ndarray]]]
    results: tuple[tuple[int, ...], ...]
    require_gradient: Callable[[], None] = lambda: None

    def run(self, lead: int, arrays: Arrays) -> tuple[np.ndarray, ...]:
        """The results for arrays that have so many lead axes."""
        found = [self.value(model, *own) for model, own in self._groups(lead, arrays, len(self.sizes))]
        return self._joined(found, arrays[0].shape[:lead])

    def pull_back(self, lead: int, arrays: Arrays, cotangents: Arrays) -> tuple[np.ndarray, ...]:
        """The cotangents of all states and parameters from those of the results."""
        k, found = len(self.sizes), []
        together = (*arrays[:k], *cotangents, *arrays[k:])
        for model, own in self._groups(lead, together, k + len(self.results)):
            (by_q, *others), parameters = self.pull(model, own[:k], own[k:], self.names)
            batch = tuple(range(1, own[0].ndim - 1))
            sums = (np.sum(parameters[name], axis=batch) for name in self.names)
            found.append((numbers_of(model, own[0], by_q), *others, *sums))
        return self._joined(found, arrays[0].shape[:lead])

    def _groups(self, lead: int, arrays: Arrays, count: int) -> Iterator[tuple[Model, list[np.ndarray]]]:
        """States that have one model, with their lead axes as one: all at once if all have the same parameters."""
        flat = [np.array(x, dtype=float).reshape(-1, *np.shape(x)[lead:]) for x in arrays]
        flat[0] = unit_quaternions(self.model, flat[0])
        states, given = flat[:count], flat[count:]
        if all(np.array_equal(x, np.broadcast_to(x[:1], x.shape)) for x in given):
            yield self._changed([x[0] for x in given]), states
        else:
            for i in range(len(flat[0])):
                yield self._changed([x[i] for x in given]), [x[i : i + 1] for x in states]

    def _changed(self, values: Arrays) -> Model:
        return self.model.with_parameters(dict(zip(self.names, values, strict=True))) if self.names else self.model

    @staticmethod
    def _joined(found: list, lead: tuple[int, ...]) -> tuple[np.ndarray, ...]:
        parts = (np.concatenate(x) for x in zip(*found, strict=True))
        return tuple(x.reshape((*lead, *x.shape[1:])) for x in parts)


def unit_quaternions(model: Model, q: np.ndarray) -> np.ndarray:
    """q with quaternions of unit length."""
    for at, _, _ in model.quaternions:
        q[..., at : at + 4] /= np.linalg.norm(q[..., at : at + 4], axis=-1, keepdims=True)
    return q


def numbers_of(model: Model, q: np.ndarray, tangent: np.ndarray) -> np.ndarray:
    """Cotangents (..., nq) of the numbers of q from those (..., nv) along the steps of `integrate`."""
    out = np.zeros((*tangent.shape[:-1], model.nq))
    plain_q, plain_v = model.plain_places
    out[..., plain_q] = tangent[..., plain_v]
    for at, k, _ in model.quaternions:
        turn = np.concatenate([np.zeros_like(tangent[..., :1]), 2.0 * tangent[..., k : k + 3]], axis=-1)
        out[..., at : at + 4] = multiply(q[..., at : at + 4], turn)
        if at in model.free_quaternions:
            R = rotation_from_quaternion(q[..., at : at + 4])
            out[..., at + 4 : at + 7] = (R @ tangent[..., k + 3 : k + 6, None])[..., 0]
    return out


def parameter_names(model: Model, parameters: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Names of parameters whose numbers can be differentiated as they are; named errors for others."""
    known = parameters_of(model)
    for name in parameters or ():
        if name not in known:
            raise unknown_name("parameter", name, known, "this model")
        words = (
            f"parameter {name!r} is a pose, whose 16 numbers have no gradient of their own; masses, centres, moments, "
        )
        field = known[name].field
        require(field not in (*POSES, "frames"), words + "springs and gravity have", NotSupported)
        given, wanted = np.shape(parameters[name]), shape_of(model, known[name])  # type: ignore[index]
        require(given == wanted, f"parameter {name!r} must have shape {wanted}", BadShape, got=given)
    return tuple(parameters or ())


def forward_dynamics_call(model: Model, names: tuple[str, ...], t: float) -> HostCall:
    """Accelerations from (q, v, tau)."""

    def pull(model: Model, states: Arrays, bars: Arrays, names: Sequence[str]) -> tuple[tuple, dict]:
        found = forward_dynamics_vjp(model, *states, cotangent=bars[0], parameters=names, t=t)
        return (found.q, found.v, found.tau), found.parameters

    def value(model: Model, *states: np.ndarray) -> tuple[np.ndarray, ...]:
        return (forward_dynamics(model, *states, t=t),)

    return HostCall(model, names, (model.nq, model.nv, model.nv), value, pull, ((model.nv,),))


def inverse_dynamics_call(model: Model, names: tuple[str, ...]) -> HostCall:
    """Forces from (q, v, a)."""

    def pull(model: Model, states: Arrays, bars: Arrays, names: Sequence[str]) -> tuple[tuple, dict]:
        found = inverse_dynamics_vjp(model, *states, cotangent=bars[0], parameters=names)
        return (found.q, found.v, found.a), found.parameters

    def value(model: Model, *states: np.ndarray) -> tuple[np.ndarray, ...]:
        return (inverse_dynamics(model, *states),)

    return HostCall(model, names, (model.nq, model.nv, model.nv), value, pull, ((model.nv,),))


def forward_kinematics_call(model: Model) -> HostCall:
    """Poses (…, nbodies, 4, 4) from (q,)."""

    def value(model: Model, q: np.ndarray) -> tuple[np.ndarray, ...]:
        return (forward_kinematics(model, q).as_matrix(),)

    def pull(model: Model, states: Arrays, bars: Arrays, names: Sequence[str]) -> tuple[tuple, dict]:
        T = forward_kinematics(model, states[0]).as_matrix()
        M = np.swapaxes(T[..., :3, :3], -1, -2) @ bars[0][..., :3, :]
        turn = np.stack(
            [M[..., 2, 1] - M[..., 1, 2], M[..., 0, 2] - M[..., 2, 0], M[..., 1, 0] - M[..., 0, 1]], axis=-1
        )
        pushed = np.concatenate([turn, M[..., :3, 3]], axis=-1)  # as wrenches, which do work on body twists
        rest = np.zeros(model.nv)
        without, pushing = (inverse_dynamics(model, states[0], rest, rest, W) for W in (0.0 * pushed, pushed))
        return (without - pushing,), {}

    return HostCall(model, (), (model.nq,), value, pull, ((model.nbodies, 4, 4),))


def simulate_call(model: Model, names: tuple[str, ...], options: dict[str, Any]) -> HostCall:
    """Records of q and v from (q, v, control); a control has all numbers of all steps in one row."""
    plan = make_plan(options.get("t0", 0.0), options["duration"], options.get("step", 1e-3), options.get("record"))
    nv = model.nv

    def split(states: Arrays) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        q, v, control = states
        return q, v, control.reshape(*control.shape[:-1], plan.steps, nv)

    def value(model: Model, *states: np.ndarray) -> tuple[np.ndarray, ...]:
        q, v, control = split(states)
        run = simulate(model, q, v, control=control, **options)
        return run.q, run.v

    def pull(model: Model, states: Arrays, bars: Arrays, names: Sequence[str]) -> tuple[tuple, dict]:
        q, v, control = split(states)
        found = simulate_vjp(model, q, v, cotangent=(bars[0], bars[1]), control=control, parameters=names, **options)
        return (found.q, found.v, found.control.reshape(states[2].shape)), found.parameters

    shapes = ((plan.records, model.nq), (plan.records, nv))
    sizes, integrator = (model.nq, nv, plan.steps * nv), options.get("integrator", "rk4")
    return HostCall(model, names, sizes, value, pull, shapes, lambda: require_gradient(model, integrator))
