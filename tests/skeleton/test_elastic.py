"""Springs between points, torsion springs, limits and constant torques: closed forms, conservation, words."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import condyle as cd
from condyle.errors import BadShape, BadTree, BadValue, CondyleError, NotFinite, UnknownName
from condyle.skeleton import Limit, Skeleton, SkeletonBuilder, Spring

from .dense import CHAIN, GRAPHS, Dense, hat, random_dense
from .test_motion import angular_momentum

INTEGRATORS = {"variational": 2, "rk4": 4, "printed": 1}


def wheel(angle=0.0, speed=0.0):
    """A wheel with 0.5 kg m² about a fixed hinge along z."""
    inertia = cd.Inertia(1.0, (0, 0, 0), np.diag([0.3, 0.3, 0.5]))
    b = SkeletonBuilder(gravity=(0, 0, 0)).add_body("wheel", inertia, angular_velocity=(0, 0, speed))
    return b.add_hinge("wheel", None, at=(0, 0, 0), axis=(0, 0, 1), name="axle")


def test_torsion_spring_swings_with_its_period():
    """Oracle: θ = ω/√(k/I) sin √(k/I) t, over ±3 turns: the spring knows how often the wheel went round."""
    skeleton, rate = wheel(speed=40.0).add_stiffness("axle", 2.0).build(), 2.0
    amplitude = 40.0 / rate
    assert amplitude > 6 * np.pi
    for integrator, order in INTEGRATORS.items():
        errors = []
        for h in (0.01, 0.005):
            motion = skeleton.simulate(duration=3.0, step=h, integrator=integrator)
            errors.append(np.abs(skeleton.angles(motion.states)[:, 0] - amplitude * np.sin(rate * motion.t)).max())
        assert np.log2(errors[0] / errors[1]) > order - 0.3, integrator
        assert errors[1] < 0.6  # of 20 rad, at 0.2 rad a step


def test_turns_are_counted_and_kept_by_states():
    """Oracle: a wheel that turns steadily at 20 rad/s, in pieces; the printed update is exact for it."""
    skeleton = wheel(speed=20.0).add_limit("axle", -900.0, 900.0, stiffness=1.0).build()
    motion = skeleton.simulate(
        duration=4.0, step=0.01, record=0.4, integrator="printed"
    )  # more than a turn between records
    assert skeleton.angles(motion.states)[:, 0] == pytest.approx(20.0 * motion.t, abs=1e-9)
    again = skeleton.simulate(motion.last, duration=1.0, integrator="printed").last
    assert skeleton.angles(again)[0] == pytest.approx(100.0, abs=1e-9)


@pytest.mark.slow  # the compiler needs long for lanes
def test_turns_are_counted_in_every_member_of_a_batch():
    """Oracle: two wheels that turn steadily at 20 rad/s, one from 80 rad on."""
    skeleton = wheel(speed=20.0).add_limit("axle", -900.0, 900.0, stiffness=1.0).build()
    motion = skeleton.simulate(duration=4.0, step=0.01, record=0.4, integrator="printed")
    both = skeleton.simulate(motion.states[[0, 10]], duration=1.0, integrator="printed").last
    assert skeleton.angles(both)[:, 0] == pytest.approx([20.0, 100.0], abs=1e-9)
    assert both.turns[:, 0].tolist() == [3.0, 16.0]


def test_a_limit_at_four_radians_acts_there():
    """Oracle: energy. The wheel turns freely to 4 rad, compresses the limit by ω √(I/k), and comes back as fast."""
    skeleton = wheel(speed=2.0).add_limit("axle", high=4.0, stiffness=200.0).build()
    motion = skeleton.simulate(duration=4.5, step=1e-3)
    angle, rate = skeleton.angles(motion.states)[:, 0], motion.states.angular_velocities[:, 0, 2]
    assert angle.max() == pytest.approx(4.0 + 2.0 * np.sqrt(0.5 / 200.0), abs=1e-4)
    assert rate[0] == 2.0
    assert rate[-1] == pytest.approx(-2.0, abs=1e-3)
    assert np.abs(rate[motion.t < 1.9] - 2.0).max() < 1e-12


def test_a_damped_limit_stops_and_never_pulls():
    """Oracle: scipy on I θ̈ = −max(k (θ − 1) + c θ̇, 0) beyond 1 rad."""
    skeleton = wheel(speed=3.0).add_limit("axle", high=1.0, stiffness=20.0, damping=4.0).build()
    motion = skeleton.simulate(duration=2.0, step=1e-4, record=1e-3)

    def slope(t, x):
        push = 20.0 * (x[0] - 1.0) + 4.0 * x[1] if x[0] > 1.0 else 0.0
        return [x[1], -max(push, 0.0) / 0.5]

    exact = solve_ivp(slope, (0, 2.0), [0.0, 3.0], rtol=1e-10, atol=1e-12, max_step=1e-3, t_eval=motion.t).y
    assert skeleton.angles(motion.states)[:, 0] == pytest.approx(exact[0], abs=2e-3)
    report = motion.report()
    assert report.energy[-1] < 0.5 * report.energy[0]
    assert report.drifts()["energy less work [J]"] < 1e-2


def test_constant_torque_accelerates_and_its_work_is_counted():
    """Oracle: θ = τ t²/2I, work = τ θ."""
    skeleton = wheel().add_torque("axle", 0.75).build()
    for integrator in INTEGRATORS:
        motion = skeleton.simulate(duration=1.0, step=0.01, integrator=integrator)
        assert motion.last.angular_velocities[0, 2] == pytest.approx(1.5, abs=1e-12)
        report = motion.report()
        assert report.work[-1] == pytest.approx(0.5 * 0.5 * 1.5**2, rel=1e-9)
    controlled = skeleton.simulate(duration=1.0, control=lambda t, state: {"motors": {"axle": 0.25}}).last
    assert controlled.angular_velocities[0, 2] == pytest.approx(2.0, abs=1e-12)
    assert skeleton.accelerations().angular[0, 2] == pytest.approx(1.5, abs=1e-12)


def bob(damping=0.0, friction=0.0):
    """A ball of 2 kg on a spring from the ceiling, with a rod on a hinge below it that carries almost nothing."""
    b = SkeletonBuilder().add_body("bob", cd.Inertia.sphere(2.0, 0.1), position=(0.3, 0, -1.0))
    b.add_body("tail", cd.Inertia.sphere(1e-9, 0.1), position=(0.3, 0, -1.2))
    b.add_hinge("tail", "bob", at=(0.3, 0, -1.0), axis=(0, 1, 0))
    b.add_spring(None, (0, 0, 0), "bob", (0.3, 0, -1.0), stiffness=80.0, length=0.8, damping=damping)
    return b.build()


@pytest.mark.parametrize("damping", [0.0, 3.0])
def test_spring_pendulum_is_the_point_on_a_spring(damping):
    """Oracle: scipy on m ẍ = m g − (k (l − L) + c l̇) x/l, the elastic pendulum."""

    def slope(t, y):
        x, v = y[:3], y[3:]
        length = np.linalg.norm(x)
        pull = 80.0 * (length - 0.8) + damping * (x @ v) / length
        return [*v, *([0, 0, -9.81] - pull * x / length / 2.0)]

    exact = solve_ivp(slope, (0, 1.5), [0.3, 0, -1.0, 0, 0, 0], rtol=1e-11, atol=1e-12).y[:3, -1]
    for integrator, order in INTEGRATORS.items():
        errors = []
        for h in (0.01, 0.005):
            last = bob(damping).simulate(duration=1.5, step=h, integrator=integrator).last
            errors.append(np.linalg.norm(last.positions[0] - exact))
        assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.45), (integrator, errors)


def sprung(name="two hinges", seed=0, damping=0.0, stiffness=8.0, anchored=False):
    """A skeleton of the dense tests with springs between bodies (and the world), torsion springs and limits."""
    pairs, kinds = GRAPHS[name]
    dense = random_dense(pairs, kinds, seed=seed)
    rng = np.random.default_rng(seed)
    n = len(dense.m)
    ends = [(i, i + 1) for i in range(n - 1)] + [(0, -1)] * anchored
    springs = [Spring(f"s{i}", e, rng.normal(size=(2, 3)), stiffness, 0.4, damping) for i, e in enumerate(ends)]
    hinges = [j for j, kind in enumerate(kinds) if kind == "h"]
    limits = [Limit(j, 0.3, 0.3, 2.0) for j in hinges] + [Limit(j, -0.5, 0.5, 5.0, damping) for j in hinges]
    return dense, Skeleton.from_arrays(**dense.arrays, springs=springs, limits=limits)


def energy_errors_nearby(skeleton):
    """Relative errors of four runs with steps that differ by 1e-12: the motion is chaotic, and one alone wanders."""
    runs = [skeleton.simulate(duration=1e4 * step, step=step).report() for step in 0.01 * (1 + 1e-12 * np.arange(4))]
    return np.array([run.energy / run.energy[0] - 1 for run in runs])


@pytest.mark.slow
@pytest.mark.parametrize("damping", [0.0, 0.5])
@pytest.mark.parametrize("name", ["hinge and ball", "two hinges"])
def test_ten_thousand_steps_with_springs_and_limits_keep_momentum(name, damping):
    """Oracle: conservation; all forces are internal. Energy stays bounded without dampers and falls with them."""
    _, skeleton = sprung(name, damping=damping)
    motion = skeleton.simulate(duration=100.0, step=0.01)
    assert motion.stopped is None
    report = motion.report()
    L, P = angular_momentum(skeleton, motion.states), report.linear_momentum
    assert np.abs(L - L[0]).max() < 1e-11
    assert np.abs(P - P[0]).max() < 1e-11
    assert report.drifts()["joint gap [m]"] < 1e-11
    assert report.drifts()["axis error [rad]"] < 1e-11
    if damping:
        assert report.energy[-1] < 0.5 * report.energy[0]
        assert report.drifts()["energy less work [J]"] < 0.02 * report.energy[0]
    else:
        errors = energy_errors_nearby(skeleton)
        assert np.abs(errors).max() < 1e-2
        early, late = (np.linalg.norm(half) for half in np.array_split(errors, 2, axis=1))
        assert late < 2 * early  # a drift in proportion to time would give 2.6


def test_energy_error_with_springs_is_second_order():
    """Oracle: the error of kinetic and stored energy shrinks by 4 when the step is halved."""
    _, skeleton = sprung("hinge and ball")
    errors = []
    for h in (0.01, 0.005, 0.0025):
        report = skeleton.simulate(duration=2.0, step=h).report()
        errors.append(np.abs(report.energy - report.energy[0]).max())
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.2)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.2)


def elastic_by_hand(dense: Dense, skeleton: Skeleton):
    """Forces (bodies, 3) and torques about the centres of mass (bodies, 3), world axes, of springs and limits."""
    n = len(dense.m)
    f, t = np.zeros((n + 1, 3)), np.zeros((n + 1, 3))  # the world is last
    R, spins = np.concatenate([dense.R, [np.eye(3)]]), np.concatenate([dense.w, [np.zeros(3)]])
    places, speeds = (np.concatenate([x, [np.zeros(3)]]) for x in (dense.p, dense.v))
    for s in skeleton.springs:
        (a, b), (x, y) = s.bodies, s.points
        p, q = places[a] + R[a] @ x, places[b] + R[b] @ y
        u = speeds[a] - R[a] @ hat(x) @ spins[a]
        w = speeds[b] - R[b] @ hat(y) @ spins[b]
        along = (q - p) / np.linalg.norm(q - p)
        pull = (s.stiffness * (np.linalg.norm(q - p) - s.length) + s.damping * (w - u) @ along) * along
        f[a] += pull
        f[b] -= pull
        t[a] += np.cross(R[a] @ x, pull)
        t[b] -= np.cross(R[b] @ y, pull)
    for limit in skeleton.limits:
        a, b = dense.pairs[limit.joint]
        axis = R[a] @ dense.z[limit.joint, 0]
        relative = (R[b] @ skeleton.frames[limit.joint, 1]).T @ (R[a] @ skeleton.frames[limit.joint, 0])
        angle = np.arctan2(relative[1, 0], relative[0, 0])
        rate = axis @ (R[a] @ spins[a] - R[b] @ spins[b])
        past = angle - np.clip(angle, limit.low, limit.high)
        push = limit.stiffness * past + limit.damping * rate
        push = max(push, 0.0) if past > 0 else min(push, 0.0) if past < 0 else 0.0
        t[a] -= push * axis
        t[b] += push * axis
    return f[:n], t[:n]


@pytest.mark.parametrize("name", GRAPHS)
def test_elastic_loads_agree_with_the_dense_system(name):
    """Oracle: the article's six rows by singular values, with forces of springs and limits written out by hand."""
    for damping in (0.0, 0.7):
        dense, skeleton = sprung(name, seed=4, damping=damping, anchored=True)
        f, t = elastic_by_hand(dense, skeleton)
        found = skeleton.accelerations()
        a, cd_ = dense.solve(forces=f, torques=t)
        scale = 1.0 + np.abs(a).max()
        assert found.linear == pytest.approx(a[:, :3], abs=1e-11 * scale)
        assert found.angular == pytest.approx(a[:, 3:], abs=1e-11 * scale)
        assert found.point_forces == pytest.approx(cd_[:, :3], abs=1e-11 * scale)


