"""Forward and inverse dynamics, kinematics and simulation as differentiable functions of JAX arrays.

Gradients by coordinates are those of their nq numbers: tangent to the sphere of a unit quaternion, so that an optimiser
should normalise quaternions after its steps. Only reverse mode, once. float64 only.
`jit`, `grad` and `vmap` work.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax  # pyright: ignore[reportMissingImports]
import jax.numpy as jnp  # pyright: ignore[reportMissingImports]
import numpy as np

from ..errors import BadShape, BadValue, require
from ..model import Model
from .host_calls import (
    HostCall,
    forward_dynamics_call,
    forward_kinematics_call,
    inverse_dynamics_call,
    parameter_names,
    simulate_call,
)

__all__ = ["forward_dynamics", "forward_kinematics", "inverse_dynamics", "simulate"]


def forward_dynamics(
    model: Model,
    q: jax.Array,
    v: jax.Array,
    tau: jax.Array,
    *,
    parameters: Mapping[str, jax.Array] | None = None,
    t: float = 0.0,
) -> jax.Array:
    """Accelerations, as `condyle.forward_dynamics`.

    Parameters
    ----------
    model : Model
        Without constraints and followers.
    q, v, tau : jax.Array, shapes (..., nq), (..., nv), (..., nv)
        Coordinates, velocities and generalised forces, float64; batches broadcast.
    parameters : mapping of str to jax.Array, optional
        Parameters of the model by name ("shank.mass", "gravity", see `Model.with_parameters`), which all states share:
        gradients flow to them too. Poses have none.
    t : float, optional
        Time [s] of the prescribed motion.

    Returns
    -------
    jax.Array, shape (..., nv)

    Raises
    ------
    UnknownName, NotSupported, BadShape
        A parameter that the model does not have, or that has no gradient; shapes that do not fit.
    BadValue
        Numbers of another type than float64.
    """
    names = parameter_names(model, parameters)
    return _called(forward_dynamics_call(model, names, float(t)), (q, v, tau), parameters)[0]


def inverse_dynamics(
    model: Model,
    q: jax.Array,
    v: jax.Array,
    a: jax.Array,
    *,
    parameters: Mapping[str, jax.Array] | None = None,
) -> jax.Array:
    """Generalised forces, as `condyle.inverse_dynamics`.

    Parameters
    ----------
    model : Model
        Without followers.
    q, v, a : jax.Array, shapes (..., nq), (..., nv), (..., nv)
        Coordinates, velocities and accelerations, float64; batches broadcast.
    parameters : mapping of str to jax.Array, optional
        As of `forward_dynamics`.

    Returns
    -------
    jax.Array, shape (..., nv)

    Raises
    ------
    UnknownName, NotSupported, BadShape, BadValue
        As `forward_dynamics`.
    """
    names = parameter_names(model, parameters)
    return _called(inverse_dynamics_call(model, names), (q, v, a), parameters)[0]


def forward_kinematics(model: Model, q: jax.Array) -> jax.Array:
    """Poses of all bodies as matrices, as `condyle.forward_kinematics`.

    Parameters
    ----------
    model : Model
        Without followers.
    q : jax.Array, shape (..., nq)
        Coordinates, float64.

    Returns
    -------
    jax.Array, shape (..., nbodies, 4, 4)

    Raises
    ------
    BadShape, BadValue
        A shape that does not fit; numbers of another type than float64.
    """
    return _called(forward_kinematics_call(model), (q,), None)[0]


def simulate(
    model: Model, q: jax.Array, v: jax.Array, control: jax.Array | None = None, *,
    parameters: Mapping[str, jax.Array] | None = None, **options: Any,
) -> tuple[jax.Array, jax.Array]:  # fmt: skip
    """Coordinates and velocities over time, as `condyle.simulate`, with the exact gradient of its steps.

    Parameters
    ----------
    model : Model
        Without constraints and followers.
    q, v : jax.Array, shapes (..., nq) and (..., nv)
        The start, float64; batches broadcast.
    control : jax.Array, shape (..., steps, nv), optional
        Generalised forces of every step; none by default.
    parameters : mapping of str to jax.Array, optional
        As of `forward_dynamics`.
    **options
        `duration`, and `step`, `integrator` ("rk4", "semi-implicit", "euler"), `record`, `t0`, `threads`, as of
        `condyle.simulate_vjp`.

    Returns
    -------
    tuple of two jax.Array, shapes (..., T, nq) and (..., T, nv)

    Raises
    ------
    UnknownName, NotSupported, BadShape, BadValue
        As `forward_dynamics`, and `condyle.simulate_vjp`.
    """
    call = simulate_call(model, parameter_names(model, parameters), options)
    steps = call.sizes[2] // max(model.nv, 1)
    forces = jnp.zeros((steps, model.nv), jnp.asarray(v).dtype) if control is None else jnp.asarray(control)
    flat = jnp.reshape(forces, (*forces.shape[:-2], -1))
    return _called(call, (q, v, flat), parameters)


def _called(call: HostCall, states: tuple, parameters: Mapping[str, Any] | None) -> tuple:
    """The results of a call, as JAX traces it."""
    arrays = [jnp.asarray(x) for x in states]
    values = [jnp.asarray(x) for x in (parameters or {}).values()]
    for x in (*arrays, *values):
        words = "condyle.interop.jax takes float64 alone: jax.config.update('jax_enable_x64', True)"
        require(x.dtype == jnp.float64, words, BadValue, got=str(x.dtype))
    for x, size in zip(arrays, call.sizes, strict=True):
        require(x.ndim > 0 and x.shape[-1] == size, f"expected {size} numbers for each state", BadShape, got=x.shape)
    batch = jnp.broadcast_shapes(*(x.shape[:-1] for x in arrays))
    arrays = [jnp.broadcast_to(x, (*batch, x.shape[-1])) for x in arrays]
    return _differentiable(call, batch)(*arrays, *values)


def _differentiable(call: HostCall, batch: tuple[int, ...]):
    """The call as a function with a gradient; results of a vectorising map have more axes than these."""
    rank = len(batch) + 1

    def value(*arrays):
        return call.run(np.ndim(arrays[0]) - rank, arrays)

    def pull(arrays, bars):
        return call.pull_back(np.ndim(arrays[0]) - rank, arrays, bars)

    @jax.custom_vjp
    def function(*arrays):
        shapes = tuple(jax.ShapeDtypeStruct((*batch, *s), jnp.float64) for s in call.results)
        return jax.pure_callback(value, shapes, *arrays, vmap_method="broadcast_all")

    def forward(*arrays):
        return function(*arrays), arrays

    def backward(arrays, bars):
        shapes = tuple(jax.ShapeDtypeStruct(x.shape, jnp.float64) for x in arrays)
        return jax.pure_callback(pull, shapes, arrays, bars, vmap_method="broadcast_all")

    function.defvjp(forward, backward)  # pyright: ignore[reportFunctionMemberAccess]
    return function
