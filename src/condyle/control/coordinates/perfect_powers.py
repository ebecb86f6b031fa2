"""Powers of a coordinate, such as (q − a)², lose their gradient at their own zero: find the base that holds them there.

For f = hᵖ with h linear in the joint coordinates, f ∇∇f = (p − 1)/p ∇f ∇fᵀ at every q, and for nothing else. A few
poses suggest p and ∇h; a base is believed only if f is its power, with its gradient, at poses and times far and wide,
and if the formula chose nothing by comparison on the way (`watched_branches`).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...errors import UnknownName
from ...model import Model
from .coordinate import Coordinate
from .jets import Jet, watched_branches
from .pose_jet import Posture, second_derivatives

if TYPE_CHECKING:
    from ..animation_space import AnimationSpace

PROBES, SEED, TOLERANCE = 12, 0, 1e-9
TRUSTED = 3  # probes with the largest value: near its zero a power is lost in round-off
FAR = 10.0  # [rad or m] how far from the posture the root is taken, so that it has one sign
CHECKS, NEAREST, FARTHEST, LATEST = 256, 1e-3, 50.0, 20.0  # poses [rad or m] and times [s] a base is checked at


class Power(NamedTuple):
    """A coordinate that is the `exponent`-th power of its `base`."""

    exponent: int
    base: Coordinate


class _Guess(NamedTuple):
    """An exponent, and the gradient (nv,) of the base along velocities."""

    exponent: int
    gradient: np.ndarray


def powers_among(model: Model, coordinates) -> dict[str, Power]:
    """The coordinates that are powers p ≥ 2 of joint-linear ones, by name."""
    found = {c.name: power_of(model, c) for c in coordinates if c.size == 1 and c.has_value and c.traced}
    return {name: power for name, power in found.items() if power is not None}


def power_of(model: Model, coordinate: Coordinate) -> Power | None:
    """The exponent and the base of a coordinate that is hᵖ with p ≥ 2 and h joint-linear, else None."""
    try:
        with _unheard(), watched_branches() as branches:
            guess = _guessed(model, coordinate)
            if guess is None or branches:
                return None
            base = _base(model, coordinate, guess)
            good = _is_power(model, coordinate, base, guess)
    except UnknownName:
        raise
    except Exception:
        return None  # what is wrong is said when the coordinate is used, with its name
    return Power(guess.exponent, base) if good and not branches else None


@contextmanager
def _unheard() -> Iterator[None]:
    """Poses that nobody asked for give no warnings."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _guessed(model: Model, coordinate: Coordinate) -> _Guess | None:
    q = probes(model)
    f, g, H = (x[:, 0] for x in second_derivatives(model, coordinate.at, q, np.zeros(PROBES)))
    far = np.argsort(-np.abs(f))[:TRUSTED]
    f, g, H = f[far], g[far], H[far]
    gg = np.einsum("si,sj->sij", g, g)
    scale = np.abs(gg).max(axis=(1, 2))
    if np.any(np.abs(f) < 1e-9) or np.any(scale < 1e-18):
        return None
    kappa = np.einsum("s,sij,sij->s", f, H, gg) / np.einsum("sij,sij->s", gg, gg)
    off = np.abs(f[:, None, None] * H - kappa[:, None, None] * gg).max(axis=(1, 2)) / scale
    if off.max() > TOLERANCE or np.ptp(kappa) > TOLERANCE or not 0.5 - TOLERANCE <= kappa[0] < 1.0 - 1e-6:
        return None
    p = round(1.0 / (1.0 - kappa[0]))
    if abs(kappa[0] - (1.0 - 1.0 / p)) > TOLERANCE or (p % 2 == 0 and f.min() < 0.0):
        return None  # a root of what has both signs, or of a power that is not whole, has no base on both sides
    c = g[0] * np.abs(f[0]) ** (1.0 / p - 1.0) / p
    even = p % 2 == 0  # an even power does not know the sign of its base: its first coefficient is made positive
    return _Guess(p, c * np.sign(c[np.flatnonzero(c)[0]]) if even else c)


