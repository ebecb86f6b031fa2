"""`condyle info`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np

from ...errors import BadFile
from ...formats.safe_files import existing, plain_suffix
from ...formats.tables import table_files as tables
from ...formats.tables.table_files import Table, read_table
from ...io.arm_file import is_arm
from ...io.characters.character import GLTF
from ...io.motions.skeleton_file import is_motion
from ...io.motions.torque_file import is_torques
from ...joints import Joint
from ...model import Model
from ...simulation import Trajectory
from ..common import file_name, model_option, opened
from ..json_output import as_json, print_json
from ..robots import robot_options, truncated_option
from ..spoken_warnings import warnings_in_words

UNITS = {"mass": " kg", "gravity": " m/s²", "from": " s", "to": " s"}  # the rest is radians and metres, or a count
EXPORTS = {".html": "player", ".glb": "glTF", ".gltf": "glTF", ".png": "picture", ".gif": "film", ".mp4": "film"}


@click.command(help="Say what is in a FILE: a model, joint, arm, motion, torques, table, or what condyle drew.")
@click.argument("file", type=file_name)
@model_option
@truncated_option
@robot_options
@as_json
def command(file: str, model: str | None, as_json: bool) -> None:
    """Print it."""
    data = seen(file, model)
    if as_json:
        print_json(data)
        return
    click.echo("\n".join(f"{key}: {_said(value)}{UNITS.get(key, '')}" for key, value in data.items()))


def seen(file: str, model: str | None) -> dict[str, Any]:
    """What a file holds; of what condyle drew its size, unless it is glTF with a motion."""
    suffix = Path(file).suffix.lower()
    if suffix in GLTF:
        try:
            return described(read(file, model))
        except BadFile as error:
            return exported(Path(file)) | {"why": str(error)}
    return exported(Path(file)) if suffix in EXPORTS else described(read(file, model))


def read(file: str, model: str | None) -> Any:
    """What a file holds; a table without a model is one of columns."""
    if model is None and plain_suffix(file) in tables.SUFFIXES and plain_suffix(file) != ".bvh":
        with warnings_in_words():
            return read_table(file)
    return opened(file, model)


def exported(path: Path) -> dict[str, Any]:
    """A file for other programs, which condyle writes and does not read."""
    return {"kind": EXPORTS[path.suffix.lower()], "bytes": existing(path).stat().st_size, "read by condyle": "no"}


def described(thing: Any) -> dict[str, Any]:
    """What there is to say."""
    if isinstance(thing, Joint):
        domain = dict(zip(thing.coordinates, thing.domain, strict=True))
        return {"kind": "joint", "title": thing.title, "coordinates": domain, "freedoms": thing.nv,
                "outside": thing.outside, "form": repr(thing)}  # fmt: skip
    if isinstance(thing, Trajectory):
        return _span("trajectory", thing.t, thing.q.shape[:-2]) | {
            "stopped": [str(s) for s in np.array([thing.stopped], dtype=object).ravel() if s is not None],
            "outside": [str(o) for o in thing.outside], "model": repr(thing.model)} | _noted(thing.model)  # fmt: skip
    if is_motion(thing):
        return _skeleton(thing)
    if is_torques(thing):
        return _span("torques", thing.t, thing.tau.shape[1:-1]) | {
            "velocities": thing.tau.shape[-1], "interpolation": thing.interpolation,
            "largest": float(np.abs(thing.tau).max(initial=0.0))}  # fmt: skip
    if isinstance(thing, Table):
        return _table(thing)
    return _arm(thing) if is_arm(thing) else _model(thing)


def _table(table: Table) -> dict[str, Any]:
    """The header, and the least and greatest number of each column."""
    angles = {True: "degrees", False: "radians", None: "not said"}[table.in_degrees]
    seen = [table.values[:, k][~np.isnan(table.values[:, k])] for k in range(table.values.shape[1])]
    ends = [[float(x.min()), float(x.max())] if len(x) else None for x in seen]
    columns = dict(zip(table.flat_names, ends, strict=True))
    return {"kind": "table", "records": len(table), "angles": angles, "units": table.units or "not said",
            "missing": int(np.isnan(table.values).sum()), "columns": columns}  # fmt: skip


def _span(kind: str, t: np.ndarray, members: tuple[int, ...]) -> dict[str, Any]:
    return {"kind": kind, "records": len(t), "from": t[0], "to": t[-1], "members": members}


def _skeleton(motion: Any) -> dict[str, Any]:
    skeleton = motion.skeleton
    joints = dict(zip(skeleton.joint_names, skeleton.kinds, strict=True))
    stops = [f"stopped at t = {s.time:g} s: {s.reason}" for s in motion.stops() if s is not None]
    return _span("skeleton motion", motion.t, motion.states.shape[:-1]) | {
        "stopped": stops, "skeleton": repr(skeleton), "mass": float(skeleton.masses.sum()),
        "gravity": skeleton.gravity, "bodies": list(skeleton.body_names), "joints": joints}  # fmt: skip


def _arm(arm) -> dict[str, Any]:
    complex = arm.surface.complex
    report = {} if arm.report is None else {"fit": str(arm.report)}
    return {"kind": "arm", "lengths": arm.lengths._asdict(), "patches": len(complex.triangles),
            "degree": complex.degree, "flexion": arm.limits.flexion, "wrist": arm.limits.wrist} | report  # fmt: skip


def _model(model: Model) -> dict[str, Any]:
    parents = [model.bodies[b.parent].name if b.parent >= 0 else None for b in model.bodies]
    bodies = {
        b.name: {
            "parent": p,
            "joint": b.joint_name,
            "kind": b.joint.title,
            "freedoms": nv,
            "mass": b.inertia.mass,
        }
        for b, p, nv in zip(model.bodies, parents, model.freedoms, strict=True)
    }
    return {
        "kind": "model", "freedoms": model.nv, "mass": sum(b.inertia.mass for b in model.bodies),
        "gravity": model.gravity, "coordinates": {c: model.range_of(c) for c in model.coordinates}, "bodies": bodies,
        "forces": {f.name: {"law": f.law, **f.named} for f in model.forces},
        "prescribed": len(model.prescribed),
        "constraints": len(model.constraints), **_followers(model),
    } | _said_of_coordinates(model) | _noted(model)  # fmt: skip


def _noted(model: Model) -> dict[str, Any]:
    """What a file says that the model does not do."""
    return {"notes": list(model.notes)} if model.notes else {}


def _followers(model: Model) -> dict[str, Any]:
    """Coordinates that are functions of others."""
    return {"followers": {f.name: f"a function of {f.driver}" for f in model.followers}} if model.followers else {}


def _said_of_coordinates(model: Model) -> dict[str, Any]:
    """What is known of coordinates beyond their ranges."""
    keys = ("velocity", "effort", "damping", "friction")
    known = {
        name: {key: x for key in keys if np.isfinite(x := getattr(limits, key)) and (x > 0.0 or key in keys[:2])}
        for name, limits in model.limits.items()
    }
    return {"limits": found} if (found := {name: x for name, x in known.items() if x}) else {}


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(f"\n  {k}: {_said(v) if not isinstance(v, dict) else _row(v)}" for k, v in value.items())
    if isinstance(value, list) and value and all(isinstance(x, str) for x in value):
        return "".join(f"\n  {x}" for x in value)
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(_said(v) for v in value) + "]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _row(item: dict[str, Any]) -> str:
    return ", ".join(f"{k} {_said(v)}{UNITS.get(k, '')}" for k, v in item.items() if v is not None)
