"""Sheets in models: joints, masses, accelerations against Lagrange's equations of the written surface, and laws."""

import numpy as np
import pytest
from scipy.interpolate import NdBSpline

import condyle as cd
from condyle.errors import BadShape, BadValue, CondyleError, NotFinite, NotSupported, UnknownName
from condyle.simulation import ElasticSheet, StoppedWarning
from condyle.simulation.sheets.sheet_motion import System
from support.de_boor import deboor, deboor_slopes

BALL = cd.Inertia(0.2, (0.0, 0.004, 0.01), (2e-4, 3e-4, 1e-4))
RADIUS = 0.03


def bumpy(shape=(6, 5), **changed):
    """A sheet that is not flat at rest, of 1 m by 0.8 m."""
    rest = 0.03 * np.random.default_rng(4).normal(size=shape)
    given = {"density": 0.6, "tension": 20.0, "bending": 0.1, "rest": rest, "order": 4, **changed}
    return ElasticSheet((1.0, 0.8), shape, **given)


def built(sheet, modes, inertia=BALL, gravity=(0, 0, -9.81), **options):
    """A model of the sheet and a ball on it."""
    b = cd.ModelBuilder(gravity=gravity)
    modal = sheet.add_to(b, modes=modes, **options).add_body("ball", inertia, radius=RADIUS)
    return modal, b.build()


def random_state(modal, model, rng, place=(0.37, 0.52), size=0.02):
    """Coordinates and velocities on the sheet, with y = (u, v, η) and ẏ."""
    k = len(modal.coordinates)
    y, yd = np.r_[place, size * rng.normal(size=k)], np.r_[0.7, -0.4, 0.3 * rng.normal(size=k)]
    return *at_state(modal, model, y, yd), y, yd


def at_state(modal, model, y, yd):
    return modal.state(model, {"ball": y[:2]}, {"ball": yd[:2]}, deflections=y[2:], deflection_rates=yd[2:])


def written_pose(modal, y):
    """R and origin at complex y = (u, v, η): x along x_u, z along x_u × x_v, `RADIUS` above the surface."""
    s = modal.sheet
    p = s.rest.reshape(-1, 3)[:, 2] + y[2:] @ modal.modes.shapes.reshape(len(y) - 2, -1)
    (U, Ud), (V, Vd) = [
        [f(q, axis.knots, s.order) for f in (deboor, deboor_slopes)] for q, axis in zip(y[:2], s.axes, strict=True)
    ]
    heights = p.reshape(s.shape)
    a, b = np.array([1, 0, Ud @ heights @ V]), np.array([0, 1, U @ heights @ Vd])
    t1, n = a / np.sqrt(a @ a), np.cross(a, b)
    n = n / np.sqrt(n @ n)
    return np.stack([t1, np.cross(n, t1), n], axis=1), np.array([y[0], y[1], U @ heights @ V]) + RADIUS * n


def written_mass(modal, y, J=None):
    """ΦMΦᵀ of the sheet with all that is off its diagonal, and SᵀJS of the ball, S by complex steps of its pose."""
    phi = modal.modes.shapes.reshape(len(y) - 2, -1)
    M, R, S = np.zeros((len(y), len(y))), written_pose(modal, y + 0j)[0].real, np.zeros((6, len(y)))
    M[2:, 2:] = phi @ modal.sheet.mass_matrix @ phi.T
    for k in range(len(y)):
        dR, dc = (x.imag / 1e-20 for x in written_pose(modal, y + 1e-20j * np.eye(len(y))[k]))
        W = R.T @ dR
        S[:, k] = [W[2, 1], W[0, 2], W[1, 0], *(R.T @ dc)]
    return M + S.T @ (BALL.spatial() if J is None else J) @ S


def written_potential(modal, y, gravity):
    s, phi = modal.sheet, modal.modes.shapes.reshape(len(y) - 2, -1)
    d = y[2:] @ phi
    R, c = (x.real for x in written_pose(modal, y + 0j))
    weight = -gravity[2] * s.mass_matrix.sum(axis=1) @ d
    return 0.5 * d @ s.stiffness_matrix @ d + weight - BALL.mass * gravity @ (c + R @ BALL.com)


