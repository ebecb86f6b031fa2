"""An `SE3` where a 4x4 array is expected: arithmetic, NumPy's functions, products and the indexing of arrays."""

import copy
import pickle

import numpy as np
import pytest
from scipy.linalg import expm

from condyle.errors import BadShape
from condyle.spatial import SE3, adjoint, as_pose, log_se3
from support.spatial_oracles import twist_matrix

BATCHES = [(), (1,), (5,), (2, 3), (0,)]


def pair(batch=(), seed=0):
    """An SE3 and the same poses as matrices, by scipy's expm of the written definition."""
    g = np.random.default_rng(seed).normal(size=(*batch, 6))
    return SE3.exp(g), np.array([expm(twist_matrix(x)) for x in g.reshape(-1, 6)]).reshape(*batch, 4, 4)


def close(a, b):
    """Equal as plain arrays, shapes included."""
    assert type(a) is np.ndarray or np.isscalar(a)
    assert np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=0, atol=1e-13)
    return True


@pytest.mark.parametrize("batch", BATCHES)
def test_numpy_reads_a_pose_as_its_matrix(batch):
    """Oracle: scipy's expm."""
    X, T = pair(batch)
    assert close(np.asarray(X), T) and close(np.array([X, X]), np.array([T, T]))
    assert np.asarray(X, dtype=np.float32).dtype == np.float32
    assert np.allclose(X, T, rtol=0, atol=1e-13)
    assert close(np.linalg.inv(X), np.linalg.inv(T)) and close(np.swapaxes(X, -1, -2), np.swapaxes(T, -1, -2))
    assert close(np.stack([X, T]), np.stack([T, T]))


@pytest.mark.parametrize("batch", BATCHES)
def test_arithmetic_with_arrays_is_that_of_matrices(batch):
    """Oracle: the same expressions of matrices by scipy's expm."""
    (X, T), (Y, U) = pair(batch), pair(batch, 1)
    for found, right in [
        (X - U, T - U), (U - X, U - T), (X - Y, T - U), (X + Y, T + U), (2.0 * X, 2.0 * T), (X / 4.0, T / 4.0),
        (-X, -T), (abs(X), abs(T)), (X**2, T**2), (np.abs(X - T), 0 * T),
        (np.maximum(X, U), np.maximum(T, U)),
    ]:  # fmt: skip
        assert close(found, right)


@pytest.mark.parametrize("batch", BATCHES)
def test_products_with_arrays_are_products_of_matrices(batch):
    """Oracle: numpy's matmul of matrices by scipy's expm; two SE3 give an SE3."""
    (X, T), (Y, U) = pair(batch), pair(batch, 1)
    assert close(X @ U, T @ U) and close(U @ X, U @ T)
    assert close(X @ [1.0, 2.0, 3.0, 1.0], T @ [1.0, 2.0, 3.0, 1.0])
    assert close(X @ U.tolist(), T @ U) if batch in [(), (5,)] else True
    assert isinstance(X @ Y, SE3) and np.allclose(X @ Y, T @ U, rtol=0, atol=1e-13)


def test_comparisons_are_those_of_arrays():
    """Oracle: numpy's; two equal poses do not compare unequal by being two objects."""
    X, Y = SE3.identity(), SE3.identity()
    I, Z = np.eye(4), SE3.from_translation([1.0, 0, 0])
    assert (X == Y).all() and (X == I).all() and (I == X).all()
    assert (X != Z).sum() == 1
    with pytest.raises(ValueError, match="ambiguous"):
        bool(X == Y)
    assert {X: 1}[X] == 1  # an object among keys, as before


def test_a_result_in_place_takes_a_pose():
    """Oracle: the same statements of matrices; a pose is a value, so it is replaced, not changed."""
    X, T = pair()
    sum_ = np.ones((4, 4))
    sum_ -= X
    assert close(sum_, 1.0 - T)
    Y = X
    Y -= T
    assert close(Y, np.zeros((4, 4))) and isinstance(X, SE3)
    assert np.abs(X - T).max() < 1e-14


@pytest.mark.parametrize(
    "index",
    [
        (slice(3), 3), (slice(3), slice(3)), (0, 3), (slice(None), 1), (Ellipsis, slice(3), 3), (Ellipsis, 0, 0),
        (Ellipsis, slice(3), slice(3)), (slice(3), [0, 2]), (np.array([0, 1]), np.array([1, 2])),
    ],
)  # fmt: skip
def test_entries_of_a_single_pose_are_those_of_its_matrix(index):
    """Oracle: the same indexing of the matrix by scipy's expm."""
    X, T = pair()
    assert close(X[index], T[index])


