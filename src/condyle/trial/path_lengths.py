"""Lengths of the paths of muscles in a pose: straight from point to point, wraps left out."""

from __future__ import annotations

import numpy as np

from ..dynamics import forward_kinematics
from ..model import Model
from ..model.followers import follower_values
from ..model.paths import PathPoint
from .column_names import columns

NEAR = 1e-5  # [rad]: a conditional point counts so far beyond its range


def path_lengths(model: Model, q: np.ndarray) -> dict[str, float]:
    """The length [m] of every path of a model of OpenSim, by the name of its force."""
    X = dict(zip(model.names, forward_kinematics(model, q).as_matrix(), strict=True)) | {None: np.eye(4)}
    values = {name: c.default for name, c in model.opensim.coordinates.items()}
    values |= {c.name: float(q[c.q]) for c in columns(model)}
    values |= {f.name: float(x) for f, x in zip(model.followers, follower_values(model, q), strict=True)}
    found = {}
    for force in model.opensim.forces:
        points = () if force.path is None else force.path.points
        placed = [X[p.body] @ np.append(_place(model, p, values), 1.0) for p in points if _is_active(p, values)]
        if len(placed) > 1:
            found[force.name] = float(np.linalg.norm(np.diff(placed, axis=0), axis=1).sum())
    return found


def _is_active(point: PathPoint, values: dict[str, float]) -> bool:
    if point.range is None:
        return True
    x = values.get(point.coordinate or "")
    return x is not None and point.range[0] - NEAR <= x <= point.range[1] + NEAR


def _place(model: Model, point: PathPoint, values: dict[str, float]) -> np.ndarray:
    """In the axes of its body; a moving point where its functions have it at the coordinates within their ranges."""
    if not point.functions or point.frame is None:
        return point.location
    local = np.zeros(3)
    for k, (function, name) in enumerate(zip(point.functions, point.coordinates, strict=True)):
        known = model.opensim.coordinates.get(name or "")
        low, high = (-10.0, 10.0) if known is None or known.range is None else known.range
        x = float(np.clip(values.get(name or "", 0.0), low, high))
        local[k] = 0.0 if function is None else _value(function, x)
    return point.frame[:3, :3] @ local + point.frame[:3, 3]


def _value(function, x: float) -> float:
    return float(np.asarray(function(x) if function.coordinates else function()))
