"""Force plates of C3D files: ground reactions, centres of pressure and free moments in the axes of the laboratory.

In the axes of a plate, with the origin of its sensors and o the way from there to the centre of its surface:
the moment about the centre is M − o × F, the centre of pressure (−M_y, M_x)/F_z from the centre of the surface, and the
free moment what is left of M_z there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...errors import BadFile, BadValue, NotSupported, require, warn
from ...formats.tables.c3d import PlateChannels, read_c3d_plates
from ...formats.tables.table import Table
from ...typing import ArrayLike, PathLike
from ..measured_markers import checked_rotation
from .ground_reactions import ExternalForce, ExternalLoads

Z_UP_TO_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
Z_UP_TO_Y_UP.setflags(write=False)
THRESHOLD = 20.0  # [N] across the plate: below, nobody stands on it
CHANNELS = {1: 6, 2: 6, 3: 8, 4: 6}  # of the types of plates that are known
MOMENT_UNITS = {"nmm": 1e-3, "nm": 1.0, "ncm": 1e-2}


@dataclass(frozen=True, eq=False)
class ForcePlate:
    """What a force plate measured: the reaction of the ground on whoever stands on it.

    Attributes
    ----------
    name : str
        "plate1", "plate2", … in the order of the file.
    times : ndarray, shape (T,)
        [s]
    force : ndarray, shape (T, 3)
        On the foot [N].
    moment : ndarray, shape (T, 3)
        Of that force about the centre of the plate's surface, with the free moment [N m].
    point : ndarray, shape (T, 3)
        Centre of pressure [m]; NaN while nobody stands on the plate.
    free_moment : ndarray, shape (T, 3)
        What is left of the moment at the centre of pressure [N m]; zero while nobody stands on the plate.
    corners : ndarray, shape (4, 3)
        [m]
    notes : tuple of str
        What was assumed.
    """

    name: str
    times: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    point: np.ndarray
    free_moment: np.ndarray
    corners: np.ndarray
    notes: tuple[str, ...] = ()

    @property
    def center(self) -> np.ndarray:
        """The centre of the surface (3,) [m]."""
        return self.corners.mean(axis=0)


def read_force_plates(
    path: PathLike,
    *,
    rotation: ArrayLike | None = None,
    threshold: float = THRESHOLD,
    reaction: bool | None = None,
    baseline: tuple[float, float] | None = None,
) -> tuple[ForcePlate, ...]:
    """The force plates of a C3D file, of types 1 (centre of pressure), 2 (moments), 3 (eight sensors) and 4 (matrix).

    Parameters
    ----------
    path : str or path
        A .c3d file.
    rotation : array_like, shape (3, 3), optional
        Axes of the model = rotation · axes of the laboratory; `Z_UP_TO_Y_UP` for laboratories with z up and models of
        OpenSim. None leaves the axes of the laboratory. Turn the markers alike (`turn_markers`).
    threshold : float, optional
        Where the force across the plate is smaller than this, force and moment are zero [N].
    reaction : bool, optional
        Whether the channels hold the reaction on the foot (True) or the force on the plate (False). By default that
        which pushes the foot out of the plate, as the larger part of the samples has it.
    baseline : pair of float, optional
        A span of time [s] in which nobody stands on the plates: the mean of it is taken off every channel.

    Returns
    -------
    tuple of ForcePlate

    Raises
    ------
    BadFile
        If there are no plates, or their parameters do not fit together.
    NotSupported
        If a plate is of another type.

    Warns
    -----
    CondyleWarning
        If an origin lies above the surface, where the standard has it below.
    """
    turn = checked_rotation(rotation)
    good = np.isfinite(threshold) and threshold >= 0
    require(good, "the threshold of force plates is 0 or positive [N]", BadValue, got=threshold)
    content = read_c3d_plates(path)
    values = _without_baseline(content, baseline)
    count = int(content.parameters["USED"].ravel()[0])
    return tuple(_plate(content, values, k, turn, threshold, reaction) for k in range(count))


def plate_loads(plates: tuple[ForcePlate, ...], bodies: Mapping[str | int, str]) -> ExternalLoads:
    """What force plates exert on bodies, for `inverse_dynamics`.

    Forces act at the centres of the plates' surfaces, with all of their moments: nothing is divided by small forces.

    Parameters
    ----------
    plates : tuple of ForcePlate
        Of one file.
    bodies : mapping of str or int to str
        The body that stands on a plate, by the plate's name or its number from 1 on: {1: "calcn_r", 2: "calcn_l"}.

    Returns
    -------
    ExternalLoads

    Raises
    ------
    BadValue
        If a plate does not exist.
    """
    known = {plate.name: plate for plate in plates}
    chosen = {f"plate{key}" if isinstance(key, int) else key: body for key, body in bodies.items()}
    missing = [name for name in chosen if name not in known]
    require(not missing and chosen, f"force plates are {', '.join(known)}; say which body stands on which", BadValue,
            got=list(bodies))  # fmt: skip
    names, values, forces = ["time"], [plates[0].times[:, None]], []
    for name, body in chosen.items():
        plate = known[name]
        names += [f"{name}_{part}_{axis}" for part in ("force", "point", "torque") for axis in "xyz"]
        values += [plate.force, np.broadcast_to(plate.center, plate.force.shape), plate.moment]
        forces.append(ExternalForce(name, body, f"{name}_force_", f"{name}_point_", f"{name}_torque_"))
    return ExternalLoads(tuple(forces), Table(tuple(names), np.concatenate(values, axis=1), in_degrees=False))


def _without_baseline(content: PlateChannels, baseline: tuple[float, float] | None) -> np.ndarray:
    if baseline is None:
        return content.values
    t = np.arange(content.values.shape[1]) / content.rate
    rows = (t >= baseline[0]) & (t <= baseline[1])
    require(rows.any(), f"{content.path}: no sample is in the span of the baseline", BadValue, span=baseline)
    return content.values - content.values[:, rows].mean(axis=1, keepdims=True)


def _plate(
    content: PlateChannels, values: np.ndarray, k: int, turn: np.ndarray, threshold: float, reaction: bool | None
) -> ForcePlate:
    kind, corners, origin, channels = _described(content, k)
    notes = []
    if origin[2] > 0:
        notes.append(f"plate {k + 1}: its origin is {origin[2]:g} m above its surface; taken as so far below it")
        warn(f"{content.path}: {notes[-1]}")
        origin = origin * [1.0, 1.0, -1.0] if kind == 3 else -origin
    force, moment = WRENCHES[kind](_signals(content, values, k, kind, channels), origin)
    on_foot = reaction if reaction is not None else _pushes_out(force[:, 2], threshold)
    notes.append(f"plate {k + 1}: channels hold {'the reaction on the foot' if on_foot else 'the force on the plate'}")
    force, moment = (force, moment) if on_foot else (-force, -moment)
    still = np.abs(force[:, 2]) < threshold
    force[still], moment[still] = 0.0, 0.0
    return _in_laboratory(f"plate{k + 1}", content, force, moment, still, corners, turn, tuple(notes))


def _described(content: PlateChannels, k: int):
    """Type, corners (4, 3) [m], origin (3,) [m] and channels (from 0) of a plate."""
    p, where = content.parameters, f"{content.path}: force plate {k + 1}"
    missing = [name for name in ("TYPE", "CORNERS", "ORIGIN", "CHANNEL") if name not in p]
    require(not missing, f"{where}: parameters are missing in FORCE_PLATFORM", BadFile, missing=missing)
    kinds = p["TYPE"].ravel()
    require(k < len(kinds), f"{where} has no type", BadFile)
    kind = int(kinds[k])
    require(
        kind in CHANNELS, f"{where} is of a type that is not known; types 1, 2, 3 and 4 are", NotSupported, got=kind
    )
    shapes = [(p[name].ndim, p[name].shape[-1]) for name in ("CORNERS", "ORIGIN", "CHANNEL")]
    fits = p["CORNERS"].shape[:2] == (3, 4) and p["ORIGIN"].shape[:1] == (3,) and all(n > k for _, n in shapes)
    rows = p["CHANNEL"].reshape(len(p["CHANNEL"]), -1)
    fits = fits and rows.shape[0] >= CHANNELS[kind] and rows.shape[1] > k
    require(fits, f"{where}: CORNERS, ORIGIN and CHANNEL do not fit its type", BadFile, type=kind)
    channels = rows[: CHANNELS[kind], k].astype(int) - 1
    good = (channels >= 0).all() and (channels < len(content.values)).all()
    require(good, f"{where}: it names channels that the file does not have", BadFile, channels=(channels + 1).tolist())
    corners = content.meters * p["CORNERS"].reshape(3, 4, -1)[:, :, k].T
    return kind, corners, content.meters * p["ORIGIN"].reshape(3, -1)[:, k], channels


def _signals(content: PlateChannels, values: np.ndarray, k: int, kind: int, channels: np.ndarray) -> np.ndarray:
    """Channels (T, n) in N, N m and m."""
    x = values[channels].T
    if kind == 4:
        matrices = content.parameters.get("CAL_MATRIX", np.zeros(0))
        good = matrices.shape[:2] == (6, 6) and matrices.reshape(6, 6, -1).shape[2] > k
        require(good, f"{content.path}: force plate {k + 1} of type 4 needs a CAL_MATRIX of 6 by 6", BadFile)
        x = x @ matrices.reshape(6, 6, -1)[:, :, k].T
    if kind == 1:
        return x * [1.0, 1.0, 1.0, content.meters, content.meters, _moment_unit(content, channels[5])]
    if kind == 3:
        return x
    units = [_moment_unit(content, c) for c in channels[3:]] if kind == 2 else [content.meters] * 3
    return x * [1.0, 1.0, 1.0, *units]


def _moment_unit(content: PlateChannels, channel: int) -> float:
    """N m in the unit of a channel; without one that is known, forces times the unit of length of the file."""
    said = content.units[channel] if channel < len(content.units) else ""
    return MOMENT_UNITS.get("".join(c for c in said.lower() if c.isalpha()), content.meters)


def _pressed(x: np.ndarray, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Type 1: forces, the centre of pressure on the surface, and the free moment."""
    arm = np.stack([x[:, 3], x[:, 4], 0 * x[:, 3]], axis=1)
    return x[:, :3].copy(), np.cross(arm, x[:, :3]) + np.stack([0 * x[:, 5], 0 * x[:, 5], x[:, 5]], axis=1)


