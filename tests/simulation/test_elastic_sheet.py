"""Elastic sheets: matrices against closed forms of membranes and plates, coupled motion against Lagrange and laws."""

import numpy as np
import pytest
from scipy.interpolate import NdBSpline
from scipy.linalg import eigh

import condyle as cd
from condyle.errors import BadShape, BadValue, CondyleError, RankLost, UnknownName
from condyle.simulation import ElasticSheet
from condyle.simulation.sheets.sheet_motion import System
from support.de_boor import deboor

BALL = cd.Inertia(0.2, (0.0, 0.0, 0.01), (2e-4, 3e-4, 1e-4))
DOWN = np.array([0.0, 0.0, -9.81])


def bowl(n=7):
    x = np.linspace(-1, 1, n)
    return 0.1 * np.add.outer(x**2, 1.5 * x**2)


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (1.5, 0.8)])
def test_frequencies_are_those_of_membranes_and_plates(a, b):
    """Oracle: ω = π √(T/ρ) √((m/a)² + (n/b)²) of a membrane, π² √(D/ρ) ((m/a)² + (n/b)²) of a plate on hinges."""
    k2 = np.sort([(m / a) ** 2 + (n / b) ** 2 for m in range(1, 4) for n in range(1, 4)])[:3]
    membrane = ElasticSheet((a, b), (12, 12), density=0.4, tension=6.0)
    assert membrane.frequencies(3) == pytest.approx(np.pi * np.sqrt(6.0 / 0.4 * k2), rel=1e-4)
    plate = ElasticSheet((a, b), (12, 12), density=0.4, bending=3.0)
    assert plate.frequencies(3) == pytest.approx(np.pi**2 * np.sqrt(3.0 / 0.4) * k2, rel=1e-3)


def test_a_clamped_square_plate():
    """Oracle: Leissa's 35.985 √(D/ρ) / a² for the lowest frequency."""
    plate = ElasticSheet((1.0, 1.0), (12, 12), density=0.5, bending=8.0, edges="clamped")
    assert plate.frequencies(1)[0] == pytest.approx(35.985 * 4.0, rel=2e-4)


def test_sags_are_those_of_closed_forms():
    """Oracle: a membrane under its weight, 0.0736713 ρ g a² / T; Navier's series of a plate under a force."""
    a, g = 1.2, 9.81
    membrane = ElasticSheet((a, a), (12, 12), density=0.4, tension=60.0)
    sag = membrane.points([a / 2], [a / 2], membrane.settled(gravity=(0, 0, -g)))[0, 0]
    assert sag == pytest.approx([a / 2, a / 2, -0.0736713 * 0.4 * g * a * a / 60.0], rel=1e-4)
    plate = ElasticSheet((a, a), (22, 22), density=0.4, bending=5.0)
    u, v = 0.3 * a, 0.4 * a
    m, n = np.meshgrid(np.arange(1, 400), np.arange(1, 400), indexing="ij")
    shape = (np.sin(m * np.pi * 0.3) * np.sin(n * np.pi * 0.4)) ** 2
    series = 4 * 2.0 * a**2 / (np.pi**4 * 5.0) * (shape / (m**2 + n**2) ** 2).sum()
    found = plate.points([u], [v], plate.settled(loads=[((u, v), (0, 0, 2.0))]))[0, 0, 2]
    assert found == pytest.approx(series, rel=5e-3)


def test_masses_add_up_and_shifts_cost_nothing():
    """Oracle: the B-splines add up to one."""
    sheet = ElasticSheet((1.5, 0.8), (6, 8), density=0.7, tension=3.0, bending=0.2, edges="free")
    assert sheet.mass_matrix.sum() == pytest.approx(0.7 * 1.5 * 0.8, rel=1e-13)
    assert np.abs(sheet.stiffness_matrix.sum(axis=1)).max() < 1e-11
    assert sheet.frequencies(1)[0] < 1e-4
    assert np.allclose(sheet.points([0.3], [0.5])[0, 0], [0.3, 0.5, 0.0])


