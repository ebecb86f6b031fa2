"""Many Bézier triangles as one surface over the plane: points, derivatives, normals, area, refinement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...errors import BadShape, NotFinite, amount, require
from .continuity import c1_gap
from .domain_complex import DomainComplex, domain_complex, refined
from .subdivision import elevated, split_in_four
from .triangle import bernstein, index_rows, multi_indices


@dataclass(frozen=True, eq=False, repr=False)
class BezierSurface:
    """A surface with shared control points (P, d) over a domain complex; d may be any number of channels.

    Attributes
    ----------
    complex : DomainComplex
    control : ndarray, shape (P, d)
    """

    complex: DomainComplex
    control: np.ndarray

    def __repr__(self) -> str:
        patches = amount(len(self.complex.triangles), "patch", "patches")
        return f"<BezierSurface: {patches} of degree {self.complex.degree}>"

    def __post_init__(self):
        control = np.asarray(self.control, float)
        wanted = len(self.complex.points)
        require(
            control.ndim == 2 and len(control) == wanted,
            f"a surface over this domain has {wanted} control points, one row each",
            BadShape,
            shape=control.shape,
        )
        require(np.isfinite(control).all(), "control points must be finite", NotFinite)
        object.__setattr__(self, "control", control)

    def net(self, patch: int) -> np.ndarray:
        """The control points of one patch.

        Parameters
        ----------
        patch : int

        Returns
        -------
        ndarray, shape (N, d)
        """
        return self.control[self.complex.nets[patch]]

    def evaluate(self, at: np.ndarray) -> np.ndarray:
        """Points of the surface.

        Parameters
        ----------
        at : ndarray, shape (..., 2)
            Domain points.

        Returns
        -------
        ndarray, shape (..., d)
        """
        return self._combine(value_basis(self.complex, at))

    def jacobian(self, at: np.ndarray) -> np.ndarray:
        """First derivatives by the domain coordinates.

        Parameters
        ----------
        at : ndarray, shape (..., 2)
            Domain points.

        Returns
        -------
        ndarray, shape (..., d, 2)
        """
        return self._combine(first_basis(self.complex, at))

    def hessian(self, at: np.ndarray) -> np.ndarray:
        """Second derivatives by the domain coordinates.

        Parameters
        ----------
        at : ndarray, shape (..., 2)
            Domain points.

        Returns
        -------
        ndarray, shape (..., d, 2, 2)
        """
        return self._combine(second_basis(self.complex, at))

    def normals(self, at: np.ndarray) -> np.ndarray:
        """Unit normals of a surface in space.

        Parameters
        ----------
        at : ndarray, shape (..., 2)
            Domain points.

        Returns
        -------
        ndarray, shape (..., 3)

        Raises
        ------
        BadShape
            If the surface has not three channels.
        """
        require(self.control.shape[1] == 3, "normals need three channels", BadShape, channels=self.control.shape[1])
        J = self.jacobian(at)
        n = np.cross(J[..., 0], J[..., 1])
        return n / np.linalg.norm(n, axis=-1, keepdims=True)

    def area(self, order: int = 12) -> float:
        """The area of a surface in space, by Gauss quadrature on each patch.

        Parameters
        ----------
        order : int, optional
            Points a side.

        Returns
        -------
        float
        """
        corners, (bary, weights) = self.complex.vertices[self.complex.triangles], _quadrature(order)
        J = self.jacobian(np.einsum("qc,tcx->tqx", _inward(bary), corners))
        density = np.linalg.norm(np.cross(J[..., 0], J[..., 1]), axis=-1)
        return float(self.complex.areas @ (density @ weights))

    def channels(self, which: slice | Sequence[int]) -> BezierSurface:
        """The surface of some of the channels.

        Parameters
        ----------
        which : slice or sequence of int

        Returns
        -------
        BezierSurface
        """
        return BezierSurface(self.complex, self.control[:, which])

    def refined(self) -> BezierSurface:
        """The same surface with every patch split in four."""
        finer = refined(self.complex)
        return self._respread(finer, np.concatenate([np.stack(split_in_four(net)) for net in self._nets()]))

    def elevated(self) -> BezierSurface:
        """The same surface with patches of one degree more."""
        higher = domain_complex(self.complex.vertices, self.complex.triangles, self.complex.degree + 1)
        return self._respread(higher, np.stack([elevated(net) for net in self._nets()]))

    def smoothness_gap(self) -> float:
        """The largest residual of the C1 conditions between patches."""
        return c1_gap(self.complex, self.control)

    def _nets(self) -> np.ndarray:
        return self.control[self.complex.nets]

    def _respread(self, complex: DomainComplex, nets: np.ndarray) -> BezierSurface:
        control = np.empty((len(complex.points), self.control.shape[1]))
        control[complex.nets] = nets
        return BezierSurface(complex, control)

    def _combine(self, basis) -> np.ndarray:
        rows, values = basis
        return np.einsum(_SUMS[values.ndim - rows.ndim], self.control[rows], values)


_SUMS = ("...nd,...n->...d", "...nd,...nx->...dx", "...nd,...nxy->...dxy")  # values, first and second derivatives


def value_basis(complex: DomainComplex, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which control points (..., N) matter at domain points (..., 2), and their weights (..., N)."""
    patch, bary = complex.locate(at)
    return complex.nets[patch], bernstein(complex.degree, bary)


