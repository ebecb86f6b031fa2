"""A motion as one HTML file that plays by itself: no server, no network, no libraries."""

from __future__ import annotations

import base64
import hashlib
import html as entities
import json
import re
from importlib.resources import files

import numpy as np

from ...model.overlays import Sheet
from ..geometry import Mesh
from ..render_scene import ChangingLines, Stage

SCRIPTS = ("algebra.js", "picture.js", "camera.js", "plots.js", "controls.js")
SHEET_RATE = 20.0  # grids a second of a sheet that changes; the player blends between them
CURVES = 8  # in one plot


def html(stage: Stage, title: str = "condyle", series: dict[str, dict[str, np.ndarray]] | None = None) -> str:
    """The page; `series` are plots of curves over time (default: coordinates, and energies if there are any)."""
    folder = files("condyle.view").joinpath("player")
    text = json.dumps(_data(stage, series or _series(stage))).replace("<", "\\u003c")  # no name can end the script
    code = "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)
    script = f'\n"use strict";\nconst data = {text};\n{code}\n'
    style = f"\n{folder.joinpath('player.css').read_text(encoding='utf-8')}\n"
    parts = {"TITLE": entities.escape(title), "POLICY": _policy(script, style), "STYLE": style, "SCRIPT": script}
    page = folder.joinpath("player.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], page)


def _policy(script: str, style: str) -> str:
    """A content security policy: this very script and style, and nothing else, whatever gets into the page."""
    allowed = f"script-src '{_sha256(script)}'; style-src '{_sha256(style)}'"
    return f"default-src 'none'; {allowed}; img-src data:; base-uri 'none'; form-action 'none'"


def _sha256(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _data(stage: Stage, series: dict[str, dict[str, np.ndarray]]) -> dict:
    center, radius = stage.bounds()
    parts = [_part(body, mesh) for body, meshes in enumerate(stage.meshes) for mesh in meshes]
    strokes = [{"body": s.body, "s": _floats(s.segments), "c": list(s.color)} for s in stage.strokes]
    strokes += [{"body": s.body, "end": s.other, "s": _floats(s.segments), "c": list(s.color)} for s in stage.ties]
    strokes += [_changing(x) for x in stage.changing]
    return {
        "bodies": list(stage.model.names),
        "t": _floats(stage.t - stage.t[0]),
        "poses": _floats(np.concatenate([stage.wxyz, stage.xyz], axis=-1)),
        "parts": parts,
        "strokes": strokes,
        "sheets": [_sheet(stage, body, sheet) for body, sheet in stage.sheets],
        "up": stage.up.tolist(),
        "center": center.tolist(),
        "radius": radius,
        "plots": {plot: {name: _floats(x) for name, x in curves.items()} for plot, curves in series.items()},
    }


def _changing(lines: ChangingLines) -> dict:
    """Lines that are new at every record; colours of each are three bytes."""
    paint = {} if lines.colors is None else {"paint": _bytes(np.round(255 * lines.colors).astype("u1"))}
    return {"body": -1, "s": _floats(lines.segments), "c": list(lines.color), **paint, "steps": len(lines.segments)}


def _series(stage: Stage) -> dict[str, dict[str, np.ndarray]]:
    model, quaternions = stage.model, {at for at, _, _ in stage.model.quaternions}
    names = [n for n in model.coordinates if model.q_index(n) not in quaternions][:CURVES]
    coordinates = {name: stage.q[:, model.q_index(name)] for name in names}
    plots = {"coordinates [rad, m]": coordinates, "energy [J]": stage.energy}
    return {name: curves for name, curves in plots.items() if curves}


def _part(body: int, mesh: Mesh) -> dict:
    """Triangles as numbers of vertices; a normal is three bytes."""
    small = len(mesh.vertices) < 2**16
    index = np.ascontiguousarray(mesh.faces, dtype="<u2" if small else "<u4")
    return {
        "body": body, "v": _floats(mesh.vertices), "n": _bytes(np.round(127.0 * mesh.normals).astype("i1")),
        "f": _bytes(index), "small": small, "c": list(mesh.color),
    }  # fmt: skip


def _sheet(stage: Stage, body: int, sheet: Sheet) -> dict:
    """Grids at some times, as whole numbers from 0 to 65535 between the least and the greatest point."""
    moments = stage.moments(SHEET_RATE) if sheet.changes else np.zeros(1, dtype=int)
    grids = np.array([sheet.at(float(stage.t[k])) for k in moments])
    low, high = grids.min(axis=(0, 1, 2)), grids.max(axis=(0, 1, 2))
    size = np.maximum(high - low, 1e-12)
    return {
        "body": body, "rows": grids.shape[1], "columns": grids.shape[2], "t": (stage.t[moments] - stage.t[0]).tolist(),
        "low": low.tolist(), "size": size.tolist(), "g": _bytes(np.round(65535 * (grids - low) / size).astype("<u2")),
        "c": list(sheet.color), "a": sheet.opacity,
    }  # fmt: skip


def _floats(array: np.ndarray) -> str:
    return _bytes(np.ascontiguousarray(array, dtype="<f4"))


def _bytes(array: np.ndarray) -> str:
    return base64.b64encode(array.tobytes()).decode()
