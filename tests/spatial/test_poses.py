"""`SE3`: a group of frozen values, batched, that refuses what is no pose."""

import dataclasses

import numpy as np
import pytest
from scipy.linalg import expm

from condyle.errors import BadQuaternion, BadShape, NotARotation, NotFinite
from condyle.spatial import SE3, as_pose
from support.spatial_oracles import directions, matrix_exp, skew, twist_matrix, twists

BATCHES = [(), (1,), (5,), (2, 3), (0,)]


def some(batch=(), seed=0):
    """Random twists."""
    return np.random.default_rng(seed).normal(size=(*batch, 6))


def matrices(g):
    """Oracle poses by scipy's expm of the written definition."""
    flat = [expm(twist_matrix(x)) for x in g.reshape(-1, 6)]
    return np.array(flat).reshape(*g.shape[:-1], 4, 4)


@pytest.mark.parametrize("batch", BATCHES)
def test_the_group_laws_are_those_of_matrices(batch):
    """Oracle: products and inverses of 4x4 matrices made by scipy's expm."""
    g, h = some(batch), some(batch, 1)
    X, Y, A, B = SE3.exp(g), SE3.exp(h), matrices(g), matrices(h)
    assert X.shape == batch and (X @ Y).shape == batch
    assert np.allclose(X.as_matrix(), A, rtol=0, atol=1e-14)
    assert np.allclose((X @ Y).as_matrix(), A @ B, rtol=0, atol=1e-14)
    assert np.allclose(X.inverse().as_matrix(), np.linalg.inv(A), rtol=0, atol=1e-14)
    assert np.allclose((X @ X.inverse()).as_matrix(), np.eye(4), rtol=0, atol=1e-14)
    assert np.allclose((SE3.identity(batch) @ X).as_matrix(), A, rtol=0, atol=1e-14)
    assert np.allclose(SE3.from_matrix(A).as_matrix(), A, rtol=0, atol=1e-14)
    assert np.array_equal(SE3.identity(batch).as_matrix(), np.broadcast_to(np.eye(4), (*batch, 4, 4)))


def test_a_single_pose_meets_a_batch():
    """Oracle: numpy's broadcasting of matrices."""
    g, h = some((4,)), some()
    assert np.allclose((SE3.exp(h) @ SE3.exp(g)).as_matrix(), matrices(h) @ matrices(g), rtol=0, atol=1e-14)
    assert SE3(np.array([1.0, 0, 0, 0]), np.zeros((3, 2, 3))).wxyz.shape == (3, 2, 4)


def test_points_move_with_their_frame():
    """Oracle: R x + p by scipy's expm."""
    g, points = some((3, 1)), np.random.default_rng(5).normal(size=(7, 3))
    T = matrices(g)[:, 0]
    right = points @ T[:, :3, :3].swapaxes(1, 2) + T[:, None, :3, 3]
    assert np.allclose(SE3.exp(g).apply(points), right, rtol=0, atol=1e-14)


def test_adjoints_move_twists():
    """Oracle: T x̂ T⁻¹."""
    g, x = some(), some(seed=3)
    T = matrices(g)
    assert np.allclose(
        twist_matrix(SE3.exp(g).adjoint() @ x), T @ twist_matrix(x) @ np.linalg.inv(T), rtol=0, atol=1e-13
    )


def test_parts_and_stacks_of_a_batch():
    """Oracle: the same indexing of matrices."""
    X = SE3.exp(some((4, 3)))
    A = X.as_matrix()
    assert len(X) == 4
    for index in (1, -1, slice(1, 3), (2, 1), (slice(None), 2), np.array([0, 2]), None):
        assert np.array_equal(X[index].as_matrix(), A[index])
    assert np.array_equal(X[..., 0].as_matrix(), A[:, 0])
    assert np.array_equal(SE3.stack([X[0], X[1]]).as_matrix(), A[:2])
    assert [x.shape for x in X] == [(3,)] * 4


def test_a_mask_picks_poses():
    """Oracle: the same mask on matrices."""
    X = SE3.exp(some((4, 3)))
    mask = np.random.default_rng(0).random((4, 3)) < 0.5
    assert np.array_equal(X[mask].as_matrix(), X.as_matrix()[mask])


def test_rotations_and_translations():
    """Oracle: scipy's expm; the numbers themselves."""
    w = directions(5)
    R = np.array([expm(skew(x)) for x in w])
    X = SE3.from_rotation(R)
    assert np.allclose(X.as_rotation(), R, rtol=0, atol=1e-15) and np.all(X.xyz == 0.0)
    assert np.array_equal(SE3.from_translation(w).as_matrix()[:, :3, 3], w)


def test_a_valid_matrix_comes_back_to_1e_15():
    """Oracle: rotations by the series with 50 digits, at every angle, correctly rounded."""
    for g in twists(np.concatenate([np.linspace(0.0, np.pi, 200), 10.0 ** -np.arange(1.0, 18.0)])):
        T = matrix_exp(twist_matrix(g))
        assert np.max(np.abs(SE3.from_matrix(T).as_matrix() - T)) <= 1e-15
        assert np.max(np.abs(as_pose(T) - T)) <= 5e-16


def test_an_exact_rotation_stays_bit_by_bit():
    """Oracle: what was made exact once; a file that is read and written again does not change."""
    T = matrices(some((300,)))
    T[:, :3, :3] += np.random.default_rng(4).uniform(-1.5e-7, 1.5e-7, size=(300, 3, 3))
    exact = as_pose(T)
    assert np.array_equal(as_pose(exact), exact)