def test_stored_energy_is_what_the_forces_give_back():
    """Oracle: the power of the forces written by hand is minus the rate of the potential energy, by differences."""
    dense, skeleton = sprung("two hinges", seed=4)
    f, t = elastic_by_hand(dense, skeleton)
    spin = np.einsum("nij,nj->ni", dense.R, dense.w)
    power = (f * dense.v + t * spin).sum()
    h = 1e-5
    near = [skeleton.simulate(duration=h, step=h, integrator="rk4").last]
    back = replace(skeleton.initial, velocities=-dense.v, angular_velocities=-dense.w)
    near.append(skeleton.simulate(back, duration=h, step=h, integrator="rk4").last)
    rate = (skeleton.energy(near[0]).potential - skeleton.energy(near[1]).potential) / (2 * h)
    assert -rate == pytest.approx(power, rel=1e-6)


@pytest.mark.slow  # the compiler needs long for lanes
def test_a_batch_with_springs_is_its_members():
    """Oracle: bitwise the same wherever a state sits; a single state runs on floats and agrees to 1e-11."""
    _, skeleton = sprung("a mixed ring", damping=0.3)
    s = skeleton.initial
    fast = np.linspace(0.2, 2.0, 11)[:, None, None]
    batch = type(s).checked(s.positions, s.rotations, fast * s.velocities, fast * s.angular_velocities)
    every = skeleton.simulate(batch, duration=0.3)
    some = skeleton.simulate(batch[5:], duration=0.3, threads=1)
    assert np.array_equal(every.last.positions[5:], some.last.positions)
    assert np.array_equal(every.last.turns[5:], some.last.turns)
    one = skeleton.simulate(batch[7], duration=0.3)
    assert one.last.positions == pytest.approx(every.last.positions[7], abs=1e-11)


