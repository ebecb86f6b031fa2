"""Generalised forces of motions and loads that are known."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import condyle as cd
from condyle.errors import BadFile, BadValue, UnknownName
from condyle.trial.external_loads.ground_reactions import interpolated
from support.trial_files import MASSES, motion, reaction, write_leg, write_reaction

TIMES = np.linspace(0.0, 1.0, 201)
INSIDE = slice(20, -20)  # natural splines have no third derivative at their ends
RIGHT = cd.trial.ExternalForce("right", "shank_r", "ground_force_v", "ground_force_p", "ground_torque_")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("leg")


@pytest.fixture(scope="module")
def leg(folder):
    return write_leg(folder)[1]


@pytest.fixture(scope="module")
def loads(folder):
    write_reaction(folder / "grf.mot", np.linspace(-0.05, 1.05, 111))
    return cd.trial.ExternalLoads((RIGHT,), cd.read_table(folder / "grf.mot"))


def walk(leg, times=TIMES):
    q, v, _ = motion(times)
    return cd.Trajectory(leg, times, q, v)


def test_loads_may_be_a_file(folder, leg, loads):
    """Oracle: the same loads as an object; a path ended in an AttributeError."""
    force = """<ExternalForce name="right"><applied_to_body>shank_r</applied_to_body>
      <force_expressed_in_body>ground</force_expressed_in_body><point_expressed_in_body>ground</point_expressed_in_body>
      <force_identifier>ground_force_v</force_identifier><point_identifier>ground_force_p</point_identifier>
      <torque_identifier>ground_torque_</torque_identifier></ExternalForce>"""
    (folder / "loads.xml").write_text(
        f"<OpenSimDocument><ExternalLoads><objects>{force}</objects><datafile>grf.mot</datafile>"
        "</ExternalLoads></OpenSimDocument>"
    )
    found = cd.trial.inverse_dynamics(leg, walk(leg), loads=folder / "loads.xml")
    assert np.array_equal(found.forces, cd.trial.inverse_dynamics(leg, walk(leg), loads=loads).forces)
    with pytest.raises(BadFile, match="path"):
        cd.trial.inverse_dynamics(leg, walk(leg), loads=cd.read_table(folder / "grf.mot"))


def double_pendulum():
    """Two rods on pins about z, hanging along −y."""
    rods = [("upper", 0.5, 2.0, 0.25, 0.05), ("lower", 0.4, 1.5, 0.2, 0.03)]
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    for k, (name, _, mass, com, moment) in enumerate(rods):
        place = cd.SE3.from_translation([0, -rods[0][1], 0]) if k else None
        inertia = cd.Inertia(mass, (0, -com, 0), (moment, 0.01, moment))
        b.add_body(name, rods[0][0] if k else None, cd.joints.revolute("z"), inertia, placement=place)
    return b.build()


def closed_form(q, v, a, force, point):
    """τ of the double pendulum under a force at a point of ground: Lagrange's equations, written out."""
    l1, m1, c1, I1, m2, c2, I2, g = 0.5, 2.0, 0.25, 0.05, 1.5, 0.2, 0.03, 9.81
    s12, c12 = np.sin(q[:, 1]), np.cos(q[:, 1])
    m22 = I2 + m2 * c2**2
    m12 = m22 + m2 * l1 * c2 * c12
    m11 = I1 + m1 * c1**2 + m22 + m2 * l1**2 + 2 * m2 * l1 * c2 * c12
    h = m2 * l1 * c2 * s12
    g2 = m2 * g * c2 * np.sin(q[:, 0] + q[:, 1])
    g1 = (m1 * c1 + m2 * l1) * g * np.sin(q[:, 0]) + g2
    elbow = l1 * np.stack([np.sin(q[:, 0]), -np.cos(q[:, 0])], axis=1)
    turned = [p[:, 0] * force[:, 1] - p[:, 1] * force[:, 0] for p in (point[:, :2], point[:, :2] - elbow)]
    t1 = m11 * a[:, 0] + m12 * a[:, 1] - h * (2 * v[:, 0] * v[:, 1] + v[:, 1] ** 2) + g1 - turned[0]
    t2 = m12 * a[:, 0] + m22 * a[:, 1] + h * v[:, 0] ** 2 + g2 - turned[1]
    return np.stack([t1, t2], axis=1)


def test_forces_of_a_pushed_double_pendulum_are_lagranges(tmp_path):
    """Oracle: the equations of motion of a double pendulum and the moments of a force, written out."""
    model = double_pendulum()
    angle = np.outer(TIMES, [3.0, 4.0]) + [0.2, 0.9]
    q, v, a = 0.5 * np.sin(angle), 0.5 * np.cos(angle) * [3, 4], -0.5 * np.sin(angle) * [9, 16]
    write_reaction(tmp_path / "push.mot", np.linspace(0, 1, 101))
    force = cd.trial.ExternalForce("push", "lower", "ground_force_v", "ground_force_p")
    loads = cd.trial.ExternalLoads((force,), cd.read_table(tmp_path / "push.mot"))
    found = cd.trial.inverse_dynamics(model, cd.Trajectory(model, TIMES, q, v), loads=loads)
    newtons, point, _ = reaction(TIMES)
    assert np.allclose(found.forces[INSIDE], closed_form(q, v, a, newtons, point)[INSIDE], atol=2e-3)
    assert np.allclose(found.power, found.forces * found.v)


