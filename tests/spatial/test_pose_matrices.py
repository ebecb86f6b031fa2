"""4x4 matrices of poses, their inverses, and rotations with a given third axis."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from condyle.errors import BadShape, NotFinite
from condyle.spatial.arrays import finite_vector
from condyle.spatial.so3 import axes_with_z
from condyle.spatial.twists import pose_inverse, pose_matrix

RNG = np.random.default_rng(2)


def test_inverses_of_pose_matrices_are_those_of_numpy():
    """Oracle: numpy's inverse of the matrices; batches broadcast, complex numbers stay complex."""
    R, p = Rotation.random(6, rng=RNG).as_matrix().reshape(2, 3, 3, 3), RNG.normal(size=(3, 3))
    T = pose_matrix(R, p)
    assert T.shape == (2, 3, 4, 4) and (T[..., :3, 3] == p).all() and (T[..., 3, :] == (0, 0, 0, 1)).all()
    assert np.abs(pose_inverse(T) - np.linalg.inv(T)).max() < 1e-14
    assert np.imag(pose_inverse(pose_matrix(R, p + 1e-30j))).any()


def test_axes_with_z_are_rotations_whose_third_column_is_z():
    """Oracle: the definition of a rotation, for random directions and those along the axes."""
    z = np.concatenate([RNG.normal(size=(20, 3)), np.eye(3), -np.eye(3)])
    z /= np.linalg.norm(z, axis=1, keepdims=True)
    R = axes_with_z(z)
    assert np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max() < 1e-14
    assert np.abs(np.linalg.det(R) - 1.0).max() < 1e-14 and (R[..., 2] == z).all()
    assert (axes_with_z(z[0]) == R[0]).all()


def test_vectors_are_copies_of_finite_numbers():
    """Oracle: the array is not the one that was given; the classes and the name of what was given."""
    given = np.array([1.0, 2.0, 3.0])
    assert finite_vector(given, 3, "point_a") is not given
    with pytest.raises(BadShape, match="point_a"):
        finite_vector([1.0, 2.0], 3, "point_a")
    with pytest.raises(NotFinite, match="point_a"):
        finite_vector([1.0, np.nan, 2.0], 3, "point_a")
