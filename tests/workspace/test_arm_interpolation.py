"""The paper's surface through 19 points: ranks, the corrected row, the corrected system."""

import numpy as np
import pytest

from condyle.errors import BadShape, BadValue
from condyle.splines.bezier.bezier_surface import BezierSurface
from condyle.splines.bezier.continuity import continuity_matrix, smooth_basis
from condyle.splines.bezier.domain_complex import hexagon
from condyle.workspace.fit.paper_surface import CORNERS, PENALIZED, interpolated_surface, interpolation_places

FREE = [i for i in range(37) if i not in CORNERS]
# rows of the printed p and q equations, by control point number [section 3.4]
P = ["0 3 18/1 2 7 12 11 5/6", "3 21 18/7 8 14 20 19 12/13", "18 21 36/19 20 27 32 31 25/26",
     "18 36 33/24 25 31 35 34 29/30", "18 33 15/16 17 24 29 28 22/23", "18 15 0/4 5 11 17 16 9/10"]  # fmt: skip
Q = ["0 1 2 3", "3 8 14 21", "21 27 32 36", "36 35 34 33", "33 28 22 15", "15 9 4 0"]


def printed_rows():
    rows = np.zeros((12, 37))
    for i, text in enumerate(P):
        for weight, part in zip((1, 3, 6), text.split("/"), strict=True):
            rows[i, [int(n) for n in part.split()]] = weight / 27
    for i, text in enumerate(Q):
        rows[6 + i, [int(n) for n in text.split()]] = np.array([1, 3, 3, 1]) / 8
    return rows


def points(seed=0, channels=3):
    x, y = interpolation_places().T
    rough = np.column_stack([x, y, 1 - 0.5 * (x * x + y * y), x * y, x, y])[:, :channels]
    return rough + 0.05 * np.random.default_rng(seed).normal(size=(19, channels))


def test_the_printed_equations_are_the_basis_at_the_printed_places():
    """Oracle: the p and q equations of the paper."""
    identity = BezierSurface(hexagon(3), np.eye(37))
    assert np.abs(identity.evaluate(interpolation_places()[7:]) - printed_rows()).max() < 1e-15


def test_the_full_system_has_rank_27_and_the_paper_one_22():
    """Oracle: the ranks of the paper; 8 freedoms are left."""
    c1 = continuity_matrix(hexagon(3))[:, FREE]
    rows = printed_rows()[:, FREE]
    assert np.linalg.matrix_rank(np.vstack([c1, rows])) == 27
    assert np.linalg.matrix_rank(np.vstack([c1, rows[:6]])) == 22
    assert 37 - 7 - 22 == 8


def test_the_condition_on_the_data_is_the_corrected_row():
    """Oracle: the corrected row vanishes on a random C1 surface; the printed one does not."""
    basis = smooth_basis(hexagon(3))
    x = basis @ np.random.default_rng(1).normal(size=basis.shape[1])
    values = printed_rows() @ x
    corners = x[[0, 3, 15, 21, 33, 36]].sum()
    common = 27 / 32 * values[:6].sum() - values[6:].sum()
    assert abs(15 / 32 * corners - 15 / 8 * x[18] + common) < 1e-14
    assert abs(15 / 32 * (corners + x[18]) + common) > 1e-2


def test_the_surface_is_smooth_and_meets_corners_and_centres():
    """Oracle: evaluation at the 13 places; C1 residual."""
    wanted = points(channels=6)
    surface = interpolated_surface(wanted)
    assert np.abs(surface.evaluate(interpolation_places()[:13]) - wanted[:13]).max() < 1e-12
    assert surface.smoothness_gap() < 1e-12


def test_it_solves_the_corrected_system():
    """Oracle: the Lagrange system with the linear term, assembled by hand and solved in one piece."""
    wanted, alpha = points(), 0.01
    rows = printed_rows()
    c1 = continuity_matrix(hexagon(3))
    A = np.vstack([c1, rows[:6]])
    b = np.vstack([np.zeros((18, 3)), wanted[7:13]]) - A[:, CORNERS] @ wanted[:7]
    V = rows[6:][:, FREE]
    t = wanted[13:] - rows[6:][:, CORNERS] @ wanted[:7]
    Q = V.T @ V + alpha * np.diag([float(i in PENALIZED) for i in FREE])
    kkt = np.block([[2 * Q, A[:, FREE].T], [A[:, FREE], np.zeros((24, 24))]])
    x = np.linalg.lstsq(kkt, np.vstack([2 * V.T @ t, b]), rcond=1e-13)[0][:30]
    assert np.abs(interpolated_surface(wanted, alpha=alpha).control[FREE] - x).max() < 1e-9


def test_edge_misses_tend_to_a_sixth_of_the_conflict():
    """Oracle: as alpha → 0 every miss is −D/6 with D the corrected row."""
    wanted = points()
    surface = interpolated_surface(wanted, alpha=1e-10)
    D = 15 / 32 * wanted[[0, 1, 2, 4, 5, 6]].sum(axis=0) - 15 / 8 * wanted[3]
    D = D + 27 / 32 * wanted[7:13].sum(axis=0) - wanted[13:].sum(axis=0)
    miss = wanted[13:] - surface.evaluate(interpolation_places()[13:])
    assert np.abs(miss + D / 6).max() < 1e-5


def test_bending_moves_with_the_data_and_the_printed_penalty_does_not():
    """Oracle: translating all 19 points must translate the surface."""
    wanted, shift = points(), np.array([10.0, -20.0, 30.0])
    defect = {
        penalty: np.abs(
            interpolated_surface(wanted + shift, penalty=penalty).control
            - interpolated_surface(wanted, penalty=penalty).control
            - shift
        ).max()
        for penalty in ("bending", "control")
    }
    assert defect["bending"] < 1e-9 < 0.1 < defect["control"]


def test_wrong_input_is_named():
    with pytest.raises(BadShape, match=r"the paper's surface takes 19 points; got shape = \(18, 3\)"):
        interpolated_surface(np.zeros((18, 3)))
    with pytest.raises(BadValue, match=r"alpha must be positive, or the surface is not determined; got alpha = 0"):
        interpolated_surface(np.zeros((19, 3)), alpha=0)
    with pytest.raises(BadValue, match=r'penalty is "control" or "bending"'):
        interpolated_surface(np.zeros((19, 3)), penalty="energy")
