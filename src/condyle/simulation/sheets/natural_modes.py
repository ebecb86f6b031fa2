"""Natural modes of a sheet: shapes in which its mass, stiffness and damping matrices are diagonal."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...errors import BadValue, require
from ...splines.knots import greville

if TYPE_CHECKING:
    from .elastic_sheet import ElasticSheet

SAME = 1e-7  # of ω²: frequencies nearer to each other are those of one pair
STILL = 1e-10  # of the largest ω²: what is below does not swing
LOOKED = 33  # places each way where a mode's largest deflection is looked for


class Modes(NamedTuple):
    """Modes, each as large as 1 where it is largest, so that its coordinate is a deflection [m].

    Attributes
    ----------
    shapes : ndarray, shape (k, *shape)
        Heights of the control points for a coordinate of 1.
    frequencies : ndarray, shape (k,)
        ω [rad/s]
    masses, stiffness, damping : ndarray, shape (k,)
        φᵀ M φ, φᵀ K φ, φᵀ C φ [kg, N/m, N s/m].
    weights : ndarray, shape (k,)
        ∫ ρ φ [kg]: times gravity the force that the sheet's weight is on the coordinate.
    """

    shapes: np.ndarray
    frequencies: np.ndarray
    masses: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    weights: np.ndarray


def natural_modes(sheet: ElasticSheet, count: int | None) -> Modes:
    """The lowest modes of a sheet, or all; the same on every machine, where frequencies are shared too."""
    from scipy.linalg import eigh  # slow to load

    free, most = np.ix_(sheet.moving, sheet.moving), int(sheet.moving.sum())
    count = most if count is None else count
    whole = isinstance(count, (int, np.integer)) and not isinstance(count, bool) and 1 <= count <= most
    require(whole, f"add_to: modes is a whole number, 1 … {most} of this sheet", BadValue, modes=count)
    squares, phi = eigh(sheet.stiffness_matrix[free], sheet.mass_matrix[free])
    words = "add_to: nothing holds this sheet; pin its edges and give it tension or bending"
    require(bool(squares[0] > STILL * squares[-1] > 0.0), words, BadValue, lowest=float(squares[0]))
    _require_whole_pairs(squares, count)
    shapes = np.zeros((most, len(sheet.moving)))
    shapes[:, sheet.moving] = _untangled(sheet, squares, phi).T
    shapes = _scaled(sheet, shapes[:count])
    return _measured(sheet, shapes, np.sqrt(squares[:count]))


def _require_whole_pairs(squares: np.ndarray, count: int) -> None:
    """Refuse to take some of several modes of one frequency: which of them it would be is arbitrary."""
    starts = _starts(squares)
    below, above = max(x for x in starts if x <= count), min(x for x in starts if x >= count)
    words = f"add_to: modes {below + 1} … {above} have one frequency, so that taking {count} would be arbitrary"
    require(count in starts, f"{words}; take {' or '.join(str(x) for x in (below, above) if x)}", BadValue)


def _starts(squares: np.ndarray) -> list[int]:
    """Where runs of equal frequencies begin, and the end."""
    apart = [k + 1 for k, (a, b) in enumerate(pairwise(squares)) if b - a > SAME * b]
    return [0, *apart, len(squares)]


def _untangled(sheet: ElasticSheet, squares: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """Modes of one frequency told apart by how much they bend along u: those an eigensolver finds are any mixture."""
    _, stretched, _ = sheet.axes[0].integrals()
    along = np.kron(stretched, sheet.axes[1].integrals()[0])[np.ix_(sheet.moving, sheet.moving)]
    out = phi.copy()
    for a, b in pairwise(_starts(squares)):
        if b - a > 1:
            own = phi[:, a:b]
            out[:, a:b] = own @ np.linalg.eigh(own.T @ along @ own)[1]
    return out


def _scaled(sheet: ElasticSheet, flat: np.ndarray) -> np.ndarray:
    """(k, *shape): the largest deflection made 1, the sign that makes the sum with exp(u/a + v/b) positive."""
    u, v = (greville(a.knots, a.order) / a.length for a in sheet.axes)
    shapes = flat.reshape(len(flat), *sheet.shape)
    sides = [np.stack([a.full(float(x), 0)[0] for x in np.linspace(0.0, a.length, LOOKED)]) for a in sheet.axes]
    largest = np.abs(np.einsum("ia,jb,kab->kij", *sides, shapes)).max(axis=(1, 2))
    sign = np.sign(np.einsum("kab,ab->k", shapes, np.exp(np.add.outer(u, v))))
    return shapes * (sign / largest)[:, None, None]


def _measured(sheet: ElasticSheet, shapes: np.ndarray, frequencies: np.ndarray) -> Modes:
    """Modes with what the sheet's matrices are in them."""
    phi = shapes.reshape(len(shapes), -1)
    M, K, C = (
        np.einsum("ka,ab,kb->k", phi, X, phi) for X in (sheet.mass_matrix, sheet.stiffness_matrix, sheet.damping_matrix)
    )
    return Modes(shapes, frequencies, M, K, C, phi @ sheet.mass_matrix.sum(axis=1))
