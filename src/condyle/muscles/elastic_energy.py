"""What ligaments and springs along paths store: the integral of their tension over their length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from ..joints.functions.simm_spline import simm_spline
from ..model import Model
from ..model.muscle_paths.muscle_laws import LAWS
from ..model.muscle_paths.paths import Muscle
from ..typing import ArrayLike
from .path_lengths import lengths

FORCELESS = ("path", "path_actuator", "mckibben")  # nothing, or a control, gives their tension


def elastic_energy(model: Model, q: ArrayLike) -> np.ndarray:
    """Energy that ligaments and springs along paths store [J], beside `cd.energy`, which is of the bodies alone.

    Its slope by the length is the tension without damping, so a motion on which nothing else works keeps the sum of
    `energy().total` and of this.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates [rad, m].

    Returns
    -------
    ndarray, shape (..., muscles)
        In the order of `model.muscles`: "blankevoort", "ligament" and "path_spring" by the integral of their law from
        the slack length on; 0 for mere paths and what a control drives; NaN for muscles, whose fibres and tendons
        have states of their own.

    Raises
    ------
    BadValue
        If a path has no length.

    Examples
    --------
    A ligament of 100 N per strain beyond its foot, stretched by a tenth:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder().add_body("bone", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    >>> ends = [(None, (0, 0, 0)), ("bone", (0, 0, 0))]
    >>> b = b.add_muscle("band", ends, "blankevoort", linear_stiffness=100.0, slack_length=1.0)
    >>> cd.muscles.elastic_energy(b.build(), [1.1]).round(6)
    array([0.26])
    """
    found = lengths(model, q)
    parts = [_energy(muscle, found[..., k]) for k, muscle in enumerate(model.muscles)]
    return np.stack(parts, axis=-1) if parts else np.zeros(found.shape)


def is_stretched(muscle: Muscle) -> bool:
    """Whether stretch alone, and no activation or control, gives the tension of what runs along a path."""
    return muscle.law in STORED


def _energy(muscle: Muscle, length: np.ndarray) -> np.ndarray:
    """Of one path at lengths [m]."""
    if muscle.law in FORCELESS:
        return np.zeros_like(length)
    stored = STORED.get(muscle.law)
    return np.full_like(length, np.nan) if stored is None else stored({**LAWS[muscle.law], **muscle.constants}, length)


def _blankevoort(c: Mapping[str, Any], length: np.ndarray) -> np.ndarray:
    """k s³/(6 f) on the foot, k (s²/2 − f s/2 + f²/6) beyond it, of the strain s, times the slack length."""
    k, slack, foot = c["linear_stiffness"], c["slack_length"], c["transition_strain"]
    s = np.maximum(length / slack - 1.0, 0.0)
    return slack * k * np.where(s < foot, s**3 / (6.0 * foot), 0.5 * s * (s - foot) + foot**2 / 6.0)


def _path_spring(c: Mapping[str, Any], length: np.ndarray) -> np.ndarray:
    return 0.5 * c["stiffness"] * np.maximum(length - c["resting_length"], 0.0) ** 2


def _ligament(c: Mapping[str, Any], length: np.ndarray) -> np.ndarray:
    """Five Gauss points on each piece of its curve are exact: the pieces are cubic."""
    x, y = (np.asarray(a, float) for a in c["force_length_curve"])
    curve, (nodes, weights) = simm_spline(x, y), np.polynomial.legendre.leggauss(5)
    rest, strained = c["resting_length"], np.maximum(length / c["resting_length"], 1.0)
    ends = np.concatenate([[1.0], x[x > 1.0], [np.inf]])
    total = np.zeros_like(strained)
    for low, high in pairwise(ends):
        half = 0.5 * np.clip(strained - low, 0.0, high - low)
        total += half * (curve(low + half[..., None] * (1.0 + nodes)) @ weights)
    return c["pcsa_force"] * rest * total


STORED: dict[str, Callable[[Mapping[str, Any], np.ndarray], np.ndarray]] = {
    "blankevoort": _blankevoort,
    "path_spring": _path_spring,
    "ligament": _ligament,
}