def slope(f, direction, h=1e-3):
    """Differences of eighth order."""
    steps = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
    return sum(c * (f(k * h * direction) - f(-k * h * direction)) for k, c in enumerate(steps, 1)) / h


def written_accelerations(modal, y, yd, gravity):
    """ÿ of d/dt ∂T/∂ẏ − ∂T/∂y + ∂U/∂y + Cẏ = 0."""
    phi = modal.modes.shapes.reshape(len(y) - 2, -1)
    M, e = written_mass(modal, y), np.eye(len(y))
    force = -slope(lambda d: written_mass(modal, y + d), yd) @ yd
    force += [slope(lambda d: 0.5 * yd @ written_mass(modal, y + d) @ yd, x) for x in e]
    force -= [slope(lambda d: written_potential(modal, y + d, gravity), x) for x in e]
    force[2:] -= phi @ modal.sheet.damping_matrix @ phi.T @ yd[2:]
    return np.linalg.solve(M, force)


@pytest.mark.parametrize(("modes", "order"), [(1, 4), (4, 4), (None, 5)])
def test_accelerations_are_lagranges(modes, order):
    """Oracle: Lagrange's equations of the written surface, by complex steps and differences of eighth order."""
    modal, model = built(bumpy((6, 5), order=order, damping=0.3, internal_damping=1e-3), modes)
    rng = np.random.default_rng(1)
    for place in ((0.37, 0.52), (0.84, 0.11)):
        q, v, y, yd = random_state(modal, model, rng, place)
        a = cd.forward_dynamics(model, q, v)
        found = np.r_[a[-5:-3], a[:-5]]
        expected = written_accelerations(modal, y, yd, model.gravity)
        assert np.abs(found - expected).max() < 1e-8 * np.abs(expected).max()


def test_the_ball_has_the_pose_of_the_written_surface():
    """Oracle: de Boor's recursion and cross products; `ElasticSheet.frame`; a placement before both."""
    where = cd.SE3.exp([0.3, -0.2, 0.5, 1.0, 2.0, 3.0])
    modal, model = built(bumpy(), None, placement=where)
    rng = np.random.default_rng(2)
    for place in ((0.0, 0.8), (0.5, 0.4), (0.91, 0.07)):
        q, _, y, _ = random_state(modal, model, rng, place, size=0.05)
        found = where.inverse() @ cd.forward_kinematics(model, q)[-1]
        frame = modal.sheet.frame(place, modal.controls(model, q), radius=RADIUS).pose
        assert np.abs(found - frame).max() < 1e-11
        if place[1] < 0.8:  # the recursion ends before the last knot
            R, c = written_pose(modal, y + 0j)
            assert np.abs(found.as_matrix()[:3] - np.column_stack([R, c]).real).max() < 1e-11


def test_the_joint_has_full_rank_and_the_mass_matrix_is_positive_everywhere():
    """Oracle: the written mass matrix; on lines where modes are zero too, and at slopes near 1."""
    modal, model = built(bumpy(rest=None), 4)
    assert cd.joints.check(model.bodies[-1].joint).smallest > 0.1
    rng, unit = np.random.default_rng(3), np.eye(6)
    for u in (0.02, 0.5, 0.77):  # the second mode is zero at 0.5
        for v in (0.1, 0.4, 0.71):
            for size in (0.0, 0.02, 0.08):
                q, _, y, _ = random_state(modal, model, rng, (u, v), size)
                N = np.stack([at_state(modal, model, y, e)[1] for e in unit], axis=1)
                reduced = N.T @ cd.mass_matrix(model, q) @ N
                assert np.abs(reduced - written_mass(modal, y)).max() < 1e-10
                assert np.linalg.eigvalsh(reduced)[0] > 1e-3
                assert np.abs(cd.body_jacobian(model, q, "ball")[:, 4:]).max() > 0.1


