"""Directing under the model's constraints, inside limits, with singular and conflicting rows."""

import numpy as np
import pytest
from scipy.optimize import minimize

import condyle as cd
from condyle.gallery import planar_chain, spatial_chain
from condyle.gallery.scenes.reaching import START, reach_space
from condyle.gallery.scenes.sitter import SITTING, sitter

C = cd.control


def ranged(ranges=None, speeds=None, lengths=(0.5, 0.5, 0.5)):
    """A planar chain whose joints have ranges and rated speeds."""
    b, at = cd.ModelBuilder(gravity=(0, -9.81, 0)), 0.0
    for i, length in enumerate(lengths):
        name = f"link{i + 1}"
        place = cd.SE3.from_translation((at, 0, 0))
        inertia = cd.Inertia.box(1.0, (length, 0.1, 0.1), com=(length / 2, 0, 0))
        b.add_body(name, f"link{i}" if i else None, cd.joints.revolute("z"), inertia, place)
        if ranges and name in ranges:
            b.set_range(name, *ranges[name])
        if speeds and name in speeds:
            b.set_limits(name, velocity=speeds[name])
        at = length
    return b.build()


def tip(model, axes="xy"):
    return C.point(model.bodies[-1].name, (0.5, 0, 0), axes=axes, name="tip")


# --- the model's own constraints


def test_a_directed_motion_keeps_the_constraints_of_its_model():
    """Oracle: the gap of the pinned hip, and the trunk's head as near as its circle about the hip comes to the goal."""
    model = sitter(held=True)
    space = C.AnimationSpace(model, [C.point("trunk", (0.85, 0, 0), axes="xy", name="head")])
    start = space.value(SITTING)
    goal = start + [0.2, -0.05]
    with pytest.warns(cd.CondyleWarning, match=r"'head\.x', 'head\.y'"):
        motion = C.direct(space, SITTING, {"head": C.keyframes([0, 1], [start, goal])}, duration=1.5, step=0.01)
    assert np.abs(C.closing(model).value(motion.q)).max() < 1e-11
    assert np.abs(C.closing(model).rate(motion.q, motion.v)).max() < 1e-9
    hip = cd.forward_kinematics(model, SITTING)[2].xyz[:2]
    nearest = hip + 0.85 * (goal - hip) / np.linalg.norm(goal - hip)
    assert motion.u[-1] == pytest.approx(nearest, abs=1e-3)
    assert motion.conflicts == ("head.x", "head.y")


@pytest.mark.slow  # the compiler needs long for complex numbers
def test_a_four_bar_is_directed_along_its_one_freedom():
    """Oracle: the angle asked for is had, the loop is closed, and accelerations are those of a spline of the path."""
    from scipy.interpolate import make_interp_spline

    b, lengths = cd.ModelBuilder(), (0.3, 0.8, 0.7)
    at = 0.0
    for i, length in enumerate(lengths):
        place = cd.SE3.from_translation((at, 0, 0))
        inertia = cd.Inertia.box(1.0, (length, 0.05, 0.05), com=(length / 2, 0, 0))
        b.add_body(f"bar{i + 1}", f"bar{i}" if i else None, cd.joints.revolute("z"), inertia, place)
        at = length
    b.add_constraint(cd.constraints.point("bar3", (0.7, 0, 0), None, (0.9, 0, 0)))
    model = b.build()
    q = cd.project(model, np.array([1.2, -0.9, -1.5]))[0]
    space = C.AnimationSpace(model, [C.joint("bar1", name="crank")])
    goal = C.keyframes([0.0, 1.0], [q[0], q[0] + 2.0])
    motion = C.direct(space, q, {"crank": goal}, duration=1.0, step=0.01)
    assert np.abs(motion.error).max() < 1e-6 and not motion.conflicts
    assert np.abs(C.closing(model).value(motion.q)).max() < 1e-11
    path = make_interp_spline(motion.t, motion.q, k=5)
    inner = slice(8, -8)
    assert path.derivative(1)(motion.t)[inner] == pytest.approx(motion.v[inner], abs=1e-4)
    assert path.derivative(2)(motion.t)[inner] == pytest.approx(motion.a[inner], abs=2e-2)
    a = C.resolve_acceleration(space, motion.q[30], motion.v[30], [motion.a[30, 0]]).motion
    assert a == pytest.approx(motion.a[30], abs=1e-6)  # one freedom: both levels of derivative agree


