"""How joints carry their bodies: the curve of one coordinate, the surface of two, frames along them, where they are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..joints.evaluate import pose_matrices
from ..model import Body, Model
from ..model.look.overlays import Drawn, Frames, Line, Sheet
from ..model.validate_model import require_model

POINTS, GRID = 81, 17  # along a curve, along each side of a surface
GLYPHS, SIDE = 9, 4  # frames along them
SMALLEST = 1e-6  # [m] a path shorter than this is a point
SHARE = 0.07  # size of a glyph as a part of the path's


def joint_paths(model: Model) -> tuple[Drawn, ...]:
    """Curves and surfaces swept by the joints' moving frames, with frames along them and one on each body.

    They are in the frames of the joints' parents; the frame on a body shows where it is.

    For joints of one or two plain coordinates whose domains end, or that come back after a turn. Bodies that share a
    path share what is drawn of it.

    Parameters
    ----------
    model : Model

    Returns
    -------
    tuple of Line, Sheet and Frames
        To be given as `drawn`.
    """
    require_model(model)
    seen: list[tuple[int, np.ndarray]] = []
    out: list[Drawn] = []
    for body in model.bodies:
        path = path_of_body(body)
        if path is None:
            continue
        poses, size = path
        new = not any(p == body.parent and np.array_equal(poses, x) for p, x in seen)
        out += [
            *(_swept(model, body, poses, size) if new else ()),
            Frames(body.name, body.offset.as_matrix()[None], 1.8 * size),
        ]
        seen.append((body.parent, poses))
    return tuple(out)


def path_of_body(body: Body) -> tuple[np.ndarray, float] | None:
    """Poses over the domain, (n, 4, 4) or (n, m, 4, 4) in the parent's frame, and a size for glyphs [m]."""
    joint = body.joint
    if joint.nq not in (1, 2) or any(w != (1, 1) for w in joint.widths):
        return None
    sides = [_interval(low, high) for low, high in joint.domain]
    count = POINTS if joint.nq == 1 else GRID
    grid = np.stack(np.meshgrid(*(np.linspace(*s, count) for s in sides), indexing="ij"), axis=-1)
    poses = body.placement @ pose_matrices(joint, grid)
    extent = float(np.ptp(poses[..., :3, 3].reshape(-1, 3), axis=0).max())
    closed = all(np.isfinite(d).all() or _returns(poses, axis) for axis, d in enumerate(joint.domain))
    return (poses, SHARE * extent) if extent > SMALLEST and closed else None


def _interval(low: float, high: float) -> tuple[float, float]:
    """The domain, or a turn where it has no end."""
    return (low, high) if np.isfinite([low, high]).all() else (-np.pi, np.pi)


def _returns(poses: np.ndarray, axis: int) -> bool:
    """Whether the path ends where it began."""
    places = poses[..., :3, 3]
    return bool(np.allclose(np.take(places, 0, axis), np.take(places, -1, axis), atol=1e-9))


def _swept(model: Model, body: Body, poses: np.ndarray, size: float) -> Iterator[Drawn]:
    parent = None if body.parent < 0 else model.bodies[body.parent].name
    if poses.ndim == 3:
        some = np.linspace(0, POINTS - 1, GLYPHS).astype(int)
        yield Line(parent, poses[:, :3, 3])
        yield Frames(parent, poses[some], size)
    else:
        some = np.linspace(0, GRID - 1, SIDE).astype(int)
        yield Sheet(parent, poses[..., :3, 3])
        yield Frames(parent, poses[np.ix_(some, some)].reshape(-1, 4, 4), size)
