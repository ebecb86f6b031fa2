"""One Bézier triangle: evaluation, blossoms, derivatives, splits, elevation."""

import itertools

import mpmath
import numpy as np
import pytest

from condyle.errors import BadShape, BadValue
from condyle.splines.bezier.subdivision import (
    elevated,
    restricted,
    split_in_four,
    split_in_four_by_steps,
    split_in_three,
)
from condyle.splines.bezier.triangle import (
    bernstein,
    blossom,
    de_casteljau,
    directional_derivative,
    evaluate,
    mass_matrix,
    multi_indices,
    net_size,
)

DEGREES = (1, 2, 3, 4, 5)


@pytest.fixture(params=DEGREES)
def net(request):
    return np.random.default_rng(request.param).normal(size=(net_size(request.param), 3))


def degree(net):
    return next(n for n in DEGREES if net_size(n) == len(net))


def places(count, seed=0):
    return np.random.default_rng(seed).dirichlet([1, 1, 1], count)


def written_definition(net, at):
    """Σ n!/(i!j!k!) u^i v^j w^k b_ijk in fifty digits."""
    mpmath.mp.dps = 50
    n, (u, v, w) = degree(net), (mpmath.mpf(float(x)) for x in at)
    total = [mpmath.mpf(0)] * 3
    for row, (i, j, k) in enumerate(multi_indices(n).tolist()):
        weight = mpmath.factorial(n) / (mpmath.factorial(i) * mpmath.factorial(j) * mpmath.factorial(k))
        weight *= u**i * v**j * w**k
        total = [t + weight * mpmath.mpf(float(x)) for t, x in zip(total, net[row], strict=True)]
    return np.array([float(t) for t in total])


def test_points_are_the_sum_of_bernstein_polynomials(net):
    """Oracle: the definition in fifty digits."""
    for at in places(5):
        wanted = written_definition(net, at)
        assert np.abs(evaluate(net, at) - wanted).max() < 1e-14
        assert np.abs(de_casteljau(net, at) - wanted).max() < 1e-14


def test_corners_are_control_points(net):
    """Oracle: the control points themselves."""
    rows = [multi_indices(degree(net)).tolist().index([degree(net) * (c == d) for d in range(3)]) for c in range(3)]
    assert np.array_equal(evaluate(net, np.eye(3)), net[rows])


def test_bernstein_polynomials_are_a_partition_of_one():
    """Oracle: the binomial theorem."""
    for n in DEGREES:
        assert np.abs(bernstein(n, places(20)).sum(axis=1) - 1).max() < 1e-15 * 5


def test_blossom_is_symmetric_affine_and_agrees_on_the_diagonal(net):
    """Oracle: the three defining properties of a polar form."""
    arguments = list(places(degree(net), 3))
    first = blossom(net, arguments)
    for order in itertools.islice(itertools.permutations(arguments), 24):
        assert np.abs(blossom(net, order) - first).max() < 1e-14
    other = places(1, 9)[0]
    mixed = blossom(net, [0.3 * arguments[0] + 0.7 * other, *arguments[1:]])
    assert np.abs(mixed - 0.3 * first - 0.7 * blossom(net, [other, *arguments[1:]])).max() < 1e-14
    assert np.abs(blossom(net, [other] * degree(net)) - evaluate(net, other)).max() < 1e-14


def test_derivative_nets_are_slopes(net):
    """Oracle: central differences of the points."""
    along, at, h = np.array([0.4, -1.1, 0.7]), places(1, 4)[0], 1e-5
    slope = (evaluate(net, at + h * along) - evaluate(net, at - h * along)) / (2 * h)
    assert np.abs(de_casteljau(directional_derivative(net, along), at) - slope).max() < 1e-8


def test_both_ways_to_split_in_four_agree(net):
    """Oracle: blossoms at the corners against four runs of de Casteljau."""
    for one, other in zip(split_in_four(net), split_in_four_by_steps(net), strict=True):
        assert np.abs(one - other).max() < 1e-14


@pytest.mark.parametrize("part", range(4))
def test_a_quarter_is_the_surface_over_a_quarter(net, part):
    """Oracle: the whole patch evaluated at the same place."""
    u, v, w = np.eye(3)
    r, s, t = (u + v) / 2, (v + w) / 2, (u + w) / 2
    corners = np.array([(u, r, t), (r, v, s), (t, s, w), (s, t, r)][part])
    at = places(6, part)
    assert np.abs(evaluate(split_in_four(net)[part], at) - evaluate(net, at @ corners)).max() < 1e-14


def test_a_third_is_the_surface_over_a_third(net):
    """Oracle: the whole patch at the same place, and direct blossoming."""
    u, v, w = np.eye(3)
    at, inside = places(6, 1), places(1, 2)[0]
    thirds = ((u, v, inside), (u, inside, w), (inside, v, w))
    for part, corners in zip(split_in_three(net, inside), thirds, strict=True):
        assert np.abs(evaluate(part, at) - evaluate(net, at @ np.array(corners))).max() < 1e-14
        assert np.abs(part - restricted(net, np.array(corners))).max() < 1e-14


def test_thirds_have_areas_that_sum_to_the_whole():
    """Oracle: areas of flat triangles (the printed subtriangle "uvs" gives 1.25)."""
    flat = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    nets = split_in_three(flat, np.array([0.25, 0.25, 0.5]))
    areas = [np.linalg.norm(np.cross(n[1] - n[0], n[2] - n[0])) for n in nets]
    assert sum(areas) == pytest.approx(1.0, abs=1e-15)


def test_elevation_keeps_the_surface(net):
    """Oracle: the patch before."""
    at = places(8)
    assert np.abs(evaluate(elevated(net), at) - evaluate(net, at)).max() < 1e-14


def test_mass_matrix_integrates_products():
    """Oracle: Gauss quadrature on the collapsed square."""
    x, weight = np.polynomial.legendre.leggauss(12)
    x, weight = (x + 1) / 2, weight / 2
    a, b = np.meshgrid(x, x, indexing="ij")
    basis = bernstein(3, np.stack([1 - a, a * (1 - b), a * b], axis=-1))
    wanted = np.einsum("ab,abi,abj->ij", 2 * a * np.outer(weight, weight), basis, basis)
    assert np.abs(mass_matrix(3) - wanted).max() < 1e-15


def test_a_net_of_the_wrong_size_is_named():
    with pytest.raises(BadShape, match=r"a Bézier triangle has \(n \+ 1\)\(n \+ 2\)/2 control points; got points = 7"):
        evaluate(np.zeros((7, 3)), np.full(3, 1 / 3))


def test_a_blossom_with_too_few_arguments_is_named():
    with pytest.raises(BadValue, match="a blossom takes as many arguments as the degree; got degree = 3, given = 2"):
        blossom(np.zeros((10, 3)), np.eye(3)[:2])
