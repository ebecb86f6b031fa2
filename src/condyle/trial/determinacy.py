"""Which coordinates the seen markers leave open: said in words, because any value would fit."""

from __future__ import annotations

import numpy as np

from ..errors import amount, warn
from ..ik.problem import Problem
from ..ik.targets import AnyTarget
from ..model import Model
from ..model.followers import follower_values
from ..spatial.kernels.decompositions import symmetric_eigen

OPEN = 1e-6  # of the largest slope of residuals: a direction below it is open
SHARE = 0.3  # of the largest entry of an open direction: such coordinates are named
MOST_PATTERNS = 50
SLACK = 1e-6  # [rad or m] beyond a range


def undetermined(model: Model, targets: list[AnyTarget], points: np.ndarray, q: np.ndarray) -> tuple[str, ...]:
    """A sentence for each group of frames whose markers leave coordinates open; each is a warning too.

    Frames that show the same markers are looked at once.
    """
    seen = np.isfinite(points).all(axis=2)
    _, first, group = np.unique(seen, axis=0, return_index=True, return_inverse=True)
    rows = first[:MOST_PATTERNS]
    problem = Problem.of(model, [t.at_record(rows) for t in targets], (len(rows),), True)
    values, directions = symmetric_eigen(_slopes(problem, q[rows]))
    said: dict[tuple[str, ...], int] = {}
    for k in range(len(rows)):
        names = _moved(model, directions[k][:, values[k] <= OPEN**2 * values[k].max()])
        if names:
            said[names] = said.get(names, 0) + int((group.ravel() == k).sum())
    notes = tuple(
        f"in {amount(frames, 'frame')} the seen markers do not determine {', '.join(names)}: values there are "
        "guesses from the frames before"
        for names, frames in said.items()
    )
    for note in notes:
        warn(f"inverse kinematics: {note}")
    return notes


def _slopes(problem: Problem, q: np.ndarray) -> np.ndarray:
    """JᵀJ of residuals and constraints (members, nv, nv), as steep as any along coordinates that cannot move."""
    _, J = problem.linear(q)
    H, C = np.einsum("nki,nkj->nij", J, J), problem.constraints(q)
    steep = np.abs(H).max(axis=(1, 2))[:, None, None]
    if C is not None:
        H = H + steep * np.einsum("nki,nkj->nij", C, C)
    fixed = np.zeros(problem.model.nv)
    fixed[sorted(problem.model.prescribed_columns)] = 1.0
    return H + steep * np.diag(fixed)


def _moved(model: Model, directions: np.ndarray) -> tuple[str, ...]:
    """The coordinates that move along open directions (nv, k)."""
    most = np.abs(directions).max(axis=1, initial=0.0)
    return tuple(n for n in model.coordinates if most[model.v_index(n)] > SHARE * most.max(initial=1e-300))


def beyond_ranges(model: Model, q: np.ndarray) -> list[str]:
    """What is said, and warned, of followers that leave a range to which the file clamps them: it bounds no driver."""
    said = {} if model.opensim is None else model.opensim.coordinates
    held = [f.range if f.name in said and said[f.name].clamped else None for f in model.followers]
    notes = []
    for f, ends, x in zip(model.followers, held, follower_values(model, q).T, strict=True):
        if ends is not None and not (ends[0] - SLACK <= x.min() and x.max() <= ends[1] + SLACK):
            notes.append(
                f"{f.name}, a function of {f.driver}, leaves its range {ends[0]:g} to {ends[1]:g}, to which the file "
                f"clamps it: from {x.min():.4g} to {x.max():.4g}. model.unfolded() keeps it there"
            )
            warn(f"inverse kinematics: {notes[-1]}")
    return notes
