"""Laws of forces along paths in condyle and in OpenSim, class by class, at 1,000 states of a block on a slider."""

import warnings

import numpy as np
import pytest

import condyle as cd

osim = pytest.importorskip("opensim")

pytestmark = pytest.mark.peers

POINTS = "<SimmSpline name='{}'><x>{}</x><y>{}</y></SimmSpline>"
MUSCLE = """<max_isometric_force>700</max_isometric_force><optimal_fiber_length>0.1</optimal_fiber_length>
<tendon_slack_length>0.15</tendon_slack_length><pennation_angle_at_optimal>0.3</pennation_angle_at_optimal>
<max_contraction_velocity>8</max_contraction_velocity>"""
PASSIVE = POINTS.format("passive_force_length_curve", "0 0.9 1 1.2 1.5 2", "0 0 0.02 0.1 0.9 2.5")
CLASSES = {
    "Schutte1993Muscle_Deprecated": MUSCLE + "<damping>0.12</damping><time_scale>0.09</time_scale>",
    "Schutte1993Muscle_Deprecated, curve": MUSCLE + PASSIVE,
    "Schutte1993Muscle_Deprecated, no top speed and a point twice": MUSCLE.replace(">8<", ">0<")
    + POINTS.format("passive_force_length_curve", "0 0.9 1 1.1 1.1 1.2 1.5 2", "0 0 0 0 0 0.1 0.9 2.5"),
    "RigidTendonMuscle": MUSCLE,
    "Ligament": "<resting_length>0.24</resting_length><pcsa_force>120</pcsa_force>",
    "Ligament, curve": "<resting_length>0.24</resting_length><pcsa_force>120</pcsa_force>"
    + POINTS.format("force_length_curve", "0.9 1 1.05 1.1 1.3", "0 0 0.1 0.5 3"),
    "Blankevoort1991Ligament": "<linear_stiffness>3000</linear_stiffness><slack_length>0.24</slack_length>",
    "PathSpring": "<resting_length>0.24</resting_length><stiffness>900</stiffness><dissipation>0.3</dissipation>",
    "PathActuator": "<optimal_force>80</optimal_force>",
    "McKibbenActuator": "<number_of_turns>2</number_of_turns><thread_length>0.3</thread_length>"
    "<cord_length>0.05</cord_length>",
}
FILE = """<?xml version="1.0"?><OpenSimDocument Version="40600"><Model name="m">
<Ground name="ground"/><BodySet><objects><Body name="block"><mass>1</mass><inertia>1 1 1 0 0 0</inertia></Body>
</objects></BodySet><JointSet><objects><SliderJoint name="slider">
<socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/block</socket_child_frame>
<coordinates><Coordinate name="x"><range>-1 1</range></Coordinate></coordinates></SliderJoint></objects></JointSet>
<ForceSet><objects><{tag} name="f"><GeometryPath name="path"><PathPointSet><objects>
<PathPoint name="p"><socket_parent_frame>/ground</socket_parent_frame><location>0 0 0</location></PathPoint>
<PathPoint name="q"><socket_parent_frame>/bodyset/block</socket_parent_frame><location>0 0 0</location></PathPoint>
</objects></PathPointSet></GeometryPath>{inside}</{tag}></objects></ForceSet></Model></OpenSimDocument>"""


def both(case, folder):
    path = folder / "one.osim"
    path.write_text(FILE.format(tag=case.split(",")[0], inside=CLASSES[case]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = cd.load(path)
    osim.Logger.setLevelString("off")
    return ours, osim.Model(str(path))


def recorded(force, state):
    """The tension that OpenSim records of a ligament or a spring."""
    labels = [force.getRecordLabels().get(k) for k in range(force.getRecordLabels().getSize())]
    column = next((k for k, name in enumerate(labels) if name.endswith("force_total")), 0)
    return force.getRecordValues(state).get(column)


@pytest.mark.parametrize("case", CLASSES)
def test_forces_along_a_path_are_those_of_opensim(case, tmp_path):
    """Oracle: OpenSim at 1,000 lengths, speeds, activations or controls and fibre lengths; activation rates too."""
    ours, model = both(case, tmp_path)
    state = model.initSystem()
    coordinate, force = model.getCoordinateSet().get("x"), model.getForceSet().get("f")
    muscle, pulls = osim.Muscle.safeDownCast(force), osim.PathActuator.safeDownCast(force)
    assert ours.muscles[0].law != "path"
    elastic = "Schutte" in case
    rng = np.random.default_rng(6)
    x, v, a, u = (rng.uniform(*ends, 1000) for ends in ((0.2, 0.31), (-0.4, 0.4), (0.02, 1.0), (0.0, 1.0)))
    control = a * (1e4 if "McKibben" in case else 1.0)  # a pressure
    fiber = rng.uniform(0.06, 0.15, 1000)
    there = np.zeros((1000, 3))
    for k in range(1000):
        coordinate.setValue(state, x[k], False)
        coordinate.setSpeedValue(state, v[k])
        if elastic:
            force.setStateVariableValue(state, "activation", a[k])
            force.setStateVariableValue(state, "fiber_length", fiber[k])
        if pulls is not None:
            model.realizeVelocity(state)
            model.setControls(state, osim.Vector(1, float(u[k] if elastic else control[k])))
        model.realizeAcceleration(state)
        there[k, 0] = recorded(force, state) if pulls is None else pulls.getActuation(state)
        if elastic:
            there[k, 1] = force.getStateVariableDerivativeValue(state, "fiber_length")
            there[k, 2] = force.getStateVariableDerivativeValue(state, "activation")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.CondyleWarning)
        given = fiber[:, None] if elastic else None
        found = cd.muscles.forces(ours, x[:, None], v[:, None], control[:, None], fiber_length=given)
    scale = np.abs(there[:, 0]).max()
    np.testing.assert_allclose(found.tendon_force[:, 0], there[:, 0], atol=1e-9 * scale, rtol=1e-9)
    if elastic:
        near = 1e-6 if "twice" in case else 1e-9  # two points at one x: OpenSim's pieces do not quite meet there
        np.testing.assert_allclose(found.fiber_velocity[:, 0], there[:, 1], atol=near, rtol=10 * near)
        rates = cd.muscles.activation_rates(ours, a[:, None], u[:, None])[:, 0]
        np.testing.assert_allclose(rates, there[:, 2], atol=1e-12, rtol=1e-9)
    assert scale > 1.0
    assert muscle is not None or not elastic
