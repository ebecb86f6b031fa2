"""`static_optimization`: which activations give wanted joint moments with least effort."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..dynamics.arguments import States, coordinate_at, states
from ..errors import Approximated, BadValue, amount, require, warn
from ..model import Model
from ..model.muscle_paths.muscle_laws import LAWS
from ..model.muscle_paths.paths import Muscle
from ..typing import ArrayLike
from .elastic_energy import is_stretched
from .kernels.law_layout import OUT
from .law_packing import is_muscle
from .least_effort import Effort, least_effort
from .muscle_forces import law_values
from .path_lengths import path_values

MISSED = 1e-4  # of the largest moment: what may be missing without a warning


@dataclass(frozen=True)
class StaticOptimization:
    """Activations of least effort.

    Attributes
    ----------
    names : tuple of str
        Of the muscles.
    coordinates : tuple of str
        Of the degrees of freedom whose moments are matched.
    activation : ndarray, shape (..., muscles)
        From the least to the largest.
    force : ndarray, shape (..., muscles)
        Tension of each muscle, ligament and spring along a path [N].
    moment_arms : ndarray, shape (..., muscles, coordinates)
        Of each muscle [m].
    reserve : ndarray, shape (..., coordinates)
        What reserve actuators give [N m, N].
    missing : ndarray, shape (..., coordinates)
        What of the wanted moments nothing gives [N m, N].
    """

    names: tuple[str, ...]
    coordinates: tuple[str, ...]
    activation: np.ndarray
    force: np.ndarray
    moment_arms: np.ndarray
    reserve: np.ndarray
    missing: np.ndarray


def static_optimization(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    *,
    coordinates: Sequence[str] | None = None,
    reserves: float | Mapping[str, float] | None = None,
    power: float = 2.0,
    bounds: tuple[float, float] | None = None,
    physiology: bool = True,
    passive: bool = False,
    threads: int | None = None,
) -> StaticOptimization:
    """Activations a of all muscles that give the forces `tau` with the least Σ aᵖ, in every frame by itself.

    A muscle gives its activation times its active force along the tendon at full activation, with a rigid tendon at its
    present length and speed. Reserve actuators give their control times their optimal force, and their controls count
    in the sum as activations do.

    Parameters
    ----------
    model : Model
        With muscles; what pulls along a path and is no muscle gives nothing of `tau`.
    q, v : array_like, shapes (..., nq) and (..., nv)
        Coordinates and velocities of the frames.
    tau : array_like, shape (..., nv)
        What muscles and reserves are to give: for instance `cd.inverse_dynamics(model, q, v, a, wrenches)`, less
        `elastic_forces(model, q, v)` if there are ligaments or springs along paths; the forces of
        `cd.trial.inverse_dynamics` are without them already [N m, N].
    coordinates : sequence of str, optional
        Whose moments are matched; by default all that are not prescribed.
    reserves : float or mapping of str to float, optional
        Optimal forces of reserve actuators on these coordinates, or one for all [N m, N]. None by default.
    power : float, optional
        p, at least 2.
    bounds : pair of float, optional
        Least and largest activation of all muscles; by default each has its own: `min_control` and `max_control` where
        they are among its constants, else its `minimum_activation` (0 in laws without) and 1.
    physiology : bool, optional
        False: each muscle gives its activation times its largest isometric force.
    passive : bool, optional
        Whether passive forces of fibres act too; they are then taken off `tau`.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    StaticOptimization

    Raises
    ------
    BadValue
        If the power is below 2, bounds do not rise, or the model has no muscle.

    Warns
    -----
    Approximated
        If muscles and reserves cannot give the moments, naming the coordinate that misses most.
    """
    s = states(model, q, v=v, tau=tau)
    require(power >= 2, "power must be at least 2", BadValue, got=power)
    good = bounds is None or 0 <= bounds[0] < bounds[1]
    require(good, "bounds must rise from 0 or more", BadValue, got=bounds)
    chosen = _matched(model, coordinates)
    names = tuple(coordinate_at(model, k, of_q=False) for k in chosen)
    capacity, slack, arms = _capacities(model, s, physiology, threads)
    arms = arms[:, :, chosen]
    wanted = s["tau"][:, chosen]
    muscles, stretched = (np.array([is_so(m) for m in model.muscles]) for is_so in (is_muscle, is_stretched))
    fibers = np.where(muscles, slack, 0.0) if passive else np.zeros_like(slack)
    wanted = wanted - np.einsum("smk,sm->sk", arms, fibers)
    optimal = _optimal(names, reserves)
    A = np.concatenate([np.swapaxes(arms * capacity[..., None], 1, 2), _columns(optimal, s.count)], axis=2)
    ends = np.array([_ends(m, bounds) for m in model.muscles]).T
    free = np.full(np.count_nonzero(optimal), np.inf)
    low, high = np.concatenate([ends[0], -free]), np.concatenate([ends[1], free])
    found = least_effort(A, wanted, low, high, float(power))
    _tell(names, wanted, found)
    return _result(model, s, names, found, capacity, arms, optimal, np.where(stretched, slack, fibers))


def _ends(muscle: Muscle, bounds: tuple[float, float] | None) -> tuple[float, float]:
    """Least and largest activation of a muscle."""
    if bounds is not None:
        return bounds
    own = {**LAWS[muscle.law], **muscle.constants}
    low = muscle.constants.get("min_control", own.get("minimum_activation", 0.0))
    high = own.get("max_control", 1.0)
    good = 0.0 <= low <= high
    require(good, f"muscle {muscle.name!r}: min_control must be from 0 to max_control", BadValue, got=(low, high))
    return low, high


def _result(model: Model, s: States, names, found, capacity, arms, optimal, slack) -> StaticOptimization:
    n, m = len(model.muscles), len(names)
    a = found.x[:, :n]
    reserve = np.zeros((s.count, m))
    reserve[:, optimal > 0] = found.x[:, n:] * optimal[optimal > 0]
    muscles = np.array([is_muscle(x) for x in model.muscles])
    return StaticOptimization(
        tuple(x.name for x in model.muscles),
        names,
        s.shaped(np.where(muscles, a, 0.0), n),
        s.shaped(a * capacity + slack, n),
        s.shaped(arms, n, m),
        s.shaped(reserve, m),
        s.shaped(found.missing, m),
    )


def _matched(model: Model, coordinates: Sequence[str] | None) -> list[int]:
    """Velocity numbers of the degrees of freedom whose moments are matched."""
    if coordinates is None:
        return [k for k in range(model.nv) if k not in model.prescribed_columns]
    return [model.v_index(name) for name in coordinates]


def _capacities(model: Model, s: States, physiology: bool, threads: int | None):
    """Active force at full activation and passive force along the path (count, muscles), and all moment arms."""
    muscles = [is_muscle(m) for m in model.muscles]
    require(any(muscles), "static_optimization needs a model with muscles; all of its paths are without", BadValue)
    rigid = tuple(
        replace(m, constants={**m.constants, "ignore_tendon_compliance": 1.0}) if active else m
        for m, active in zip(model.muscles, muscles, strict=True)
    )
    stiff = replace(model, muscles=rigid)
    paths = path_values(model, s, True, "raise", threads)
    speeds = np.einsum("smk,sk->sm", paths.slopes, s["v"])
    ones, none = np.ones_like(speeds), np.zeros_like(speeds)
    w = law_values(stiff, paths.lengths, speeds, ones, none, False, s.single, threads)
    along = w[..., OUT.cosine]
    active = w[..., OUT.active_force] * along
    if not physiology:
        largest = [
            m.constants.get("max_isometric_force", 1000.0) if a else 0.0
            for m, a in zip(model.muscles, muscles, strict=True)
        ]
        active = np.broadcast_to(largest, active.shape)
    active = np.where(muscles, np.maximum(active, 0.0), 0.0)
    return active, np.where(muscles, w[..., OUT.passive_force] * along, w[..., OUT.tendon_force]), -paths.slopes


def _optimal(names: tuple[str, ...], reserves: float | Mapping[str, float] | None) -> np.ndarray:
    """Optimal force of the reserve on each matched coordinate; 0 where there is none."""
    if reserves is None:
        return np.zeros(len(names))
    if isinstance(reserves, Mapping):
        unknown = sorted(set(reserves) - set(names))
        require(not unknown, f"reserves must be on matched coordinates ({', '.join(names)})", BadValue, got=unknown)
        values = np.array([float(reserves.get(name, 0.0)) for name in names])
    else:
        values = np.full(len(names), float(reserves))
    require((values >= 0).all() and np.isfinite(values).all(), "reserves must not be negative", BadValue, got=reserves)
    return values


def _columns(optimal: np.ndarray, count: int) -> np.ndarray:
    """The moments that reserves give for controls of 1 (count, coordinates, reserves)."""
    columns = np.diag(optimal)[:, optimal > 0]
    return np.broadcast_to(columns, (count, *columns.shape))


def _tell(names: tuple[str, ...], wanted: np.ndarray, found: Effort) -> None:
    """Warn if moments are missing, or the search did not end."""
    size, missing = np.abs(wanted).max(initial=0.0), found.missing
    bad = np.abs(missing) > MISSED * max(size, 1e-12)
    if bad.any():
        i, k = np.unravel_index(int(np.abs(missing).argmax()), missing.shape)
        frames = amount(int(bad.any(axis=1).sum()), "frame")
        warn(
            f"static_optimization: the muscles cannot give the moments in {frames} of {len(wanted)}: of "
            f"{wanted[i, k]:.4g} on {names[k]!r} in frame {i}, {missing[i, k]:.4g} is missing. Add reserves, leave "
            "coordinates out that no muscle drives, or look at the motion",
            Approximated,
        )
    elif not found.converged.all():
        frames = amount(int((~found.converged).sum()), "frame")
        warn(f"static_optimization: the least effort was not found to all digits in {frames}", Approximated)