def test_an_open_start_is_refused_with_its_gap():
    """Oracle: the words and the number."""
    model = sitter(held=True)
    space = C.AnimationSpace(model, [C.joint("hip")])
    with pytest.raises(cd.CondyleError, match=r"start does not fulfil .* gap = 0\.\d+"):
        C.direct(space, SITTING + [0.1, 0, 0], duration=0.1)


def test_prescribed_coordinates_are_known_motion():
    """Oracle: the prescribed joint follows its function; the tip meets its goal with the joints that are left."""
    b, at = cd.ModelBuilder(), 0.0
    for i, length in enumerate((0.5, 0.5, 0.5)):
        place = cd.SE3.from_translation((at, 0, 0))
        b.add_body(f"link{i + 1}", f"link{i}" if i else None, cd.joints.revolute("z"), cd.Inertia.sphere(1, 0.1), place)
        at = length
    b.prescribe("link1", lambda t: 0.4 + 0.3 * np.sin(2 * t))
    model = b.build()
    space = C.AnimationSpace(model, [tip(model)])
    q = np.array([0.4, 0.9, 0.8])
    start = space.value(q)
    goal = C.keyframes([0, 1], [start, start + [0.1, -0.1]])
    motion = C.direct(space, q, {"tip": goal}, duration=1.0, step=0.01)
    assert motion.q[:, 0] == pytest.approx(0.4 + 0.3 * np.sin(2 * motion.t), abs=1e-14)
    assert motion.v[:, 0] == pytest.approx(0.6 * np.cos(2 * motion.t), abs=1e-9)
    assert motion.a[:, 0] == pytest.approx(-1.2 * np.sin(2 * motion.t), abs=1e-4)
    assert np.abs(motion.error).max() < 1e-6
    a = C.resolve_acceleration(space, motion.q[50], motion.v[50], [0.1, 0.2], 0.5)
    assert a.motion[0] == pytest.approx(-1.2 * np.sin(1.0), abs=1e-9) and np.abs(a.error).max() < 1e-10


# --- singular and conflicting rows


def test_a_vanishing_row_is_named_and_not_scaled_up():
    """Oracle: by hand: a straight chain cannot change its reach at first order, so the least squares is rest."""
    model = planar_chain((0.3, 0.25, 0.2))
    space = C.AnimationSpace(model, [C.distance("link3", (0.2, 0, 0), None, (0, 0, 0), name="reach")])
    straight = [0.3, 0.0, 0.0]
    with pytest.raises(cd.CondyleError, match=r"the gradient of 'reach' vanishes.*stretched arm.*bent.*damping"):
        C.resolve_velocity(space, straight, [-0.1])
    bent = C.resolve_velocity(space, [0.3, 0.2, 0.1], [-0.1])
    assert space.rate([0.3, 0.2, 0.1], bent.motion) == pytest.approx([-0.1])
    with pytest.warns(cd.CondyleWarning, match="'reach'"):
        got = C.resolve_velocity(space, straight, [-0.1], how=C.Resolution(conflicts="warn"))
    assert got.motion == pytest.approx(0, abs=1e-12) and got.error == pytest.approx([-0.1])
    assert got.conflicts == ("reach",)
    for d in (1e-3, 1e-6, 1e-9, 1e-12):
        assert np.abs(C.resolve_velocity(space, straight, [-0.1], how=C.Resolution(damping=d)).motion).max() < 1e-8


