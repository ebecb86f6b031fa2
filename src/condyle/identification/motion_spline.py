"""Motion as splines in time: coordinates with two exact derivatives, and small steps of all of them.

A step d(t) is a spline of order six for each velocity. Plain coordinates are added to; a quaternion or a free pose is
multiplied by exp(d) on the right, and its velocity and acceleration follow by the product rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import factorial
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cholesky_banded, solveh_banded
from scipy.sparse import csr_array

from ..design.problem.curve_derivatives import polynomial
from ..dynamics import integrate
from ..errors import BadValue, require
from ..model import Model
from ..spatial import ad, adjoint, exp_se3
from ..spatial.quaternions import conjugate, multiply, rotation_from_quaternion
from ..splines import basis_pieces, even_knots
from ..splines.pieces import locate_rows, row_centers

ORDER = 6  # accelerations are cubic between knots
TERMS = 18  # of the series of the right Jacobian: 1e-16 for steps of half a turn


class Motion(NamedTuple):
    """Coordinates, velocities and accelerations at all times: (F, nq), (F, nv), (F, nv)."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray


@dataclass(frozen=True)
class TimeBasis:
    """B-splines of order six over equal spans of time, at the times of frames.

    Attributes
    ----------
    count : int
        How many there are.
    first : ndarray, shape (F,)
        The first that is not zero at each frame.
    values : ndarray, shape (3, F, 6)
        Values and two derivatives of those that are not zero.
    """

    count: int
    first: np.ndarray
    values: np.ndarray

    @classmethod
    def of(cls, times: np.ndarray, spacing: float) -> TimeBasis:
        """Spans of about `spacing` seconds."""
        spans = max(1, round(float(times[-1] - times[0]) / spacing))
        count = spans + ORDER - 1
        basis = basis_pieces(even_knots(times[0], times[-1], count, ORDER), ORDER)
        rows = locate_rows(basis.breaks, times)
        u, table, values = times - row_centers(basis.breaks)[rows], basis.table[rows], []
        for _ in range(3):
            values.append(polynomial(table, u))
            table = table[..., 1:] * np.arange(1, table.shape[-1])
        return cls(count, basis.first[rows], np.stack(values))

    @cached_property
    def places(self) -> np.ndarray:
        """Numbers (F, 6) of those that are not zero."""
        return self.first[:, None] + np.arange(ORDER)

    def jets(self, z: np.ndarray) -> np.ndarray:
        """Values and two derivatives (3, F, n) of splines with coefficients z (count, n)."""
        return np.einsum("jfl,fln->jfn", self.values, z[self.places])

    def fitted(self, x: np.ndarray) -> np.ndarray:
        """Coefficients (count, n) of the least-squares splines through x (F, n)."""
        rows = np.repeat(np.arange(len(x)), ORDER)
        N = csr_array((self.values[0].ravel(), (rows, self.places.ravel())), shape=(len(x), self.count))
        G = (N.T @ N).tocsr()
        bands = np.zeros((ORDER, self.count))
        for k in range(ORDER):
            bands[k, : self.count - k] = G.diagonal(-k)
        words = (
            "times leave gaps that knots of the motion fall into, or there are too few frames; give a larger spacing"
        )
        require(_definite(bands), words, BadValue, knots=self.count, frames=len(x))
        found = solveh_banded(bands, N.T @ x, lower=True)
        return found + solveh_banded(bands, N.T @ (x - N @ found), lower=True)  # once more, for the last digits


def _definite(bands: np.ndarray) -> bool:
    """Whether a banded matrix is clearly positive definite."""
    try:
        return bool(cholesky_banded(bands, lower=True)[0].min() > 1e-6 * np.sqrt(bands[0].max()))
    except LinAlgError:
        return False