@pytest.mark.slow
def test_a_sheet_alone_has_its_frequencies_and_damping():
    """Oracle: `ElasticSheet.frequencies`; the damping of motion c/ρ and of deformation b ω², both of each mode."""
    sheet, b = bumpy(damping=0.9, internal_damping=2e-3), cd.ModelBuilder()
    modal, count = sheet.add_to(b), int(sheet.moving.sum())
    model = b.build()
    found = cd.linearize(model, *modal.state(model))
    w = sheet.frequencies(count)
    assert np.abs(found.q + np.diag(w**2)).max() < 1e-9 * w[-1] ** 2
    assert np.abs(found.v + np.diag(0.9 / 0.6 + 2e-3 * w**2)).max() < 1e-9 * w[-1] ** 2
    assert np.abs(modal.modes.frequencies - w).max() < 1e-9 * w[-1]


def test_modes_of_a_membrane_have_the_masses_of_closed_forms():
    """Oracle: sin sin has the modal mass ρ a b / 4 and, for the lowest, the weight 4 ρ a b / π²."""
    modal = ElasticSheet((1.2, 0.9), (12, 12), density=0.5, tension=3.0).add_to(cd.ModelBuilder(), modes=3)
    assert modal.modes.masses == pytest.approx(0.5 * 1.2 * 0.9 / 4, rel=1e-2)  # its largest is looked for on a grid
    assert modal.modes.masses[0] == pytest.approx(0.5 * 1.2 * 0.9 / 4, rel=2e-4)
    assert modal.modes.weights[0] == pytest.approx(4 * 0.5 * 1.2 * 0.9 / np.pi**2, rel=2e-4)


def test_it_settles_as_the_sheet_does():
    """Oracle: `ElasticSheet.settled`; of fewer modes the deflection under a force is less, ever nearer to it."""
    sheet, down, place = bumpy(rest=None), np.array([0.0, 0.0, -9.81]), (0.4, 0.3)
    whole = sheet.settled(down, [(place, 0.2 * down)])
    deep = sheet.points([place[0]], [place[1]], whole)[0, 0, 2]
    less = []
    for modes in (1, 2, 4, 8, None):
        modal, model = built(sheet, modes)
        q, v = modal.state(model, {"ball": place}, deflections=modal.settled([(place, -0.2 * 9.81)]))
        controls = modal.controls(model, q)
        less.append(1.0 - sheet.points([place[0]], [place[1]], controls)[0, 0, 2] / deep)
        a = cd.forward_dynamics(model, *modal.state(model))  # without the ball's weight it would rest
        assert np.isfinite(a).all() and np.isfinite(v).all()
    assert np.abs(controls - whole).max() < 1e-12
    assert (np.diff(less) < 1e-12).all() and 0.1 < less[0] < 0.5 and abs(less[-1]) < 1e-12


def test_a_ball_at_rest_in_the_middle_stays():
    """Oracle: equilibrium of weights and springs; in the middle the slope is none."""
    sheet = bumpy((7, 7), rest=None)
    modal, model = built(sheet, None, cd.Inertia(0.2, (0, 0, 0.01), (2e-4, 3e-4, 1e-4)))
    q, v = modal.state(model, deflections=modal.settled([((0.5, 0.4), -0.2 * 9.81)]))
    assert np.abs(cd.forward_dynamics(model, q, v)).max() < 1e-9
    assert np.abs(modal.state(model)[0] - model.neutral()).max() < 1e-14


@pytest.mark.slow
def test_in_the_middle_it_is_the_whole_sheet():
    """Oracle: `ElasticSheet.simulate` with all control points in x, y and z: by symmetry they move along z alone."""
    sheet = ElasticSheet((1.0, 0.8), (5, 5), density=0.6, tension=20.0, bending=0.1)
    body = cd.Inertia(0.2, (0, 0, 0.01), (2e-4, 3e-4, 1e-4))
    modal, model = built(sheet, None, body)
    q, v = modal.state(model, deflections=np.zeros(9))
    run = cd.simulate(model, q, v, duration=0.2, record=0.05, integrator="adaptive", tolerance=1e-11)
    whole = sheet.simulate(body, duration=0.2, record=0.05, radius=RADIUS, tolerance=1e-11)
    assert np.abs(modal.controls(model, run.q) - whole.controls).max() < 1e-8
    assert np.abs(run.poses()[:, -1] - whole.poses()).max() < 1e-8
    assert np.abs(whole.controls - sheet.rest).max() > 0.01


