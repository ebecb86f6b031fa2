"""Coulomb friction of joints of one coordinate: μ times the force across the direction in which the child slides.

The child's frame M slides along t = S_v / |S_v|, the linear part of the joint's column. The joint holds it with a
force F, which depends on the accelerations, and these on the friction: with P the generalised friction forces,
F(P) = F₀ + F₁ P is affine, and P_k = −μ_k |S_v| way_k |F_k − (F_k · t) t| is an equation for P at every state.
Forces are read from a model in which M may also shift along its own axes, and does not: `inverse_dynamics` of those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...dynamics import forward_dynamics, inverse_dynamics
from ...errors import BadShape, BadValue, CondyleError, NotSupported, require
from ...forces import OnCoordinate
from ...joints import compose, functions, product
from ...model import Model

SHIFTS = product(np.eye(6)[3:], [functions.linear(k) for k in range(3)], coordinates=("along", "aside", "above"))
ROUNDS = 60


class NoFriction(CondyleError):
    """A state in which the equation of friction and force across has no solution (Painlevé)."""


class Rubbing(NamedTuple):
    """A coordinate with friction: its name and places, its body, and the coefficients of sliding and of sticking."""

    name: str
    body: int
    q: int
    v: int
    sliding: float
    static: float


def rubbing(model: Model, given: Mapping[str, Any]) -> tuple[Rubbing, ...]:
    """Coordinates with friction from {coordinate: coefficient or (sliding, static)}, checked."""
    require(isinstance(given, Mapping), "friction: a dictionary, {coordinate: coefficient}", BadShape, got=given)
    for what in ("constraints", "followers"):
        require(not getattr(model, what), f"friction: a model with {what} has no single force of a joint", NotSupported)
    return tuple(_rubbing(model, name, x) for name, x in given.items())


def _rubbing(model: Model, name: str, given: Any) -> Rubbing:
    body, q, v = model.place_of(name)
    joint, words = model.bodies[body].joint, f"friction: joint {model.bodies[body].joint_name!r}"
    require(joint.nv == joint.nq == 1, f"{words} must have one coordinate", NotSupported, coordinates=joint.nv)
    require(v not in model.prescribed, f"{words} is prescribed: nothing can stick there", NotSupported)
    S = joint.jacobian(np.array([_somewhere(joint.domain[0])]))[:, 0]
    slides = np.linalg.norm(S[3:]) > 1e-12 * np.linalg.norm(S)
    require(bool(slides), f"{words} turns and does not slide; use add_damping for a bearing", NotSupported)
    pair = np.ravel(np.asarray(given, float))
    require(len(pair) in (1, 2), f"{words}: a coefficient, or (sliding, static)", BadShape, got=given)
    low, high = float(pair[0]), float(pair[-1])
    require(0.0 <= low <= high < np.inf, f"{words}: 0 <= sliding <= static", BadValue, sliding=low, static=high)
    return Rubbing(model.shown_name(name), body, q, v, low, high)


def _somewhere(domain: tuple[float, float]) -> float:
    low, high = np.nan_to_num(domain, posinf=1.0, neginf=-1.0)
    return float(low + 0.37 * (high - low))


class DryFriction:
    """The friction of a model: forces and needs at states."""

    def __init__(self, places: tuple[Rubbing, ...], wrenches: np.ndarray | None) -> None:
        self.places, self.wrenches = places, wrenches
        self.opened: dict[tuple, tuple[Model, np.ndarray, np.ndarray]] = {}

    def slips(self, model: Model, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Directions t (n, 3) in which the children slide, in the joints' frames, and |S_v| (n,)."""
        S = np.stack([model.bodies[p.body].joint.jacobian(q[p.q : p.q + 1])[3:, 0] for p in self.places])
        size = np.linalg.norm(S, axis=1)
        return S / np.maximum(size, 1e-300)[:, None], size

    def across(self, model: Model, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Forces (B, n, 3) of joints across their ways, given accelerations (B, nv); and |S_v| (n,)."""
        opened, own, extra = self._opened(model)
        X, V, A = (np.zeros((len(a), n)) for n in (opened.nq, opened.nv, opened.nv))
        X[:, own[0]], V[:, own[1]], A[:, own[1]] = q, v, a
        pushed = None if self.wrenches is None else np.broadcast_to(self.wrenches, (len(a), *self.wrenches.shape))
        F = inverse_dynamics(opened, X, V, A, pushed)[:, extra].reshape(len(a), -1, 3)
        t, size = self.slips(model, q)
        return F - (F * t).sum(axis=-1, keepdims=True) * t, size

    def _opened(self, model: Model) -> tuple[Model, Any, np.ndarray]:
        """The model with joints that may shift, where its own q and v are in it, and where the shifts are."""
        if model.bodies not in self.opened:
            self.opened[model.bodies] = _opened(model, self.places)
        return self.opened[model.bodies]

    def forces(self, model: Model, t: float, q, v, tau, ways, static: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Friction (n,) against `ways` (n,), 0 where nothing slides, and the accelerations (nv,) with it."""
        unit = np.zeros((1 + len(self.places), model.nv))
        for k, p in enumerate(self.places):
            unit[1 + k, p.v] = 1.0
        a = np.stack([forward_dynamics(model, q, v, tau + e, self.wrenches, t=t) for e in unit])
        F, size = self.across(model, q, v, a)
        mu = np.array([p.static if static else p.sliding for p in self.places])
        strength = mu * size * np.asarray(ways, float)
        P = solved(F[0], F[1:] - F[0], strength)
        return P, a[0] + P @ (a[1:] - a[0])

    def held(self, model: Model, t: float, q, v, tau) -> tuple[np.ndarray, np.ndarray]:
        """What friction must hold with (n,), if it does, and the most that it can (n,), at a state of a held model."""
        a = forward_dynamics(model, q, v, tau, self.wrenches, t=t)
        needed = inverse_dynamics(model, q, v, a, self.wrenches) - tau
        F, size = self.across(model, q, v, a[None])
        most = np.array([p.static for p in self.places]) * size * np.linalg.norm(F[0], axis=1)
        return needed[[p.v for p in self.places]], most


def _opened(model: Model, places: tuple[Rubbing, ...]) -> tuple[Model, Any, np.ndarray]:
    bodies = list(model.bodies)
    for p in places:
        bodies[p.body] = replace(bodies[p.body], joint=compose(bodies[p.body].joint, SHIFTS))
    nothing: dict[str, Any] = {x: {} for x in ("ranges", "ratings", "defaults", "motion_types", "prescribed")}
    between = tuple(f for f in model.forces if not isinstance(f.at, OnCoordinate))
    opened = replace(model, bodies=tuple(bodies), forces=between, markers=(), **nothing)
    own = [], []
    for before, after, body in zip(model.joint_starts, opened.joint_starts, model.bodies, strict=True):
        for out, start, n, new in zip(own, before, (body.joint.nq, body.joint.nv), after, strict=True):
            require(len(out) == start, "friction: coordinates in another order", NotSupported)
            out.extend(range(new, new + n))
    extra = [opened.joint_starts[p.body][1] + 1 + k for p in places for k in range(3)]
    return opened, own, np.array(extra)


def solved(F: np.ndarray, slopes: np.ndarray, strength: np.ndarray) -> np.ndarray:
    """P (n,) of P_k = −strength_k |F_k + Σ_j slopes_jk P_j|, F (n, 3), slopes (n, n, 3), by Newton's method."""
    P = np.zeros(len(F))
    if not strength.any():
        return P
    for _ in range(ROUNDS):
        f = F + np.einsum("j,jkc->kc", P, slopes)
        size = np.linalg.norm(f, axis=1)
        left = P + strength * size
        if np.abs(left).max() <= 4e-16 * (1.0 + np.abs(P).max()):
            return P
        toward = f / np.maximum(size, 1e-300)[:, None]
        slope = np.eye(len(P)) + strength[:, None] * np.einsum("kc,jkc->kj", toward, slopes)
        new = P - np.linalg.solve(slope, left)
        if np.abs(new - P).max() <= 1e-15 * (1.0 + np.abs(new).max()):
            return new
        P = new
    raise NoFriction(
        "friction has no solution here: the force across the joint grows with it as fast as it does (Painlevé); take a "
        "smaller coefficient"
    )
