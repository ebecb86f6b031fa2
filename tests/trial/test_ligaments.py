"""Ligaments and springs along paths act in trials: closed forms on a hinge, and setups that leave them out."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import CondyleWarning, NotSupported
from support.osim_files import in_set
from support.trial_files import leg_osim, write_trial

lanes = pytest.mark.slow  # paths and laws of many frames at once: entries that no other quick test needs
TIMES = np.linspace(0.0, 1.0, 101)
REACH, HEIGHT, STIFFNESS, REST, DISSIPATION = 0.3, 0.4, 500.0, 0.2, 0.7
ENDS = """<GeometryPath><PathPointSet><objects><PathPoint name="a">
<socket_parent_frame>/bodyset/thigh_r</socket_parent_frame><location>0.05 -0.1 0</location></PathPoint>
<PathPoint name="b"><socket_parent_frame>/bodyset/shank_r</socket_parent_frame><location>0.05 -0.05 0</location>
</PathPoint></objects></PathPointSet></GeometryPath>"""
BAND = f"""<PathSpring name="band">{ENDS}<resting_length>0.1</resting_length><stiffness>800</stiffness>
<dissipation>0.1</dissipation></PathSpring>"""
PUSH = """<ExpressionBasedCoordinateForce name="push"><coordinate>knee_angle_r</coordinate>
<expression>-10*q</expression></ExpressionBasedCoordinateForce>"""


def hinge(muscle=False):
    """A rod about z with 2 kg at 0.5 m; a spring from 0.4 m over the hinge to 0.3 m along the rod. No gravity."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("rod", joint=cd.joints.revolute("z"), inertia=cd.Inertia.point(2.0, (0.5, 0, 0)))
    numbers = {"stiffness": STIFFNESS, "resting_length": REST, "dissipation": DISSIPATION}
    ends = [(None, (0, HEIGHT, 0)), ("rod", (REACH, 0, 0))]
    b.add_muscle("band", ends, "path_spring", **numbers)
    if muscle:
        rigid = {"ignore_tendon_compliance": 1, "tendon_slack_length": 0.2, "optimal_fiber_length": 0.2}
        for name, side in (("left", 1.0), ("right", -1.0)):
            b.add_muscle(name, [(None, (0, side * HEIGHT, 0)), ("rod", (REACH, 0, 0))], **rigid)
    return b.build()


def swing(model):
    q = 0.5 + 0.6 * np.sin(4 * TIMES)[:, None]
    return cd.Trajectory(model, TIMES, q, np.gradient(q[:, 0], TIMES)[:, None])


def tension_and_slope(q, v):
    """Of the spring, by the law of cosines: L² = h² + r² − 2 h r sin q."""
    L = np.sqrt(HEIGHT**2 + REACH**2 - 2 * HEIGHT * REACH * np.sin(q))
    slope = -HEIGHT * REACH * np.cos(q) / L
    return STIFFNESS * np.maximum(L - REST, 0.0) * (1.0 + DISSIPATION * slope * v), slope


@pytest.mark.parametrize(("q", "v"), [(0.2, 1.5), (0.8, -2.0), (1.5, 0.3)])
def test_a_spring_between_two_points_pulls_by_its_law(q, v):
    """Oracle: −T dL/dq, written out, at single states, of which the last is slack."""
    tension, slope = tension_and_slope(q, v)
    found = cd.muscles.elastic_forces(hinge(), [q], [v])
    assert (tension == 0.0) == (q == 1.5)
    np.testing.assert_allclose(found, [-tension * slope], atol=1e-11)


@lanes
def test_a_spring_between_two_points_is_taken_off_the_moment():
    """Oracle: m l² a + T dL/dq, written out; slack in some frames, taut in others."""
    model = hinge()
    found = cd.trial.inverse_dynamics(model, swing(model))
    tension, slope = tension_and_slope(found.q, found.v)
    assert tension.min() == 0.0 and tension.max() > 50.0
    np.testing.assert_allclose(found.forces, 2.0 * 0.5**2 * found.a + tension * slope, atol=1e-11)
    assert any("band" in note for note in found.notes)


