"""Triangles of the plane that share edges: the domain of a surface of many Bézier patches.

Control points on shared edges are shared (C0). The hexagon has its corners at 240°, 300°, 0°, 60°, 120°, 180° and
patches counter-clockwise from the bottom; its points are numbered in rows from bottom to top, left to right, as in
[TolaniBadlerGallier2000, section 3.3, reconstructed].
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...errors import BadShape, amount, require
from ...typing import ArrayLike
from .triangle import multi_indices

TOUCH = 1e-9  # points of the domain closer than this are one point


@dataclass(frozen=True, eq=False, repr=False)
class DomainComplex:
    """Triangles over `vertices` (V, 2), the positions (P, 2) of all control points and each patch's net (T, N).

    Attributes
    ----------
    vertices : ndarray, shape (V, 2)
    triangles : ndarray of int, shape (T, 3)
        Numbers of vertices, counter-clockwise.
    degree : int
        Of the patches.
    points : ndarray, shape (P, 2)
        Domain points of the control points.
    nets : ndarray of int, shape (T, N)
        Numbers of each patch's control points.
    wholes : tuple of tuples of int
        Triangles that together are one patch, in the order of `split_in_four`: only their neighbours are split.
    """

    vertices: np.ndarray
    triangles: np.ndarray
    degree: int
    points: np.ndarray
    nets: np.ndarray
    wholes: tuple[tuple[int, ...], ...] = ()

    def __repr__(self) -> str:
        return f"<DomainComplex: {amount(len(self.triangles), 'triangle')} of degree {self.degree}>"

    @cached_property
    def frames(self) -> np.ndarray:
        """(T, 3, 3): row c of frames[t] @ (x, y, 1) is barycentric coordinate c."""
        corners = self.vertices[self.triangles]
        ones = np.ones((len(corners), 3, 1))
        return np.linalg.inv(np.concatenate([corners, ones], axis=2).transpose(0, 2, 1))

    @cached_property
    def neighbors(self) -> np.ndarray:
        """(T, 3): the triangle across the edge opposite each corner, −1 at the rim."""
        out = np.full((len(self.triangles), 3), -1, dtype=np.int64)
        seen: dict[frozenset, tuple[int, int]] = {}
        for t, triangle in enumerate(self.triangles.tolist()):
            for c in range(3):
                edge = frozenset(triangle[:c] + triangle[c + 1 :])
                if edge in seen:
                    other, corner = seen[edge]
                    out[t, c], out[other, corner] = other, t
                seen[edge] = (t, c)
        return out

    @cached_property
    def areas(self) -> np.ndarray:
        """Areas of the domain triangles."""
        a, b, c = np.moveaxis(self.vertices[self.triangles], 1, 0)
        (x, y), (p, q) = (b - a).T, (c - a).T
        return (x * q - y * p) / 2

    def locate(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The patch that holds (or is nearest to) each domain point, and its barycentric coordinates there.

        Parameters
        ----------
        at : ndarray, shape (..., 2)

        Returns
        -------
        patch : ndarray of int, shape (...)
        weights : ndarray, shape (..., 3)
        """
        at = np.asarray(at, float)
        homogeneous = np.concatenate([at, np.ones((*at.shape[:-1], 1))], axis=-1)
        weights = np.einsum("tij,...j->...ti", self.frames, homogeneous)
        patch = weights.min(axis=-1).argmax(axis=-1)
        return patch, np.take_along_axis(weights, patch[..., None, None], axis=-2)[..., 0, :]


def domain_complex(vertices: ArrayLike, triangles: ArrayLike, degree: int) -> DomainComplex:
    """Control points of patches of `degree` over counter-clockwise triangles, numbered in rows from bottom to top.

    Parameters
    ----------
    vertices : array_like, shape (V, 2)
    triangles : array_like of int, shape (T, 3)
        Numbers of vertices, counter-clockwise.
    degree : int

    Returns
    -------
    DomainComplex

    Raises
    ------
    BadValue
        If the degree is below 1, or a triangle turns clockwise.
    BadShape
        If vertices are not (V, 2).
    """
    vertices, triangles = np.asarray(vertices, float), np.asarray(triangles, dtype=np.int64)
    require(degree >= 1, "a Bézier patch has at least degree 1", degree=degree)
    require(vertices.ndim == 2 and vertices.shape[1] == 2, "domain vertices are (V, 2)", BadShape, shape=vertices.shape)
    corners = vertices[triangles]
    where = np.einsum("nc,tcx->tnx", multi_indices(degree) / degree, corners)
    keys = np.round(where[..., ::-1] / TOUCH).astype(np.int64)  # rows first: y, then x
    _, first, inverse = np.unique(keys.reshape(-1, 2), axis=0, return_index=True, return_inverse=True)
    points = where.reshape(-1, 2)[first]
    made = DomainComplex(vertices, triangles, degree, points, inverse.reshape(len(triangles), -1))
    require(np.all(made.areas > 0), "domain triangles must turn counter-clockwise", areas=made.areas.tolist())
    return made


def hexagon(degree: int = 3, *, extra: bool = False) -> DomainComplex:
    """Six patches around the origin; `extra` adds the seventh, mirrored over the outer edge of the sixth.

    Parameters
    ----------
    degree : int, optional
    extra : bool, optional

    Returns
    -------
    DomainComplex
    """
    turns = np.radians([240, 300, 0, 60, 120, 180])
    corners = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    vertices = np.vstack([[0.0, 0.0], corners, corners[0] + corners[5]])
    triangles = [(0, 1 + k, 1 + (k + 1) % 6) for k in range(6)] + [(7, 1, 6)]
    return domain_complex(vertices if extra else vertices[:7], triangles[: 7 if extra else 6], degree)


def refined(complex: DomainComplex, which: Iterable[int] | None = None) -> DomainComplex:
    """Every triangle split in four, or only some: of others the four parts stay one patch.

    Splitting only some gains little, because C1 with unsplit neighbours binds: of the six cubic patches of a hexagon
    (21 freedoms) one gives 22, two neighbours 27, all six 51.

    Parameters
    ----------
    complex : DomainComplex
    which : iterable of int, optional
        Numbers of the patches to split; all by default.

    Returns
    -------
    DomainComplex

    Raises
    ------
    BadValue
        If there is no such patch, or patches that were split in part are split again.
    """
    count = len(complex.triangles)
    chosen = set(range(count)) if which is None else {int(k) for k in which}
    require(chosen <= set(range(count)), f"patches to split are 0 to {count - 1}", which=sorted(chosen))
    require(not complex.wholes, "a domain of which some patches are split is not split again")
    u, v, w = np.moveaxis(complex.vertices[complex.triangles], 1, 0)
    r, s, t = (u + v) / 2, (v + w) / 2, (u + w) / 2
    children = [(u, r, t), (r, v, s), (t, s, w), (s, t, r)]
    flat = np.stack([np.stack(child, axis=1) for child in children], axis=1).reshape(-1, 2)
    keys = np.round(flat / TOUCH).astype(np.int64)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    wholes = tuple(tuple(range(4 * k, 4 * k + 4)) for k in range(count) if k not in chosen)
    return replace(domain_complex(flat[first], inverse.reshape(-1, 3), complex.degree), wholes=wholes)