def test_residuals_are_what_newton_lacks(leg, loads):
    """Oracle: the force on a free root is m (a − g) of the centre of mass less the reaction; differences of places."""
    found = cd.trial.inverse_dynamics(leg, walk(leg), loads=loads)
    step, com = TIMES[1], found.center_of_mass
    acceleration = (com[2:] - 2 * com[1:-1] + com[:-2]) / step**2
    missing = sum(MASSES.values()) * (acceleration + [0, 9.81, 0]) - reaction(TIMES[1:-1])[0]
    columns = [leg.v_index(f"pelvis_t{axis}") for axis in "xyz"]
    assert np.allclose(found.forces[1:-1][INSIDE][:, columns], missing[INSIDE], atol=0.05)
    names = [r.name for r in found.residuals]
    assert names[3:] == ["pelvis_tx_force", "pelvis_ty_force", "pelvis_tz_force"]
    assert np.isclose(found.residuals[4].largest, np.abs(found.forces[:, columns[1]]).max())


def test_a_force_in_the_axes_of_its_body_is_the_same_force(leg, loads):
    """Oracle: the same loads turned into the axes of the shank by the poses of the motion."""
    q = motion(TIMES)[0]
    X = cd.forward_kinematics(leg, q).as_matrix()[:, leg.body_index("shank_r")]
    turn = np.swapaxes(X[:, :3, :3], 1, 2)
    parts = [np.einsum("nij,nj->ni", turn, x) for x in reaction(TIMES)]
    parts[1] -= np.einsum("nij,nj->ni", turn, X[:, :3, 3])
    names = [f"{kind}_{axis}" for kind in ("f", "p", "m") for axis in "xyz"]
    table = cd.Table(("time", *names), np.column_stack([TIMES, *parts]))
    local = cd.trial.ExternalForce("right", "shank_r", "f_", "p_", "m_", "shank_r", "shank_r")
    one = cd.trial.inverse_dynamics(leg, walk(leg), loads=loads)
    other = cd.trial.inverse_dynamics(leg, walk(leg), loads=cd.trial.ExternalLoads((local,), table))
    assert np.abs(one.forces - other.forces)[INSIDE].max() < 0.02


def test_forces_have_opensims_names(leg):
    """Oracle: moments for angles, forces for shifts."""
    found = cd.trial.inverse_dynamics(leg, walk(leg))
    assert found.table().names[:5] == (
        "time", "pelvis_tilt_moment", "pelvis_list_moment", "pelvis_rotation_moment", "pelvis_tx_force",
    )  # fmt: skip
    assert any("no external loads" in note for note in found.notes)


def test_reactions_of_joints_contain_the_forces_of_their_coordinates(leg, loads):
    """Oracle: generalised forces: moments about the axes of hinges, and force and moment on a free root."""
    found = cd.trial.inverse_dynamics(leg, walk(leg), loads=loads)
    reactions, X = found.joint_reactions(), cd.forward_kinematics(leg, found.q).as_matrix()
    for body, coordinate in (("thigh_r", "hip_angle_r"), ("shank_r", "knee_angle_r")):
        i = leg.body_index(body)
        about = np.einsum("ni,ni->n", X[:, i, :3, 2], reactions.moments[:, i])
        assert np.allclose(about, found.forces[:, leg.v_index(coordinate)], atol=1e-9)
    root = leg.body_index("pelvis")
    assert np.allclose(reactions.forces[:, root], found.forces[:, 3:6], atol=1e-9)
    assert np.allclose(
        reactions.moments[:, root, 0], found.forces[:, 0], atol=1e-9
    )  # the first turn is about x of ground


def test_the_reaction_of_a_hanging_rod_is_its_weight_and_centripetal_force():
    """Oracle: m (g + l ω²) at the lowest point of a swing."""
    bob = cd.Inertia.point(2.0, (0, -0.5, 0))
    model = cd.ModelBuilder(gravity=(0, -9.81, 0)).add_body("bob", joint=cd.joints.revolute("z"), inertia=bob).build()
    t = np.linspace(-0.5, 0.5, 201)
    swing = cd.Trajectory(model, t, 0.3 * np.sin(2 * t)[:, None], np.zeros((201, 1)))
    reactions = cd.trial.inverse_dynamics(model, swing).joint_reactions()
    assert np.allclose(reactions.forces[100, 0], (0, 2 * (9.81 + 0.5 * 0.36), 0), atol=1e-5)
    assert reactions.table().names[1] == "bob_on_bob_in_ground_fx"


