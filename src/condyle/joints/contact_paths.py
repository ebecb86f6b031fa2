"""Where two shapes touch as a joint moves one over the other, and the shape that another one leaves as it moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadShape, BadValue, NotConverged, OutsideDomainWarning, require, warn
from ..spatial.arrays import real_numbers
from ..spatial.twists import pose_inverse
from ..typing import ArrayLike
from .joint import Joint
from .shapes.surface import Surface
from .shapes.triangle_meshes.mesh import Mesh

ROUNDS = 40
CLOSED = 1e-10  # of the size: how exactly the nearest places are found
STEP = 1e-6  # of a parameter's range, for differences
OPPOSED = -0.5  # cosine between normals of places that may touch


@dataclass(frozen=True)
class ContactPath:
    """The nearest places of two surfaces at each of N coordinates; NaN where these are beyond the edge of one.

    Attributes
    ----------
    q : ndarray, shape (N, nq)
        Coordinates of the joint.
    parent, child : ndarray, shape (N, 3)
        The place on the parent's surface in its frame, and on the child's in its own [m].
    on_parent, on_child : ndarray, shape (N, 2)
        Their parameters.
    gap : ndarray, shape (N,)
        From the parent's surface along its normal to the child's [m]; negative where they cut into each other.
    """

    q: np.ndarray
    parent: np.ndarray
    child: np.ndarray
    on_parent: np.ndarray
    on_child: np.ndarray
    gap: np.ndarray

    @property
    def slid(self) -> float:
        """How far the child slid [m]: the path on its own surface less that on the parent's; 0 if it rolls."""
        a, b = (np.linalg.norm(np.diff(p, axis=0), axis=1).sum() for p in (self.parent, self.child))
        return float(b - a)


def contact_path(joint: Joint, parent: Surface, child: Surface, q: ArrayLike) -> ContactPath:
    """Where two surfaces are nearest to each other, or deepest in each other, as a joint moves the child.

    At these places the normals are opposite and the line between them is along them.

    Parameters
    ----------
    joint : Joint
        Pose of the child in the parent.
    parent, child : Surface
        Of the parent in its frame, and of the child in its own; normals point outwards.
    q : array_like, shape (N, nq), or (N,) for a joint of one coordinate

    Returns
    -------
    ContactPath

    Raises
    ------
    BadShape, BadValue
        If q does not fit the joint, or a shape is no Surface.
    NotConverged
        If the nearest places are not found, with the coordinates.

    Warns
    -----
    OutsideDomainWarning
        Where coordinates are beyond the domain of the joint, which is extended linearly.

    Examples
    --------
    A ball of 0.1 m that hangs 0.12 m above a plane and moves along it:

    >>> import condyle as cd
    >>> side = np.linspace(-0.3, 0.3, 9)
    >>> plane = cd.joints.Surface.from_heights(side, side, np.zeros((9, 9)))
    >>> ball = lambda u, v: 0.1 * np.stack([np.sin(u), -np.cos(u) * np.sin(v), -np.cos(u) * np.cos(v)], axis=-1)
    >>> under = cd.joints.Surface.from_function(ball, ((-1, 1), (-1, 1)))
    >>> slide = cd.joints.product(np.eye(6)[[5, 3]], [0.12, cd.functions.linear()])
    >>> path = cd.joints.contact_path(slide, plane, under, [0.0, 0.1])
    >>> path.gap.round(9).tolist(), path.parent[1].round(9).tolist()
    ([0.02, 0.02], [0.1, 0.0, 0.0])
    """
    _require_surfaces("contact_path", parent=parent, child=child)
    q = real_numbers(q, "contact_path: q")
    q = q[:, None] if q.ndim == 1 and joint.nq == 1 else q
    good = q.ndim == 2 and q.shape[1] == joint.nq
    require(good, f"contact_path: q needs shape (N, {joint.nq})", BadShape, shape=q.shape)
    for name, x, (low, high), turns in zip(joint.coordinates, q.T, joint.domain, joint.periodic, strict=True):
        if not turns and ((x < low) | (x > high)).any():
            warn(f"contact_path: {name!r} goes from {x.min():g} to {x.max():g}, beyond [{low:g}, {high:g}], where the "
                 "joint is extended linearly: gaps there are not those of its shape", OutsideDomainWarning)  # fmt: skip
    return path_at(joint.pose(q).as_matrix(), parent, child, q)


