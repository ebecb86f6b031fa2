"""Samples from files: sensor positions and twist trials as CSV, and an arm out of BVH motion capture."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import BadSamples, BadShape, require, unknown_name
from ..formats.bvh import read_bvh
from ..formats.columns import read_columns, write_columns
from .samples import ArmSamples, TwistTrials

__all__ = ["read_bvh_arm", "read_samples", "write_samples"]

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254}


def read_samples(positions: str | Path, trials: str | Path, *, unit: str = "m", frame=None) -> ArmSamples:
    """Samples from two CSV files with columns like elbow_x, elbow_y, elbow_z.

    `positions`: clavicle, shoulder, elbow (wrist and time may be there), a sample a row. `trials`: trial, clavicle,
    shoulder, elbow, wrist, a frame a row; the ends of each trial's twist are its limits. `frame` (3, 3) turns the
    file's axes into lateral, forward, up.
    """
    scale = _frame(unit, frame)
    table, turns = read_columns(positions), read_columns(trials)
    origin = _triple(positions, table, "clavicle")
    shoulder, elbow = (_triple(positions, table, name) - origin for name in ("shoulder", "elbow"))
    return ArmSamples(shoulder @ scale.T, elbow @ scale.T, _trials(trials, turns, scale))


def _trials(path, table, scale) -> TwistTrials:
    require("trial" in table, f"{path}: a column 'trial' must number the twist trials", BadSamples)
    origin = _triple(path, table, "clavicle")
    s, e, w = ((_triple(path, table, name) - origin) @ scale.T for name in ("shoulder", "elbow", "wrist"))
    ends = [_ends(s[rows], e[rows], w[rows]) for rows in (table["trial"] == t for t in np.unique(table["trial"]))]
    return TwistTrials(*(np.array(part) for part in zip(*ends, strict=True)))


def _ends(s, e, w):
    """Mean shoulder and elbow of one trial, and the wrists at the ends of the twist (unwrapped over the frames)."""
    shoulder, elbow = s.mean(axis=0), e.mean(axis=0)
    axis = (elbow - shoulder) / np.linalg.norm(elbow - shoulder)
    side = (w - e) - np.outer((w - e) @ axis, axis)
    angle = np.unwrap(np.arctan2(side @ np.cross(axis, side[0]), side @ side[0]))
    return shoulder, elbow, elbow + (w - e)[angle.argmin()], elbow + (w - e)[angle.argmax()]


def write_samples(samples: ArmSamples, positions: str | Path, trials: str | Path) -> None:
    """Write what `read_samples` reads, in metres, the clavicle at the origin; each trial as its two ends."""
    zero = np.zeros_like(samples.elbow)
    write_columns(
        positions,
        {**_named("clavicle", zero), **_named("shoulder", samples.shoulder), **_named("elbow", samples.elbow)},
    )
    t = samples.trials
    number = np.repeat(np.arange(len(t)), 3)
    wrists = np.stack([t.wrist_low, _middle(t), t.wrist_high], axis=1).reshape(-1, 3)
    parts = {"clavicle": 0 * wrists, "shoulder": t.shoulder[number], "elbow": t.elbow[number], "wrist": wrists}
    write_columns(trials, {"trial": number, **{k: v for name, x in parts.items() for k, v in _named(name, x).items()}})


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
    unit: str = "cm",
    frame=None,
    bend: float = 0.5,
) -> ArmSamples:
    """Samples of an arm from BVH motion capture, by its joint names; `frame` (3, 3) as in `read_samples`.

    Motion capture has no twist trials: frames whose elbow is bent more than `bend` [rad] are grouped by elbow position
    and the widest twists of each group taken, which is a lower bound of the range.
    """
    bvh, scale = read_bvh(path), _frame(unit, frame)
    places = bvh.positions()
    origin = places[:, bvh.index(clavicle)]
    s, e, w = ((places[:, bvh.index(name)] - origin) @ scale.T for name in (shoulder, elbow, wrist))
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


def _frame(unit: str, frame) -> np.ndarray:
    if unit not in UNITS:
        raise unknown_name("unit", unit, UNITS, "the reader")
    frame = np.eye(3) if frame is None else np.asarray(frame, float)
    good = frame.shape == (3, 3) and np.allclose(frame @ frame.T, np.eye(3), atol=1e-6)
    require(good, "frame is an orthonormal 3 × 3 matrix", BadShape, shape=frame.shape)
    return UNITS[unit] * frame


def _triple(path, table, name: str) -> np.ndarray:
    columns = [f"{name}_{axis}" for axis in "xyz"]
    missing = [c for c in columns if c not in table]
    require(not missing, f"{path}: columns {', '.join(missing)} are missing; it has {', '.join(table)}", BadSamples)
    return np.column_stack([table[c] for c in columns])


def _named(name: str, values: np.ndarray) -> dict[str, np.ndarray]:
    return {f"{name}_{axis}": values[:, k] for k, axis in enumerate("xyz")}