def test_a_spring_of_no_length_pulls_until_its_ends_meet():
    """Oracle: at the very point there is no direction and no force; nothing is NaN."""
    b = SkeletonBuilder(gravity=(0, 0, 0)).add_body("a", cd.Inertia.sphere(1.0, 0.1))
    b.add_spring("a", (0, 0, 0), None, (0, 0, 0), stiffness=5.0, length=0.3, damping=1.0)
    b.add_ball("a", None, at=(0, 0, 0))
    assert np.abs(b.build().accelerations().linear).max() == 0.0


def test_builder_places_springs_slack_and_by_name():
    """Oracle: the world points seen from the bodies; a spring at its own length stores nothing."""
    b = wheel().add_spring("wheel", (0.2, 0, 0), None, (0.2, 0.5, 0), stiffness=3.0, name="tie")
    skeleton = b.add_stiffness("axle", 1.0, damping=0.2).add_stiffness("axle", 1.0, damping=0.1).build()
    (tie,) = skeleton.springs
    assert (tie.name, tie.bodies, tie.length) == ("tie", (0, -1), 0.5)
    assert tie.points.tolist() == [[0.2, 0, 0], [0.2, 0.5, 0]]
    assert skeleton.energy().potential == pytest.approx(0.0, abs=1e-15)
    assert skeleton.friction == pytest.approx([0.3])
    assert "1 spring" in repr(skeleton)