def pose(sheet, y, radius):
    """R and origin of the body at y = (u, v, all control points), complex; slopes by a second complex step inside."""
    p = y[2:].reshape(*sheet.shape, 3)

    def at(u, v):
        U, V = (deboor(q, axis.knots, sheet.order) for q, axis in zip((u, v), sheet.axes, strict=True))
        return np.einsum("a,b,abc->c", U, V, p)

    h = 1e-4  # differences of eighth order: the complex step is in use
    steps = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280]) / h
    a = sum(c * (at(y[0] + k * h, y[1]) - at(y[0] - k * h, y[1])) for k, c in enumerate(steps, 1))
    b = sum(c * (at(y[0], y[1] + k * h) - at(y[0], y[1] - k * h)) for k, c in enumerate(steps, 1))
    t1 = a / np.sqrt(a @ a)
    n = np.cross(a, b)
    n = n / np.sqrt(n @ n)
    return np.stack([t1, np.cross(n, t1), n], axis=1), at(y[0], y[1]) + radius * n


def columns(sheet, y, radius):
    """S (6, coordinates) of the frame by complex steps of its pose."""
    R, _ = pose(sheet, y + 0j, radius)
    S = np.zeros((6, len(y)))
    for k in range(len(y)):
        e = np.zeros(len(y), complex)
        e[k] = 1e-20j
        dR, dc = (x.imag / 1e-20 for x in pose(sheet, y + e, radius))
        W = R.real.T @ dR
        S[:, k] = [W[2, 1], W[0, 2], W[1, 0], *(R.real.T @ dc)]
    return S


def whole_mass(sheet, y, radius, J):
    """The mass matrix of place and control points: diag(0, M) + SᵀJS."""
    S = columns(sheet, y, radius)
    M = np.zeros((len(y), len(y)))
    M[2:, 2:] = np.kron(sheet.mass_matrix, np.eye(3))
    return M + S.T @ J @ S


def test_the_coupled_equations_are_lagranges():
    """Oracle: d/dt ∂T/∂ẏ − ∂T/∂y + ∂U/∂y = 0 of the written energies, S by complex steps, the rest by differences."""
    sheet = ElasticSheet((1.0, 0.8), (5, 4), density=0.6, tension=5.0, bending=0.1, rest=None, edges="free", order=4)
    system, rng, radius = System(sheet, BALL, 0.03, DOWN), np.random.default_rng(2), 0.03
    p = sheet.rest + 0.05 * rng.normal(size=sheet.rest.shape)
    y, yd = np.r_[0.62, 0.35, p.ravel()], np.r_[0.4, -0.7, 0.5 * rng.normal(size=p.size)]
    a, b, w, _ = system.accelerations(np.concatenate([y, yd, [0.0]]))
    J = BALL.spatial()

    def potential(y):
        R, c = (x.real for x in pose(sheet, y + 0j, radius))
        d = (y[2:] - sheet.rest.ravel()).reshape(-1, 3)
        weight = sheet.mass_matrix.sum(axis=1)
        heavy = -np.einsum("a,ai,i->", weight, y[2:].reshape(-1, 3), DOWN) - 0.2 * (c + R @ BALL.com) @ DOWN
        return 0.5 * np.einsum("ai,ab,bi->", d, sheet.stiffness_matrix, d) + heavy

    def slope(f, direction, h=1e-5):
        return (f(h * direction) - f(-h * direction)) / (2 * h)

    def mass(shift):
        return whole_mass(sheet, y + shift, radius, J)

    gained = mass(0.0) @ np.r_[a, b.ravel()] + slope(mass, yd) @ yd
    for k in (0, 1, 7, 19, 32, 61):
        e = np.eye(len(y))[k]
        force = slope(lambda d: 0.5 * yd @ mass(d) @ yd - potential(y + d), e)
        assert gained[k] == pytest.approx(force, abs=2e-6)
    assert np.abs(w).max() > 0.01


