"""What the numbers of .osim files must come to, by scipy; and how tests open them."""

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import condyle as cd

X, SPLINE_Y = (-1.5, -0.7, -0.1, 0.4, 1.1, 1.6), (0.1, -0.3, 0.25, 0.4, 0.1, 0.6)


def opened(text, tmp_path, **options):
    """The model of a file with this text."""
    path = tmp_path / "ours.osim"
    path.write_text(text)
    return cd.load(path, **options)


def pose(R, p=(0.0, 0.0, 0.0)):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def frame(translation, angles):
    return pose(Rotation.from_euler("XYZ", angles).as_matrix(), translation)


def simm(x):
    """The spline of KNEE by its end rule: not-a-knot holds when the third derivative is that of four points."""
    t, y = np.array(X), np.array(SPLINE_Y)
    thirds = [6.0 * np.polyfit(t[s], y[s], 3)[0] for s in (slice(0, 4), slice(-4, None))]
    # f″ at the ends such that the third derivatives of the outer pieces are these: linear in them, so solved by trial
    trial = [CubicSpline(t, y, bc_type=((2, a), (2, b))) for a, b in ((0, 0), (1, 0), (0, 1))]
    third = np.array([[s(t[0], 3), s(t[-2], 3)] for s in trial])
    ends = np.linalg.solve((third[1:] - third[0]).T, thirds - third[0])
    inside = CubicSpline(t, y, bc_type=((2, ends[0]), (2, ends[1])))
    near = np.clip(x, t[0], t[-1])
    return float(inside(near) + inside(near, 1) * (x - near))
