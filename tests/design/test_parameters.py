"""Coordinates, knots and metrics; and what is refused."""

import numpy as np
import pytest
from scipy.linalg import expm

import condyle as cd
from condyle import design
from condyle.errors import BadCoordinates, BadShape, BadValue, NotSupported, TooFewPoses, UnknownName
from support.knees import hat, noisy_knee
from support.thinning import slow_but


def screw_frames(seed=0, turn=0.0, gently=False):
    """Fifteen frames .1 to .4 apart, at random or `gently`, along a screw whose axis turns at random by `turn`."""
    rng = np.random.default_rng(seed)
    G, g = [np.eye(4)], np.array([0.3, 0.2, 0.8, 0.1, 0.2, 0.4])
    for k in range(14):
        step = g + turn * rng.normal(size=6)
        length = 0.25 + 0.15 * np.sin(0.45 * k) if gently else rng.uniform(0.1, 0.4)
        G.append(G[-1] @ expm(hat(length * step / np.linalg.norm(step))))
    return np.array(G)


def speed_error(frames, knots):
    """How far |dG/dq| is from constant."""
    joint = cd.joints.spline_curve(frames, knots)
    q = np.linspace(*joint.domain[0], 2000)
    speed = np.linalg.norm(joint.jacobian(q)[..., 0], axis=1)
    return np.sqrt(np.mean((speed / speed.mean() - 1) ** 2))


def test_natural_knots_give_a_screw_constant_speed():
    """Oracle: |S| = 1 of a fixed screw axis, where the steps vary gently enough for positive spans to follow them."""
    frames = screw_frames(gently=True)
    knots = design.natural_knots(frames, clamped=False)
    joint = cd.joints.spline_curve(frames, knots)
    q = np.linspace(*joint.domain[0], 500)
    assert np.abs(np.linalg.norm(joint.jacobian(q)[..., 0], axis=1) - 1).max() < 1e-3
    uniform = np.arange(19.0)
    assert speed_error(frames, uniform) > 0.2


@pytest.mark.parametrize("clamped", [True, False])
def test_natural_knots_beat_uniform_ones(clamped):
    """Oracle: the joint's own speed."""
    for seed in range(5):
        frames = screw_frames(seed, turn=0.3)
        uniform = None if clamped else np.arange(19.0)
        natural = design.natural_knots(frames, clamped=clamped)
        assert speed_error(frames, natural) < 0.7 * speed_error(frames, uniform)


def test_natural_knots_of_a_closed_curve_follow_its_frames():
    """Oracle: uneven frames about a circle; their curve's speed becomes even."""
    angles = 2 * np.pi * np.cumsum([0, 1, 1, 2, 2, 1, 1, 2, 2]) / 13
    frames = np.array([expm(hat([0, 0, a, 0, 0, 0])) for a in angles])

    def spread(knots):
        joint = cd.joints.spline_curve(frames, knots, periodic=True)
        speed = np.linalg.norm(joint.jacobian(np.linspace(*joint.domain[0], 999))[..., 0], axis=1)
        return speed.std() / speed.mean()

    assert spread(design.natural_knots(frames, periodic=True)) < 0.35 * spread(None)


def test_chord_coordinates_add_up_distances():
    """Oracle: a screw: distance is proportional to its parameter, scaled by the metric."""
    g = np.array([0, 0, 1.0, 0, 0, 2.0])
    x = np.array([0, 0.1, 0.5, 0.6])
    poses = np.array([expm(hat(a * g)) for a in x])
    assert design.chord_coordinates(poses) == pytest.approx(np.sqrt(5) * x)
    assert design.chord_coordinates(poses, metric=0.5) == pytest.approx(np.sqrt(17) * x)


def test_an_inertia_measures_twists_by_their_energy():
    """Oracle: twice the kinetic energy per kilogram of a body, moment about the origin by Steiner."""
    body = cd.Inertia(2.0, (0.1, 0.0, 0.0), (0.3, 0.4, 0.5))
    C = design.metric_factor(body)
    x = np.array([0.1, -0.2, 0.3, 0.4, 0.5, -0.6])
    v = x[3:] + np.cross(x[:3], [0.1, 0, 0])
    assert ((C @ x) ** 2).sum() == pytest.approx((v @ v) + (x[:3] ** 2) @ np.array([0.3, 0.4, 0.5]) / 2.0)


