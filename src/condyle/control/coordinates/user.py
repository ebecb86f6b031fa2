"""Joint coordinates, and the user's own functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...dynamics.kinematics import STEP
from ...errors import BadShape, NotFinite, require
from .coordinate import Coordinate
from .jets import Jet
from .pose_jet import Posture


def joint(coordinate: str, target: Any | None = None, *, name: str | None = None) -> Coordinate:
    """A coordinate of the model [rad or m], less a target if given: a number, f(t), or keyframes.

    Parameters
    ----------
    coordinate : str
        Name of the model's coordinate.
    target : float, callable or Keyframes, optional
        What is taken off.
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Coordinate
    """
    name = coordinate if name is None else name
    made = Coordinate(name, (name,), lambda posture: posture[coordinate])
    return made if target is None else made.minus(target)


def function(
    f: Callable,
    *,
    size: int = 1,
    name: str = "function",
    gradient: Callable | None = None,
    hessian: Callable | None = None,
) -> Coordinate:
    """Your own coordinate: f(posture) → (count,) or (count, size), written with numpy's functions; derivatives follow.

    Or with your derivatives: f(q, t), gradient(q, t) → (count, size, nv) and hessian(q, t) → (count, size, nv, nv), all
    of plain arrays q (count, nq) and t (count,); such an f may not depend on t.

    Parameters
    ----------
    f : callable
        f(posture), or f(q, t) with derivatives.
    size : int, optional
        How many rows it gives.
    name : str, optional
    gradient : callable, optional
        ∂f/∂v as (count, size, nv).
    hessian : callable, optional
        Second derivatives as (count, size, nv, nv).

    Returns
    -------
    Coordinate

    Raises
    ------
    BadValue
        If f is not callable, or gradient and hessian are not given together.
    """
    require(callable(f), f"coordinate {name!r} needs a function", got=f)
    labels = (name,) if size == 1 else tuple(f"{name}.{k}" for k in range(size))
    if gradient is None:
        return Coordinate(name, labels, f)
    require(hessian is not None, f"coordinate {name!r}: give the hessian beside the gradient, or neither")
    return Coordinate(name, labels, lambda posture: _given(f, gradient, hessian, posture, size, name), traced=False)


def _given(f, gradient, hessian, posture: Posture, size: int, name: str) -> Jet:
    q, t, count, nv = posture.real_q, posture.time, len(posture), posture.model.nv
    u = _shaped(f(q, t), (count, size), name, "the function")
    G = _shaped(gradient(q, t), (count, size, nv), name, "the gradient")
    if posture.along is not None:
        v = np.broadcast_to(posture.along[0], (count, nv))
        H = _shaped(hessian(q, t), (count, size, nv, nv), name, "the hessian")
        u = u + 1j * STEP * np.einsum("smk,sk->sm", G, v)
        G = G + 1j * STEP * np.einsum("smjk,sk->smj", H, v)
    return Jet(u, np.concatenate([G, np.zeros_like(G[..., :1])], axis=-1))


def _shaped(x, shape: tuple[int, ...], name: str, what: str) -> np.ndarray:
    x = np.asarray(x, dtype=float)
    x = x.reshape(shape) if x.size == np.prod(shape, dtype=int) and x.ndim == len(shape) - 1 else x
    require(x.shape == shape, f"coordinate {name!r}: {what} must have shape {shape}", BadShape, got=x.shape)
    if not np.isfinite(x).all():
        state = int(np.argmin(np.isfinite(x.reshape(len(x), -1)).all(axis=1)))
        raise NotFinite(f"coordinate {name!r}: {what} is not finite in state {state}")
    return x
