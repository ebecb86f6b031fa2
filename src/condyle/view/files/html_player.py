"""A motion as one HTML file that plays by itself: no server, no network, no libraries."""

from __future__ import annotations

import base64
import hashlib
import html as entities
import json
import re
import zlib
from importlib.resources import files

import numpy as np

from ...model.look.overlays import Sheet
from ..geometry import Mesh
from ..render_scene import ChangingLines, Stage
from ..setting import ANGLE, FILL, GROUND, MARGIN, SKY, SUN, USUAL, Shot, setting_of

SCRIPTS = ("algebra.js", "camera.js", "picture.js", "shadows.js", "plots.js", "controls.js")
UNPACK = """const stream = new Blob([Uint8Array.from(atob(packed), c => c.charCodeAt(0))]).stream();
const data = JSON.parse(await new Response(stream.pipeThrough(new DecompressionStream("deflate"))).text());"""
SHEET_RATE = 20.0  # grids a second of a sheet that changes; the player blends between them
CURVES = 8  # in one plot


def html(
    stage: Stage, title: str = "condyle", series: dict[str, dict[str, np.ndarray]] | None = None, shot: Shot = USUAL
) -> str:
    """The page; `series` are plots of curves over time (default: coordinates, and energies if there are any)."""
    folder = files("condyle.view").joinpath("player")
    packed = zlib.compress(json.dumps(_data(stage, series or _series(stage), shot)).encode(), 9)
    known = f'const packed = "{base64.b64encode(packed).decode()}";\n{UNPACK}'
    code = "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)
    script = f'\n"use strict";\n(async () => {{\n{known}\n{code}\n}})();\n'
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


def _data(stage: Stage, series: dict[str, dict[str, np.ndarray]], shot: Shot) -> dict:
    parts = [_part(body, mesh) for body, meshes in enumerate(stage.meshes) for mesh in meshes]
    strokes = [{"body": s.body, "s": _floats(s.segments), "c": list(s.color)} for s in stage.strokes]
    strokes += [{"body": s.body, "end": s.other, "s": _floats(s.segments), "c": list(s.color)} for s in stage.ties]
    strokes += [_changing(x) for x in stage.changing]
    return {
        "bodies": list(stage.names),
        "t": _floats(stage.t - stage.t[0]),
        "poses": _floats(np.concatenate([stage.wxyz, stage.xyz], axis=-1)),
        "parts": parts,
        "strokes": strokes,
        "sheets": [_sheet(stage, body, sheet) for body, sheet in stage.sheets],
        "setting": _setting(stage, shot),
        "plots": {plot: {name: _floats(x) for name, x in curves.items()} for plot, curves in series.items()},
    }


def _setting(stage: Stage, shot: Shot) -> dict:
    """Ground, light and first view, as pictures have them."""
    setting = setting_of(stage, shot)
    numbers = {name: getattr(setting, name).tolist() for name in ("up", "front", "sun", "center")}
    follow = -1 if shot.follow is None else stage.body_index(shot.follow)
    return {
        **numbers, "ground": setting.ground, "tile": setting.tile, "radius": setting.radius, "angle": ANGLE,
        "margin": MARGIN, "follow": follow, "labels": shot.labels, "outline": _floats(stage.outline()),
        "followed": _floats(setting.outline[: 0 if follow < 0 else None]),
        "sky": SKY, "squares": GROUND, "sunlight": SUN, "fill": FILL,
    }  # fmt: skip


def _changing(lines: ChangingLines) -> dict:
    """Lines that are new at every record; colours of each are three bytes."""
    paint = {} if lines.colors is None else {"paint": _bytes(np.round(255 * lines.colors).astype("u1"))}
    return {"body": -1, "s": _floats(lines.segments), "c": list(lines.color), **paint, "steps": len(lines.segments)}


def _series(stage: Stage) -> dict[str, dict[str, np.ndarray]]:
    coordinates = dict(list(stage.coordinates.items())[:CURVES])
    energy = stage.energy if any(np.any(curve) for curve in stage.energy.values()) else {}  # bodies may have no mass
    return {name: x for name, x in (("coordinates [rad, m]", coordinates), ("energy [J]", energy)) if x}


def _part(body: int, mesh: Mesh) -> dict:
    """Triangles as numbers of vertices; a normal is three bytes."""
    small = len(mesh.vertices) < 2**16
    index = np.ascontiguousarray(mesh.faces, dtype="<u2" if small else "<u4")
    places, box = _whole_numbers(mesh.vertices)
    return {
        "body": body, "v": places, "n": _bytes(np.round(127.0 * mesh.normals).astype("i1")),
        "f": _bytes(index), "small": small, "c": list(mesh.color), **box,
    }  # fmt: skip


def _sheet(stage: Stage, body: int, sheet: Sheet) -> dict:
    """Grids at some times."""
    moments = stage.moments(SHEET_RATE) if sheet.changes else np.zeros(1, dtype=int)
    grids = np.array([sheet.at(float(stage.t[k])) for k in moments])
    places, box = _whole_numbers(grids)
    return {
        "body": body, "rows": grids.shape[1], "columns": grids.shape[2], "t": (stage.t[moments] - stage.t[0]).tolist(),
        "g": places, "c": list(sheet.color), "a": sheet.opacity, "lines": sheet.grid, **box,
    }  # fmt: skip


def _whole_numbers(points: np.ndarray) -> tuple[str, dict]:
    """Points (..., 3) as whole numbers from 0 to 65535 between the least and the greatest, and these."""
    flat = points.reshape(-1, 3)
    low, high = flat.min(axis=0), flat.max(axis=0)
    size = np.maximum(high - low, 1e-12)
    numbers = np.round(65535 * (points - low) / size).astype("<u2")
    return _bytes(numbers), {"low": low.tolist(), "size": size.tolist()}


def _floats(array: np.ndarray) -> str:
    return _bytes(np.ascontiguousarray(array, dtype="<f4"))


def _bytes(array: np.ndarray) -> str:
    return base64.b64encode(array.tobytes()).decode()
