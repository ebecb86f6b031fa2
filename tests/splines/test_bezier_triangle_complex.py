"""Domains of many patches: numbering, continuity conditions, ranks and dimensions."""

import numpy as np
import pytest

from condyle.errors import BadValue
from condyle.splines.bezier.continuity import c0_gap, continuity_matrix, edge_rows, smooth_basis
from condyle.splines.bezier.domain_complex import domain_complex, hexagon, refined
from condyle.splines.bezier.subdivision import restricted, split_in_four
from condyle.splines.bezier.triangle import evaluate, net_size

# left + right = two points of a spoke, all 18
PAPER_C1 = """12+17=18+11 6+10=11+5 1+4=5+0  11+19=18+12 6+13=12+7 2+8=7+3  12+25=18+19 13+26=19+20 14+27=20+21
19+24=18+25 26+30=25+31 32+35=31+36  17+25=18+24 23+30=24+29 28+34=29+33  11+24=18+17 10+23=17+16 9+22=16+15"""


def paper_rows():
    rows = []
    for equation in PAPER_C1.split():
        row = np.zeros(37)
        left, right = equation.split("=")
        for sign, side in ((1, left), (-1, right)):
            for number in side.split("+"):
                row[int(number)] += sign
        rows.append(row)
    return np.array(rows)


def test_the_layout_is_the_papers_rows_of_4_5_6_7_6_5_4():
    """Oracle: the reconstructed figure."""
    complex = hexagon(3)
    rows = np.unique(np.round(complex.points[:, 1], 9), return_counts=True)[1]
    assert rows.tolist() == [4, 5, 6, 7, 6, 5, 4]
    assert complex.nets[:, 4].tolist() == [6, 13, 26, 30, 23, 10]
    assert complex.nets[:, [0, 6, 9]].tolist() == [
        [18, 0, 3], [18, 3, 21], [18, 21, 36], [18, 36, 33], [18, 33, 15], [18, 15, 0]
    ]  # fmt: skip


def test_the_18_conditions_are_the_papers():
    """Oracle: the eighteen written equations span the same rows."""
    ours, paper = continuity_matrix(hexagon(3)), paper_rows()
    assert ours.shape == paper.shape
    assert np.linalg.matrix_rank(np.vstack([ours, paper])) == np.linalg.matrix_rank(paper) == 16
    for row in paper:
        assert min(np.abs(ours - row).max(axis=1).min(), np.abs(ours + row).max(axis=1).min()) < 1e-14


@pytest.mark.parametrize(
    ("degree", "points", "dimension", "with_extra"), [(3, 37, 21, 24), (4, 61, 39, 45), (5, 91, 63, 73)]
)
def test_counts_and_ranks(degree, points, dimension, with_extra):
    """Oracle: 3n(n+1)+1 points, 6n conditions of rank 6n − 2; the extra cubic patch adds three freedoms."""
    complex = hexagon(degree)
    matrix = continuity_matrix(complex)
    assert len(complex.points) == points == 3 * degree * (degree + 1) + 1
    assert matrix.shape[0] == 6 * degree and np.linalg.matrix_rank(matrix) == 6 * degree - 2
    assert smooth_basis(complex).shape[1] == dimension
    assert smooth_basis(hexagon(degree, extra=True)).shape[1] == with_extra


def test_all_patches_in_four_give_51_freedoms():
    """Oracle: the checked dimension."""
    assert smooth_basis(refined(hexagon(3))).shape[1] == 51


@pytest.mark.parametrize(("whole", "dimension"), [((1, 2, 3, 4, 5), 22), ((2, 3, 4, 5), 27)])
def test_splitting_one_or_two_patches_gains_little(whole, dimension):
    """Oracle: the C1 space of all-split patches, with the quarters of unsplit patches bound to one polynomial."""
    fine = refined(hexagon(3))
    basis = smooth_basis(fine)
    quarters = np.vstack([np.vstack(split_in_four(np.eye(10)))])  # 40 × 10: one polynomial's quarters
    off = np.eye(40) - quarters @ np.linalg.pinv(quarters)
    bound = [off @ basis[fine.nets[4 * p : 4 * p + 4].ravel()] for p in whole]
    assert basis.shape[1] - np.linalg.matrix_rank(np.vstack(bound), tol=1e-9) == dimension


