"""Forward: elevation, abduction and twist to positions and angles."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from condyle.errors import BadShape, BadValue, NotFinite, OutsideDomain
from condyle.splines.bezier.bezier_surface import BezierSurface
from condyle.splines.bezier.domain_complex import hexagon
from condyle.workspace import Arm, Lengths, Limits
from condyle.workspace.directions import direction_from_angles
from condyle.workspace.solve.arm_forward import posture_at
from support.arm_oracles import REST, chain, geodesic, postures

ELEVATION, ABDUCTION = np.radians([[20.0, 70.0, 110.0, 90.0], [40.0, 80.0, 30.0, -10.0]])


def test_links_have_exactly_their_lengths(male):
    """Oracle: distances between the joints."""
    p = male.forward(ELEVATION, ABDUCTION, 0.3, flexion=1.1)
    assert np.abs(np.linalg.norm(p.shoulder, axis=-1) - male.lengths.clavicle).max() < 1e-15
    assert np.abs(np.linalg.norm(p.elbow - p.shoulder, axis=-1) - male.lengths.upper_arm).max() < 1e-15
    assert np.abs(np.linalg.norm(p.wrist - p.elbow, axis=-1) - male.lengths.forearm).max() < 1e-15


def test_the_nine_angles_make_the_same_positions(male):
    """Oracle: the skeleton written with scipy's rotations."""
    p = male.forward(ELEVATION, ABDUCTION, [0.0, 0.3, 0.7, 1.0], flexion=[0.2, 1.0, 1.5, 2.2], wrist=(0.2, -0.1, 0.6))
    for n in range(4):
        s, e, w, hand = chain(male.lengths, p.angles[n])
        assert np.abs(s - p.shoulder[n]).max() < 1e-14
        assert np.abs(e - p.elbow[n]).max() < 1e-14
        assert np.abs(w - p.wrist[n]).max() < 1e-14
        assert np.abs(hand - p.skeleton.hand[n]).max() < 1e-14


def test_the_angles_are_those_of_the_paper(male):
    """Oracle: Bernstein sums, projections and Euler extraction by scipy, with a rest frame written by hand."""
    rng = np.random.default_rng(0)
    places, twist, flexion = rng.uniform(-0.5, 0.5, (20, 2)), rng.uniform(0, 1, 20), rng.uniform(0, 2, 20)
    expected, found = (make(male, places, twist, flexion, (0.2, -0.1, 0.6)) for make in (postures, posture_at))
    assert np.abs(np.angle(np.exp(1j * (found.angles - expected.angles)))).max() < 1e-10
    assert np.abs(found.wrist - expected.wrist).max() < 1e-13
    assert geodesic(found.skeleton.hand, expected.hand).max() < 1e-7


def test_positions_are_the_surfaces(male):
    """Oracle: shoulder and elbow from the fitted surface by eq. 3 and e* = s* + L₂ ẑ, evaluated by Bernstein sums."""
    p = male.forward(ELEVATION, ABDUCTION)
    values = male.surface.evaluate(p.place)
    s = male.lengths.clavicle * values[:, :3] / np.linalg.norm(values[:, :3], axis=1, keepdims=True)
    z = (values[:, 3:6] - s) / np.linalg.norm(values[:, 3:6] - s, axis=1, keepdims=True)
    assert np.abs(p.shoulder - s).max() < 1e-14
    assert np.abs(p.elbow - s - male.lengths.upper_arm * z).max() < 1e-14


def test_twist_runs_between_the_measured_wrists(male):
    """Oracle: the directions of both measured wrists, turned by Rodrigues' formula from scipy."""
    at = male.forward(ELEVATION, ABDUCTION).place
    values = male.surface.evaluate(at)
    for share, channel in ((0.0, 6), (1.0, 9)):
        p = male.forward(ELEVATION, ABDUCTION, share, flexion=np.pi / 2)
        z = (p.elbow - p.shoulder) / male.lengths.upper_arm
        side = values[:, channel : channel + 3] - values[:, 3:6]
        side -= np.einsum("ni,ni->n", side, z)[:, None] * z
        side /= np.linalg.norm(side, axis=1, keepdims=True)
        assert np.abs((p.wrist - p.elbow) / male.lengths.forearm - side).max() < 1e-12
    low, half = male.forward(ELEVATION, ABDUCTION, 0.0), male.forward(ELEVATION, ABDUCTION, 0.5)
    z = (low.elbow - low.shoulder) / male.lengths.upper_arm
    turned = Rotation.from_rotvec(0.5 * low.twist_range[:, None] * z).apply(low.wrist - low.elbow)
    assert np.abs(turned - (half.wrist - half.elbow)).max() < 1e-13


def test_elevation_names_the_elbow_it_was_fitted_to(male):
    """Oracle: the true direction of the elbow is close to its label (the fit moves it a little)."""
    p = male.forward(ELEVATION, ABDUCTION)
    assert np.allclose(p.elevation, ELEVATION) and np.allclose(p.abduction, ABDUCTION)
    label = direction_from_angles(ELEVATION, ABDUCTION)
    true = p.elbow / np.linalg.norm(p.elbow, axis=1, keepdims=True)
    assert np.degrees(np.arccos(np.einsum("ni,ni->n", label, true))).max() < 6


def test_an_aligned_shoulder_still_has_angles(ball_arm):
    """Oracle: at the place where θ₃ is lost the angles still rebuild the posture."""
    aligned = REST[:, 0]  # ẑ along the axis of θ₃
    s, complex = np.array([0.15, 0.0, 0.0]), hexagon(3)
    elbow = s + 0.3 * aligned + 0.3 * complex.points @ np.linalg.svd(aligned[None])[2][1:]
    control = np.hstack([np.tile(s, (37, 1)), elbow, elbow + REST[:, 1], elbow + REST[:, 2]])
    arm = Arm(BezierSurface(complex, control), Lengths(0.15, 0.3, 0.27))
    p = posture_at(arm, np.zeros(2), 0.4, 1.0, (0.0, 0.0, 0.0))
    assert np.abs(chain(arm.lengths, p.angles)[2] - p.wrist).max() < 1e-12


def test_a_direction_never_measured_is_named(male):
    with pytest.raises(
        OutsideDomain, match=r"elevation 90.0°, abduction 180.0° is outside the measured workspace \(1 of 1"
    ):
        male.forward(np.pi / 2, np.pi)


def test_wrong_input_is_named(male):
    with pytest.raises(BadValue, match=r"twist is a share of its range, from 0 to 1; got twist = 1.5"):
        male.forward(1.0, 0.5, 1.5)
    with pytest.raises(NotFinite, match=r"forward: elevation must be finite"):
        male.forward(np.nan, 0.5)


def test_an_arm_that_cannot_be_is_named(male):
    with pytest.raises(BadShape, match=r"an arm's surface has 12 channels.*got channels = 3"):
        Arm(male.surface.channels(slice(0, 3)), male.lengths)
    with pytest.raises(BadValue, match=r"link lengths must be positive; got clavicle = 0.1, upper_arm = -1.0"):
        Arm(male.surface, Lengths(0.1, -1.0, 0.2))
    with pytest.raises(BadValue, match=r"the grid level is 1 to 7; got level = 9"):
        Arm(male.surface, male.lengths, level=9)
    with pytest.raises(BadValue, match=r"the range of wrist y must rise; got low = 0.2, high = 0.1"):
        Limits(wrist=((-1, 1), (0.2, 0.1), (-1, 1)))
    with pytest.raises(BadValue, match=r"elbow flexion is between 0 and π"):
        Limits(flexion=(-0.5, 2.0))
