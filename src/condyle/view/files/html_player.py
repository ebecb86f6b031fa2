"""A motion as one HTML file that plays by itself: no server, no network, no libraries."""

from __future__ import annotations

import base64
import hashlib
import html as entities
import json
import re
import zlib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from ..geometry import Mesh
from ..render_scene import Stage
from ..setting import ANGLE, FILL, GROUND, MARGIN, SKY, SUN, USUAL, Shot, setting_of
from .player_joints import rig_of
from .player_lines import lines_of
from .player_numbers import floats, text_of, turns, whole_numbers
from .player_plots import plots_of

SCRIPTS = (
    "algebra.js", "joints.js", "camera.js", "picture.js", "tubes.js", "frames.js", "shadows.js", "plots.js",
    "controls.js", "options.js", "saving.js", "start.js",
)  # fmt: skip
# the page unpacks its data and its script; the policy knows both scripts by what they hold
UNPACK = """const stream = new Blob([Uint8Array.from(atob(packed), c => c.charCodeAt(0))]).stream();
const [data, code] = JSON.parse(await new Response(stream.pipeThrough(new DecompressionStream("deflate"))).text());
const script = document.createElement("script"); window.data = data;
script.textContent = code; document.body.append(script);"""


def html(stage: Stage, title: str = "condyle", shot: Shot = USUAL) -> str:
    """The page."""
    folder = files("condyle.view").joinpath("player")
    code = "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)
    code = f'"use strict";\n(data => {{\n{code}\n}})(window.data);\n'
    packed = base64.b64encode(zlib.compress(json.dumps([_data(stage, shot), code]).encode(), 9)).decode()
    script = f'\n"use strict";\n(async () => {{\nconst packed = "{packed}";\n{UNPACK}\n}})();\n'
    style = f"\n{folder.joinpath('player.css').read_text(encoding='utf-8')}\n"
    policy = _policy((script, code), style)
    parts = {"TITLE": entities.escape(title), "POLICY": policy, "STYLE": style, "SCRIPT": script}
    page = folder.joinpath("player.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], page)


def _policy(scripts: Sequence[str], style: str) -> str:
    """A content security policy: these very scripts and style, and nothing else, whatever gets into the page."""
    own = " ".join(f"'{_sha256(script)}'" for script in scripts)
    allowed = f"script-src {own}; style-src '{_sha256(style)}'"
    return f"default-src 'none'; {allowed}; img-src data:; base-uri 'none'; form-action 'none'"


def _sha256(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _data(stage: Stage, shot: Shot) -> dict[str, Any]:
    alone = len(stage.t) == 1 and stage.second is None and len(stage.model.bodies) == len(stage.names)
    return {
        "bodies": list(stage.names),
        "t": floats(stage.t - stage.t[0]),
        "turns": turns(stage.wxyz),
        "places": floats(stage.xyz),
        "parts": [_part(body, mesh) for body, meshes in enumerate(stage.meshes) for mesh in meshes],
        **lines_of(stage),
        "setting": _setting(stage, shot),
        "plots": plots_of(stage) if len(stage.t) > 1 else {},
        "second": _second(stage),
        "rig": rig_of(stage) if alone else None,
    }


def _second(stage: Stage) -> dict[str, Any] | None:
    """Where the bodies of a second motion begin, how far they were moved, and what both outline without that."""
    if stage.second is None:
        return None
    return {"first": stage.second.body, "way": stage.second.way.tolist(), "outline": floats(stage.second.outline)}


def _setting(stage: Stage, shot: Shot) -> dict:
    """Ground, light and first view, as pictures have them."""
    setting = setting_of(stage, shot)
    numbers = {name: getattr(setting, name).tolist() for name in ("up", "front", "sun", "center")}
    follow = -1 if shot.follow is None else stage.body_index(shot.follow)
    return {
        **numbers, "ground": setting.ground, "tile": setting.tile, "radius": setting.radius, "angle": ANGLE,
        "margin": MARGIN, "follow": follow, "labels": shot.labels, "outline": floats(stage.outline()),
        "followed": floats(setting.outline[: 0 if follow < 0 else None]),
        "sky": SKY, "squares": GROUND, "sunlight": SUN, "fill": FILL,
    }  # fmt: skip


def _part(body: int, mesh: Mesh) -> dict:
    """Triangles as numbers of vertices; a normal is three bytes."""
    small = len(mesh.vertices) < 2**16
    index = np.ascontiguousarray(mesh.faces, dtype="<u2" if small else "<u4")
    places, box = whole_numbers(mesh.vertices)
    return {
        "body": body, "v": places, "n": text_of(np.round(127.0 * mesh.normals).astype("i1")),
        "f": text_of(index), "small": small, "c": list(mesh.color), **box,
    }  # fmt: skip