def test_what_the_sheet_does_within_itself_is_of_second_order():
    """Oracle: the whole sheet, whose control points move in x, y and z too: forces on the ball differ by slope²."""
    sheet = ElasticSheet((1.0, 0.8), (6, 6), density=0.6, tension=20.0)
    body = cd.Inertia(0.2, (0, 0, 0.01), (2e-4, 3e-4, 1e-4))
    modal, model = built(sheet, None, body, weight=False)
    system, apart, down = System(sheet, body, RADIUS, model.gravity, weight=False), [], np.zeros(6)
    for deep in (0.004, 0.002, 0.001):
        y = np.r_[0.31, 0.52, -deep, np.zeros(15)]
        q, v = at_state(modal, model, y, np.zeros(18))
        gained = cd.body_jacobian(model, q, "ball") @ cd.forward_dynamics(model, q, v)
        down[3:] = cd.forward_kinematics(model, q)[-1].as_matrix()[:3, :3].T @ model.gravity
        start = system.start(sheet, y[:2], (0.0, 0.0), (modal.controls(model, q), None))
        apart.append(np.linalg.norm((body.spatial() @ (gained - down) - system.accelerations(start)[2])[3:]))
    assert apart[0] / apart[1] == pytest.approx(4.0, abs=0.5)
    assert apart[1] / apart[2] == pytest.approx(4.0, abs=0.3)
    assert apart[0] < 1e-4 * body.mass * 9.81


@pytest.mark.slow
def test_energy_is_kept():
    """Oracle: conservation, with a pendulum on the ball, a body that spins, and a sheet that weighs."""
    sheet, b = bumpy((7, 7), order=6), cd.ModelBuilder()
    modal = sheet.add_to(b, modes=6).add_body("ball", BALL, radius=RADIUS, spin=True)
    arm = cd.Inertia(0.1, (0.0, 0.02, 0.06), (2e-4, 2e-4, 5e-5))
    model = b.add_body("arm", parent="ball", joint=cd.joints.revolute("x"), inertia=arm).build()
    q, v = modal.state(model, {"ball": (0.4, 0.5)}, {"ball": (0.6, -0.2)}, deflections=0.01 * np.ones(6))
    q[-1], v[-1], v[-2] = 0.7, 2.0, 5.0
    run = cd.simulate(model, q, v, duration=0.3, record=0.02, integrator="adaptive", tolerance=1e-10)
    assert np.ptp(run.energy().total) < 1e-7
    assert np.abs(run.q[-1] - run.q[0])[:6].max() > 5e-3
    assert np.abs(run.q[-1, 6:8] - run.q[0, 6:8]).max() > 0.05


@pytest.mark.slow
def test_damping_takes_what_it_should():
    """Oracle: the energy falls by the integral of η̇ᵀ C η̇ of the sheet's own damping matrix."""
    sheet = bumpy((7, 7), order=6, damping=2.0)
    modal, model = built(sheet, 6)
    q, v = modal.state(model, {"ball": (0.4, 0.5)}, deflections=0.01 * np.ones(6))
    run = cd.simulate(model, q, v, duration=0.2, record=0.001, integrator="adaptive", tolerance=1e-10)
    rates = np.tensordot(run.v[:, :6], modal.modes.shapes.reshape(6, -1), 1)
    power = np.einsum("ta,ab,tb->t", rates, sheet.damping_matrix, rates)
    taken = 0.001 / 3 * (power[0] + 4 * power[1::2].sum() + 2 * power[2:-1:2].sum() + power[-1])  # Simpson
    total = run.energy().total
    assert total[0] - total[-1] == pytest.approx(taken, rel=1e-4)
    assert taken > 1e-3