def test_the_frame_is_a_joint_of_place_and_control_points_of_full_rank():
    """Oracle: poses by de Boor's recursion, columns by complex steps of them; |x_u × x_v| is their determinant."""
    sheet, rng = ElasticSheet((1.0, 0.8), (5, 4), density=0.6, tension=5.0, edges="free"), np.random.default_rng(3)
    for place in ((0.02, 0.78), (0.53, 0.4), (0.81, 0.13)):
        p = sheet.rest + 0.06 * rng.normal(size=sheet.rest.shape)
        y, found = np.r_[place, p.ravel()], sheet.frame(place, p, radius=0.03)
        R, c = pose(sheet, y + 0j, 0.03)
        assert np.abs(found.pose.as_matrix()[:3] - np.column_stack([R, c]).real).max() < 1e-9
        S = np.hstack([found.place_jacobian, found.control_jacobian.reshape(6, -1)])
        assert np.abs(S - columns(sheet, y, 0.03)).max() < 1e-7
        knots = tuple(axis.knots for axis in sheet.axes)
        a, b = (NdBSpline(knots, p, 3)(place, nu=nu) for nu in ((1, 0), (0, 1)))
        across = np.linalg.det(sheet.frame(place, p).place_jacobian[3:5])
        assert across == pytest.approx(np.linalg.norm(np.cross(a, b)), rel=1e-12)
        assert np.linalg.svd(found.place_jacobian, compute_uv=False)[-1] > 0.1
        assert np.linalg.eigvalsh(whole_mass(sheet, y, 0.03, BALL.spatial()))[0] > 1e-5


def test_a_folded_sheet_is_named_with_the_place():
    """Oracle: control points on a line have no normal anywhere; those of one half on a line, in that half."""
    sheet = ElasticSheet((1.0, 1.0), (8, 8), density=1.0, tension=1.0)
    line = sheet.rest * (1.0, 0.0, 0.0)
    with pytest.raises(RankLost, match=r"u = 0.5 m, v = 0.25 m, \(0.5, 0, 0\)"):
        sheet.frame((0.5, 0.25), line)
    half = np.where(np.arange(8)[None, :, None] < 4, sheet.rest * (1, 0, 0), sheet.rest)
    folded = ElasticSheet((1.0, 1.0), (8, 8), density=1.0, tension=1.0, rest=half)
    with pytest.raises(RankLost, match=r"v = 0\.05 m"):
        folded.simulate(BALL, (0.5, 0.05), duration=0.1)
    assert folded.simulate(BALL, (0.5, 0.9), duration=0.01).ended is None
    with pytest.raises(BadShape, match="controls"):
        sheet.frame((0.5, 0.5), np.zeros((2, 2, 3)))


def test_energy_is_kept_or_booked():
    """Oracle: conservation; with damping, the work that it took."""
    for taken in (0.0, 0.4):
        sheet = ElasticSheet((1, 1), (6, 6), density=0.5, tension=20.0, bending=0.02, damping=taken, rest=bowl(6))
        run = sheet.simulate(BALL, (0.35, 0.55), (0.5, 0.0), duration=0.15, record=0.05, radius=0.03)
        total = run.energy().total + run.dissipated
        assert np.ptp(total) < 1e-7
        assert (run.dissipated[-1] > 1e-3) == (taken > 0)


def test_momentum_of_a_free_sheet_and_its_body_is_kept():
    """Oracle: nothing from outside: linear momentum of both together, while the body gives the sheet its own."""
    sheet = ElasticSheet((1, 1), (5, 5), density=0.3, tension=4.0, rest=bowl(5), edges="free")
    run = sheet.simulate(BALL, (0.4, 0.5), (1.5, 0.4), duration=0.2, record=0.05, radius=0.03, gravity=(0, 0, 0))
    P = run.momentum()
    assert np.abs(P - P[0]).max() < 1e-8
    assert np.abs(run.control_rates[-1]).max() > 0.1


