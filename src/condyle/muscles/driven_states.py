"""States of models that muscles drive: coordinates, velocities, activations, fibre lengths, work."""

from __future__ import annotations

import numpy as np

from ..dynamics.arguments import States
from ..model import Model
from ..model.memo import once_per_model
from ..model.muscle_paths.muscle_laws import complete
from ..spatial.arrays import for_kernels
from .kernels.law_layout import OUT
from .law_packing import is_elastic, is_muscle, packed_laws
from .muscle_forces import law_values, warn_of_fibers
from .path_lengths import path_values
from .path_packing import packed_paths

Pairs = tuple[tuple, tuple, tuple]


@once_per_model
def optimal_lengths(model: Model) -> np.ndarray:
    """Optimal fibre lengths [m] of all laws; 1 for what is no muscle."""
    return np.array([complete(m.law, m.constants).get("optimal_fiber_length", 1.0) for m in model.muscles])


@once_per_model
def elastic(model: Model) -> np.ndarray:
    """Which laws have a fibre length of their own."""
    return np.array([is_elastic(m) for m in model.muscles])


@once_per_model
def has_activation(model: Model) -> np.ndarray:
    """Which laws have an activation that follows the excitation in time."""
    direct = [complete(m.law, m.constants).get("ignore_activation_dynamics", 0.0) for m in model.muscles]
    return np.array(
        [is_muscle(m) and m.law != "rigid_tendon" and not x for m, x in zip(model.muscles, direct, strict=True)]
    )


def tables_of(model: Model, tables: tuple | None = None) -> Pairs:
    """The tables of model (or those given in its place), paths and laws."""
    return model.tables if tables is None else tables, tuple(packed_paths(model)), packed_laws(model)


def resting_fibers(model: Model, s: States, activation: np.ndarray, threads: int | None) -> np.ndarray:
    """Fibre lengths (count, muscles) [m] where fibre and tendon pull alike at rest."""
    paths = path_values(model, s, False, threads=threads)
    zero = np.zeros_like(paths.lengths)
    found = law_values(model, paths.lengths, zero, activation, zero, False, s.single, threads)
    warn_of_fibers(model, found[..., OUT.status], False)
    return found[..., OUT.fiber_length]


def driven_rows(model: Model, v: np.ndarray, activation: np.ndarray, fibers: np.ndarray) -> np.ndarray:
    """Rows y (count, nv + 3 muscles): velocities, activations, fibre lengths by the optimal ones, no work yet."""
    return for_kernels(np.concatenate([v, activation, fibers / optimal_lengths(model), np.zeros_like(fibers)], axis=1))
