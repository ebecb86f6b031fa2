"""A model of the size of a person: scale factors from distances of markers, masses, and markers where they were."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import BadFile, BadValue, NotInModel, amount, require, unknown_name, warn
from ..formats.safe_files import existing, read_bytes, write_text
from ..formats.tables.marker_frames import Markers
from ..formats.tables.table import Table
from ..io.opensim.edited import EditedFile
from ..io.opensim.marker_set import put_markers, read_marker_set
from ..io.opensim.osim_scaling import scale_file, set_lengths
from ..model import Marker, Model
from ..muscles import lengths
from ..typing import ArrayLike, PathLike
from .inverse_kinematics import Kinematics, marker_places
from .measured_markers import around_span, read_markers

AXES = "XYZ"
ORDER = ("measurements", "manualScale")


@dataclass(frozen=True)
class Measurement:
    """Distances between markers that say how much larger some bodies are than those of the model.

    Parameters
    ----------
    name : str
    pairs : tuple of pairs of str
        Markers whose distances are compared.
    bodies : mapping of str to str
        The bodies that are scaled by it, and the axes along which, such as "XYZ" or "Y".
    """

    name: str
    pairs: tuple[tuple[str, str], ...]
    bodies: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class ScaledModel:
    """A model of the size of a person.

    Attributes
    ----------
    model : Model
    text : str
        The .osim file.
    factors : dict of str to ndarray, shape (3,)
        How much longer each body is along its axes.
    measured : dict of str to float
        The factor of each measurement.
    pose : Kinematics or None
        The static pose, if markers were placed.
    notes : tuple of str
        What was assumed, and what was not scaled.
    """

    model: Model
    text: str
    factors: dict[str, np.ndarray]
    measured: dict[str, float]
    pose: Kinematics | None = None
    notes: tuple[str, ...] = ()

    def save(self, path: PathLike) -> Path:
        """Write the .osim file.

        Parameters
        ----------
        path : str or path

        Returns
        -------
        Path
            Where it was written.

        Raises
        ------
        BadFile
            If the suffix is another than .osim.
        """
        path = Path(path)
        require(path.suffix.lower() == ".osim", f"{path}: a scaled model is written to .osim", BadFile)
        write_text(path, self.text)
        return path


def scale(
    model: PathLike,
    *,
    static: PathLike | Markers | Table | None = None,
    mass: float | None = None,
    measurements: Iterable[Measurement] = (),
    factors: Mapping[str, ArrayLike] | None = None,
    order: Sequence[str] = ORDER,
    keep_mass_distribution: bool = False,
    span: tuple[float, float] | None = None,
    markers: PathLike | Iterable[Marker] | None = None,
    geometry: Iterable[Path] = (),
) -> ScaledModel:
    """An .osim model scaled to a person, by OpenSim's rules.

    The factor of a measurement is the mean over its pairs of markers of their mean measured distance over that in the
    default pose of the model. Joints, centres of mass, markers, points and wraps of muscles and drawn shapes are scaled
    by the factors of their bodies, translations of joints by those of their parents. Masses keep their ratios or
    change with volume, and are then made to sum up to `mass` if it is given. Moments of inertia change with mass and
    squared lengths; bodies stretched unevenly are taken for cylinders. Fibres and tendons change as the lengths of
    their paths.

    Parameters
    ----------
    model : str or path
        An .osim file.
    static : path, Markers or Table, optional
        A .trc or .c3d file with the markers of the measurements.
    mass : float, optional
        Of the person [kg], to which the masses of all bodies are made to sum up; by default they stay, or change with
        volume.
    measurements : iterable of Measurement, optional
    factors : mapping of str to float or three float, optional
        Factors of bodies that are given, not measured: one, or one for each of the axes x, y, z.
    order : sequence of str, optional
        What overwrites what: "measurements", "manualScale" (the `factors`), or one of them alone.
    keep_mass_distribution : bool, optional
        Whether masses of bodies keep their ratios.
    span : pair of float, optional
        First and last time of the measured distances [s]; the frames around them count.
    markers : path or iterable of Marker, optional
        A file with a MarkerSet, or markers, to add to those of the model.
    geometry : iterable of path, optional
        Folders of mesh files.

    Returns
    -------
    ScaledModel

    Raises
    ------
    UnknownName
        If a marker of a pair, or a body, does not exist.
    BadValue
        If a distance is zero or a factor is not positive.
    BadFile
        If the model is not an .osim file.

    Warns
    -----
    CondyleWarning
        If fibres and tendons of muscles are not scaled because their paths have no length.
    """
    path = existing(model)
    require(path.suffix.lower() == ".osim", f"{path}: scaling changes .osim files", BadFile, got=path.suffix)
    good = mass is None or (np.isfinite(mass) and mass > 0)
    require(good, "the mass of a person is positive [kg]; None leaves it to the bodies", BadValue, got=mass)
    file = EditedFile(read_bytes(path), path)
    if markers is not None:
        put_markers(file, read_marker_set(existing(markers)) if isinstance(markers, (str, os.PathLike)) else markers)
    geometry = list(geometry)
    before = file.load(geometry)
    measured, used = _measured(before, list(measurements), static, span, order)
    by_body, notes = _by_body(before, used, measured, factors or {}, order)
    notes += scale_file(file, by_body, mass, keep_mass_distribution)
    notes += _scale_muscles(file, before, geometry)
    return ScaledModel(loaded(file, geometry), file.text, by_body, measured, None, notes)


def loaded(file: EditedFile, geometry: list[Path]) -> Model:
    """The model; what it does not do was said when the file was first opened."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotInModel)
        return file.load(geometry)