def test_a_heavy_sheet_is_the_rigid_surface_as_a_joint():
    """Oracle: `cd.joints.on` of the same B-spline in `cd.simulate`: place, rate, orientation, to one over the mass."""
    sheet = heavy(1e9)
    model = rigid_below(sheet, cd.ModelBuilder().add_body("ball", joint=cd.joints.weld(), inertia=BALL).build())
    rigid = cd.simulate(model, [0.3, 0.6], [0.4, 0.2], duration=0.3, record=0.1)
    run = sheet.simulate(BALL, (0.3, 0.6), (0.4, 0.2), duration=0.3, record=0.1, radius=0.03, weight=False)
    assert np.abs(run.place - rigid.q).max() < 1e-8
    assert np.abs(run.rate - rigid.v).max() < 1e-7
    assert np.abs(run.poses() - rigid.poses()[:, 0]).max() < 1e-7


def test_at_rest_under_the_body_nothing_accelerates():
    """Oracle: K d = M g + m g B, solved by the sheet alone; in the middle the slope is none."""
    sheet = ElasticSheet((1, 1), (7, 7), density=0.5, tension=30.0, bending=0.1)
    p = sheet.settled(DOWN, [((0.5, 0.5), 0.2 * DOWN)])
    system = System(sheet, BALL, 0.0, DOWN)
    a, b, w, _ = system.accelerations(system.start(sheet, (0.5, 0.5), (0, 0), (p, None)))
    assert np.abs(a).max() < 1e-9
    assert np.abs(b).max() < 1e-9
    assert w[5] == pytest.approx(0.2 * 9.81, abs=1e-10)


def test_a_sheet_alone_swings_at_its_frequency():
    """Oracle: cos ωt in its lowest mode, by its own eigenvalue; sideways as across."""
    sheet = ElasticSheet((1, 1), (6, 6), density=0.5, tension=8.0)
    free = np.ix_(sheet.moving, sheet.moving)
    mode = eigh(sheet.stiffness_matrix[free], sheet.mass_matrix[free])[1][:, 0]
    d = np.zeros((36, 3))
    d[sheet.moving] = np.outer(mode, [0.01, 0.0, 0.02])
    d = d.reshape(sheet.rest.shape)
    period = 2 * np.pi / sheet.frequencies(1)[0]
    run = sheet.simulate(duration=0.5 * period, record=0.5 * period, controls=sheet.rest + d, gravity=(0, 0, 0))
    assert run.place.shape == (2, 0)
    assert run.controls[-1] - sheet.rest == pytest.approx(-d, abs=1e-9)
    with pytest.raises(BadValue, match="nothing glides"):
        run.poses()


def test_it_ends_at_the_rim():
    sheet = ElasticSheet((1, 1), (5, 5), density=5.0, tension=50.0)
    run = sheet.simulate(BALL, (0.9, 0.5), (2.0, 0.0), duration=0.5, record=0.01, gravity=(0, 0, 0))
    assert 0.04 < run.ended < 0.06
    assert run.t[-1] <= run.ended


def rider(gravity=DOWN, spring=True):
    """A ball that carries a double pendulum, with a spring between them."""
    b = cd.ModelBuilder(gravity=gravity).add_body("ball", joint=cd.joints.weld(), inertia=BALL)
    arm = cd.Inertia(0.1, (0.0, 0.02, 0.06), (2e-4, 2e-4, 5e-5))
    b.add_body("arm", parent="ball", joint=cd.joints.revolute("x"), inertia=arm)
    where = cd.SE3.from_translation((0, 0, 0.12))
    b.add_body("hand", parent="arm", joint=cd.joints.universal("y", "x"), inertia=arm, placement=where)
    if spring:
        b.add_spring(None, (0.1, 0.0, 0.2), "hand", (0.0, 0.0, 0.05), stiffness=3.0, length=0.05)
    return b.build()


