"""From meshes of two bones and a set of poses to a joint, in one call."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import BadShape, BadValue, NotConverged, require
from ...joints import Joint, Mesh, Surface, contact, on, screw_axes
from ...joints.contact_paths import ContactPath, path_at
from ...spatial import SE3
from ...spatial.arrays import floats
from ...typing import ArrayLike, PathLike
from ..curve_fit import fit_curve
from ..fit_result import Fit
from ..surface_fit import fit_surface
from .articular import compartments
from .bone_joint import BoneJoint, Compartment

THROUGH = ("poses", "contact")
PLACES = 41  # where paths and axes are computed
LENGTH = 0.05  # [m] that counts like one radian, about the half of a joint's size
CLOSED = 1e-8  # [m] of gap that is left where a joint goes through contact
ROUNDS = 25
BONE = 2.0  # [m] no bone is larger


def joint_from_bones(
    parent: Mesh | PathLike,
    child: Mesh | PathLike,
    poses: SE3 | ArrayLike | None = None,
    coordinates: ArrayLike | str | None = None,
    *,
    through: str = "poses",
    reach: float | None = None,
    scale: float = 1.0,
    options: dict[str, Any] | None = None,
) -> BoneJoint:
    """A joint from meshes of two bones: articular surfaces, contact paths, screw axes, and the joint itself.

    The parts of the bones that come near each other and face each other over the poses are found (compartments: a knee
    has two) and a smooth surface is fitted to each (`Surface.from_mesh`). A spline joint is fitted to the poses; with
    `through="contact"` its poses are then moved as little, in the metric of the fit, as closes the gaps. Without poses
    the meshes touch where they are, and the joint is the contact of the two largest surfaces that face each other, five
    coordinates.

    Parameters
    ----------
    parent, child : Mesh or path
        The bones, each in its own frame [m]; paths of .stl, .obj, .ply, .vtp files are read.
    poses : SE3 or array_like, shape (N, 4, 4), optional
        Of the child in the parent [m]; NaN marks missing ones.
    coordinates : array_like, shape (N,) or (N, n), or str, optional
        As `fit_curve` takes them; (N, 2) to (N, 4) give a surface, as `fit_surface` does. Estimated if left out.
    through : {"poses", "contact"}
        What the joint goes through. "contact" takes one coordinate.
    reach : float, optional
        How near [m] places come that count as articular; by default 3 mm more than the bones are apart.
    scale : float
        Metres per unit of mesh files: 0.001 for millimetres.
    options : dict, optional
        For `fit_curve` or `fit_surface`; by default smoothing="auto" and metric=0.05 m. metric="noise" (curves)
        weighs rotations and positions by their noise.

    Returns
    -------
    BoneJoint
        `joint`, `fit`, `compartments`, axodes; it prints, `draw(path)` and `table()`.

    Raises
    ------
    BadValue, BadShape
        If the bones never come near or are larger than 2 m (millimetres), poses have another shape, a part of a
        mesh is damaged, with the place.
    NotConverged
        If gaps are not closed through contact, with what is left of them.
    FoldedSurface
        If a part folds: give parts of the bones (`mesh.near`, `mesh.facing`).

    Examples
    --------
    A wheel of 20 mm that rolls on a plate:

    >>> import condyle as cd
    >>> a, y = np.meshgrid(np.linspace(-2.2, 2.2, 61), np.linspace(-0.01, 0.01, 11), indexing="ij")
    >>> wheel = cd.joints.Mesh.from_grid(np.stack([0.02 * np.sin(a), y, -0.02 * np.cos(a)], -1)[:, ::-1])
    >>> x, z = np.meshgrid(np.linspace(-0.05, 0.05, 61), np.linspace(-0.01, 0.01, 11), indexing="ij")
    >>> plate = cd.joints.Mesh.from_grid(np.stack([x, z, 0 * x], axis=-1))
    >>> t = np.linspace(-0.8, 0.8, 40)
    >>> turn = cd.SE3.exp(np.outer(t, [0, 1.0, 0, 0, 0, 0]))
    >>> rolled = cd.SE3.from_translation(np.stack([0.02 * t, 0 * t, 0.02 + 0 * t], -1)) @ turn
    >>> found = cd.design.joint_from_bones(plate, wheel, rolled, t)
    >>> bool(np.nanmax(np.abs(found.compartments[0].path.gap)) < 1e-5), found.fixed_axode.direction[0].round(6).tolist()
    (True, [0.0, 1.0, 0.0])
    """
    require(through in THROUGH, f"joint_from_bones: through is one of {THROUGH}", BadValue, through=through)
    bones = [bone_of(mesh, scale) for mesh in (parent, child)]
    if poses is None:
        require(coordinates is None, "joint_from_bones: coordinates are those of poses", BadValue)
        return _touching(bones, reach)
    T = floats(poses, (4, 4), "joint_from_bones: poses")
    require(T.ndim == 3, "joint_from_bones: poses need shape (N, 4, 4)", BadShape, shape=T.shape)
    return joint_of_fit(bones, _fitted(T, coordinates, options), through, reach)


def joint_of_fit(bones: Sequence[Mesh], fit: Fit, through: str = "poses", reach: float | None = None) -> BoneJoint:
    """The joint of two bones whose poses have been fitted; the other arguments as of `joint_from_bones`."""
    poses, joint = fit.data.poses, fit.joint
    whole = poses[np.isfinite(poses).all(axis=(1, 2))]
    require(len(whole) > 0, "joint_from_bones: no pose is whole", BadValue)
    parts = compartments(bones[0], bones[1], whole, reach)
    pairs = [(Surface.from_mesh(a), Surface.from_mesh(b)) for a, b in parts]
    if through == "contact":
        require(joint.nq == 1, "joint_from_bones: through='contact' takes one coordinate", BadValue, nq=joint.nq)
        joint = _closed(joint, fit.problem.C, pairs)
    return _described(joint, fit, pairs, through)


def bone_of(mesh: Mesh | PathLike, scale: float) -> Mesh:
    """A mesh, read if it is a path; bones are not larger than people."""
    known = isinstance(mesh, (Mesh, str, os.PathLike))
    require(known, "joint_from_bones: a bone is a Mesh or the path of a mesh file", BadValue, got=type(mesh).__name__)
    bone = mesh if isinstance(mesh, Mesh) else Mesh.from_file(mesh, scale=scale)
    words = f"joint_from_bones: {bone.title} is {bone.size:.3g} m large. Are these millimetres? Give scale=0.001"
    require(bone.size <= BONE, f"{words}, or Mesh(0.001 * vertices, triangles)", BadValue)
    return bone


def _fitted(T: np.ndarray, coordinates: Any, options: dict[str, Any] | None) -> Fit:
    chosen = {"smoothing": "auto", "metric": LENGTH} | (options or {})
    shape = () if coordinates is None or isinstance(coordinates, str) else np.shape(coordinates)
    fit = fit_surface if len(shape) == 2 and shape[1] > 1 else fit_curve
    return fit(T, coordinates, **chosen)


def _touching(bones: list[Mesh], reach: float | None) -> BoneJoint:
    """The contact of the largest surfaces that face each other, the meshes where they are."""
    a, b = (Surface.from_mesh(part) for part in compartments(bones[0], bones[1], np.eye(4)[None], reach)[0])
    joint = contact(on(a), on(b, names=("a", "b")))
    return BoneJoint(joint, None, (Compartment(a, b, None),), None, None, np.zeros((0, joint.nq)), "contact")


def _described(joint: Joint, fit: Fit, pairs: list[tuple[Surface, Surface]], through: str) -> BoneJoint:
    """Paths and axes of the joint."""
    if joint.nq == 1:
        q = np.linspace(*joint.domain[0], PLACES)[:, None]
    else:
        known = np.flatnonzero(np.isfinite(fit.coordinates).all(axis=1))
        q = fit.coordinates[known[np.unique(np.linspace(0, len(known) - 1, PLACES).astype(int))]]
    G = joint.pose(q).as_matrix()
    found = tuple(Compartment(a, b, path_at(G, a, b, q)) for a, b in pairs)
    axes = [screw_axes(joint, q, frame=frame) if joint.nq == 1 else None for frame in ("parent", "child")]
    return BoneJoint(joint, fit, found, axes[0], axes[1], q, through)


def _closed(joint: Joint, C: np.ndarray, pairs: list[tuple[Surface, Surface]]) -> Joint:
    """The joint through the poses nearest to its own at which the surfaces touch, over the part where they can."""
    q = np.linspace(*joint.domain[0], 2 * PLACES - 1)[:, None]
    G, seen = joint.pose(q).as_matrix(), np.zeros(len(q), bool)
    left = np.inf
    for _ in range(ROUNDS):
        paths = [path_at(G, a, b, q) for a, b in pairs]
        seen = np.isfinite([p.gap for p in paths]).all(axis=0)
        words = "joint_from_bones: the surfaces face each other at too few places to go through contact"
        require(seen.sum() >= 8, f"{words}; give larger parts of the bones", BadValue, places=int(seen.sum()))
        left = max(np.abs(p.gap[seen]).max() for p in paths)
        if left < CLOSED:
            return fit_curve(G[seen], q[seen, 0], "interpolate", name=joint.coordinates[0]).joint
        G = _nearer(G, C, pairs, paths)
    words = "joint_from_bones: through='contact': the gaps are not closed by moving the poses a little"
    raise NotConverged(f"{words}; {1e3 * left:.3g} mm are left. Look at them with through='poses'")


def _nearer(G: np.ndarray, C: np.ndarray, pairs: list[tuple[Surface, Surface]], paths: list[ContactPath]) -> np.ndarray:
    """Poses moved by the least twists, in the metric C, that close the gaps at first order; NaN gaps move nothing."""
    places = np.nan_to_num(np.stack([p.child for p in paths], axis=1))  # (N, k, 3) in the child
    gaps = np.nan_to_num(np.stack([p.gap for p in paths], axis=1))
    normals = np.stack([_normals(a, p) for (a, _), p in zip(pairs, paths, strict=True)], axis=1) @ G[:, :3, :3]
    whiten = np.linalg.inv(C)
    rows = np.concatenate([np.cross(places, normals), normals], axis=2) @ whiten  # of whitened twists of the child
    x = np.einsum("nij,nj->ni", np.linalg.pinv(rows, rcond=1e-6), -gaps) @ whiten.T
    return G @ SE3.exp(x).as_matrix()


def _normals(surface: Surface, path: ContactPath) -> np.ndarray:
    seen = np.isfinite(path.gap)
    n = np.zeros((len(seen), 3))
    n[seen] = surface.normals(path.on_parent[seen])
    return n