def test_a_heavy_sheet_is_the_rigid_surface_as_a_joint():
    """Oracle: `cd.joints.on` of the same B-spline: poses and accelerations."""
    sheet = bumpy(order=5, density=1e9, tension=1.0)
    modal, model = built(sheet, 3, weight=False)
    knots = tuple(axis.knots for axis in sheet.axes)
    lift = cd.joints.weld(cd.SE3.from_translation((0, 0, RADIUS)))
    joint = cd.joints.compose(
        cd.joints.on(cd.joints.Surface.from_spline(NdBSpline(knots, sheet.rest[..., 2], 4))), lift
    )
    rigid = cd.ModelBuilder().add_body("ball", joint=joint, inertia=BALL).build()
    for place, rate in (((0.3, 0.6), (0.4, 0.2)), ((0.8, 0.3), (-1.0, 2.0))):
        q, v = modal.state(model, {"ball": place}, {"ball": rate})
        wanted = cd.forward_dynamics(rigid, place, rate)
        assert np.abs(cd.forward_dynamics(model, q, v)[3:5] - wanted).max() < 1e-7
        assert np.abs(cd.forward_kinematics(model, q)[-1] - cd.forward_kinematics(rigid, place)[0]).max() < 1e-10


@pytest.mark.slow
def test_linearize_is_the_derivative_along_the_sheet():
    """Oracle: differences of accelerations between states on the sheet."""
    modal, model = built(bumpy(damping=0.4), 3)
    q, v, y, yd = random_state(modal, model, np.random.default_rng(5))
    found, h, n = cd.linearize(model, q, v), 1e-5, len(y)
    for k in range(2 * n):
        e, ed = np.split(np.eye(2 * n)[k] * h, 2)
        (qa, va), (qb, vb) = (at_state(modal, model, y + s * e, yd + s * ed) for s in (1.0, -1.0))
        change = (cd.forward_dynamics(model, qa, va) - cd.forward_dynamics(model, qb, vb)) / (2 * h)
        along = (found.q @ (qa - qb) + found.v @ (va - vb)) / (2 * h)
        assert np.abs(change - along).max() < 1e-5 * max(1.0, np.abs(change).max())


def test_several_bodies_share_a_sheet_and_it_goes_through_files(tmp_path):
    """Oracle: the same accelerations from the file; two balls at one place push as far as one of both masses."""
    sheet, b = bumpy(), cd.ModelBuilder()
    modal = sheet.add_to(b, "skin", modes=3)
    for name in ("left", "right"):
        modal.add_body(name, BALL, radius=RADIUS)
    model = b.build()
    q, v = modal.state(model, dict.fromkeys(("left", "right"), (0.3, 0.4)), {"left": (1.0, 0.0), "right": (1.0, 0.0)})
    a = cd.forward_dynamics(model, q, v)
    cd.save(model, tmp_path / "sheet.toml")
    assert np.abs(cd.forward_dynamics(cd.load(tmp_path / "sheet.toml"), q, v) - a).max() < 1e-12
    heavy = cd.Inertia(2 * BALL.mass, BALL.com, 2 * np.asarray(BALL.moment))
    one, alone = built(sheet, 3, heavy)
    wanted = cd.forward_dynamics(alone, *one.state(alone, {"ball": (0.3, 0.4)}, {"ball": (1.0, 0.0)}))
    assert np.abs(a[:8] - wanted).max() < 1e-9 * np.abs(wanted).max()
    assert np.abs(a[8:] - wanted[3:]).max() < 1e-9 * np.abs(wanted).max()


def test_a_run_ends_at_the_rim_and_is_drawn():
    """Oracle: at 3 m/s from the middle it is at the rim, 0.5 m away, after 0.17 s; points of the sheet."""
    modal, model = built(bumpy((6, 6)), 3, placement=cd.SE3.from_translation((1.0, 0.0, 2.0)))
    with pytest.warns(StoppedWarning, match="left its domain"):
        run = cd.simulate(model, *modal.state(model, rates={"ball": (3.0, 0.0)}), duration=0.5, step=1e-3)
    assert 0.14 < run.stopped.time < 0.2
    drawn = modal.drawn(run)
    now = modal.sheet.points([0.0, 0.5], [0.4], modal.controls(model, run.q[50]))[:, 0] + (1.0, 0.0, 2.0)
    assert np.abs(drawn.at(run.t[50])[[0, 20], 20] - now).max() < 1e-12
    assert np.isfinite(drawn.at(0.5)).all()
    assert modal.drawn().at(0.0).shape == (41, 41, 3)