def test_a_filter_takes_noise_out_of_moments(leg):
    """Oracle: the motion without noise: half a milliradian of noise is metres per second squared unfiltered."""
    rng = np.random.default_rng(0)
    smooth = walk(leg)
    noisy = cd.Trajectory(leg, TIMES, smooth.q + 5e-4 * rng.normal(size=smooth.q.shape), smooth.v)
    clean = cd.trial.inverse_dynamics(leg, smooth)
    knee = leg.v_index("knee_angle_r")
    errors = [
        np.abs(cd.trial.inverse_dynamics(leg, noisy, cutoff=c).forces - clean.forces)[INSIDE, knee].max()
        for c in (None, 6.0)
    ]
    assert errors[1] < 0.1 * errors[0]


def test_a_span_is_seen_by_the_result_and_not_by_the_filter(leg):
    """Oracle: the same frames of the whole motion."""
    whole = cd.trial.inverse_dynamics(leg, walk(leg), cutoff=6.0)
    part = cd.trial.inverse_dynamics(leg, walk(leg), cutoff=6.0, span=(0.3, 0.6))
    inside = (TIMES >= 0.3 - 1e-9) & (TIMES <= 0.6 + 1e-9)
    assert np.allclose(part.times, TIMES[inside]) and np.allclose(part.forces, whole.forces[inside])


def test_few_samples_of_a_load_are_joined_by_lines(leg):
    """Oracle: one sample is constant, two are a line."""
    names = ("time", "f_x", "f_y", "f_z")
    force = (cd.trial.ExternalForce("push", "pelvis", "f_"),)
    constant = cd.trial.ExternalLoads(force, cd.Table(names, [[0.0, 1, 2, 3]])).at(np.array([0.0, 5.0]))
    line = cd.trial.ExternalLoads(force, cd.Table(names, [[0.0, 0, 0, 0], [2.0, 2, 4, 6]])).at(np.array([0.5, 1.0]))
    assert np.allclose(constant[0].newtons, [[1, 2, 3]] * 2) and np.allclose(
        line[0].newtons, [[0.5, 1, 1.5], [1, 2, 3]]
    )


@pytest.mark.parametrize(
    ("force", "rows", "error", "words"),
    [
        (cd.trial.ExternalForce("right", "foot", "f_"), 5, UnknownName, "foot.*right"),
        (cd.trial.ExternalForce("right", "ground", "f_"), 5, BadValue, "right.*ground"),
        (cd.trial.ExternalForce("right", "pelvis", "f_", force_in="toe"), 5, UnknownName, "toe"),
        (cd.trial.ExternalForce("right", "pelvis", "g_"), 5, BadFile, "g_"),
        (cd.trial.ExternalForce("right", "pelvis", ""), 0, BadFile, "times"),
        (cd.trial.ExternalForce("right", "pelvis", "f"), 5, BadFile, "three columns.*force"),
    ],
)
def test_loads_that_make_no_sense_are_refused(leg, force, rows, error, words):
    """Oracle: the class of the error and the names in it."""
    values = np.column_stack([np.linspace(0, 1, rows), np.ones((rows, 4))])
    table = cd.Table(("time", "f_x", "f_y", "f_z", "fourth"), values)
    with pytest.raises(error, match=words):
        cd.trial.inverse_dynamics(leg, walk(leg), loads=cd.trial.ExternalLoads((force,), table))


def test_loads_that_do_not_cover_the_motion_are_refused(leg, loads):
    """Oracle: both spans in the words."""
    with pytest.raises(BadFile, match=r"-0\.05 to 1\.05 s.*2"):
        cd.trial.inverse_dynamics(leg, walk(leg, np.linspace(0, 2, 50)), loads=loads)


def test_loads_with_gaps_are_refused(leg):
    """Oracle: the row in the words."""
    values = np.column_stack([np.linspace(0, 1, 11), np.ones((11, 3))])
    values[4, 2] = np.nan
    force = cd.trial.ExternalForce("right", "pelvis", "f_")
    with pytest.raises(BadFile, match=r"gaps.*\[4\]"):
        cd.trial.inverse_dynamics(leg, walk(leg), loads=cd.trial.ExternalLoads((force,), cd.Table(
            ("time", "f_x", "f_y", "f_z"), values)))  # fmt: skip


def test_a_motion_outside_of_the_span_is_refused(leg):
    """Oracle: the span of the motion in the words."""
    with pytest.raises(BadValue, match="0 to 1 s"):
        cd.trial.inverse_dynamics(leg, walk(leg), span=(3.0, 4.0))


@pytest.mark.parametrize("samples", [4, 5, 300])
def test_external_loads_are_interpolated_by_natural_cubic_splines(samples):
    """Oracle: scipy's natural cubic spline through uneven samples, a little beyond both ends too."""
    rng = np.random.default_rng(0)
    t, values = np.cumsum(rng.uniform(0.5, 1.5, samples)), rng.normal(size=(samples, 3))
    times = np.array([t[0] - 0.1, t[0], *np.linspace(t[1], t[-2], 7), t[-1], t[-1] + 0.1])
    found = interpolated(t, values, times)
    assert np.allclose(found, CubicSpline(t, values, bc_type="natural")(times), rtol=0, atol=1e-12)