def _require_surfaces(what: str, **surfaces: object) -> None:
    """Each is a Surface; of a mesh one is made first."""
    for name, s in surfaces.items():
        words = f"{what}: {name} is a Surface; Surface.from_mesh makes one of a mesh"
        require(isinstance(s, Surface), words, BadValue, got=type(s).__name__)


def path_at(G: np.ndarray, parent: Surface, child: Surface, q: np.ndarray) -> ContactPath:
    """The contact path at poses (N, 4, 4) of the child, which have coordinates q (N, nq)."""
    pair = _Pair(parent, child, G)
    x, left = _solved(pair, np.array([_nearest(parent, child, T) for T in G]))
    inside = pair.inside(x)
    bad = np.flatnonzero(inside & (left > CLOSED))
    require(len(bad) == 0, "contact_path: the nearest places were not found", NotConverged, q=q[bad[:1]].tolist())
    p, c = parent.points(x[:, :2]), child.points(x[:, 2:])
    gap = ((pair.placed(c) - p) * parent.normals(x[:, :2])).sum(axis=1)
    p, c, x, gap = (np.where(inside.reshape(-1, *[1] * (a.ndim - 1)), a, np.nan) for a in (p, c, x, gap))
    return ContactPath(q, p, c, x[:, :2], x[:, 2:], gap)


def _nearest(parent: Surface, child: Surface, T: np.ndarray) -> np.ndarray:
    """Parameters of the sampled places that are nearest, or deepest, and face each other."""
    from scipy.spatial import KDTree  # slow to load

    a, b = parent.samples, child.samples
    p, n = parent.points(a), parent.normals(a)
    c, m = child.points(b) @ T[:3, :3].T + T[:3, 3], child.normals(b) @ T[:3, :3].T
    k = np.asarray(KDTree(p).query(c)[1])
    gap = ((c - p[k]) * n[k]).sum(axis=1) + np.where((n[k] * m).sum(axis=1) < OPPOSED, 0.0, 1e3 * parent.size)
    i = int(np.argmin(gap))
    return np.concatenate([a[k[i]], b[i]])


class _Pair:
    """Two surfaces at N poses of the child: what vanishes where they are nearest, by the four parameters."""

    def __init__(self, parent: Surface, child: Surface, G: np.ndarray) -> None:
        self.parent, self.child, self.G = parent, child, G
        self.size = min(parent.size, child.size)
        ends = np.array([(b[0], b[-1]) for s in (parent, child) for b in s.breaks])
        self.low, self.high = ends.T

    def placed(self, points: np.ndarray) -> np.ndarray:
        return (self.G[:, :3, :3] @ points[..., None])[..., 0] + self.G[:, :3, 3]

    def inside(self, x: np.ndarray) -> np.ndarray:
        """Which are on both rectangles."""
        return ((x >= self.low) & (x <= self.high)).all(axis=1)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """(N, 4): the gap along the parent's tangents [of its size], the child's tangents along the parent's normal."""
        u, w = x[:, :2], x[:, 2:]
        gap = (self.placed(self.child.points(w)) - self.parent.points(u)) / self.size
        rows = [(gap * _unit(t)).sum(axis=1) for t in self.parent.slopes(u)]
        normal = self.parent.normals(u)
        turned = [(self.G[:, :3, :3] @ _unit(t)[..., None])[..., 0] for t in self.child.slopes(w)]
        return np.stack([*rows, *((normal * t).sum(axis=1) for t in turned)], axis=1)


def _unit(t: np.ndarray) -> np.ndarray:
    return t / np.linalg.norm(t, axis=1, keepdims=True)


