"""Markers of a scaled model where a static trial has them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..dynamics import forward_kinematics
from ..formats.tables.marker_frames import Markers
from ..formats.tables.table import Table
from ..io.opensim.edited import EditedFile
from ..io.opensim.marker_set import move_markers
from ..model import Model
from ..typing import ArrayLike, PathLike
from .inverse_kinematics import CoordinateTask, inverse_kinematics
from .measured_markers import around_span, read_markers
from .scaling import ScaledModel, loaded


def place_markers(
    scaled: ScaledModel,
    static: PathLike | Markers | Table,
    *,
    weights: Mapping[str, float] | None = None,
    coordinates: Mapping[str, CoordinateTask] | None = None,
    span: tuple[float, float] | None = None,
    pose: ArrayLike | None = None,
    geometry: Iterable[Path] = (),
) -> ScaledModel:
    """The scaled model with its markers where a static trial has them.

    The markers are averaged over the frames of the span, and the pose of the model is found by inverse kinematics.
    Markers of the model that are not `fixed` are then moved to where they were measured; those that were not measured
    are left out.

    Parameters
    ----------
    scaled : ScaledModel
    static : path, Markers or Table
        A .trc or .c3d file of a person who stands still.
    weights, coordinates
        Of inverse kinematics, as for `inverse_kinematics`.
    span : pair of float, optional
        First and last time of the frames that are averaged [s]; the frames around them count.
    pose : array_like, shape (nq,), optional
        The static pose [rad, m], where it is known: then no inverse kinematics is made.
    geometry : iterable of path, optional
        Folders of mesh files.

    Returns
    -------
    ScaledModel
        With the static pose in `pose`, unless it was given.

    Raises
    ------
    UnknownName
        If no marker of the model was measured.
    """
    seen = around_span(read_markers(static), span)
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a marker that no frame shows has no mean
        mean = Markers(seen.names, seen.times[:1], np.nanmean(seen.points, axis=0, keepdims=True))
    found = None
    if pose is None:
        found = inverse_kinematics(scaled.model, mean, weights=weights, coordinates=coordinates)
        pose = found.q[0]
    X = _body_poses(scaled.model, np.asarray(pose, dtype=float))
    where = dict(zip(mean.names, mean.points[0], strict=True))
    kept = [m for m in scaled.model.markers if m.name in where and np.isfinite(where[m.name]).all()]
    places = {m.name: X[m.body][:3, :3].T @ (where[m.name] - X[m.body][:3, 3]) for m in kept if not m.fixed}
    file = EditedFile(scaled.text.encode(), Path(scaled.model.folder or ".") / "scaled.osim")
    move_markers(file, places, [m.name for m in kept])
    gone = [m.name for m in scaled.model.markers if m not in kept]
    notes = (*scaled.notes, *((f"markers that were not measured, left out: {', '.join(gone)}",) if gone else ()))
    model = loaded(file, list(geometry))
    return replace(scaled, model=model, text=file.text, pose=found, notes=notes)


def _body_poses(model: Model, q: np.ndarray) -> dict[str | None, np.ndarray]:
    return dict(zip(model.names, forward_kinematics(model, q).as_matrix(), strict=True)) | {None: np.eye(4)}
