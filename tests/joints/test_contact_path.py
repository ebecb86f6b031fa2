"""Places where bones touch, and bones from the poses of others, against closed forms of support functions."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadShape, BadValue

RING, TUBE = 0.010, 0.022  # [m] of a condyle that is a piece of a torus about z
FLEX = np.linspace(-0.2, 1.8, 601)


def plateau(half=0.03):
    side = np.linspace(-half, half, 9)
    return cd.joints.Surface.from_heights(side, side, np.zeros((9, 9)))  # a plane with its normal along z


def condyle():
    """The lower side of the torus, by the angle around z and around the tube, in the femur's axes (z to the side)."""

    def f(a, b):
        r = RING + TUBE * np.cos(b)
        return np.stack([r * np.sin(a), -r * np.cos(a), TUBE * np.sin(b)], axis=-1)

    return cd.joints.Surface.from_function(f, ((-2.6, 1.2), (-1.0, 1.0)))


def screw_home(t):
    """Rotation of the plateau in the femur: its normal is R z. Flexion t, then adduction and internal rotation."""
    Z = np.zeros_like(t)
    flexed = cd.SE3.exp(np.stack([Z, Z, -t, Z, Z, Z], 1)).as_matrix()[:, :3, :3]
    tilted = cd.SE3.exp(np.stack([0.06 * np.sin(t), 0.25 * (1 - np.exp(-2 * t)), Z, Z, Z, Z], 1)).as_matrix()[:, :3, :3]
    up = np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]]).T @ np.eye(3)  # columns: plateau x, y, z in the femur at t = 0
    return flexed @ tilted @ np.array([up[:, 0], up[:, 1], up[:, 2]]).T


def touched(m):
    """The point of the torus whose outward normal is m: ring · m_xy/|m_xy| + tube · m."""
    flat = m * (1, 1, 0)
    return RING * flat / np.linalg.norm(flat, axis=1, keepdims=True) + TUBE * m


def true_poses(t):
    """Poses of the plateau in the femur, touching and sliding, and the touched points of the femur."""
    R = screw_home(t)
    p = touched(-R[:, :, 2])
    T = np.tile(np.eye(4), (len(t), 1, 1))
    T[:, :3, :3] = R
    T[:, :3, 3] = p - 0.006 * np.sin(t)[:, None] * R[:, :, 0] - 0.002 * R[:, :, 1]
    return T, p


def test_screw_home_starts_below_the_femur():
    """The plateau's normal points up to the femur at the start, so what touches is the lowest point."""
    T, p = true_poses(np.array([0.0, 0.1]))
    assert np.abs(T[0, :3, 2] - (0, 1, 0)).max() < 1e-15 and np.abs(p[0] - (0, -RING - TUBE, 0)).max() < 1e-15


def measured(seed=0):
    """True poses with 0.3 mm and 0.1° of noise in every direction."""
    T, p = true_poses(FLEX)
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(len(FLEX), 6)) * np.repeat([np.radians(0.1), 3e-4], 3)
    noisy = T @ cd.SE3.exp(noise * (1, 1, 1, 0, 0, 0)).as_matrix()
    noisy[:, :3, 3] += noise[:, 3:]
    return cd.SE3.from_matrix(noisy), p


@pytest.mark.slow
def test_condyles_are_recovered_from_noisy_poses():
    """Oracle: the torus's support function; 0.3 mm of noise leave less than 0.1 mm of contact path and gap."""
    poses, p = measured()
    joint = cd.design.fit_curve(poses, FLEX, frames=10, smoothing="auto").joint
    inner = slice(12, -12, 6)
    path = cd.joints.contact_path(joint.inverse(), plateau(), condyle(), FLEX[inner])
    assert np.abs(path.gap).max() < 1e-4
    assert np.linalg.norm(path.child - p[inner], axis=1).max() < 5e-5
    assert np.sqrt(np.mean((path.child - p[inner]) ** 2)) < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 12))
def test_the_largest_point_of_a_condyles_path(seed):
    """Oracle: the torus's support function, for other noise: no point of the path on the condyle is 0.05 mm off."""
    poses, p = measured(seed)
    joint = cd.design.fit_curve(poses, FLEX, frames=10, smoothing="auto").joint
    inner = slice(12, -12, 6)
    path = cd.joints.contact_path(joint.inverse(), plateau(), condyle(), FLEX[inner])
    assert np.linalg.norm(path.child - p[inner], axis=1).max() < 5e-5


