"""Forward and inverse dynamics, kinematics and simulation as differentiable functions of another library's arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import BadShape, require
from ..model import Model
from .host_calls import (
    HostCall,
    forward_dynamics_call,
    forward_kinematics_call,
    inverse_dynamics_call,
    parameter_names,
    simulate_call,
)

Array = Any  # of the library


def check_sizes(call: HostCall, states: Sequence[Array]) -> None:
    """Refuse states of another size."""
    for x, size in zip(states, call.sizes, strict=True):
        good = x.ndim > 0 and x.shape[-1] == size
        require(good, f"expected {size} numbers for each state", BadShape, got=tuple(x.shape))


class ArrayFunctions:
    """The functions of a library, from its way to call and to make zeros.

    Parameters
    ----------
    called : callable
        called(call, states, parameters) gives the results of a `HostCall` as the library records it.
    flat : callable
        flat(like, count) gives so many zeros, of the type of an array.
    """

    def __init__(self, called: Callable[..., tuple], flat: Callable[[Array, int], Array]) -> None:
        self._called, self._flat = called, flat

    def forward_dynamics(
        self,
        model: Model,
        q: Array,
        v: Array,
        tau: Array,
        *,
        parameters: Mapping[str, Array] | None = None,
        t: float = 0.0,
    ) -> Array:
        """Accelerations, as `condyle.forward_dynamics`.

        Parameters
        ----------
        model : Model
            Any.
        q, v, tau : Array, shapes (..., nq), (..., nv), (..., nv)
            Coordinates, velocities and generalised forces, float64; batches broadcast.
        parameters : mapping of str to Array, optional
            Parameters of the model by name ("shank.mass", "gravity", see `Model.with_parameters`), which all states
            share: gradients flow to them too. Poses have none.
        t : float, optional
            Time [s] of the prescribed motion.

        Returns
        -------
        Array, shape (..., nv)

        Raises
        ------
        UnknownName, NotSupported, BadShape
            A parameter that the model does not have, or that has no gradient; shapes that do not fit.
        BadValue
            Numbers of another type than float64.
        """
        names = parameter_names(model, parameters)
        return self._called(forward_dynamics_call(model, names, float(t)), (q, v, tau), parameters)[0]

    def inverse_dynamics(
        self,
        model: Model,
        q: Array,
        v: Array,
        a: Array,
        *,
        parameters: Mapping[str, Array] | None = None,
    ) -> Array:
        """Generalised forces, as `condyle.inverse_dynamics`.

        Parameters
        ----------
        model : Model
            Any.
        q, v, a : Array, shapes (..., nq), (..., nv), (..., nv)
            Coordinates, velocities and accelerations, float64; batches broadcast.
        parameters : mapping of str to Array, optional
            As of `forward_dynamics`.

        Returns
        -------
        Array, shape (..., nv)

        Raises
        ------
        UnknownName, NotSupported, BadShape, BadValue
            As `forward_dynamics`.
        """
        names = parameter_names(model, parameters)
        return self._called(inverse_dynamics_call(model, names), (q, v, a), parameters)[0]

    def forward_kinematics(self, model: Model, q: Array) -> Array:
        """Poses of all bodies as matrices, as `condyle.forward_kinematics`.

        Parameters
        ----------
        model : Model
            Any.
        q : Array, shape (..., nq)
            Coordinates, float64.

        Returns
        -------
        Array, shape (..., nbodies, 4, 4)

        Raises
        ------
        BadShape, BadValue
            A shape that does not fit; numbers of another type than float64.
        """
        return self._called(forward_kinematics_call(model), (q,), None)[0]

    def simulate(
        self, model: Model, q: Array, v: Array, control: Array | None = None, *,
        parameters: Mapping[str, Array] | None = None, **options: Any,
    ) -> tuple[Array, Array]:  # fmt: skip
        """Coordinates and velocities over time, as `condyle.simulate`, with the exact gradient of its steps.

        Parameters
        ----------
        model : Model
            Without constraints and followers.
        q, v : Array, shapes (..., nq) and (..., nv)
            The start, float64; batches broadcast.
        control : Array, shape (..., steps, nv), optional
            Generalised forces of every step; none by default.
        parameters : mapping of str to Array, optional
            As of `forward_dynamics`.
        **options
            `duration`, and `step`, `integrator` ("rk4", "semi-implicit", "euler"), `record`, `t0`, `threads`, as of
            `condyle.simulate_vjp`.

        Returns
        -------
        tuple of two Array, shapes (..., T, nq) and (..., T, nv)

        Raises
        ------
        UnknownName, NotSupported, BadShape, BadValue
            As `forward_dynamics`, and `condyle.simulate_vjp`.
        """
        call = simulate_call(model, parameter_names(model, parameters), options)
        flat = self._flat(v, call.sizes[2]) if control is None else control.reshape(*control.shape[:-2], -1)
        return self._called(call, (q, v, flat), parameters)