def _six(x: np.ndarray, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Types 2 and 4: forces and moments at the origin of the sensors."""
    return x[:, :3].copy(), x[:, 3:] - np.cross(origin, x[:, :3])


def _eight(x: np.ndarray, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Type 3: fx12, fx34, fy14, fy23, fz1 … fz4 of sensors at (±a, ±b), the surface at z = `origin[2]`."""
    a, b, height = origin
    force = np.stack([x[:, 0] + x[:, 1], x[:, 2] + x[:, 3], x[:, 4:].sum(axis=1)], axis=1)
    moment = np.stack([
        b * (x[:, 4] + x[:, 5] - x[:, 6] - x[:, 7]),
        a * (-x[:, 4] + x[:, 5] + x[:, 6] - x[:, 7]),
        b * (-x[:, 0] + x[:, 1]) + a * (x[:, 2] - x[:, 3]),
    ], axis=1)  # fmt: skip
    return force, moment - np.cross([0.0, 0.0, height], force)


WRENCHES = {1: _pressed, 2: _six, 3: _eight, 4: _six}


def _pushes_out(across: np.ndarray, threshold: float) -> bool:
    """Whether forces across the plate push out of it: against its z axis, which points into the ground."""
    loaded = across[np.abs(across) >= threshold]
    return bool(loaded.sum() <= 0.0)


def _in_laboratory(name, content: PlateChannels, force, moment, still, corners, turn, notes) -> ForcePlate:
    """Forces, moments and points of a plate, turned from its axes to those that are asked for."""
    R = turn @ _axes(corners, f"{content.path}: {name}")
    across = np.where(still, 1.0, force[:, 2])
    local = np.stack([-moment[:, 1] / across, moment[:, 0] / across, 0 * across], axis=1)
    free = moment - np.cross(local, force)
    free[still], local[still] = 0.0, np.nan
    placed = corners @ turn.T
    times = np.arange(len(force)) / content.rate
    point = local @ R.T + placed.mean(axis=0)
    return ForcePlate(name, times, force @ R.T, moment @ R.T, point, free @ R.T, placed, notes)


def _axes(corners: np.ndarray, what: str) -> np.ndarray:
    """x, y and z of a plate as columns: its corners lie at (+, +), (−, +), (−, −) and (+, −)."""
    x, y = corners[0] - corners[1] + corners[3] - corners[2], corners[0] - corners[3] + corners[1] - corners[2]
    z = np.cross(x, y)
    sizes = np.linalg.norm(x), np.linalg.norm(z)
    require(min(sizes) > 1e-9, f"{what}: its corners span no surface", BadFile, corners=corners.tolist())
    x, z = x / sizes[0], z / sizes[1]
    return np.stack([x, np.cross(z, x), z], axis=1)