def test_conflicting_rows_are_least_squares_with_and_without_damping():
    """Oracle: numpy's least squares; one joint cannot move its tip along x and hold y; damping goes there evenly."""
    model = planar_chain((1.0,))
    space = C.AnimationSpace(model, [C.point("link1", (1, 0, 0), axes="xy", name="tip")], redundant=True)
    q, x = [0.3], np.array([1.0, 0.0])
    expected = np.linalg.lstsq(space.gradient(q), x, rcond=None)[0]
    with pytest.warns(cd.CondyleWarning, match=r"'tip\.x', 'tip\.y'"):
        got = C.resolve_velocity(space, q, x)
    assert expected == pytest.approx([-np.sin(0.3)]) and got.motion == pytest.approx(expected, abs=1e-14)
    for d in (1e-5, 1e-9):
        assert C.resolve_velocity(space, q, x, how=C.Resolution(damping=d)).motion == pytest.approx(expected, abs=1e-8)
    with pytest.raises(cd.CondyleError, match=r"tip\.x"):
        C.resolve_velocity(space, q, x, how=C.Resolution(conflicts="raise"))


def test_weighted_rows_are_missed_less():
    """Oracle: weighted least squares by numpy."""
    model = planar_chain((1.0,))
    space = C.AnimationSpace(model, [C.point("link1", (1, 0, 0), axes="xy", name="tip")], redundant=True)
    how = C.Resolution(row_weights={"tip.x": 9.0}, conflicts="ignore")
    G, roots = space.gradient([0.3]), np.array([3.0, 1.0])
    expected = np.linalg.lstsq(G * roots[:, None], roots * [1.0, 0.5], rcond=None)[0]
    assert C.resolve_velocity(space, [0.3], [1.0, 0.5], how=how).motion == pytest.approx(expected, abs=1e-13)


def test_answers_are_continuous_as_damping_goes_to_zero():
    """Oracle: the undamped answer at random poses of regular and of repeated rows, to 1e-8."""
    model, rng = spatial_chain(3), np.random.default_rng(4)
    twice = C.function(lambda x: 2.0 * x.point("link3", (0.3, 0, 0))[:, 0], name="twice")
    space = C.AnimationSpace(model, [C.point("link3", (0.3, 0, 0), name="tip"), twice], redundant=True)
    q, x = rng.uniform(-0.8, 0.8, (40, 6)), rng.normal(size=(40, 4))
    plain = C.resolve_velocity(space, q, x, how=C.Resolution(conflicts="ignore")).motion
    damped = C.resolve_velocity(space, q, x, how=C.Resolution(damping=1e-7)).motion
    assert damped == pytest.approx(plain, abs=1e-8 * max(1.0, np.abs(plain).max()))


# --- limits


def test_joint_ranges_are_kept_and_the_others_take_over():
    """Oracle: the range, crossed nowhere by 1e-9; the tip still meets a goal that the free joints reach."""
    model = ranged({"link2": (-0.2, 0.6)})
    space = C.AnimationSpace(model, [tip(model)])
    q = np.array([0.4, 0.5, 0.6])
    start = space.value(q)
    goal = C.keyframes([0, 1], [start, start + [-0.3, -0.3]])
    free = C.direct(space, q, {"tip": goal}, duration=2.0, step=0.01, how=C.Resolution(ranges=False))
    assert free.q[:, 1].max() > 0.65 and not free.limited
    motion = C.direct(space, q, {"tip": goal}, duration=2.0, step=0.01)
    assert motion.q[:, 1].max() <= 0.6 + 1e-9 and motion.q[:, 1].min() >= -0.2 - 1e-9
    assert np.abs(motion.error[-1]).max() < 1e-5
    assert motion.limited == ("link2",) and "limited by link2" in repr(motion)
    assert np.isfinite(motion.tau).all()