def limited(**changes):
    return Limit(**{"joint": 0, "low": 0.0, "high": 1.0, "stiffness": 1.0, **changes})


def pulled(**changes):
    return Spring(
        **{"name": "s", "bodies": (0, 1), "points": np.zeros((2, 3)), "stiffness": 1.0, "length": 1.0, **changes}
    )


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"springs": [pulled(bodies=(0, 7))]}, BadTree, "spring 's' is between bodies 0 and 7; there are 3 bodies"),
        ({"springs": [pulled(bodies=(1, 1))]}, BadTree, "spring 's' begins and ends on one body"),
        ({"springs": [pulled(), pulled()]}, BadValue, "spring names must differ from each other"),
        ({"springs": [pulled(points=np.zeros(3))]}, BadShape, "spring 's': points must be (2, 3); got (3,)"),
        ({"springs": [pulled(points=np.full((2, 3), np.nan))]}, NotFinite, "spring 's': points must be finite"),
        (
            {"springs": [pulled(stiffness=-1.0)]},
            BadValue,
            "spring 's': stiffness must be a finite number, not negative",
        ),
        ({"springs": [pulled(damping=np.inf)]}, BadValue, "spring 's': damping must be a finite number"),
        ({"limits": [limited(joint=1)]}, BadValue, "joint 'joint1' is a ball: only a hinge has an angle"),
        ({"limits": [limited(joint=5)]}, BadTree, "a limit names joint 5; there are 2"),
        ({"limits": [limited(low=2.0)]}, BadValue, "limit of joint 'joint0': low must not be above high [rad]"),
        ({"limits": [limited(low=-np.inf, high=np.inf)]}, BadValue, "limit of joint 'joint0': give low, high or both"),
        ({"limits": [limited(stiffness=np.nan)]}, BadValue, "limit of joint 'joint0': stiffness must be a finite"),
        (
            {"constant_torques": [0.0, 2.0]},
            BadValue,
            "joint 'joint1' is a ball: only a hinge has an axis for a constant",
        ),
        ({"limits": [limited(low=1.0, damping=2.0)]}, BadValue, "joint 'joint0': a torsion spring (low = high) has no"),
        ({"constant_torques": [np.nan, 0.0]}, NotFinite, "constant torques holds NaN or infinity"),
    ],
)
def test_bad_springs_and_limits_are_named(changes, error, words):
    """Oracle: the words."""
    with pytest.raises(error) as raised:
        Skeleton.from_arrays(**random_dense(CHAIN, "hs").arrays, **changes)
    assert words in str(raised.value)
    assert isinstance(raised.value, CondyleError)


