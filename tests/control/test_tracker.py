"""Places in compiled code, and velocities for control loops."""

import numpy as np
import pytest

import condyle as cd
from condyle.gallery import leg, planar_chain, spatial_chain
from condyle.gallery.scenes.sitter import SITTING, sitter

C = cd.control


def walker():
    """A free body with two legs, one of them with a spline knee."""
    b, rod = cd.ModelBuilder(), cd.Inertia(1.0, (0.01, 0.02, -0.2), np.diag([0.02, 0.03, 0.01]))
    b.add_body("trunk", joint=cd.joints.free(), inertia=rod)
    down = cd.SE3.from_translation([0.0, 0.1, -0.4])
    frames = cd.SE3.exp(np.linspace(0, 1, 6)[:, None] * np.array([0.1, 1.0, 0.2, 0.02, 0.0, 0.05]))
    b.add_body("thigh", "trunk", cd.joints.universal("x", "y"), rod, down)
    b.add_body("shank", "thigh", cd.joints.spline_curve(frames), rod, down)
    b.add_body("other", "trunk", cd.joints.revolute("y"), rod, down)
    b.add_body("toe", "other", cd.joints.revolute("y"), rod, down)
    return b.build()


def test_places_have_exact_values_slopes_and_biases():
    """Oracle: poses of the engine, and central differences along velocities."""
    model, rng = walker(), np.random.default_rng(2)
    at = (0.1, -0.2, 0.3)
    some = [C.point("shank", at, axes="zx"), C.joint("other"), C.center_of_mass(axes="yz"), C.point("toe", axes="y")]
    space = C.AnimationSpace(model, some)
    q = cd.integrate(model, model.neutral(), 0.4 * rng.normal(size=model.nv))
    v, h = rng.normal(size=model.nv), 1e-6
    poses = cd.forward_kinematics(model, q)
    there = poses[model.body_index("shank")].apply(np.array(at))[[2, 0]]
    toe = poses[model.body_index("toe")].xyz[1]
    com = cd.center_of_mass(model, q)[1:]
    assert space.value(q) == pytest.approx([*there, q[model.q_index("other")], *com, toe], abs=1e-13)
    ahead, behind = (cd.integrate(model, q, s * h * v) for s in (1, -1))
    G = space.gradient(q)
    assert G @ v == pytest.approx((space.value(ahead) - space.value(behind)) / (2 * h), abs=1e-8)
    rate = (space.gradient(ahead) - space.gradient(behind)) @ v / (2 * h)
    assert space.bias(q, v) == pytest.approx(rate, abs=1e-7)
    assert space.gradient(np.stack([q, ahead]))[0] == pytest.approx(G, abs=1e-14)


def asked(model, space, seed):
    rng = np.random.default_rng(seed)
    low, high = np.array([model.range_of(name) for name in model.coordinates]).T
    q = np.clip(0.6 * rng.normal(size=model.nq), low, high)
    return q, 3.0 * rng.normal(size=space.size)


def test_a_tracker_answers_as_resolve_velocity():
    """Oracle: the program by levels, whose certificates are tested against scipy; limits hold to 1e-9."""
    b = spatial_chain(6)
    space = C.AnimationSpace(b, [C.point("link6", (0.3, 0, 0), name="tip"), C.center_of_mass(axes="xz")])
    table = C.keep(C.point("link4", axes="z", name="height"), low=-0.4)
    how = C.Resolution(damping=0.05, speeds=1.5, kept=[table], weights=np.linspace(1, 3, 12), row_weights={"tip": 4.0})
    track, held = C.Tracker(space, how, step=0.0), 0
    for seed in range(40):
        q, rate = asked(b, space, seed)
        expected = C.resolve_velocity(space, q, rate, how=how)
        v = track.velocity(q, rate)
        assert v == pytest.approx(expected.motion, abs=1e-7)
        assert np.abs(v).max() <= 1.5 + 1e-9 or "height.z" in track.limited
        held += bool(track.limited)
    assert held > 5


