"""Judges of the arm that share no code with it."""

import numpy as np
from scipy.spatial.transform import Rotation

from condyle.workspace.skeleton import REST


def chain(lengths, angles):
    """Shoulder, elbow, wrist, hand of the written skeleton, with scipy's rotations.

    R_z R_y, link along x, R_a R_x R_y R_z, link along z, R_y, link along z, R_x R_y R_z.
    """
    a = angles
    clavicle = Rotation.from_euler("ZY", a[:2]).as_matrix()
    upper = clavicle @ REST @ Rotation.from_euler("XYZ", a[2:5]).as_matrix()
    fore = upper @ Rotation.from_euler("Y", a[5]).as_matrix()
    s = clavicle @ [lengths[0], 0, 0]
    e = s + upper @ [0, 0, lengths[1]]
    return s, e, e + fore @ [0, 0, lengths[2]], fore @ Rotation.from_euler("XYZ", a[6:]).as_matrix()


def geodesic(A, B):
    """The angle [rad] between rotations."""
    return np.linalg.norm(Rotation.from_matrix(np.swapaxes(A, -2, -1) @ B).as_rotvec(), axis=-1)