def test_models_without_springs_have_no_elastic_forces():
    """Oracle: zeros of the shape of the velocities."""
    model = hinge().without_muscles()
    assert np.array_equal(cd.muscles.elastic_forces(model, np.zeros((3, 1)), [1.0]), np.zeros((3, 1)))


@lanes
def test_reactions_do_not_count_ligaments_and_say_so():
    model = hinge()
    with pytest.raises(NotSupported, match="ligaments"):
        cd.trial.inverse_dynamics(model, swing(model)).joint_reactions()


@lanes
@pytest.mark.parametrize("passive", [False, True])
def test_muscles_and_the_spring_give_the_moment_together(passive):
    """Oracle: the sum of arms times tensions, the spring's by its closed form, is m l² a; counted once."""
    model = hinge(muscle=True)
    found = cd.trial.inverse_dynamics(model, swing(model))
    so = cd.muscles.static_optimization(model, found.q, found.v, found.forces, reserves=1.0, passive=passive)
    tension, _ = tension_and_slope(found.q, found.v)
    np.testing.assert_allclose(so.force[:, 0], tension[:, 0], atol=1e-10)
    given = np.einsum("tmk,tm->tk", so.moment_arms, so.force) + so.reserve
    assert np.abs(so.missing).max() < 1e-4
    np.testing.assert_allclose(given + so.missing, 0.5 * found.a, atol=1e-9)


@lanes
def test_the_analysis_balances_moments_without_the_spring():
    """Oracle: the same moments as inverse dynamics, given by the two muscles and the reserve alone."""
    model = hinge(muscle=True)
    found = cd.trial.analyze_muscles(model, swing(model), reserves=1.0)
    so = found.optimization
    given = np.einsum("tmk,tm->tk", so.moment_arms[:, 1:], so.force[:, 1:]) + so.reserve
    np.testing.assert_allclose(given, found.forces, atol=1e-6)


def knee_moments(folder, forces, words):
    """Moments of the knee, and the result, with forces in the file and words in forces_to_exclude."""
    write_trial(folder)
    (folder / "leg.osim").write_text(leg_osim(extra=in_set("ForceSet", *forces)))
    path = folder / "Setup_ID.xml"
    path.write_text(path.read_text().replace(">Muscles<", f">{words}<"))
    (trial,) = cd.trial.run(folder, folder / "out", report=False).trials
    return trial.dynamics.forces[:, -1], trial


@lanes
@pytest.mark.parametrize("words", ["Muscles band", "All"])
@pytest.mark.filterwarnings("ignore::condyle.errors.NotInModel")
def test_a_setup_leaves_springs_along_paths_out(tmp_path, words):
    """Oracle: the generalised force of the spring is what the other run has less."""
    with_it, trial = knee_moments(tmp_path, [BAND], "Muscles")
    without, _ = knee_moments(tmp_path, [BAND], words)
    pulled = cd.muscles.elastic_forces(trial.dynamics.model, trial.dynamics.q, trial.dynamics.v)[:, -1]
    assert np.abs(pulled).max() > 1.0
    np.testing.assert_allclose(without - with_it, pulled, atol=1e-9)


@pytest.mark.filterwarnings("ignore::condyle.errors.NotInModel")
def test_a_spring_that_the_file_turns_off_does_not_act(tmp_path):
    """Oracle: the trial without any force."""
    off = BAND.replace("<GeometryPath>", "<appliesForce>false</appliesForce><GeometryPath>", 1)
    assert np.array_equal(knee_moments(tmp_path, [off], "Muscles")[0], knee_moments(tmp_path, [], "Muscles")[0])


@lanes
@pytest.mark.filterwarnings("ignore::condyle.errors.NotInModel")
def test_forces_that_act_in_opensim_alone_are_warned_of(tmp_path, recwarn):
    """Oracle: the name in a warning and in the notes; no word where the setup excludes it."""
    with pytest.warns(CondyleWarning, match="push"):
        _, trial = knee_moments(tmp_path, [BAND, PUSH], "Muscles")
    assert any("push" in note and "exert none here" in note for note in trial.notes)
    recwarn.clear()
    knee_moments(tmp_path, [BAND, PUSH], "Muscles push")
    assert not any("exert none" in str(w.message) for w in recwarn)