@pytest.mark.parametrize("damping", [1e-2, 1e-4, 1e-8])
def test_a_tracker_reaches_for_what_is_out_of_reach_at_bounded_speeds(damping):
    """Oracle: the arm of 0.9 m stretched towards the goal; a thousandth of a second turns no joint by a quarter rad."""
    model = planar_chain((0.4, 0.3, 0.2))
    space = C.AnimationSpace(model, [C.point("link3", (0.2, 0, 0), axes="xy", name="tip")])
    track, q, goal, fastest = (
        C.Tracker(space, C.Resolution(damping=damping)),
        np.array([0.4, 0.5, -0.3]),
        [2.0, 1.0],
        0.0,
    )
    for _ in range(1500):
        v = track.velocity(q, 10.0 * (goal - space.value(q)))
        q, fastest = q + 1e-3 * v, max(fastest, np.abs(v).max())
    assert fastest < 50.0
    assert space.value(q) == pytest.approx(0.9 * np.array(goal) / np.hypot(*goal), abs=2e-3)
    assert np.linalg.norm(track.missing) == pytest.approx(10.0 * (np.hypot(*goal) - 0.9), rel=1e-2)
    assert "last call off by 12 at tip.x" in repr(track)
    back = track.velocity([0.4, 0.5, -0.3], [0.1, 0.1])
    assert space.gradient([0.4, 0.5, -0.3]) @ back == pytest.approx([0.1, 0.1], abs=1e-2)


def test_velocities_of_a_step_are_bounded_with_limits_and_priorities():
    """Oracle: those of no step, far from the border; at it a bound, and the higher level to 1e-12."""
    model = planar_chain((0.4, 0.3, 0.2))
    elbow, tip = (
        C.point("link1", (0.4, 0, 0), axes="y", name="elbow"),
        C.point("link3", (0.2, 0, 0), axes="xy", name="tip"),
    )
    space = C.AnimationSpace(model, [elbow, tip], redundant=True)
    for how in (
        C.Resolution(priorities=[["elbow"], ["tip"]]),
        C.Resolution(priorities=[["elbow"], ["tip"]], speeds=90.0),
    ):
        bent = [
            C.resolve_velocity(space, [0.4, 1.5, -0.9], [0.01, 0.02, 0.0], how=how, step=h).motion for h in (0, 1e-3)
        ]
        assert bent[0] == pytest.approx(bent[1], abs=1e-9)
        there = C.resolve_velocity(space, [0.4, 1e-5, -1e-5], [0.3, -1.0, -1.0], how=how, step=1e-3)
        assert np.abs(there.motion).max() < 60.0 and there.error[0] == pytest.approx(0.0, abs=1e-9)


def test_a_tracker_keeps_ranges_and_loops():
    """Oracle: the model's own constraint rows, and the end of the knee's range."""
    model = sitter(held=True)
    space = C.AnimationSpace(model, [C.point("trunk", (0.85, 0, 0), axes="xy", name="head")], redundant=True)
    v = C.Tracker(space, C.Resolution(damping=1e-4)).velocity(SITTING, [0.3, -0.1])
    assert C.closing(model).gradient(SITTING) @ v == pytest.approx(0, abs=1e-9)
    bones = leg()
    foot = C.AnimationSpace(bones, C.point("foot", axes="xy"))
    low = bones.range_of("knee")[0]
    track = C.Tracker(foot, C.Resolution(damping=1e-4))
    v = track.velocity([0.3, low, 0.2], foot.gradient([0.3, low, 0.2]) @ [0.0, -1.0, 0.0])
    assert v[1] >= -1e-9
    assert track.limited == ("knee",)


def test_a_tracker_says_what_it_cannot():
    """Oracle: the words."""
    chain = spatial_chain(3)
    space = C.AnimationSpace(chain, C.point("link3", name="tip"))
    with pytest.raises(cd.errors.NotSupported, match="needs damping"):
        C.Tracker(space, C.Resolution())
    track = C.Tracker(space, C.Resolution(damping=0.1))
    with pytest.raises(cd.errors.BadShape, match="takes q"):
        track.velocity(np.zeros(5), np.zeros(3))
    with pytest.raises(cd.errors.NotFinite):
        track.velocity(np.zeros(6), [np.nan, 0, 0])