def test_modes_of_one_frequency_are_taken_together_and_told_apart():
    """Oracle: a square membrane: modes 2 and 3 are sin 2x sin y and sin x sin 2y."""
    sheet = ElasticSheet((1.0, 1.0), (9, 9), density=1.0, tension=1.0)
    with pytest.raises(BadValue, match=r"modes 2 … 3 .* take 1 or 3"):
        sheet.add_to(cd.ModelBuilder(), modes=2)
    shapes = sheet.add_to(cd.ModelBuilder(), modes=3).modes.shapes
    x = np.linspace(0.0, 1.0, 7)
    controls = np.concatenate([np.broadcast_to(sheet.rest[..., :2], (3, 9, 9, 2)), shapes[..., None]], axis=-1)
    found = np.array([sheet.points(x, x, c)[..., 2] for c in controls])
    one, two = np.sin(np.pi * x), np.sin(2 * np.pi * x)
    for k, shape in ((0, np.outer(one, one)), (1, np.outer(one, two)), (2, np.outer(two, one))):
        assert np.abs(np.abs(found[k]) - np.abs(shape)).max() < 0.01


def test_what_cannot_be_added_is_named():
    sheet, b = bumpy(), cd.ModelBuilder()
    for count in (0, -1, 13, 1.5, True, "2"):
        with pytest.raises(BadValue, match="modes is a whole number, 1 … 12"):
            sheet.add_to(b, modes=count)
    for loose in ({"edges": "free"}, {"tension": 0.0, "bending": 0.0}):
        with pytest.raises(BadValue, match="nothing holds"):
            bumpy(**loose).add_to(b, modes=1)
    leaning = bumpy(rest=bumpy().rest + (0.0, 0.1, 0.0) * bumpy().rest[..., [2, 2, 2]])
    with pytest.raises(NotSupported, match="graph"):
        leaning.add_to(b, modes=1)
    with pytest.raises(BadValue, match="ModelBuilder"):
        sheet.add_to("b")
    with pytest.raises(CondyleError, match="placement"):
        sheet.add_to(b, placement=np.zeros((3, 3)))
    assert not b._bodies  # nothing was added by halves
    modal = sheet.add_to(b, modes=2)
    for changed, words in (
        ({"radius": -0.1}, "'ball'.*radius"),
        ({"radius": np.nan}, "'ball'.*radius"),
        ({"steepest": 0.0}, "'ball'.*steepest"),
        ({"steepest": np.inf}, "'ball'.*steepest"),
        ({"inertia": 0.2}, "'ball'.*Inertia"),
        ({"inertia": cd.Inertia.point(0.2)}, "'ball'.*moments of inertia"),
        ({"inertia": cd.Inertia.massless()}, "'ball'.*moments of inertia"),
    ):
        with pytest.raises(BadValue, match=words):
            modal.add_body("ball", **{"inertia": BALL, **changed})
    model = modal.add_body("ball", BALL).add_body("other", BALL)._builder.build()
    for given, error, words in (
        ({"places": {"bal": (0.5, 0.5)}}, UnknownName, "'bal'.*sheet 'sheet'"),
        ({"places": {"ball": (1.5, 0.5)}}, BadValue, r"u is in \[0, 1\]"),
        ({"rates": {"ball": (np.nan, 0.5)}}, NotFinite, "rate of 'ball'"),
        ({"deflections": [0.1]}, BadShape, "deflections"),
        ({"deflection_rates": [0.1, np.inf]}, NotFinite, "deflections"),
    ):
        with pytest.raises(error, match=words):
            modal.state(model, **given)
    with pytest.raises(BadValue, match="u is in"):
        modal.settled([((2.0, 0.0), 1.0)])