def test_a_limited_velocity_is_that_of_scipy():
    """Oracle: scipy's SLSQP on the same program: least squares of the tip, speeds and a kept row inside limits."""
    model = ranged(speeds={"link1": 0.3, "link2": 0.2})
    space = C.AnimationSpace(model, [tip(model)])
    elbow = C.point("link2", (0.5, 0, 0), axes="y", name="elbow")
    q, x = np.array([0.4, 0.5, 0.6]), np.array([-0.4, 0.5])
    high = float(C.AnimationSpace(model, [elbow]).value(q)[0]) + 0.01
    how = C.Resolution(speeds=True, kept=[C.keep(elbow, high=high)], approach=5.0)
    got = C.resolve_velocity(space, q, x, how=how)
    G, row = space.gradient(q), C.AnimationSpace(model, [elbow]).gradient(q)[0]
    best = minimize(
        lambda v: np.sum((G @ v - x) ** 2) + 1e-9 * v @ v, np.zeros(3), method="SLSQP", tol=1e-14,
        bounds=[(-0.3, 0.3), (-0.2, 0.2), (None, None)],
        constraints={"type": "ineq", "fun": lambda v: 5.0 * 0.01 - row @ v},
    )  # fmt: skip
    assert got.motion == pytest.approx(best.x, abs=1e-5)
    assert np.sum(got.error**2) <= np.sum((G @ best.x - x) ** 2) + 1e-9
    assert row @ got.motion <= 0.05 + 1e-9 and np.abs(got.motion[:2]).max() <= 0.3 + 1e-12
    assert "elbow.y" in got.limited


@pytest.mark.slow
def test_a_point_stays_on_its_side_and_the_centre_of_mass_over_its_support():
    """Oracle: heights and the centre of mass along the whole motion, to 1e-9."""
    model = ranged()
    space = C.AnimationSpace(model, [tip(model, "x")])
    q = np.array([1.0, -0.6, 0.9])
    tip_y = C.point("link3", (0.5, 0, 0), axes="y", name="height")
    low = float(C.AnimationSpace(model, [tip_y]).value(q)[0]) - 0.02
    com = cd.center_of_mass(model, q)
    corners = [(com[0] - 0.05, -1.0), (com[0] + 0.03, -1.0), (com[0] + 0.03, 1.0), (com[0] - 0.05, 1.0)]
    how = C.Resolution(kept=[C.keep(tip_y, low=low), C.support(corners, axes="xz")], damping=0.05)
    start = space.value(q)
    goal = C.keyframes([0, 1], [start, start + 0.15])
    motion = C.direct(space, q, {"tip": goal}, duration=1.0, step=0.01, how=how)
    assert C.AnimationSpace(model, [tip_y]).value(motion.q).min() >= low - 1e-9
    x = cd.center_of_mass(model, motion.q)[:, 0]
    assert x.max() <= com[0] + 0.03 + 1e-9 and x.min() >= com[0] - 0.05 - 1e-9
    free = C.direct(space, q, {"tip": goal}, duration=1.0, step=0.01)
    assert cd.center_of_mass(model, free.q)[:, 0].max() > com[0] + 0.03
    assert motion.limited


def test_a_measured_joint_does_not_leave_its_domain():
    """Oracle: the domain of the leg's spline knee, which its goal alone would leave."""
    from condyle.gallery import leg

    model = leg()
    name = next(n for n, x in model.limits.items() if np.isfinite(x.low))
    low, high = model.range_of(name)
    k = model.q_index(name)
    q = np.zeros(model.nq)
    q[k] = 0.5 * (low + high)
    space = C.AnimationSpace(model, [C.joint(name, name="bend")])
    motion = C.direct(space, q, {"bend": C.keyframes([0, 1], [q[k], high + 0.5])}, duration=1.0, step=0.01)
    assert motion.q[:, k].max() <= high + 1e-9 and motion.q[-1, k] > high - 0.02
    assert motion.limited == (name,)


def test_accelerations_respect_ranges_and_speeds():
    """Oracle: rolling the accelerations forward by small steps crosses no limit."""
    model = ranged({"link2": (-0.2, 0.6)}, {"link1": 0.5})
    space = C.AnimationSpace(model, [tip(model)])
    q, v, h = np.array([0.4, 0.5, 0.6]), np.zeros(3), 2e-3
    how = C.Resolution(speeds=True)
    for _ in range(400):
        want = 40.0 * (np.array([-0.2, 1.1]) - space.value(q)) - 12.0 * space.rate(q, v)
        got = C.resolve_acceleration(space, q, v, want, how=how)
        q, v = q + h * v + 0.5 * h * h * got.motion, v + h * got.motion
        assert -0.2 - 1e-9 <= q[1] <= 0.6 + 1e-9 and abs(v[0]) <= 0.5 + 1e-9


