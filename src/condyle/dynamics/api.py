"""Forward and inverse dynamics, mass matrix and bias, for one state or any batch of states."""

from __future__ import annotations

import numpy as np

from ..errors import PrescribedMismatch, require
from ..model import Model
from ..numeric import over_lanes
from ..spatial import adjoint
from .run import raise_status
from .states import States, states

__all__ = ["bias_forces", "forward_dynamics", "inverse_dynamics", "mass_matrix"]


def in_inertial_frames(model: Model, wrenches: np.ndarray) -> np.ndarray:
    """Wrenches at the bodies' origins seen at their centres of mass along principal axes: Ad(X_BC)ᵀ f."""
    W = wrenches.reshape(-1, model.nbodies, 6)
    return np.einsum("bji,sbj->sbi", adjoint(model.inertial_frames), W).reshape(len(W), -1)


def wrench_rows(model: Model, s: States) -> np.ndarray:
    """Wrenches for kernels; no rows if none are given."""
    if "wrenches" not in s.arrays:
        return np.empty((0, 6 * model.nbodies))
    return np.ascontiguousarray(in_inertial_frames(model, s["wrenches"]))


def prescribed_accelerations(model: Model, count: int, t: float, a) -> np.ndarray:
    """An array (count, nv) that holds the accelerations of prescribed coordinates."""
    out = np.zeros((count, model.nv))
    for k, motion in model.prescribed.items():
        out[:, k] = motion.at(t)[2] if a is None else a[:, k]
    return out


def forward_dynamics(
    model: Model, q, v, tau=None, wrenches=None, *, t: float = 0.0, a=None, errors: str = "raise", threads=None
) -> np.ndarray:
    """Accelerations (..., nv) under generalised forces `tau`, body `wrenches` and the model's own loads.

    `wrenches` (..., nbodies, 6) are [moment; force] in body axes at the body origin. Prescribed coordinates keep the
    acceleration of their motion at time `t` [s], or that in `a`. Constraints hold. A batch of states runs on SIMD lanes
    and threads. A state that fails raises an error, or with errors="nan" gives NaN.  [LeeTerzopoulos2008, appendix A]
    """
    from .kernels.forward import forward_states

    s = states(model, q, v=v, tau=np.zeros(model.nv) if tau is None else tau, wrenches=wrenches, a=a)
    require(
        a is None or model.prescribed,
        "forward_dynamics takes accelerations `a` only of prescribed coordinates; this model has none",
        PrescribedMismatch,
    )
    if model.constraints:
        from .constrained import constrained_accelerations

        return constrained_accelerations(model, s, t, errors, threads)
    out = prescribed_accelerations(model, s.count, t, s.arrays.get("a"))
    status = np.zeros((s.count, 1))
    given = s["q"], s["v"], s["tau"], wrench_rows(model, s), out, status
    over_lanes(lambda z, start, stop: forward_states(z, model.tables, given, start, stop), s.count, s.single, threads)
    raise_status(model, status, s.batch, errors, out)
    return s.shaped(out, model.nv)


def inverse_dynamics(model: Model, q, v, a, wrenches=None, *, threads=None) -> np.ndarray:
    """Generalised forces (..., nv) that give accelerations `a`, on top of the model's loads and the `wrenches`.

    For prescribed coordinates these are the forces that their motion needs.  [LeeTerzopoulos2008, eqs. 14-16]
    """
    from .kernels.inverse import inverse_states

    s = states(model, q, v=v, a=a, wrenches=wrenches)
    out = np.zeros((s.count, model.nv))
    given = s["q"], s["v"], s["a"], wrench_rows(model, s), out
    over_lanes(lambda z, start, stop: inverse_states(z, model.tables, given, start, stop), s.count, s.single, threads)
    return s.shaped(out, model.nv)


def mass_matrix(model: Model, q, *, threads=None) -> np.ndarray:
    """The mass matrix M(q), shape (..., nv, nv): column k is the force of a unit acceleration of coordinate k."""
    s = states(model, q)
    still, unit = np.zeros(model.nv), np.eye(model.nv)
    columns = inverse_dynamics(bare(model), s["q"][:, None, :], still, unit, threads=threads)
    M = 0.5 * (columns + np.swapaxes(columns, -1, -2))
    return s.shaped(M, model.nv, model.nv)


def bias_forces(model: Model, q, v, wrenches=None, *, threads=None) -> np.ndarray:
    """What is left of inverse dynamics without acceleration: velocity terms, gravity and loads, (..., nv)."""
    return inverse_dynamics(model, q, v, np.zeros(model.nv), wrenches, threads=threads)


def bare(model: Model) -> Model:
    """The model without gravity and loads, made once."""
    cached = model.__dict__.get("_bare")
    if cached is None:
        cached = model.without_loads()
        model.__dict__["_bare"] = cached
    return cached