def test_contact_is_where_the_support_function_says():
    """Oracle: closed form; the joint here is the exact motion as a fine spline."""
    t = np.linspace(-0.2, 1.8, 5)
    T, p = true_poses(t)
    flat, round_ = plateau(), condyle()
    for k in range(len(t)):
        joint = cd.joints.compose(cd.joints.weld(np.linalg.inv(T[k])), cd.joints.prismatic("x"))
        path = cd.joints.contact_path(joint, flat, round_, [0.0])
        assert np.abs(path.child[0] - p[k]).max() < 1e-9 and abs(path.gap[0]) < 1e-11


def test_lifted_shapes_have_a_gap_and_lost_ones_are_nan():
    T = true_poses(np.array([0.3]))[0][0]
    lift = cd.joints.compose(cd.joints.prismatic("z"), cd.joints.weld(np.linalg.inv(T)))
    path = cd.joints.contact_path(lift, plateau(), condyle(), [-0.001, 0.0, 0.004])
    assert np.abs(path.gap - (-0.001, 0.0, 0.004)).max() < 1e-11
    away = cd.joints.compose(cd.joints.prismatic("x"), cd.joints.weld(np.linalg.inv(T)))
    assert np.isnan(cd.joints.contact_path(away, plateau(), condyle(), [0.2]).gap).all()
    with pytest.raises(BadShape, match=r"\(N, 1\)"):
        cd.joints.contact_path(lift, plateau(), condyle(), np.zeros((2, 3)))


def rolling_profile(t):
    """Support function of a profile whose radius h + h″ = 27 + 8 cos t mm falls from 35 mm on."""
    h = 0.027 + 0.004 * t * np.sin(t)
    return h, 0.004 * (np.sin(t) + t * np.cos(t))


def flat_poses(t):
    """Poses of a flat plateau that touches the profile with its outward normal m(t), and the profile's points."""
    h, slope = rolling_profile(t)
    m = np.stack([np.sin(t), -np.cos(t), 0 * t], axis=1)  # downwards at t = 0
    tangent = np.stack([np.cos(t), np.sin(t), 0 * t], axis=1)
    T = np.tile(np.eye(4), (len(t), 1, 1))
    T[:, :3, 0], T[:, :3, 1], T[:, :3, 2] = tangent, [0, 0, -1.0], -m
    points = h[:, None] * m + slope[:, None] * tangent
    T[:, :3, 3] = points - 0.005 * np.sin(2 * t)[:, None] * tangent
    return T, points


@pytest.mark.slow
def test_a_bone_is_recovered_from_the_other_and_noisy_poses():
    """Oracle: the profile in closed form; 0.3 mm of noise leave less than 0.1 mm of the bone's surface."""
    t = np.linspace(-0.1, 1.9, 601)
    T, _ = flat_poses(t)
    noise = np.random.default_rng(1).normal(size=(len(t), 6)) * np.repeat([np.radians(0.1), 3e-4], 3)
    T = T.copy()
    T[:, :3, 3] += noise[:, 3:]
    poses = cd.SE3.from_matrix(T @ cd.SE3.exp(noise * (1, 1, 1, 0, 0, 0)).as_matrix())
    joint = cd.design.fit_curve(poses, t, frames=8, smoothing="auto").joint
    q = np.linspace(0.05, 1.75, 61)
    bone = cd.joints.conjugate_surface(joint, plateau(), q, np.linspace(-0.01, 0.01, 11), frame="parent")
    dense = flat_poses(np.linspace(-0.4, 2.2, 4001))[1]
    off = [np.linalg.norm(dense[:, :2] - v[:2], axis=1).min() for v in bone.vertices]
    assert max(off) < 1e-4
    assert np.sqrt(np.mean(np.square(off))) < 5e-5


def test_the_conjugate_of_a_plane_is_the_profile_that_it_touches():
    """Oracle: a wheel that rolls on a plane: the plane leaves the wheel's rim in it."""
    x, turn = (0, 0, 0, 1, 0, 0), (0, 1, 0, 0, 0, 0)
    up = cd.joints.weld(cd.SE3.from_translation((0, 0, 0.02)))
    roll = cd.joints.product([x, turn], [cd.functions.linear(scale=0.02), cd.functions.linear()])
    rim = cd.joints.conjugate_surface(
        cd.joints.compose(up, roll), plateau(), np.linspace(-1, 1, 21), [-0.01, 0.0, 0.01]
    )
    assert np.abs(np.hypot(rim.vertices[:, 0], rim.vertices[:, 2]) - 0.02).max() < 1e-9
    assert (rim.area_vectors @ (0, 0, -1)).sum() > 0  # it faces the plane
    with pytest.raises(BadValue, match="moves along itself"):
        cd.joints.conjugate_surface(cd.joints.prismatic("z"), plateau(), [0.0, 0.1], [0.0, 0.01])
