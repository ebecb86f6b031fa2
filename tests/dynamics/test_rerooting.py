"""The same bodies hung on the world by another one move in the same way."""

import numpy as np
import pytest

import condyle as cd


def pose(k):
    return cd.SE3.exp(0.3 * np.random.default_rng(k).normal(size=6))


def inertia(k):
    rng = np.random.default_rng(100 + k)
    return cd.Inertia(1.0 + rng.random(), 0.1 * rng.normal(size=3), np.diag(0.02 + 0.01 * rng.random(3)))


def walker(base=None):
    """A pelvis with two legs, one over a spline knee and a ball ankle, with springs, dampers, limits, a coupling."""
    frames = cd.SE3.exp(np.linspace(0, 1, 6)[:, None] * np.array([0.1, 1.0, 0.2, 0.02, 0.0, 0.05]))
    b = cd.ModelBuilder()
    joints = {
        "pelvis": (None, cd.joints.free() if base is None else base, "root"),
        "thigh": ("pelvis", cd.joints.universal("x", "y"), "hip"),
        "shank": ("thigh", cd.joints.spline_curve(frames), "knee"),
        "foot": ("shank", cd.joints.ball(), "ankle"),
        "toe": ("foot", cd.joints.revolute("y"), "toe"),
        "other": ("pelvis", cd.joints.revolute("y"), "other hip"),
        "trunk": ("pelvis", cd.joints.helical("z", 0.1), "back"),
    }
    for k, (name, (parent, joint, joint_name)) in enumerate(joints.items()):
        b.add_body(name, parent, joint, inertia(k), pose(k), pose(50 + k), joint_name)
    b.add_spring("foot", (0.1, 0, 0), "trunk", (0, 0, 0.2), stiffness=40.0, damping=3.0, length=0.1)
    b.add_spring("toe", (0.1, 0, 0), None, (0, 0.3, 0.2), stiffness=20.0, damping=1.0, length=0.1)
    b.add_damping("hip.first", 0.7)
    b.add_limit("knee", 0.2, 0.4, stiffness=30.0)
    b.set_range("toe", -1.0, 0.5)
    b.add_constraint(cd.constraints.couple("back", "other hip", ratio=0.5))
    return b.build()


def state(model, seed=3):
    rng = np.random.default_rng(seed)
    q = cd.integrate(model, model.neutral(), 0.5 * rng.normal(size=model.nv))
    q[model.q_index("knee")] = 0.47
    q[model.q_index("back")] = 0.5 * q[model.q_index("other hip")]
    v, a = rng.normal(size=(2, model.nv))
    v[model.v_index("back")] = 0.5 * v[model.v_index("other hip")]
    return q, v, a


def by_name(values, model, other):
    """Rows of bodies in the order of another model."""
    return values[..., [model.body_index(n) for n in other.names], :]


@pytest.fixture(scope="module", params=["foot", "toe", "trunk", "pelvis"])
def pair(request):
    model = walker()
    return model, model.rerooted(request.param)


def test_poses_velocities_and_accelerations_are_the_same(pair):
    """Oracle: those of the first model; and back again is the state it began with."""
    model, other = pair
    q, v, a = state(model)
    there = cd.rerooted_state(model, other, q, v, a)
    before, now = cd.forward_kinematics(model, q), cd.forward_kinematics(other, there.q)
    assert np.asarray(now) == pytest.approx(np.asarray(before)[[model.body_index(n) for n in other.names]], abs=1e-13)
    for motion in (cd.body_velocities, cd.body_accelerations):
        args = (v,) if motion is cd.body_velocities else (v, a)
        turned = tuple(there)[1 : 1 + len(args)]
        expected = by_name(motion(model, q, *args), model, other)
        assert motion(other, there.q, *turned) == pytest.approx(expected, abs=1e-11)
    back = cd.rerooted_state(other, model, *there)
    assert cd.difference(model, q, back.q) == pytest.approx(0, abs=1e-13)
    assert back.v == pytest.approx(v, abs=1e-12)
    assert back.a == pytest.approx(a, abs=1e-11)


def test_a_free_body_moves_in_the_same_way(pair):
    """Oracle: energy, momentum and accelerations of all bodies under gravity, loads, a coupling and joint forces."""
    model, other = pair
    q, v, _ = state(model)
    there = cd.rerooted_state(model, other, q, v)
    assert np.array(cd.energy(other, *there[:2])) == pytest.approx(np.array(cd.energy(model, q, v)), abs=1e-11)
    for x, y in zip(cd.momentum(other, *there[:2]), cd.momentum(model, q, v), strict=True):
        assert x == pytest.approx(y, abs=1e-12)
    tau, turned = np.zeros(model.nv), np.zeros(other.nv)
    for name, force in {"hip.first": 2.0, "hip.second": -1.0, "knee": 3.0, "toe": 0.4, "other hip": -2.0}.items():
        tau[model.v_index(name)] = turned[other.v_index(name)] = force
    a, again = cd.forward_dynamics(model, q, v, tau), cd.forward_dynamics(other, *there[:2], turned)
    assert again == pytest.approx(cd.rerooted_state(model, other, q, v, a).a, abs=1e-10)


def test_names_loads_limits_and_markers_stay(pair):
    """Oracle: what the first model says, by names."""
    model, other = pair
    assert set(model.coordinates) == set(other.coordinates)
    assert other.ranges == model.ranges
    assert len(other.coordinate_forces) == 2
    assert len(other.springs) == 2
    again = other.rerooted("pelvis")
    assert set(again.names) == set(model.names)
    assert cd.forward_dynamics(again, *cd.rerooted_state(model, again, *state(model)[:2])[:2]).shape == (model.nv,)


