"""Animated glTF 2.0 as one .glb file: a node for each body inside that of the body that carries it, one animation.

With an armature the bodies are the joints of a skin, which animation programs show as bones; their meshes hang on it.

Lines and frames of a body are LINES primitives; lines between bodies, such as muscles, are thin rods of their own; a
sheet that changes with time is a mesh with morph targets, its grids at some times, blended by animated weights.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...model.look.overlays import Sheet
from ...spatial import SE3
from ..geometry import Mesh, sheet_faces
from ..line_segments import Strokes
from ..render_scene import Stage
from .glb_document import ARRAYS, FLOAT, SHORT, Document
from .glb_rods import line_rods, rod_mesh, stretches, turns

LINES = 1
STILL = 1e-9  # [m, −]: what changes less stays
SHEET_RATE = 10.0  # morph targets a second of a sheet that changes


def glb(stage: Stage, armature: bool = False) -> bytes:
    """The file. glTF's up is y: a root node turns the world so that the model's up is."""
    out, poses = Document(), _local(stage)
    root = out.node("world", rotation=_turn(stage.up))
    for body, name in enumerate(stage.model.names):
        solids = [] if armature else [_solid(out, mesh) for mesh in stage.meshes[body]]
        first = {"rotation": _xyzw(poses[body].wxyz[0]).tolist(), "translation": poses[body].xyz[0].tolist()}
        _place(out, root, out.node(name, mesh=out.mesh(solids + _lines(out, stage, body)), **first), stage, body)
    if lines := _lines(out, stage, -1):
        _child(out, root, out.node("lines", mesh=out.mesh(lines)))
    bodies = {body: 1 + body for body in range(len(stage.meshes))} | {-1: root}
    for ends, color in line_rods(stage):
        _rods(out, stage, root, ends, color)
    changing = [_sheet_node(out, stage, bodies[body], sheet) for body, sheet in stage.sheets]
    if armature:
        _skinned(out, stage)
    if len(stage.t) > 1:
        _animate(out, stage, poses)
        for node, sheet in zip(changing, (s for _, s in stage.sheets), strict=True):
            _bend(out, stage, node, sheet)
    return out.packed()


def _rods(out: Document, stage: Stage, root: int, ends: np.ndarray, color: tuple[float, float, float]) -> None:
    """A node for each line, all of one mesh, animated where there is a motion."""
    mesh = out.mesh([_solid(out, part) for part in rod_mesh(stage, color)])
    middle, turned, scale = ends.mean(axis=2), _xyzw(turns(ends)), stretches(ends)
    times = out.numbers(stage.t - stage.t[0], FLOAT) if len(ends) > 1 else 0
    for k in range(ends.shape[1]):
        own = {"translation": middle[:, k], "rotation": turned[:, k], "scale": scale[:, k]}
        node = out.node("line", mesh=mesh, **{name: x[0].tolist() for name, x in own.items()})
        _child(out, root, node)
        for name, x in own.items() if len(ends) > 1 else ():
            out.channel(node, name, times, out.numbers(x, FLOAT))


def _child(out: Document, parent: int, child: int) -> None:
    out.nodes[parent].setdefault("children", []).append(child)


def _place(out: Document, root: int, node: int, stage: Stage, body: int) -> None:
    """Below the node of the body that carries it."""
    parent = stage.model.bodies[body].parent
    _child(out, root if parent < 0 else root + 1 + parent, node)


def _local(stage: Stage) -> list[SE3]:
    """Poses over time of each body in the one that carries it."""
    whole = [SE3(stage.wxyz[:, i], stage.xyz[:, i]) for i in range(len(stage.meshes))]
    parents = [body.parent for body in stage.model.bodies]
    return [own if p < 0 else whole[p].inverse() @ own for own, p in zip(whole, parents, strict=True)]


def _skinned(out: Document, stage: Stage) -> None:
    """The meshes of bodies where they are at the start, each moved by its joint of one skin."""
    turn = SE3(np.roll(_turn(stage.up), 1), np.zeros(3))
    bind = turn @ SE3(stage.wxyz[0], stage.xyz[0])
    skin = out.skin([1 + body for body in range(len(stage.meshes))], bind.as_matrix())
    for body, name in enumerate(stage.model.names):
        solids = [_carried(out, mesh, bind[body], body) for mesh in stage.meshes[body]]
        if solids:
            out.roots.append(out.node(f"{name} mesh", mesh=out.mesh(solids), skin=skin))


def _carried(out: Document, mesh: Mesh, pose: SE3, joint: int) -> dict:
    """A mesh whose vertices all belong to one joint."""
    normals = mesh.normals @ pose.as_matrix()[:3, :3].T
    primitive = _solid(out, replace(mesh, vertices=pose.apply(mesh.vertices), normals=normals))
    ones = np.zeros((len(normals), 4))
    ones[:, 0] = 1.0
    primitive["attributes"]["JOINTS_0"] = out.numbers(joint * ones, SHORT, ARRAYS)
    primitive["attributes"]["WEIGHTS_0"] = out.numbers(ones, FLOAT, ARRAYS)
    return primitive


def _solid(out: Document, mesh: Mesh) -> dict:
    attributes = {"POSITION": out.corners(mesh.vertices), "NORMAL": out.corners(mesh.normals)}
    indices = out.indices(mesh.faces.reshape(-1))
    return {"attributes": attributes, "indices": indices, "material": out.material(mesh.color)}


def _lines(out: Document, stage: Stage, body: int) -> list[dict]:
    return [_line(out, s) for s in stage.strokes if s.body == body]


def _line(out: Document, strokes: Strokes) -> dict:
    position = out.corners(strokes.segments.reshape(-1, 3))
    return {"attributes": {"POSITION": position}, "mode": LINES, "material": out.material(strokes.color)}


def _grids(stage: Stage, sheet: Sheet) -> tuple[np.ndarray, np.ndarray]:
    """Times kept, and the grids then (K, n, m, 3)."""
    kept = stage.moments(SHEET_RATE) if sheet.changes else np.zeros(1, dtype=int)
    return stage.t[kept] - stage.t[0], np.array([sheet.at(float(stage.t[k])) for k in kept])


def _sheet_node(out: Document, stage: Stage, parent: int, sheet: Sheet) -> int:
    """A node with the grid at the start, and what to add to it later as morph targets."""
    _, grids = _grids(stage, sheet)
    first, cells = grids[0].reshape(-1, 3), sheet_faces(*grids.shape[1:3]).reshape(-1)
    material = out.material(sheet.color, sheet.opacity, both=True)
    primitive = {"attributes": {"POSITION": out.corners(first)}, "indices": out.indices(cells), "material": material}
    if len(grids) > 1:
        primitive["targets"] = [{"POSITION": out.corners(g.reshape(-1, 3) - first)} for g in grids[1:]]
    node = out.node("sheet", mesh=out.mesh([primitive]))
    _child(out, parent, node)
    return node


def _bend(out: Document, stage: Stage, node: int, sheet: Sheet) -> None:
    """Weights: at the k-th time the k-th target is all there is."""
    times, grids = _grids(stage, sheet)
    if len(grids) > 1:
        weights = np.eye(len(grids))[:, 1:]
        out.channel(node, "weights", out.numbers(times, FLOAT), out.numbers(weights.reshape(-1), FLOAT))


def _animate(out: Document, stage: Stage, poses: list[SE3]) -> None:
    """Curves of what moves; a node keeps what stays as it is."""
    times = out.numbers(stage.t - stage.t[0], FLOAT)
    for body, pose in enumerate(poses):
        turns = _continued(_xyzw(pose.wxyz))
        if np.ptp(turns, axis=0).max() > STILL:
            out.channel(1 + body, "rotation", times, out.numbers(turns, FLOAT))
        if np.ptp(pose.xyz, axis=0).max() > STILL:
            out.channel(1 + body, "translation", times, out.numbers(pose.xyz, FLOAT))


def _xyzw(wxyz: np.ndarray) -> np.ndarray:
    """glTF's order of a quaternion, of which no number may be above 1 by rounding."""
    return np.clip(wxyz[..., [1, 2, 3, 0]], -1.0, 1.0)


def _continued(q: np.ndarray) -> np.ndarray:
    """Signs chosen so that neighbours are near: q and −q are one rotation, but not halfway between."""
    flips = np.sign(np.einsum("ti,ti->t", q[1:], q[:-1]))
    return q * np.concatenate([[1.0], np.cumprod(np.where(flips == 0, 1.0, flips))])[:, None]


def _turn(up: np.ndarray) -> list[float]:
    """The shortest turn (x, y, z, w) that takes `up` to y."""
    y = np.array([0.0, 1.0, 0.0])
    if up @ y < -1 + 1e-9:
        return [1.0, 0.0, 0.0, 0.0]
    q = np.array([*np.cross(up, y), 1.0 + up @ y])
    return (q / np.linalg.norm(q)).tolist()