def test_the_metric_weighs_rotation_against_translation():
    """Oracle: scaling lengths and the metric's length together changes nothing but lengths."""
    q, _, poses = noisy_knee(20, 0.05, 0.01)
    long = poses.copy()
    long[:, :3, 3] *= 1e3
    a, b = design.fit_curve(poses, q, frames=7, metric=0.2), design.fit_curve(long, q, frames=7, metric=200.0)
    assert a.cost == pytest.approx(b.cost, rel=1e-9)
    assert np.abs(a.frames[:, :3, 3] * 1e3 - b.frames[:, :3, 3]).max() < 1e-5


Q, _, POSES = noisy_knee(20, 0.01, 0.001)
STILL = np.tile(np.eye(4), (5, 1, 1))


def noisy_turn(angle, way, count=300):
    """Poses of a turn about a far axis with noise of rotation [rad] and position [m], and their coordinates."""
    q = np.linspace(0.0, 1.0, count)
    noise = np.random.default_rng(3).normal(size=(count, 6)) * np.repeat([angle, way], 3)
    return cd.joints.revolute("z", point=(0.1, 0, 0)).pose(q[:, None]) @ cd.SE3.exp(noise), q


@pytest.mark.parametrize(("angle", "way"), slow_but([(1e-3, 3e-4)], [(1e-3, 3e-4), (5e-3, 1e-4)]))
def test_the_metric_of_the_noise(angle, way):
    """Oracle: the ratio of the noise that was put in; an outlier in twenty does not move it; the same fit by length."""
    poses, q = noisy_turn(angle, way)
    matrices = poses.as_matrix().copy()
    matrices[::20, :3, 3] += 0.05
    for given in (poses, matrices):
        fit = design.fit_curve(given, q, frames=6, metric="noise", loss="cauchy")
        assert 1.0 / fit.problem.C[3, 3] == pytest.approx(way / angle, rel=0.15)
    by_length = design.fit_curve(matrices, q, frames=6, metric=1.0 / fit.problem.C[3, 3], loss="cauchy")
    assert np.abs(by_length.x - fit.x).max() < 1e-8


def test_poses_without_noise_have_no_metric_of_noise():
    """Oracle: the words, with the sizes."""
    with pytest.raises(BadValue, match=r"no residuals of one kind.*rotation_rad = .*position_m = "):
        design.fit_curve(*noisy_turn(0.0, 0.0), frames=6, metric="noise")


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        ((POSES[:1], Q[:1]), {}, TooFewPoses, "at least 2 poses are needed; got 1. Measure more"),
        ((np.full((5, 4, 4), np.nan), Q[:5]), {}, TooFewPoses, r"got 0 \(5 of 5 rows are missing"),
        ((POSES, np.full(20, 0.5)), {}, BadCoordinates, r"coordinate = \[0.5\]"),
        ((POSES, np.where(np.arange(20) == 3, np.nan, Q)), {}, BadCoordinates, r"finite coordinate; got rows = \[3\]"),
        ((POSES, Q[:5]), {}, BadShape, "one coordinate for each of 20 poses"),
        ((POSES[0], 0.0), {}, BadShape, r"shape \(N, 4, 4\)"),
        ((POSES, Q), {"weights": -Q}, BadValue, "weights must be finite and not negative|got rows"),
        ((POSES, Q), {"smoothing": -1.0}, BadValue, "smoothing is a weight ≥ 0, or 'auto'"),
        ((POSES, Q), {"frames": 3}, BadValue, "order 4 needs at least 4 control frames"),
        ((POSES, Q), {"loss": "hubert"}, UnknownName, "Did you mean 'huber'"),
        ((POSES, Q), {"method": "newton", "frames": 6}, UnknownName, "no method named 'newton'"),
        ((POSES, Q), {"metric": 0.0}, BadValue, "length must be positive"),
        ((POSES, Q), {"metric": "nose"}, BadValue, "'noise' too.*metric = 'nose'"),
        ((POSES, Q), {"metric": "noise", "frames": "interpolate"}, BadValue, "no residuals of one kind"),
        ((POSES, Q), {"metric": -np.eye(6)}, BadValue, "must be positive; its least eigenvalue is -1"),
        ((POSES, Q), {"ends": "periodic"}, BadValue, "say the period"),
        ((POSES, Q), {"ends": "periodic", "period": (0, 1)}, BadCoordinates, "must lie in one period"),
        ((STILL,), {}, TooFewPoses, "the poses do not move"),
        ((POSES, "lengths"), {}, UnknownName, "no rule for coordinates named 'lengths'"),
        ((POSES, Q), {"frames": 30, "loss": "huber"}, NotSupported, "have no single answer"),
    ],
)
def test_bad_input_is_named(arguments, options, error, words):
    """Oracle: the words."""
    with pytest.raises(error, match=words):
        design.fit_curve(*arguments, **options)