@pytest.mark.slow
def test_a_segment_that_should_yield_does_so_for_every_goal():
    """Oracle: reach without the first segment says who must yield; every tip meets its goal, and only those yield."""
    space, rng = reach_space(fixed=True), np.random.default_rng(1)
    way = rng.normal(size=(40, 3))
    goals = way / np.linalg.norm(way, axis=1)[:, None] * rng.uniform(0.3, 1.4, size=(40, 1))
    goals[:3] = (-0.9, 0.3, 0.35), (-0.7, -0.6, 0.4), (-0.5, 0.8, -0.5)
    first_end = cd.forward_kinematics(space.model, START)[1].xyz
    beyond = np.linalg.norm(goals - first_end, axis=1) > 1.2
    path = C.keyframes([0.0, 2.0], np.stack([np.tile(space.value(START)[:3], (40, 1)), goals]))
    how = C.Resolution(priorities=[["tip"], ["link1.first", "link1.second"]])
    motion = C.direct(space, np.tile(START, (40, 1)), {"tip": path}, duration=5.0, step=0.02, how=how, gain=4.0)
    moved = np.abs(motion.error[:, -1, 3:]).max(axis=1)
    assert beyond.sum() >= 8 and not beyond.all()
    assert np.abs(motion.error[:, -1, :3]).max() < 1e-6
    assert moved[beyond].min() > 1e-3
    assert moved[~beyond].max() < 1e-6


@pytest.mark.slow
def test_a_yielding_segment_inside_speed_limits_reaches_its_goal():
    """Oracle: the goal and the limit; the program of limits follows the same rule."""
    space = reach_space(fixed=True)
    how = C.Resolution(priorities=[["tip"], ["link1.first", "link1.second"]], speeds=1.5)
    path = C.keyframes([0.0, 2.0], [space.value(START)[:3], (-0.9, 0.3, 0.35)])
    motion = C.direct(space, START, {"tip": path}, duration=6.0, step=0.02, how=how, gain=4.0)
    assert motion.limited and np.abs(motion.v).max() <= 1.5 + 1e-9
    assert np.linalg.norm(motion.error[-1, :3]) < 1e-6


@pytest.mark.parametrize("integrator", ["rk4", "adams", "adaptive"])
def test_a_goal_beyond_reach_is_approached_at_bounded_speeds_and_reported(integrator):
    """Oracle: distance less reach in closed form; at rest at the end the torques are those of the weight alone."""
    model = ranged()
    space = C.AnimationSpace(model, [tip(model)])
    q, far = np.array([0.4, 0.5, 0.6]), np.array([1.6, 1.3])
    path = C.keyframes([0.0, 1.0], [space.value(q), far])
    with pytest.warns(cd.CondyleWarning, match=r"tip\.x"):
        motion = C.direct(space, q, {"tip": path}, duration=2.0, record=0.02, integrator=integrator)
    short = np.linalg.norm(far) - 1.5
    assert np.linalg.norm(motion.error[-1]) == pytest.approx(short, abs=1e-5)
    assert np.abs(motion.v).max() < 10.0 and np.abs(motion.tau).max() < 100.0
    assert motion.tau[-1] == pytest.approx(cd.inverse_dynamics(model, motion.q[-1], np.zeros(3), np.zeros(3)), abs=0.1)
    (missed,) = motion.missed
    assert missed.name == "tip" and missed.by == pytest.approx(short, abs=0.01)
    assert missed.until == 2.0 and 0.0 < missed.since < missed.t
    assert "\n" not in repr(motion) and f"tip off by {missed.by:.3g} at {missed.t:g} s" in repr(motion)


def test_a_motion_returns_from_beyond_its_reach():
    """Oracle: the goal itself; what was off on the way is reported with its times, a reachable goal with nothing."""
    model = ranged()
    space = C.AnimationSpace(model, [tip(model)])
    q = np.array([0.4, 0.5, 0.6])
    start = space.value(q)
    path = C.keyframes([0.0, 1.0, 2.0], [start, [1.6, 0.3], start])
    with pytest.warns(cd.CondyleWarning, match=r"tip\.x"):
        motion = C.direct(space, q, {"tip": path}, duration=3.0, step=5e-3)
    assert np.abs(motion.error[-1]).max() < 1e-6
    assert 0.2 < motion.missed[0].since < 1.0 < motion.missed[0].until < 2.5
    near = C.direct(space, q, {"tip": start + [-0.2, 0.1]}, duration=3.0, step=5e-3)  # a jump, closed by the pull
    assert not near.missed and "not reached" not in repr(near)


