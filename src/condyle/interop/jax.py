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

from ..errors import BadValue, require
from .array_functions import ArrayFunctions, check_sizes
from .host_calls import HostCall

__all__ = ["forward_dynamics", "forward_kinematics", "inverse_dynamics", "simulate"]


def _called(call: HostCall, states: tuple, parameters: Mapping[str, Any] | None) -> tuple:
    """The results of a call, as JAX traces it."""
    arrays = [jnp.asarray(x) for x in states]
    values = [jnp.asarray(x) for x in (parameters or {}).values()]
    for x in (*arrays, *values):
        words = "condyle.interop.jax takes float64 alone: jax.config.update('jax_enable_x64', True)"
        require(x.dtype == jnp.float64, words, BadValue, got=str(x.dtype))
    check_sizes(call, arrays)
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
        call.require_gradient()
        shapes = tuple(jax.ShapeDtypeStruct(x.shape, jnp.float64) for x in arrays)
        return jax.pure_callback(pull, shapes, arrays, bars, vmap_method="broadcast_all")

    function.defvjp(forward, backward)  # pyright: ignore[reportFunctionMemberAccess]
    return function


_functions = ArrayFunctions(_called, lambda like, count: jnp.zeros(count, jnp.asarray(like).dtype))
forward_dynamics, inverse_dynamics = _functions.forward_dynamics, _functions.inverse_dynamics
forward_kinematics, simulate = _functions.forward_kinematics, _functions.simulate