def _measured(
    model: Model, measurements: list[Measurement], static, span, order: Sequence[str]
) -> tuple[dict[str, float], list[Measurement]]:
    """The factor of each measurement, and the measurements that are used."""
    unknown = [word for word in order if word not in ORDER]
    require(not unknown, f"the order of scaling is of {' and '.join(ORDER)}", BadValue, got=list(order))
    if "measurements" not in order or not measurements:
        return {}, []
    require(static is not None, "measurements need the markers of a static trial", BadValue)
    seen = around_span(read_markers(static), span)  # type: ignore[arg-type]
    own = {m.name: m for m in model.markers}
    return {m.name: _factor(model, m, own, seen) for m in measurements}, measurements


def _factor(model: Model, measurement: Measurement, own: dict[str, Marker], seen: Markers) -> float:
    what = f"measurement {measurement.name!r}"
    require(measurement.pairs, f"{what} has no pairs of markers", BadValue)
    ratios = []
    for pair in measurement.pairs:
        for name in pair:
            if name not in own:
                raise unknown_name("marker", name, own, f"the model, for {what}")
            if name not in seen.names:
                raise unknown_name("marker", name, seen.names, f"the measured file, for {what}")
        a, b = _places(model, [own[name] for name in pair])
        here = float(np.linalg.norm(a - b))
        distances = np.linalg.norm(np.diff(seen.pick(pair), axis=1)[:, 0], axis=1)
        require(np.isfinite(distances).any(), f"{what}: no frame shows both {pair[0]!r} and {pair[1]!r}", BadValue)
        there = float(np.nanmean(distances))
        words = f"{what}: {pair[0]!r} and {pair[1]!r} are at one place"
        require(min(here, there) > 1e-9, words, BadValue, model=here, measured=there)
        ratios.append(there / here)
    return float(np.mean(ratios))


def _places(model: Model, markers: list[Marker]) -> list[np.ndarray]:
    """Where markers are in the default pose, also those on ground."""
    q = model.neutral()[None]
    return [m.at if m.body is None else marker_places(model, q, [m])[0, 0] for m in markers]


def _by_body(
    model: Model, used: list[Measurement], measured: dict[str, float], factors: Mapping[str, ArrayLike], order
) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
    """Factors of all bodies, later ones over earlier ones; bodies that the model does not have are noted."""
    found = {name: np.ones(3) for name in model.names}
    absent: dict[str, None] = {}
    for word in order:
        for body, axes, value in _manual(factors) if word == "manualScale" else _by_measurement(used, measured):
            if body in found:
                found[body][axes] = value
            else:
                absent[body] = None
    if absent and "manualScale" in order and (wrong := [b for b in factors if b in absent]):
        raise unknown_name("body", wrong[0], model.names, "the model, for its scale factors")
    notes = [f"bodies to be scaled that the model does not have: {', '.join(absent)}"] if absent else []
    return found, tuple(notes)


def _manual(factors: Mapping[str, ArrayLike]):
    for body, value in factors.items():
        numbers = np.asarray(value, dtype=float)
        good = numbers.shape in ((), (3,)) and np.isfinite(numbers).all() and (numbers > 0).all()
        require(good, f"scale factors of {body!r} are positive: one, or one for each axis", BadValue, got=value)
        yield body, [0, 1, 2], np.broadcast_to(numbers, (3,))


def _by_measurement(used: list[Measurement], measured: dict[str, float]):
    for m in used:
        for body, axes in m.bodies.items():
            letters = axes.upper().replace(" ", "")
            good = letters and set(letters) <= set(AXES)
            require(good, f"measurement {m.name!r}: axes of {body!r} are of {AXES}", BadValue, got=axes)
            yield body, [AXES.index(letter) for letter in letters], measured[m.name]


def _scale_muscles(file: EditedFile, before: Model, geometry: list[Path]) -> tuple[str, ...]:
    """Lengths of fibres and tendons by those of their paths in the default pose."""
    old, new = _path_lengths(before), _path_lengths(loaded(file, geometry))
    set_lengths(file, {name: new[name] / old[name] for name in old if old[name] > 0.0 and name in new})
    unknown = [f.name for f in before.opensim.muscles if f.path is not None and not (f.name in old and f.name in new)]
    if not unknown:
        return ()
    some = ", ".join(unknown[:6]) + (", …" if len(unknown) > 6 else "")
    note = (
        f"{amount(len(unknown), 'muscle')} ({some}) without a length in the default pose: their fibres and "
        "tendons are as long as before"
    )
    warn(f"{file.path}: {note}; moments and angles do not depend on that")
    return (note,)


def _path_lengths(model: Model) -> dict[str, float]:
    """Lengths [m] of muscles in the default pose; those that have none are left out."""
    if not model.muscles:
        return {}
    found = lengths(model, model.neutral(), on_failure="nan")
    return {m.name: float(x) for m, x in zip(model.muscles, found, strict=True) if np.isfinite(x)}