def test_postures_that_yield_are_no_goals():
    """Oracle: the largest distance of the goals by numpy; a posture far off, below or lighter, does not count."""
    model = ranged()
    posture = C.function(lambda x: x.q, size=3, name="posture")
    space = C.AnimationSpace(model, [tip(model), posture], redundant=True)
    q = np.array([0.4, 0.9, 0.6])
    path = C.keyframes([0.0, 1.0], [space.value(q)[:2], [-0.6, 0.5]])
    motion = C.direct(space, q, {"tip": path}, duration=1.0, step=0.01, how=C.Resolution(priorities=[["tip"]]))
    off = np.linalg.norm(motion.error[:, :2], axis=1).max()
    assert np.abs(motion.error[:, 2:]).max() > 0.5 and off < 1e-4
    assert motion.goals == ("tip",) and not motion.missed and f"{off:.1e} off goals" in repr(motion)
    light = C.Resolution(row_weights={"posture": 1e-8}, conflicts="ignore")
    assert C.direct(space, q, {"tip": path}, duration=0.1, step=0.01, how=light).goals == ("tip",)
    both = C.direct(space, q, {"tip": path}, duration=0.1, step=0.01, how=C.Resolution(conflicts="ignore"))
    assert both.goals == ("tip", "posture")


def test_recorded_velocities_close_loops_to_round_off():
    """Oracle: the rate of the gap by the loop's own coordinates; the pull on gaps of round-off is not recorded."""
    b, lengths, at = cd.ModelBuilder(), (0.3, 0.8, 0.7), 0.0
    for i, length in enumerate(lengths):
        bar, place = cd.Inertia.box(1.0, (length, 0.05, 0.05)), cd.SE3.from_translation((at, 0, 0))
        b.add_body(f"bar{i + 1}", f"bar{i}" if i else None, cd.joints.revolute("z"), bar, place)
        at = length
    b.add_constraint(cd.constraints.point("bar3", (0.7, 0, 0), None, (0.9, 0, 0)))
    model = b.build()
    q = cd.project(model, np.array([1.2, -0.9, -1.5]))[0]
    space = C.AnimationSpace(model, [C.joint("bar1", name="crank")])
    path = {"crank": C.keyframes([0.0, 1.0], [q[0], q[0] + 4.0])}
    motion = C.direct(space, q, path, duration=1.0, step=0.01, gain=100.0)
    assert np.abs(C.closing(model).rate(motion.q, motion.v)).max() < 1e-13
    assert np.isfinite(cd.forward_dynamics(model, motion.q, motion.v, motion.tau)).all()


def test_bad_limits_get_words():
    """Oracle: the words."""
    model = ranged()
    space = C.AnimationSpace(model, [tip(model)])
    q = np.array([0.4, 0.5, 0.6])
    with pytest.raises(cd.CondyleError, match=r"low must not be above high for 'tip'"):
        C.keep(tip(model), 1.0, 0.0)
    with pytest.raises(cd.CondyleError, match="'spin' has a rate but no value"):
        C.keep(C.spin("link3", axes="z", name="spin"), 1.0)
    with pytest.raises(cd.CondyleError, match="2 corners span no area"):
        C.support([(0, 0), (1, 1)])
    with pytest.raises(cd.CondyleError, match="no coordinate named 'lonk1'"):
        C.resolve_velocity(space, q, [0, 0], how=C.Resolution(speeds={"lonk1": 1.0}))
    with pytest.raises(cd.CondyleError, match="conflicts must be 'raise', 'warn' or 'ignore'"):
        C.Resolution(conflicts="loud")
    with pytest.raises(cd.CondyleError, match="limits come from"):
        C.resolve_velocity(space, q, [0, 0], how=C.Resolution(kept=[tip(model)]))