def test_conditions_hold_for_one_polynomial_cut_by_any_edge():
    """Oracle: one polynomial over two triangles of different shape is C1 (the printed conditions are off by 1)."""
    rng = np.random.default_rng(3)
    a = np.array([[0.1, 0.0], [1.0, 0.3], [0.2, 0.9]])
    b = np.array([[1.4, 1.1], a[2], a[1]])
    net = rng.normal(size=(net_size(4), 3))
    to_a = np.vstack([a.T, np.ones(3)])
    corners = np.linalg.solve(to_a, np.vstack([b.T, np.ones(3)])).T
    other = restricted(net, corners)
    on_a, on_b = edge_rows(4, a, b, 0, 0)
    assert np.abs(on_a @ net + on_b @ other).max() < 1e-13
    assert c0_gap(net, other, a, b) < 1e-14


def test_the_extra_patch_obeys_the_seven_printed_equations():
    """Oracle: y0 … y6 of section 3.5 on a random C1 surface."""
    complex = hexagon(3, extra=True)
    base = hexagon(3)
    basis = smooth_basis(complex)
    values = basis @ np.random.default_rng(0).normal(size=basis.shape[1])
    number = [int(np.argmin(np.linalg.norm(complex.points - p, axis=1))) for p in base.points]
    x = values[number]
    y4, y5, y6, y0, y1, y2, y3 = values[complex.nets[6]][3:]  # rows (y9; y7 y8; y4 y5 y6; y0 y1 y2 y3)
    wanted = [x[0], x[4], x[9], x[15], x[0] + x[4] - x[5], x[4] + x[9] - x[10], x[15] + x[9] - x[16]]
    assert np.allclose([y0, y1, y2, y3, y4, y5, y6], wanted, atol=1e-13)


def test_places_are_found_in_the_patch_that_holds_them():
    """Oracle: angles of the hexagon."""
    turns = np.radians([270, 330, 30, 90, 150, 210])
    patch, bary = hexagon(3).locate(0.5 * np.stack([np.cos(turns), np.sin(turns)], axis=1))
    assert patch.tolist() == [0, 1, 2, 3, 4, 5]
    assert (bary > 0).all() and np.allclose(bary.sum(axis=1), 1)


def test_neighbours_go_round_the_hexagon():
    """Oracle: the circle of patches; the outer edges have none."""
    neighbors = hexagon(3).neighbors
    assert all(set(row) == {-1, (t - 1) % 6, (t + 1) % 6} for t, row in enumerate(neighbors.tolist()))


def test_a_clockwise_triangle_is_refused():
    with pytest.raises(BadValue, match="domain triangles must turn counter-clockwise; got areas = "):
        domain_complex([[0, 0], [0, 1], [1, 0]], [[0, 1, 2]], 3)


def test_degree_zero_is_refused():
    with pytest.raises(BadValue, match="a Bézier patch has at least degree 1; got degree = 0"):
        hexagon(0)


def test_a_quadratic_is_represented_exactly():
    """Oracle: the polynomial x² − xy at interpolating control points made by blossoming it."""
    complex = hexagon(2)
    for t, net in enumerate(complex.nets):
        u, v, w = complex.vertices[complex.triangles[t]]
        polar = lambda p, q: p[0] * q[0] - (p[0] * q[1] + p[1] * q[0]) / 2  # noqa: E731
        values = np.array([polar(p, q) for p, q in ((u, u), (u, v), (u, w), (v, v), (v, w), (w, w))])[:, None]
        at = np.array([0.2, 0.5, 0.3])
        x, y = at @ np.array([u, v, w])
        assert evaluate(values, at)[0] == pytest.approx(x * x - x * y, abs=1e-15)
        assert len(net) == 6