def test_builder_names_bad_springs_and_limits():
    """Oracle: the words."""
    with pytest.raises(UnknownName, match=r"no body named 'weel' in this skeleton yet\. Did you mean 'wheel'"):
        wheel().add_spring("weel", (0, 0, 0), None, (0, 0, 1), stiffness=1.0)
    with pytest.raises(UnknownName, match=r"no joint named 'axel' in this skeleton yet\. Did you mean 'axle'"):
        wheel().add_stiffness("axel", 1.0)
    with pytest.raises(BadValue, match="limit of joint 'axle': low must be below high"):
        wheel().add_limit("axle", 1.0, 1.0, stiffness=2.0)
    b = wheel().add_ball("wheel", None, at=(0, 0, 0), name="pin")
    with pytest.raises(BadValue, match="joint 'pin' is not a hinge: only a hinge has an angle, which a limit needs"):
        b.add_limit("pin", 0.0, 1.0, stiffness=1.0)
    twice = wheel().add_spring("wheel", (0, 0, 0), None, (0, 0, 1), stiffness=1.0)
    with pytest.raises(BadValue, match="there is already a spring named 'wheel-world'"):
        twice.add_spring("wheel", (0, 0, 0), None, (0, 0, 2), stiffness=1.0)
    with pytest.raises(BadValue, match="turns must be whole numbers"):
        cd.skeleton.State.checked([[0, 0, 0]], [np.eye(3)], [[0, 0, 0]], [[0, 0, 0]], turns=[0.5])
    state = wheel().build().initial
    with pytest.raises(BadShape, match=r"a state of this skeleton has turns \(..., 1\), or none; got \(..., 2\)"):
        wheel().build().energy(replace(state, turns=np.zeros(2)))
