"""Derivatives backwards of models that the sweep does not take: with constraints, followers, bushings or contacts.

Cotangents of states are transposed matrices of `linearize`. Those of wrenches and parameters are still one sweep:
with λ the cotangent of the forces and a the accelerations, they are −∂P of the tree alone, P = λᵀ ID. Followers are
coordinates again there, q_f = φ(q), with λ, v and a that follow: Gλ, Gv and Ga + Ġv.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from ...errors import NotSupported, require
from ...model import Model
from ...model.followers import slide_parts
from .parameter_gradients import named_parameters

Lifted = tuple[Model, Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, ...]]]


def needs_matrices(model: Model) -> bool:
    """Whether the sweep alone does not do."""
    return bool(model.constraints or model.followers or model.pair_forces)


def require_still(model: Model, names: Iterable[str], function: str) -> None:
    """Refuse parameters that move what constraints and forces between frames join: their cotangents lack terms."""
    joined = "constraints" if model.constraints else "bushings and contacts"
    moving = [p.name for p in named_parameters(model, names) if p.field in ("placement", "offset", "frames")]
    still = not moving or not (model.constraints or model.pair_forces)
    words = f"{function}: placements, offsets and control frames move what {joined} join, and have no cotangents then"
    require(still, words, NotSupported, parameters=moving)


def tree_alone(model: Model) -> Lifted:
    """The tree without constraints, forces between frames and followers, and a function that lifts (q, v, x) to it.

    The function gives q, v, and G x for the third; with v = 0 for a virtual velocity.
    """
    whole = model.unfolded()
    tree = replace(whole, constraints=(), forces=tuple(f for f in whole.forces if f not in whole.pair_forces))
    own = {(p.body, p.coordinate): p for p in tree.coordinate_places}
    at_q = np.concatenate([np.arange(own[p.body, p.coordinate].q, own[p.body, p.coordinate].q + p.widths[0])
                           for p in model.coordinate_places]).astype(int)  # fmt: skip
    at_v = np.concatenate([np.arange(own[p.body, p.coordinate].v, own[p.body, p.coordinate].v + p.widths[1])
                           for p in model.coordinate_places]).astype(int)  # fmt: skip

    def lifted(q: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, ...]:
        Q = np.zeros((*q.shape[:-1], tree.nq))
        V, A = (np.zeros((*q.shape[:-1], tree.nv)) for _ in range(2))
        Q[..., at_q], V[..., at_v], A[..., at_v] = q, v, a
        for f in model.followers:
            here, there = own[f.body, f.coordinate], own[f.driver_place]
            parts, x = [p for p in slide_parts(f.slide) if p.coordinates], Q[..., there.q]
            slope, bend = (sum((p.derivative(x, order=k) for p in parts), np.zeros_like(x)) for k in (1, 2))
            Q[..., here.q], V[..., here.v] = f(x), slope * V[..., there.v]
            A[..., here.v] = slope * A[..., there.v] + bend * V[..., there.v] ** 2
        return Q, V, A

    return tree, lifted