def probes(model: Model) -> np.ndarray:
    """Some poses (PROBES, nq) near the neutral one, always the same."""
    rng = np.random.default_rng(SEED)
    return _unit(model, model.neutral() + 0.3 * rng.uniform(0.2, 1.0, (PROBES, model.nq)))


def _unit(model: Model, q: np.ndarray) -> np.ndarray:
    for at, _, _ in model.quaternions:
        q[:, at : at + 4] /= np.linalg.norm(q[:, at : at + 4], axis=1, keepdims=True)
    return q


def _base(model: Model, coordinate: Coordinate, guess: _Guess) -> Coordinate:
    """h = ±|f(q ± δ)|^(1/p) ∓ |c| FAR, a step δ along c away from its zero, where the root is smooth."""
    plain_q, plain_v = model.plain_places
    c, p, reach = guess.gradient, guess.exponent, FAR * np.linalg.norm(guess.gradient)
    shift = np.zeros(model.nq)
    shift[plain_q] = FAR * c[plain_v] / np.linalg.norm(c)

    def root(posture: Posture, side: float) -> Jet:
        f = coordinate.at(posture.shifted(side * shift))
        slope = np.real(f.slope[..., :-1]) @ c
        sign = np.where(slope < 0.0, -1.0, 1.0) if p % 2 == 0 else np.where(np.real(f.value) < 0.0, -1.0, 1.0)
        return (f * sign**p) ** (1.0 / p) * sign - side * reach

    def formula(posture: Posture) -> Jet:
        h = root(posture, 1.0)
        return h if np.real(h.value).min(initial=0.0) > -0.5 * reach else _chosen(h, root(posture, -1.0))

    return replace(coordinate, formula=formula, place=None)


def _chosen(above: Jet, below: Jet) -> Jet:
    """Each state from the side on which it is far from the zero."""
    low = np.real(above.value) < 0.0
    return Jet(np.where(low, below.value, above.value), np.where(low[..., None], below.slope, above.slope))


def _is_power(model: Model, coordinate: Coordinate, base: Coordinate, guess: _Guess) -> bool:
    """Whether f = hᵖ, ∇f = p hᵖ⁻¹ c and ∇h = c at poses of both signs, near and far, and at many times."""
    p, c = guess
    rng = np.random.default_rng(SEED)
    size = NEAREST * (FARTHEST / NEAREST) ** rng.uniform(0.0, 1.0, (CHECKS, model.nq))
    q = model.neutral() + np.where(rng.uniform(size=size.shape) < 0.5, -size, size)
    posture = Posture(model, _unit(model, q), rng.uniform(0.0, LATEST, CHECKS))
    f, h = coordinate.at(posture), base.at(posture)
    value, scale = h.value[:, 0], np.maximum(np.abs(h.value[:, 0]), np.linalg.norm(c))
    slope = p * value[:, None] ** (p - 1) * c
    off = np.abs(f.value[:, 0] - value**p) / scale**p
    turned = np.abs(f.slope[:, 0, :-1] - slope).max(axis=1) / (p * scale ** (p - 1) * np.abs(c).max())
    bent = np.abs(h.slope[:, 0, :-1] - c).max(axis=1) / np.abs(c).max()
    return max(off.max(), turned.max(), bent.max()) < 1e3 * TOLERANCE


def held(space: AnimationSpace, still: np.ndarray | None = None) -> AnimationSpace:
    """The space with powers as their bases in the rows (size,) that stand `still`, or in all of them.

    Where f = hᵖ is to stay zero, or as it is, so is h, and only h has a gradient there.
    """
    if not space.powers:
        return space
    still = np.ones(space.size, dtype=bool) if still is None else still
    names = frozenset(name for name in space.powers if still[space.rows(name)].all())
    if names and names not in space.held_spaces:
        rows = [space.powers[c.name].base if c.name in names else c for c in space.coordinates]
        space.held_spaces[names] = type(space)(space.model, rows, powers="keep", redundant=space.redundant)
    return space.held_spaces[names] if names else space
