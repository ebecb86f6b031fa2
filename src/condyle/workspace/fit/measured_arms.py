"""Samples from files: sensor positions and twist trials as CSV, and an arm out of BVH motion capture."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...errors import BadSamples, BadShape, BadValue, require, unknown_name
from ...formats.bvh import read_bvh
from ...formats.tables.table_files import Table, read_csv, write_csv
from ...typing import ArrayLike
from .samples import ArmSamples, TwistTrials

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254}


def read_samples(
    positions: str | Path, trials: str | Path, *, unit: str | float = "m", frame: ArrayLike | None = None
) -> ArmSamples:
    """Samples from two CSV files with columns like elbow_x, elbow_y, elbow_z.

    `positions`: clavicle, shoulder, elbow (wrist and time may be there), a sample a row. `trials`: trial, clavicle,
    shoulder, elbow, wrist, a frame a row; the ends of each trial's twist are its limits. `frame` (3, 3) turns the
    file's axes into lateral, forward, up.

    Parameters
    ----------
    positions : str or path
        CSV file of positions.
    trials : str or path
        CSV file of twist trials.
    unit : str or float, optional
        Of the lengths in the files: a name, or metres a unit.
    frame : array_like, shape (3, 3), optional
        Turns the file's axes into lateral, forward, up.

    Returns
    -------
    ArmSamples
    """
    scale = _frame(unit, frame)
    table, turns = read_csv(positions), read_csv(trials)
    shoulder, elbow = _from_clavicle(table, scale, "shoulder", "elbow")
    return ArmSamples(shoulder, elbow, _trials(turns, scale))


def _trials(table: Table, scale: np.ndarray) -> TwistTrials:
    require(table.has(["trial"]), f"{table.path}: a column 'trial' must number the twist trials", BadSamples)
    s, e, w = _from_clavicle(table, scale, "shoulder", "elbow", "wrist")
    number = table.columns(["trial"])[:, 0]
    ends = [_ends(s[rows], e[rows], w[rows]) for rows in (number == t for t in np.unique(number))]
    return TwistTrials(*(np.array(part) for part in zip(*ends, strict=True)))


def _ends(s, e, w):
    """Mean shoulder and elbow of one trial, and the wrists at the ends of the twist (unwrapped over the frames)."""
    shoulder, elbow = s.mean(axis=0), e.mean(axis=0)
    axis = (elbow - shoulder) / np.linalg.norm(elbow - shoulder)
    side = (w - e) - np.outer((w - e) @ axis, axis)
    angle = np.unwrap(np.arctan2(side @ np.cross(axis, side[0]), side @ side[0]))
    return shoulder, elbow, elbow + (w - e)[angle.argmin()], elbow + (w - e)[angle.argmax()]


def write_samples(samples: ArmSamples, positions: str | Path, trials: str | Path) -> None:
    """Write what `read_samples` reads, in metres, the clavicle at the origin; each trial as its two ends.

    Parameters
    ----------
    samples : ArmSamples
        Measured positions of an arm.
    positions : str or path
        CSV file to write.
    trials : str or path
        CSV file to write.
    """
    zero = np.zeros_like(samples.elbow)
    write_csv(_table({"clavicle": zero, "shoulder": samples.shoulder, "elbow": samples.elbow}), positions)
    t = samples.trials
    number = np.repeat(np.arange(len(t)), 3)
    wrists = np.stack([t.wrist_low, _middle(t), t.wrist_high], axis=1).reshape(-1, 3)
    parts = {"clavicle": 0 * wrists, "shoulder": t.shoulder[number], "elbow": t.elbow[number], "wrist": wrists}
    table = _table(parts)
    write_csv(Table(("trial", *table.names), np.column_stack([number, table.values])), trials)


def _middle(trials: TwistTrials) -> np.ndarray:
    """The wrist half-way through the twist, so that a range above half a turn is followed the right way round."""
    axis = trials.elbow - trials.shoulder
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    low, half = trials.wrist_low - trials.elbow, 0.5 * trials.twist_range[:, None]
    along = np.einsum("ni,ni->n", axis, low)[:, None] * axis
    return trials.elbow + along + np.cos(half) * (low - along) + np.sin(half) * np.cross(axis, low)


def read_bvh_arm(
    path: str | Path,
    *,
    clavicle: str,
    shoulder: str,
    elbow: str,
    wrist: str,
    chest: str | None = None,
    unit: str | float = "cm",
    frame: ArrayLike | None = None,
    bend: float = 0.5,
) -> ArmSamples:
    """Samples of an arm from BVH motion capture, by its joint names, in the axes of the chest.

    Motion capture has no twist trials: frames whose elbow is bent more than `bend` [rad] are grouped by elbow position
    and the widest twists of each group taken, which is a lower bound of the range.

    Parameters
    ----------
    path : str or path
        The file.
    clavicle : str
        Name of the joint in the file.
    shoulder : str
        Name of the joint in the file.
    elbow : str
        Name of the joint in the file.
    wrist : str
        Name of the joint in the file.
    chest : str, optional
        Name of the joint whose axes the arm is seen in, so that a turning body does not move it; by default the parent
        of the clavicle.
    unit : str or float, optional
        Of the lengths in the file: a name, or metres a unit (files of the CMU database: 0.0254 / 0.45).
    frame : array_like, shape (3, 3), optional
        Turns the chest's axes, which are the file's in the pose without rotations, into right, forward, up.
    bend : float, optional
        Least flexion of frames that tell the twist [rad].

    Returns
    -------
    ArmSamples
    """
    bvh, scale = read_bvh(path), _frame(unit, frame)
    places, turns = bvh.poses()
    origin = bvh.index(clavicle)
    beside = max(bvh.parents[origin], 0) if chest is None else bvh.index(chest)
    axes = turns[:, beside]  # columns: those of the chest
    s, e, w = (
        np.einsum("tji,tj->ti", axes, places[:, bvh.index(name)] - places[:, origin]) @ scale.T
        for name in (shoulder, elbow, wrist)
    )
    return ArmSamples(s, e, _grouped(s, e, w, bend))


def _grouped(s, e, w, bend) -> TwistTrials:
    upper, fore = e - s, w - e
    cosine = np.einsum("ni,ni->n", upper, fore) / (np.linalg.norm(upper, axis=1) * np.linalg.norm(fore, axis=1))
    bent = np.flatnonzero(np.arccos(np.clip(cosine, -1, 1)) > bend)
    cells = np.round(e[bent] / 0.08).astype(int)
    _, group = np.unique(cells, axis=0, return_inverse=True)
    ends = [
        _ends(s[rows], e[rows], w[rows])
        for rows in (bent[group.ravel() == g] for g in np.unique(group))
        if len(rows) > 2
    ]
    require(
        len(ends) >= 3, "the motion bends the elbow in fewer than 3 places; record twists of a bent elbow", BadSamples
    )
    return TwistTrials(*(np.array(part) for part in zip(*ends, strict=True)))


def _frame(unit: str | float, frame) -> np.ndarray:
    if isinstance(unit, str) and unit not in UNITS:
        raise unknown_name("unit", unit, UNITS, "the reader")
    size = UNITS[unit] if isinstance(unit, str) else float(unit)
    require(np.isfinite(size) and size > 0, "a unit is so many metres, a positive number", BadValue, unit=unit)
    frame = np.eye(3) if frame is None else np.asarray(frame, float)
    good = frame.shape == (3, 3) and np.allclose(frame @ frame.T, np.eye(3), atol=1e-6)
    require(good, "frame is an orthonormal 3 × 3 matrix", BadShape, shape=frame.shape)
    return size * frame


def _from_clavicle(table: Table, scale: np.ndarray, *sensors: str) -> list[np.ndarray]:
    """Positions (rows, 3) of sensors from the clavicle's."""
    missing = [c for name in ("clavicle", *sensors) for c in _columns(name) if c not in table.names]
    known = f"it has {', '.join(table.names)}"
    require(not missing, f"{table.path}: columns {', '.join(missing)} are missing; {known}", BadSamples)
    x = [table.columns(_columns(name)) for name in ("clavicle", *sensors)]
    require(np.isfinite(x).all(), f"{table.path}: a sensor's position is missing or not finite", BadSamples)
    return [(place - x[0]) @ scale.T for place in x[1:]]


def _table(sensors: dict[str, np.ndarray]) -> Table:
    return Table(tuple(c for name in sensors for c in _columns(name)), np.column_stack(list(sensors.values())))


def _columns(sensor: str) -> list[str]:
    return [f"{sensor}_{axis}" for axis in "xyz"]