def test_a_batch_and_velocities_by_differences():
    """Oracle: central differences of converted coordinates, for a batch."""
    model = walker()
    other = model.rerooted("foot")
    q, v, _ = (np.stack(x) for x in zip(*(state(model, k) for k in range(4)), strict=True))
    h = 1e-6
    ahead, behind = (cd.rerooted_state(model, other, cd.integrate(model, q, s * h * v)).q for s in (1, -1))
    assert cd.rerooted_state(model, other, q, v).v == pytest.approx(
        cd.difference(other, behind, ahead) / (2 * h), abs=1e-8
    )


def test_a_simulated_motion_is_the_same():
    """Oracle: the motion of the first model, converted."""
    model = walker()
    other = model.rerooted("foot")
    q, v, _ = state(model)
    motion = cd.simulate(model, q, v, duration=0.05, step=1e-3)
    there = cd.rerooted_state(model, other, q, v)
    again = cd.simulate(other, there.q, there.v, duration=0.05, step=1e-3)
    expected = cd.rerooted_state(model, other, motion.q[-1]).q
    assert cd.difference(other, expected, again.q[-1]) == pytest.approx(0, abs=1e-7)


def test_a_held_model_lets_go_and_grips_elsewhere():
    """Oracle: a leg held at its foot by a hinge where the foot is: poses stay; the hip's old hinge is gone."""
    rod = cd.Inertia.cylinder(1.0, 0.05, 0.4)
    down = cd.SE3.from_translation([0, 0, -0.4])
    b = cd.ModelBuilder().add_body("thigh", joint=cd.joints.revolute("y"), inertia=rod, joint_name="hip")
    b.add_body("shank", "thigh", cd.joints.revolute("y"), rod, down, joint_name="knee")
    leg = b.build()
    q = np.array([0.3, 0.5])
    sole = cd.forward_kinematics(leg, q)[1] @ down
    gripping = leg.rerooted("shank", cd.joints.revolute("y"), placement=cd.SE3.from_translation(sole.xyz), offset=down)
    there = cd.rerooted_state(leg, gripping, q)
    assert there.q == pytest.approx([0.8, 0.5])
    poses = cd.forward_kinematics(gripping, there.q)
    assert np.asarray(poses)[::-1] == pytest.approx(np.asarray(cd.forward_kinematics(leg, q)), abs=1e-13)
    with pytest.raises(cd.CondyleError, match="cannot give it this velocity"):
        cd.rerooted_state(leg, gripping, q, [1.0, 0.0])  # the sole moves
    with pytest.raises(cd.CondyleError, match="cannot give it this pose"):
        cd.rerooted_state(leg, gripping, [0.1, 0.5])


def test_bases_of_six_plain_coordinates_are_found_back():
    """Oracle: the state it began with; three slides and three turns are no quaternion."""
    slides = [cd.joints.prismatic(axis, name=f"t{axis}") for axis in "xyz"]
    turns = [cd.joints.revolute(axis, name=f"r{axis}") for axis in "zxy"]
    model = walker(cd.joints.compose(*slides, *turns))
    other = model.rerooted("foot")
    q, v, a = state(model)
    back = cd.rerooted_state(other, model, *cd.rerooted_state(model, other, q, v, a))
    for x, y in zip(back, (q, v, a), strict=True):
        assert x == pytest.approx(y, abs=1e-10)


def test_what_cannot_be_turned_has_words():
    """Oracle: the words."""
    model = walker()
    with pytest.raises(cd.errors.UnknownName):
        model.rerooted("tail")
    driven = (
        cd.ModelBuilder().add_body("a", joint=cd.joints.revolute("z"), inertia=inertia(0)).prescribe("a", lambda t: t)
    )
    with pytest.raises(cd.errors.NotSupported, match="prescribed"):
        driven.build().rerooted("a")
    damped = cd.ModelBuilder().add_body("a", joint=cd.joints.revolute("z"), inertia=inertia(0)).add_damping("a", 1.0)
    with pytest.warns(cd.CondyleWarning, match=r"damper of .a. \(damping 1\)"):
        damped.build().rerooted("a")
    with pytest.raises(cd.CondyleError, match="same bodies"):
        cd.rerooted_state(model, damped.build(), model.neutral())


def test_what_is_lost_with_the_joint_of_the_old_root_is_named():
    """Oracle: the spring's ½ k q² and the armature's ½ A v², by which the two energies differ, and their names."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("thigh", joint=cd.joints.revolute("y"), inertia=inertia(0), joint_name="hip")
    b.add_body("shank", parent="thigh", joint=cd.joints.revolute("y"), inertia=inertia(1), joint_name="knee")
    model = b.add_stiffness("hip", 5.0).set_armature("hip", 0.25).add_damping("knee", 0.1).build()
    with pytest.warns(
        cd.errors.CondyleWarning, match=r"spring of 'hip' \(stiffness 5.*armature of 'hip' \(0.25\)"
    ) as told:
        other = model.rerooted("shank")
    assert "knee" not in str(told[0].message)
    q, v = [0.3, 0.2], [1.5, -0.5]
    there = cd.rerooted_state(model, other, q, v)
    lost = cd.energy(model, q, v).total - cd.energy(other, there.q, there.v).total
    assert lost == pytest.approx(0.5 * 5.0 * 0.3**2 + 0.5 * 0.25 * 1.5**2)