def first_basis(complex: DomainComplex, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Control points (..., N) and the x and y derivatives (..., N, 2) of their weights."""
    patch, bary = complex.locate(at)
    by_bary = _lowered(complex.degree, bary, 1)
    return complex.nets[patch], np.einsum("...nc,...cx->...nx", by_bary, complex.frames[patch][..., :2])


def second_basis(complex: DomainComplex, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Control points (..., N) and the second derivatives (..., N, 2, 2) of their weights."""
    patch, bary = complex.locate(at)
    frames = complex.frames[patch][..., :2]
    by_bary = _lowered(complex.degree, bary, 2)
    return complex.nets[patch], np.einsum("...nab,...ax,...by->...nxy", by_bary, frames, frames)


def _lowered(degree: int, bary: np.ndarray, times: int) -> np.ndarray:
    """Derivatives of the Bernstein polynomials by the barycentrics taken as independent: (..., N, 3) or (..., N, 3, 3).

    ∂B_m/∂u_c = n B_{m − e_c}; directions in the plane make the choice of extension irrelevant.
    """
    source = _sources(degree, times)
    lower = bernstein(degree - times, bary)[..., source]
    return np.where(source >= 0, lower, 0.0) * np.prod([degree - k for k in range(times)])


@lru_cache
def _sources(degree: int, times: int) -> np.ndarray:
    """Row of the lower net that each derivative path reads, −1 for none: (N, 3) or (N, 3, 3)."""
    at = index_rows(degree - times)
    out = np.full((len(multi_indices(degree)), *(3,) * times), -1)
    for row, m in enumerate(multi_indices(degree)):
        for path in np.ndindex(*(3,) * times):
            out[(row, *path)] = at.get(tuple((m - np.eye(3, dtype=int)[list(path)].sum(axis=0)).tolist()), -1)
    return out


def _quadrature(order: int) -> tuple[np.ndarray, np.ndarray]:
    """Barycentric points and weights (sum 1) on a triangle: Gauss-Legendre on the collapsed square."""
    x, w = np.polynomial.legendre.leggauss(order)
    x, w = (x + 1) / 2, w / 2
    a, b = np.meshgrid(x, x, indexing="ij")
    bary = np.stack([1 - a, a * (1 - b), a * b], axis=-1).reshape(-1, 3)
    return bary, (2 * a * np.outer(w, w)).ravel()


def _inward(bary: np.ndarray) -> np.ndarray:
    """The same points, a hair inside, so that a point on an edge is found in its own patch."""
    return bary + 1e-13 * (1 / 3 - bary)