def test_a_nearly_rigid_matrix_becomes_the_nearest_rotation():
    """Oracle: the polar factor by numpy's singular value decomposition."""
    rng = np.random.default_rng(0)
    T = matrices(some((50,)))
    T[:, :3, :3] += rng.uniform(-1.5e-7, 1.5e-7, size=(50, 3, 3))
    U, _, V = np.linalg.svd(T[:, :3, :3])
    assert np.max(np.abs(SE3.from_matrix(T).as_rotation() - U @ V)) < 5e-15
    assert np.max(np.abs(as_pose(T)[:, :3, :3] - U @ V)) < 5e-15


def test_quaternions_near_unit_norm_are_normalised():
    """Oracle: the norm."""
    X = SE3(np.array([1.0 + 9e-7, 0.0, 0.0, 0.0]), np.zeros(3))
    assert X.wxyz.tolist() == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("bad", [1.0 + 2e-6, 0.0, 2.0])
def test_other_quaternions_are_refused(bad):
    q = np.array([[1.0, 0, 0, 0], [0.0, bad, 0, 0]])
    with pytest.raises(
        BadQuaternion, match=rf"wxyz\[1\] has norm {bad:.9g}; .* norm 1 within 1e-06. Divide it by its norm"
    ):
        SE3(q, np.zeros((2, 3)))


def test_values_are_frozen():
    """A pose shared by two models must not change under one of them."""
    given = np.zeros(3)
    X = SE3(np.array([1.0, 0, 0, 0]), given)
    given[0] = 5.0
    assert X.xyz[0] == 0.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        X.xyz = given  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        X.xyz[0] = 1.0


def test_as_pose_takes_every_form_of_a_pose():
    """Oracle: the matrix."""
    T = matrices(some((2,)))
    assert np.array_equal(as_pose(None), np.eye(4))
    assert np.allclose(as_pose(SE3.from_matrix(T)), T, rtol=0, atol=1e-14)
    assert np.allclose(as_pose(T), T, rtol=0, atol=1e-14)
    assert np.allclose(as_pose(T[0].tolist()), T[0], rtol=0, atol=1e-14)


def pose(R, bottom=(0, 0, 0, 1)):
    T = np.eye(4)
    T[:3, :3], T[3] = R, bottom
    return T


SHEAR = np.array([[1.0, 0.1, 0.0], [0.0, np.sqrt(0.99), 0.0], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (pose(np.diag([1.0, 1.0, -1.0])), r"left-handed \(determinant -1, expected \+1\). Flip one axis"),
        (pose(2.0 * np.eye(3)), r"scaled \(its columns have lengths 2, 2, 2, expected 1\). Divide each column"),
        (pose(np.diag([1.0, 1.0, 1.01])), r"scaled \(its columns have lengths 1, 1, 1.01, expected 1\)"),
        (pose(SHEAR), r"sheared \(its columns have dot products up to 0.1, expected 0\). Make them orthogonal"),
        (pose(np.zeros((3, 3))), r"scaled \(its columns have lengths 0, 0, 0, expected 1\)"),
        (pose(np.eye(3), (0, 0, 1, 1)), r"bottom row must be \[0, 0, 0, 1\]; got \[0.0, 0.0, 1.0, 1.0\] \(is it tr"),
    ],
)
def test_what_is_no_pose_is_named_with_its_index(bad, words):
    with pytest.raises(NotARotation, match=rf"^matrix is not .*{words}"):
        SE3.from_matrix(bad)
    with pytest.raises(NotARotation, match=rf"^placement\[1, 0\] is not .*{words}"):
        as_pose(np.array([[np.eye(4)], [bad]]), "placement")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: SE3.from_matrix(pose(np.eye(3) * np.nan)), "matrix holds NaN or infinity"),
        (
            lambda: SE3.from_rotation(np.array([np.eye(3), np.full((3, 3), np.inf)])),
            r"rotation\[1\] holds NaN or infinity",
        ),
        (lambda: SE3.exp([0, 0, 0, np.nan, 0, 0]), "twist holds NaN or infinity"),
        (lambda: SE3([1, 0, 0, 0], [np.inf, 0, 0]), "xyz holds NaN or infinity; every entry must be a finite number"),
        (lambda: SE3([np.nan, 0, 0, 0], [0, 0, 0]), "wxyz holds NaN or infinity"),
    ],
)
def test_what_is_not_finite_is_refused(call, words):
    with pytest.raises(NotFinite, match=words):
        call()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: SE3.from_matrix(np.eye(3)), r"matrix must have shape \(..., 4, 4\); got shape \(3, 3\)"),
        (lambda: as_pose([1.0], "offset"), r"offset must have shape \(..., 4, 4\); got shape \(1,\)"),
        (lambda: SE3([1, 0, 0], [0, 0, 0]), r"wxyz must have shape \(..., 4\); got shape \(3,\)"),
        (lambda: SE3(np.ones((2, 4)) / 2, np.zeros((3, 3))), r"batch shapes that go together; got \(2,\) and \(3,\)"),
        (lambda: SE3.stack([]), "stack needs at least one pose"),
        (
            lambda: SE3.stack([SE3.identity(), SE3.identity((2,))]),
            r"stack needs poses of one shape; got shapes = \[\(\), \(2,\)\]",
        ),
    ],
)
def test_wrong_shapes_are_named(call, words):
    with pytest.raises(BadShape, match=words):
        call()


def test_a_single_pose_has_no_length_and_no_parts():
    """As numpy's scalars."""
    with pytest.raises(TypeError, match="a single pose has no length"):
        len(SE3.identity())
    with pytest.raises(IndexError, match="0 axes"):
        SE3.identity()[0]