@pytest.mark.parametrize(
    "index",
    [
        (slice(None), slice(3), 3), (slice(None), 0, 3), (2, slice(3), slice(3)), (slice(1, 4), slice(2), 3),
        (Ellipsis, slice(3), 3), (Ellipsis, slice(3), slice(3)), (slice(None), slice(3), [0, 2]),
        (np.array([True, False, True, False, True]), slice(3), 3), (Ellipsis, slice(None), slice(3), 3),
        (None, slice(None), slice(3), 3),
    ],
)  # fmt: skip
def test_entries_of_a_row_of_poses_are_those_of_its_matrices(index):
    """Oracle: the same indexing of matrices by scipy's expm."""
    X, T = pair((5,))
    assert close(X[index], T[index])


@pytest.mark.parametrize(
    "index",
    [
        (1, 2, slice(3), 3),
        (slice(None), 1, slice(3), slice(3)),
        (Ellipsis, 1, slice(3), 3),
        (0, Ellipsis, 1, slice(3), 3),
    ],
)
def test_entries_of_a_grid_of_poses_are_those_of_its_matrices(index):
    """Oracle: the same indexing of matrices by scipy's expm."""
    X, T = pair((2, 3))
    assert close(X[index], T[index])


@pytest.mark.parametrize(
    ("batch", "index"),
    [((2, 3), (Ellipsis, slice(3), 3)), ((2, 3), (Ellipsis, 0, 1)), ((2, 3, 4), (Ellipsis, 0, 1, 1))],
)
def test_an_index_that_could_mean_poses_or_entries_is_refused(batch, index):
    """Oracle: as matrices it takes entries, as a batch it takes poses: two results of different meaning."""
    X, T = pair(batch)
    assert T[index].shape != X.as_matrix().shape
    with pytest.raises(IndexError, match=r"as_matrix\(\)"):
        X[index]


@pytest.mark.parametrize(
    ("batch", "index"),
    [
        ((), 0),
        ((), slice(3)),
        ((), (Ellipsis, 3)),
        ((5,), (0, 1)),
        ((5,), (0, 1, 2, 3)),
        ((2, 3), (0, 1, 2)),
        ((), (0, 1, 2)),
    ],
)
def test_half_of_a_matrix_index_is_refused_with_the_way_out(batch, index):
    """Oracle: the class, and the name of the way out."""
    with pytest.raises(IndexError, match=r"as_matrix\(\)"):
        SE3.identity(batch)[index]


def test_a_pose_is_not_changed_in_part_and_not_walked_through():
    """Oracle: the class, and the name of the way out."""
    X = SE3.identity()
    with pytest.raises(TypeError, match=r"as_matrix\(\)"):
        X[:3, 3] = 1.0
    with pytest.raises(TypeError, match=r"as_matrix\(\)"):
        list(X)
    for name in ("T", "reshape", "tolist", "ndim"):
        with pytest.raises(AttributeError, match=rf"as_matrix\(\)\.{name}"):
            getattr(X, name)
    with pytest.raises(AttributeError, match="nonsense"):
        X.nonsense  # noqa: B018


def test_shapes_that_do_not_go_together_are_named():
    """Oracle: a point of three numbers is for `apply`; the class."""
    with pytest.raises(BadShape, match="apply"):
        SE3.identity() @ np.zeros(3)
    with pytest.raises(BadShape, match="apply"):
        np.zeros((2, 3)) @ SE3.identity()
    with pytest.raises(BadShape, match=r"\(\.\.\., 4, 4\)"):
        SE3.identity() - np.zeros(3)
    with pytest.raises(BadShape, match=r"\(\.\.\., 4, 4\)"):
        SE3.identity() @ "pose"  # type: ignore[operator]


def test_functions_of_matrices_take_poses():
    """Oracle: the same functions of the matrix; a list of poses is a row of them."""
    X, T = pair()
    assert close(adjoint(X), adjoint(T)) and close(log_se3(X), log_se3(T))
    assert close(as_pose([X, T]), np.array([T, T]))
    assert close(SE3.from_matrix(X).as_matrix(), T)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_are_equal_and_frozen_too(again):
    """Oracle: the numbers, bit by bit; numpy forgets that an array was read-only when it is pickled."""
    X, _ = pair((3,))
    Y = again(X)
    assert np.array_equal(Y.wxyz, X.wxyz) and np.array_equal(Y.xyz, X.xyz)
    with pytest.raises(ValueError, match="read-only"):
        Y.xyz[0] = 1.0