def test_a_model_of_one_body_is_that_body():
    """Oracle: the inertia by itself."""
    sheet = ElasticSheet((1, 1), (5, 5), density=0.5, tension=20.0, rest=bowl(5))
    alone = cd.ModelBuilder().add_body("ball", joint=cd.joints.weld(), inertia=BALL).build()
    runs = [sheet.simulate(x, (0.35, 0.55), (0.5, 0.2), duration=0.05, record=0.05, radius=0.03) for x in (BALL, alone)]
    assert runs[1].controls[-1] == pytest.approx(runs[0].controls[-1], abs=1e-12)
    assert runs[1].place[-1] == pytest.approx(runs[0].place[-1], abs=1e-12)
    assert runs[1].energy().total == pytest.approx(runs[0].energy().total, abs=1e-12)
    assert np.abs(runs[1].body_poses()[:, 0] - runs[0].poses()).max() < 1e-11


def test_energy_of_a_sheet_and_a_model_on_it_is_kept():
    """Oracle: conservation, while the model swings and the sheet gives way."""
    sheet = ElasticSheet((1, 1), (5, 5), density=0.5, tension=20.0, damping=0.3, rest=bowl(5))
    start = {"q": [0.6, 0.3, -0.4], "v": [1.0, -2.0, 3.0]}
    run = sheet.simulate(rider(), (0.4, 0.55), (0.5, 0.0), duration=0.1, record=0.05, radius=0.03, **start)
    assert np.ptp(run.energy().total + run.dissipated) < 1e-7
    assert np.abs(run.q[-1] - run.q[0]).max() > 0.1
    assert np.abs(run.controls[-1] - sheet.rest).max() > 1e-3


def test_momentum_of_a_free_sheet_and_a_model_is_kept():
    """Oracle: nothing from outside."""
    sheet = ElasticSheet((1, 1), (5, 5), density=0.3, tension=4.0, rest=bowl(5), edges="free")
    start = {"q": [0.6, 0.3, -0.4], "v": [3.0, -2.0, 3.0], "gravity": (0, 0, 0)}
    run = sheet.simulate(rider((0, 0, 0)), (0.4, 0.5), (1.5, 0.4), duration=0.1, record=0.05, radius=0.03, **start)
    P = run.momentum()
    assert np.abs(P - P[0]).max() < 1e-8
    assert np.abs(run.control_rates[-1]).max() > 0.1


def heavy(density):
    return ElasticSheet((1, 1), (8, 8), density=density, tension=1.0, rest=bowl(8), order=6, edges="clamped")


def rigid_below(sheet, model):
    """The bodies of a rider below `cd.joints.on` of the sheet at rest."""
    knots = tuple(axis.knots for axis in sheet.axes)
    lift = cd.joints.weld(cd.SE3.from_translation((0, 0, 0.03)))
    joint = cd.joints.compose(cd.joints.on(cd.joints.Surface.from_spline(NdBSpline(knots, sheet.rest, 5))), lift)
    b = cd.ModelBuilder().add_body("ball", joint=joint, inertia=BALL)
    for body in model.bodies[1:]:
        parent = model.bodies[body.parent].name
        b.add_body(body.name, parent=parent, joint=body.joint, inertia=body.inertia, placement=body.placement)
    return b.build()


