"""Forward and inverse dynamics, kinematics and simulation as differentiable functions of PyTorch tensors.

Gradients by coordinates are those of their nq numbers: tangent to the sphere of a unit quaternion, so that an optimiser
should normalise quaternions after its steps. Only reverse mode, once. float64 only. `torch.func.vmap` works.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch  # pyright: ignore[reportMissingImports]

from ..errors import BadValue, NotSupported, require
from .array_functions import ArrayFunctions, check_sizes
from .host_calls import HostCall

__all__ = ["forward_dynamics", "forward_kinematics", "inverse_dynamics", "simulate"]


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
    check_sizes(call, states)
    batch = torch.broadcast_shapes(*(x.shape[:-1] for x in states))
    spread = (x.expand(*batch, x.shape[-1]) for x in states)
    return _Call.apply(call, 0, *spread, *values)


_functions = ArrayFunctions(_called, lambda like, count: like.new_zeros(count))
forward_dynamics, inverse_dynamics = _functions.forward_dynamics, _functions.inverse_dynamics
forward_kinematics, simulate = _functions.forward_kinematics, _functions.simulate
