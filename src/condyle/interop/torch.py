"""Forward and inverse dynamics, kinematics and simulation as differentiable functions of PyTorch tensors.

Gradients by coordinates are those of their nq numbers: tangent to the sphere of a unit quaternion, so that an optimiser
should normalise quaternions after its steps. Only reverse mode, once. float64 only. `torch.func.vmap` works.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch  # pyright: ignore[reportMissingImports]

from ..errors import BadShape, BadValue, NotSupported, require
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
    q: torch.Tensor,
    v: torch.Tensor,
    tau: torch.Tensor,
    *,
    parameters: Mapping[str, torch.Tensor] | None = None,
    t: float = 0.0,
) -> torch.Tensor:
    """Accelerations, as `condyle.forward_dynamics`.

    Parameters
    ----------
    model : Model
        Without constraints and followers.
    q, v, tau : torch.Tensor, shapes (..., nq), (..., nv), (..., nv)
        Coordinates, velocities and generalised forces, float64; batches broadcast.
    parameters : mapping of str to torch.Tensor, optional
        Parameters of the model by name ("shank.mass", "gravity", see `Model.with_parameters`), which all states share:
        gradients flow to them too. Poses have none.
    t : float, optional
        Time [s] of the prescribed motion.

    Returns
    -------
    torch.Tensor, shape (..., nv)

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
    q: torch.Tensor,
    v: torch.Tensor,
    a: torch.Tensor,
    *,
    parameters: Mapping[str, torch.Tensor] | None = None,
) -> torch.Tensor:
    """Generalised forces, as `condyle.inverse_dynamics`.

    Parameters
    ----------
    model : Model
        Without followers.
    q, v, a : torch.Tensor, shapes (..., nq), (..., nv), (..., nv)
        Coordinates, velocities and accelerations, float64; batches broadcast.
    parameters : mapping of str to torch.Tensor, optional
        As of `forward_dynamics`.

    Returns
    -------
    torch.Tensor, shape (..., nv)

    Raises
    ------
    UnknownName, NotSupported, BadShape, BadValue
        As `forward_dynamics`.
    """
    names = parameter_names(model, parameters)
    return _called(inverse_dynamics_call(model, names), (q, v, a), parameters)[0]


def forward_kinematics(model: Model, q: torch.Tensor) -> torch.Tensor:
    """Poses of all bodies as matrices, as `condyle.forward_kinematics`.

    Parameters
    ----------
    model : Model
        Without followers.
    q : torch.Tensor, shape (..., nq)
        Coordinates, float64.

    Returns
    -------
    torch.Tensor, shape (..., nbodies, 4, 4)

    Raises
    ------
    BadShape, BadValue
        A shape that does not fit; numbers of another type than float64.
    """
    return _called(forward_kinematics_call(model), (q,), None)[0]


def simulate(
    model: Model, q: torch.Tensor, v: torch.Tensor, control: torch.Tensor | None = None, *,
    parameters: Mapping[str, torch.Tensor] | None = None, **options: Any,
) -> tuple[torch.Tensor, torch.Tensor]:  # fmt: skip
    """Coordinates and velocities over time, as `condyle.simulate`, with the exact gradient of its steps.

    Parameters
    ----------
    model : Model
        Without constraints and followers.
    q, v : torch.Tensor, shapes (..., nq) and (..., nv)
        The start, float64; batches broadcast.
    control : torch.Tensor, shape (..., steps, nv), optional
        Generalised forces of every step; none by default.
    parameters : mapping of str to torch.Tensor, optional
        As of `forward_dynamics`.
    **options
        `duration`, and `step`, `integrator` ("rk4", "semi-implicit", "euler"), `record`, `t0`, `threads`, as of
        `condyle.simulate_vjp`.

    Returns
    -------
    tuple of two torch.Tensor, shapes (..., T, nq) and (..., T, nv)

    Raises
    ------
    UnknownName, NotSupported, BadShape, BadValue
        As `forward_dynamics`, and `condyle.simulate_vjp`.
    """
    call = simulate_call(model, parameter_names(model, parameters), options)
    steps = call.sizes[2] // max(model.nv, 1)
    forces = v.new_zeros((steps, model.nv)) if control is None else control
    flat = forces.reshape(*forces.shape[:-2], -1)
    return _called(call, (q, v, flat), parameters)


def _numbers(tensors: tuple[torch.Tensor, ...]) -> list[np.ndarray]:
    return [x.detach().cpu().numpy() for x in tensors]


def _tensors(arrays: tuple[np.ndarray, ...], like: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return tuple(torch.from_numpy(x).to(like.device) for x in arrays)


def _mapped(info: Any, dims: tuple, tensors: tuple[torch.Tensor, ...]) -> list[torch.Tensor]:
    """Tensors with the axis of a vectorising map in front."""
    pairs = zip(tensors, dims, strict=True)
    return [x.expand(info.batch_size, *x.shape) if k is None else x.movedim(k, 0) for x, k in pairs]


class _Call(torch.autograd.Function):
    """A call with its gradient; `lead` axes are those of a vectorising map."""

    @staticmethod
    def forward(call: HostCall, lead: int, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return _tensors(call.run(lead, _numbers(tensors)), tensors[0])

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: tuple) -> None:
        ctx.call, ctx.lead = inputs[:2]
        ctx.save_for_backward(*inputs[2:])

    @staticmethod
    def backward(ctx: Any, *bars: torch.Tensor) -> tuple:
        return (None, None, *_Pull.apply(ctx.call, ctx.lead, *ctx.saved_tensors, *bars))

    @staticmethod
    def vmap(info: Any, in_dims: tuple, call: HostCall, lead: int, *tensors: torch.Tensor) -> tuple:
        out = _Call.apply(call, lead + 1, *_mapped(info, in_dims[2:], tensors))
        return out, tuple(0 for _ in out)


class _Pull(torch.autograd.Function):
    """The gradient of a call, which is a call of its own so that it can be mapped."""

    @staticmethod
    def forward(call: HostCall, lead: int, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        bars = len(call.results)
        return _tensors(call.pull_back(lead, _numbers(tensors[:-bars]), _numbers(tensors[-bars:])), tensors[0])

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: tuple) -> None:
        """Nothing to keep: there is no second derivative."""

    @staticmethod
    def backward(ctx: Any, *bars: torch.Tensor) -> tuple:
        raise NotSupported("condyle.interop.torch has no second derivatives")

    @staticmethod
    def vmap(info: Any, in_dims: tuple, call: HostCall, lead: int, *tensors: torch.Tensor) -> tuple:
        out = _Pull.apply(call, lead + 1, *_mapped(info, in_dims[2:], tensors))
        return out, tuple(0 for _ in out)


def _called(call: HostCall, states: tuple, parameters: Mapping[str, Any] | None) -> tuple:
    """The results of a call, as PyTorch records it."""
    values = tuple((parameters or {}).values())
    for x in (*states, *values):
        good = isinstance(x, torch.Tensor) and x.dtype == torch.float64
        words = "condyle.interop.torch takes float64 tensors alone: x.double()"
        require(good, words, BadValue, got=str(getattr(x, "dtype", type(x).__name__)))
    for x, size in zip(states, call.sizes, strict=True):
        good = x.ndim > 0 and x.shape[-1] == size
        require(good, f"expected {size} numbers for each state", BadShape, got=tuple(x.shape))
    batch = torch.broadcast_shapes(*(x.shape[:-1] for x in states))
    spread = (x.expand(*batch, x.shape[-1]) for x in states)
    return _Call.apply(call, 0, *spread, *values)
