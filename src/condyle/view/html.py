"""A motion as one HTML file that plays by itself: no server, no network, no libraries."""

from __future__ import annotations

import base64
import json
from importlib.resources import files

import numpy as np

from .scene import Scene

__all__ = ["html"]


def html(scene: Scene, title: str = "condyle", series: dict[str, np.ndarray] | None = None) -> str:
    """The page; `series` are curves over time to plot under the picture (default: the coordinates)."""
    center, radius = scene.bounds()
    data = {
        "title": title,
        "bodies": [_body(name, parts) for name, parts in zip(scene.model.names, scene.meshes, strict=True)],
        "t": (scene.t - scene.t[0]).tolist(),
        "poses": _packed(np.concatenate([scene.wxyz, scene.xyz], axis=-1)),
        "up": scene.up.tolist(),
        "center": center.tolist(),
        "radius": radius,
        "series": {name: np.asarray(x, dtype=float).tolist() for name, x in (series or _coordinates(scene)).items()},
    }
    page = files("condyle.view").joinpath("player.html").read_text(encoding="utf-8")
    text = json.dumps(data).replace("<", "\\u003c")  # no name can end the script
    shown = title.replace("&", "&amp;").replace("<", "&lt;")
    return page.replace("/*DATA*/null", text).replace("<!--TITLE-->", shown)


def _coordinates(scene: Scene) -> dict[str, np.ndarray]:
    return {name: scene.q[:, scene.model.q_index(name)] for name in scene.model.coordinates[:6]}


def _body(name: str, parts) -> dict:
    """Triangles with a flat normal each."""
    shown = [_triangles(*part) for part in parts]
    empty = [np.zeros((0, 3))] * 3
    corners, normals, colors = (np.concatenate(x) for x in zip(*(shown or [empty]), strict=True))
    return {"name": name, "v": _packed(corners), "n": _packed(normals), "c": _packed(colors)}


def _triangles(vertices: np.ndarray, faces: np.ndarray, color) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    flat = corners.reshape(-1, 3)
    return flat, np.repeat(normals, 3, axis=0), np.broadcast_to(color, flat.shape)


def _packed(array: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(array, dtype="<f4").tobytes()).decode()