def test_a_model_on_a_heavy_sheet_is_the_model_on_a_joint():
    """Oracle: `cd.joints.on` of the same B-spline below the same bodies, in `cd.simulate`.

    What a sheet of mass m gives way is c/m + O(1/m²): twice as heavy, half as far; 2 b − a is the rigid surface. Both
    sides are integrated to 1e-12, so that what is left is neither a mass that is finite nor a step's tolerance.
    """
    model, q, v = rider(spring=False), [0.6, 0.3, -0.4], [1.0, -2.0, 3.0]
    options = {"duration": 0.1, "record": 0.05, "tolerance": 1e-12}
    below = rigid_below(heavy(1.0), model)
    rigid = cd.simulate(below, [0.3, 0.6, *q], [0.4, 0.2, *v], integrator="adaptive", **options)
    start = {"radius": 0.03, "weight": False, "q": q, "v": v}
    runs = [heavy(m).simulate(model, (0.3, 0.6), (0.4, 0.2), **start, **options) for m in (1e6, 2e6)]
    for found, wanted, bound in (
        ([np.hstack([x.place, x.q]) for x in runs], rigid.q, 5e-9),
        ([np.hstack([x.rate, x.v]) for x in runs], rigid.v, 5e-8),
        ([x.body_poses().as_matrix() for x in runs], rigid.poses().as_matrix(), 5e-9),
    ):
        apart = [np.abs(x - wanted).max() for x in found]
        assert apart[0] / apart[1] == pytest.approx(2.0, abs=1e-3)
        assert np.abs(2.0 * found[1] - found[0] - wanted).max() < bound


def test_models_that_cannot_be_carried_are_named():
    sheet = ElasticSheet((1.0, 1.0), (5, 5), density=1.0, tension=1.0)
    ball = cd.ModelBuilder().add_body("b", joint=cd.joints.ball(), inertia=BALL).build()
    track = cd.joints.track([(0, 0, 0), (1, 0, 0), (1, 0, 1)])
    bent = cd.ModelBuilder().add_body("b", joint=track, inertia=BALL).build()
    driven = cd.ModelBuilder().add_body("b", joint=cd.joints.revolute("x"), inertia=BALL).prescribe("b", 0.0).build()
    for model, more, words in (
        (ball, {}, "ball or free"),
        (bent, {}, "corners.*'b'"),
        (driven, {}, "prescribed"),
        (rider(), {"gravity": (0, 0, -1)}, "gravity"),
        (rider(), {"q": [1.0]}, "3 finite numbers"),
        (rider(), {"v": [np.nan, 0, 0]}, "3 finite numbers"),
        (BALL, {"q": [1.0]}, "0 finite numbers"),
    ):
        with pytest.raises(CondyleError, match=words):
            sheet.simulate(model, duration=0.1, **more)
    run = sheet.simulate(BALL, duration=0.01)
    with pytest.raises(BadValue, match="no model"):
        run.body_poses()


@pytest.mark.parametrize(
    ("changed", "error", "words"),
    [
        ({"size": (1.0, -1.0)}, BadValue, "sides"),
        ({"size": (1.0,)}, CondyleError, "size"),
        ({"shape": (3, 9)}, BadShape, "shape"),
        ({"density": 0.0}, BadValue, "density"),
        ({"tension": np.nan}, BadValue, "tension"),
        ({"edges": "glued"}, UnknownName, "glued"),
        ({"order": 3}, BadValue, "order"),
        ({"rest": np.zeros((2, 2))}, BadShape, "rest"),
        ({"edges": "clamped", "shape": (4, 4)}, BadValue, "no control point moves"),
    ],
)
def test_what_is_no_sheet_is_refused(changed, error, words):
    with pytest.raises(error, match=words):
        ElasticSheet(**{"size": (1.0, 1.0), "shape": (6, 6), "density": 1.0, "tension": 1.0, **changed})


def test_starts_that_do_not_fit_are_refused():
    sheet = ElasticSheet((1.0, 1.0), (5, 5), density=1.0, tension=1.0)
    for changed, words in (
        ({"place": (1.5, 0.0)}, "u is in"),
        ({"controls": sheet.rest + 1.0}, "edges hold"),
        ({"controls": np.zeros((2, 2, 3))}, "shape"),
        ({"radius": -1.0}, "radius"),
        ({"duration": 0.0}, "duration"),
        ({"rate": (np.inf, 0)}, "rate"),
    ):
        with pytest.raises(CondyleError, match=words):
            sheet.simulate(BALL, **{"duration": 0.1, **changed})
    with pytest.raises(BadValue, match="nothing holds"):
        ElasticSheet((1.0, 1.0), (5, 5), density=1.0, tension=1.0, edges="free").settled(DOWN)