def fitted_motion(model: Model, basis: TimeBasis, q: np.ndarray) -> Motion:
    """Splines through coordinates q (F, nq); quaternions are splines of four numbers, divided by their length."""
    jets = basis.jets(basis.fitted(_continuous(model, q)))
    out = np.zeros((2, len(q), model.nv))
    plain_q, plain_v = model.plain_places
    out[:, :, plain_v] = jets[1:, :, plain_q]
    for at, k, _ in model.quaternions:
        u, w, turn = _spin(jets[:, :, at : at + 4])
        jets[0][:, at : at + 4] = u
        out[0][:, k : k + 3], out[1][:, k : k + 3] = w, turn
        if at in model.free_quaternions:
            Rt = np.swapaxes(rotation_from_quaternion(u), 1, 2)
            v, a = ((Rt @ jets[j][:, at + 4 : at + 7, None])[..., 0] for j in (1, 2))
            out[0][:, k + 3 : k + 6], out[1][:, k + 3 : k + 6] = v, a - np.cross(w, v)
    return Motion(jets[0], out[0], out[1])


def _continuous(model: Model, q: np.ndarray) -> np.ndarray:
    """q with quaternions of one sign over time."""
    q = np.array(q)
    for at, _, _ in model.quaternions:
        u = q[:, at : at + 4]
        u[1:] *= np.cumprod(np.where(np.sum(u[1:] * u[:-1], axis=1) < 0.0, -1.0, 1.0))[:, None]
    return q


def _spin(u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Unit quaternions, ω and its rate in turning axes, of splines of four numbers (3, F, 4)."""
    size = np.sum(u[0] ** 2, axis=1, keepdims=True)
    back = conjugate(u[0])
    rate = 2.0 * multiply(back, u[1]) / size
    bend = 2.0 * (multiply(conjugate(u[1]), u[1]) + multiply(back, u[2])) / size
    grown = 2.0 * np.sum(u[0] * u[1], axis=1, keepdims=True) / size
    return u[0] / np.sqrt(size), rate[:, 1:], (bend - grown * rate)[:, 1:]


def moved(model: Model, motion: Motion, step: np.ndarray) -> Motion:
    """A motion after a step: values and two derivatives (3, F, nv)."""
    v, a = motion.v + step[1], motion.a + step[2]
    for at, k, _ in model.quaternions:
        width = 6 if at in model.free_quaternions else 3
        here = slice(k, k + width)
        wide = [np.pad(x[:, here], ((0, 0), (0, 6 - width))) for x in (*step, motion.v, motion.a)]
        new = _multiplied(*wide)
        v[:, here], a[:, here] = new[0][:, :width], new[1][:, :width]
    return Motion(integrate(model, motion.q, step[0]), v, a)


def _multiplied(d, rate, bend, V, A) -> tuple[np.ndarray, np.ndarray]:
    """Twist and its rate of T exp(d), from those of T: (F, 6) each."""
    by, turn = ad(d), ad(rate)
    term, slope = rate, bend
    u, du = rate.copy(), bend.copy()
    for k in range(1, TERMS):
        term, slope = (by @ term[..., None])[..., 0], (turn @ term[..., None] + by @ slope[..., None])[..., 0]
        u += (-1) ** k / factorial(k + 1) * term
        du += (-1) ** k / factorial(k + 1) * slope
    back = adjoint(exp_se3(-d))
    V, A = ((back @ x[..., None])[..., 0] for x in (V, A))
    return V + u, A - (ad(u) @ V[..., None])[..., 0] + du


def brackets(model: Model, x: np.ndarray) -> np.ndarray:
    """ad of the twists of quaternions among velocities or accelerations x (F, nv): (F, nv, nv), zero elsewhere."""
    out = np.zeros((*x.shape, model.nv))
    for at, k, _ in model.quaternions:
        width = 6 if at in model.free_quaternions else 3
        twist = np.pad(x[:, k : k + width], ((0, 0), (0, 6 - width)))
        out[:, k : k + width, k : k + width] = ad(twist)[:, :width, :width]
    return out