def _solved(pair: _Pair, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Newton's method for all at once, within the rectangles and a little beyond; what is left of each."""
    wide, n = pair.high - pair.low, x.shape[1]
    f = pair(x)
    for _ in range(ROUNDS):
        J = np.stack([(pair(x + e) - pair(x - e)) / (2.0 * e.max()) for e in STEP * wide * np.eye(n)], axis=2)
        step = np.linalg.solve(J + 1e-14 * np.eye(n), f[..., None])[..., 0]
        far = np.abs(step / (0.2 * wide)).max(axis=1, keepdims=True)
        x = np.clip(x - step / np.maximum(far, 1.0), pair.low - 0.02 * wide, pair.high + 0.02 * wide)
        f = pair(x)
        if np.abs(f).max() < 1e-13:
            break
    return x, np.abs(f).max(axis=1)


def conjugate_surface(joint: Joint, surface: Surface, q: ArrayLike, v: ArrayLike, *, frame: str = "child") -> Mesh:
    """The shape that a surface leaves in the other body as a joint moves: it touches it all along.

    Of a joint of one coordinate and the surface of one bone, this is the surface of the other bone, as of the flanks of
    gears (the envelope). A place of the surface touches where it moves along itself, n · velocity = 0: for every q and
    second parameter v the first one is found.

    Parameters
    ----------
    joint : Joint
        Pose of the child in the parent, of one coordinate.
    surface : Surface
        Of the parent if the shape in the child is wanted; else of the child.
    q : array_like, shape (N,)
        Coordinates, rising.
    v : array_like, shape (M,)
        Second parameters of the surface, rising.
    frame : {"child", "parent"}
        In which body the shape is left.

    Returns
    -------
    Mesh
        A grid of N · M vertices in that body's frame [m]; `Surface.from_mesh` makes it smooth.

    Raises
    ------
    BadShape, BadValue
        If the joint has more than one coordinate, q or v do not rise, v is beyond the surface, or the surface moves
        along itself nowhere, with the place.
    """
    require(joint.nq == 1, "conjugate_surface: a joint of one coordinate", BadShape, coordinates=joint.coordinates)
    require(frame in ("child", "parent"), "conjugate_surface: frame is 'child' or 'parent'", BadValue, frame=frame)
    _require_surfaces("conjugate_surface", surface=surface)
    q, v = (_rising(x, n) for x, n in ((q, "q"), (v, "v")))
    low, high = surface.breaks[1][[0, -1]]
    words = f"conjugate_surface: second parameters of the surface are from {low:.6g} to {high:.6g}"
    require(bool(v[0] >= low and v[-1] <= high), words, BadValue, v=[float(v[0]), float(v[-1])])
    G, S = joint.pose(q[:, None]).as_matrix(), joint.jacobian(q[:, None])[:, :, 0]
    w, t = S[:, :3], S[:, 3:]
    if frame == "child":  # twist of the child in the parent's axes, about the parent's origin
        w, t = (G[:, :3, :3] @ w[..., None])[..., 0], (G[:, :3, :3] @ t[..., None])[..., 0]
        t = t - np.cross(w, G[:, :3, 3])
    grid = np.array([_touching(surface, a, b, v, where) for a, b, where in zip(w, t, q, strict=True)])
    if frame == "child":
        G = pose_inverse(G)
    points = np.einsum("nij,nmj->nmi", G[:, :3, :3], grid) + G[:, None, :3, 3]
    faces = np.einsum("nij,j->ni", G[:, :3, :3], surface.normals([[0.5 * sum(b[[0, -1]]) for b in surface.breaks]])[0])
    mesh = Mesh.from_grid(points, title="conjugate surface")
    over = mesh.area_vectors.sum(axis=0) @ faces.mean(axis=0) > 0.0  # it faces the surface that left it
    return Mesh(mesh.vertices, mesh.triangles[:, ::-1] if over else mesh.triangles, mesh.title)


def _rising(x: ArrayLike, name: str) -> np.ndarray:
    """Two finite numbers or more, each above the last."""
    x = real_numbers(x, f"conjugate_surface: {name}").ravel()
    good = len(x) >= 2 and np.isfinite(x).all() and (np.diff(x) > 0.0).all()
    require(bool(good), f"conjugate_surface: {name} is two rising numbers or more", BadValue, got=x[:5].tolist())
    return x


def _touching(surface: Surface, w: np.ndarray, t: np.ndarray, v: np.ndarray, q: float) -> np.ndarray:
    """Points (M, 3) of the surface that a twist moves along it, for each second parameter, by bisection."""
    low, high = (np.full(len(v), e) for e in surface.breaks[0][[0, -1]])

    def lifted(u: np.ndarray) -> np.ndarray:
        at = np.stack([u, v], axis=1)
        return (surface.normals(at) * (t + np.cross(w, surface.points(at)))).sum(axis=1)

    start, end = lifted(low), lifted(high)
    bad = np.flatnonzero(start * end > 0.0)
    words = f"conjugate_surface: at q = {q:.4g} nothing of the surface moves along itself"
    require(len(bad) == 0, f"{words}, with its second parameter", BadValue, v=v[bad[:1]].tolist())
    for _ in range(60):
        middle = 0.5 * (low + high)
        same = lifted(middle) * start > 0.0
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return surface.points(np.stack([0.5 * (low + high), v], axis=1))
