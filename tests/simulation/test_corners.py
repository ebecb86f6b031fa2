"""Corners of joints in `simulate`: closed forms, the track of `slide`, dense equations of impact, rest and release."""

from itertools import pairwise

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadShape, BadValue, NotSupported
from condyle.simulation import StoppedWarning, slide

G = 9.81
ZIGZAG = np.array([(0, 0, 0.5), (0.4, 0, 0.3), (0.8, 0, 0.35), (1.2, 0, 0.1), (1.5, 0, 0.3)])


def bead_on(joint, mass=0.2, gravity=(0, 0, -G)):
    b = cd.ModelBuilder(gravity=gravity)
    return b.add_body("bead", joint=joint, inertia=cd.Inertia.point(mass)).build()


def hexagon(radius=1.0):
    angles = np.arange(6) * np.pi / 3
    return radius * np.column_stack([np.cos(angles), 0 * angles, np.sin(angles)])


def times_and_lost(impacts):
    return np.array([(x.time, x.lost) for x in impacts])


@pytest.mark.parametrize("way", [1, -1])
def test_around_a_hexagon_the_speed_halves_at_every_corner(way):
    """Oracle: v cos 60° each, so that side k takes 2^k times as long; the seam is a corner like any other."""
    model = bead_on(cd.joints.track(hexagon(), closed=True), gravity=(0, 0, 0))
    run = cd.simulate(model, [0.5], [8.0 * way], duration=3.0, step=0.01)
    arrivals = (0.5 + np.cumsum([0.0, 2, 4, 8])) / 8.0  # the fifth comes after 3.8 s
    assert [x.time for x in run.impacts] == pytest.approx(arrivals, abs=1e-12)
    assert [x.leaving[0] for x in run.impacts] == pytest.approx(way * np.array([4, 2, 1, 0.5]), abs=1e-12)
    assert run.q[-1, 0] == pytest.approx(0.5 + way * (0.5 + 3 + (3.0 - arrivals[-1]) * 0.5), abs=1e-12)
    assert run.outside == ()


@pytest.mark.parametrize("integrator", ["rk4", "adaptive"])
def test_a_bead_on_a_zigzag_moves_as_on_the_track_of_slide(integrator):
    """Oracle: `slide` on the same wires, integrated with DOP853 and its own events; energy less what corners took."""
    sides = [cd.joints.track(pair) for pair in pairwise(ZIGZAG)]
    exact = slide(sides, cd.Inertia.point(0.2), 0.05, 2.0, duration=0.9, record=0.1)
    run = cd.simulate(bead_on(cd.joints.track(ZIGZAG)), [0.05], [2.0], duration=0.9, record=0.1, integrator=integrator)
    assert len(run.impacts) == len(exact.corners) >= 3
    for mine, other in zip(run.impacts, exact.corners, strict=True):
        assert (mine.time, mine.lost) == pytest.approx((other.time, other.lost), abs=1e-11)
        assert mine.leaving[0] == pytest.approx(other.leaving, abs=1e-11)
        assert mine.impulse == pytest.approx(other.impulse, abs=1e-11)
    assert run.v[:, 0] == pytest.approx(exact.v, abs=1e-10)
    energy = run.energy().total
    assert energy[0] - energy[-1] == pytest.approx(sum(x.lost for x in run.impacts), abs=1e-12)


def arcs():
    """Two arcs that meet at a corner, without turning the child."""
    a, b = np.linspace(0, 1.0, 30), np.linspace(0, 0.8, 30)
    first = 0.5 * np.column_stack([np.sin(a), 0 * a, 1 - np.cos(a)]) * [1, 1, -1]
    second = first[-1] + 0.4 * np.column_stack([np.sin(b), 0 * b, 1 - np.cos(b)])
    return [cd.joints.along(p, frame="fixed") for p in (first, second)]


def test_curved_wires_may_meet_in_a_corner():
    """Oracle: `slide` on the two wires; the joint itself is theirs."""
    wires = arcs()
    joint = cd.joints.track(wires)
    ends = [w.domain[0][1] for w in wires]
    assert joint.corners[0] == pytest.approx([ends[0]])
    assert joint.pose([ends[0] + 0.1]).xyz == pytest.approx(wires[1].pose([0.1]).xyz, abs=1e-12)
    exact = slide(wires, cd.Inertia.point(0.2), 0.1, 1.0, duration=0.5, record=0.1)
    run = cd.simulate(bead_on(joint), [0.1], [1.0], duration=0.5, record=0.1, integrator="adaptive", tolerance=1e-11)
    assert times_and_lost(run.impacts) == pytest.approx(times_and_lost(exact.corners), abs=1e-9)
    assert run.v[-1, 0] == pytest.approx(exact.v[-1], abs=1e-8)


def with_pendulum(joint, m=0.3, M=0.5, l=0.4):
    b = cd.ModelBuilder().add_body("cart", joint=joint, inertia=cd.Inertia.point(M))
    bob = cd.Inertia(m, (0.0, 0.0, -l), (2e-3, 3e-3, 1e-3))
    return b.add_body("bob", parent="cart", joint=cd.joints.revolute("y"), inertia=bob).build()


def dense_impulse(heading, swing, v, m=0.3, M=0.5, l=0.4, moment=3e-3):
    """Cart and bob free in the plane (x, z; x, z, turn), held by the hinge and the new wire: one KKT system."""
    mass, arm = np.diag([M, M, m, m, moment]), l * np.array([-np.cos(swing), np.sin(swing)])
    hinge = np.array([[1, 0, -1, 0, arm[0]], [0, 1, 0, -1, arm[1]]])
    A = np.vstack([hinge, [[-np.sin(heading), np.cos(heading), 0, 0, 0]]])
    system = np.block([[mass, A.T], [A, np.zeros((3, 3))]])
    x = np.linalg.solve(system, np.concatenate([mass @ v, np.zeros(3)]))[:5]
    return x, 0.5 * (v @ mass @ v - x @ mass @ x), M * (x - v)[:2] + m * (x - v)[2:4]


def test_a_carried_pendulum_through_two_corners_obeys_the_dense_equations_of_impact():
    """Oracle: free bodies with reactions; velocities, energy and the wire's impulse on cart and bob together."""
    headings = np.array([0.0, 0.5, -0.2])
    points = np.vstack([[0, 0, 0], np.cumsum([(np.cos(a), 0, np.sin(a)) for a in headings], axis=0)])
    model = with_pendulum(cd.joints.track(points))
    run = cd.simulate(model, [0.6, 0.8], [4.0, -1.3], duration=0.8, step=5e-4, record=0.1)
    assert [x.corner for x in run.impacts] == pytest.approx([1.0, 2.0])
    for k, x in enumerate(run.impacts):
        old, new = (np.array([np.cos(a), np.sin(a)]) for a in headings[k : k + 2])
        (u, w), arm = x.arriving, 0.4 * np.array([-np.cos(x.q[1]), np.sin(x.q[1])])
        after, lost, impulse = dense_impulse(headings[k + 1], x.q[1], np.r_[u * old, u * old + w * arm, w])
        assert x.leaving == pytest.approx([after[:2] @ new, after[4]], abs=1e-11)
        assert x.lost == pytest.approx(lost, abs=1e-11)
        assert x.impulse[[3, 5]] == pytest.approx(impulse, abs=1e-11)
    energy = run.energy().total
    assert energy[0] - energy[-1] == pytest.approx(sum(x.lost for x in run.impacts), abs=1e-8)


def valley(slope=0.5):
    c, s = np.cos(slope), np.sin(slope)
    return cd.joints.track([(-c, 0, s), (0, 0, 0), (c, 0, s)])


def test_it_comes_to_rest_in_a_valley_and_stays():
    """Oracle: speeds shrink by cos θ at each pass, θ = 1 rad, and times with them: rest at a geometric sum."""
    run = cd.simulate(bead_on(valley()), [0.8], duration=2.0, record=0.1)
    pull, shrink = G * np.sin(0.5), np.cos(1.0)
    first = np.sqrt(2 * 0.2 / pull)
    v0 = pull * first
    end = first + 2 * v0 / pull * shrink / (1 - shrink)
    assert run.stopped is None
    assert run.impacts[-1].time == pytest.approx(end, abs=1e-7)
    assert run.v[-1, 0] == 0.0
    assert run.q[-1, 0] == pytest.approx(1.0, abs=1e-15)
    energy = run.energy().total
    assert energy[0] - energy[-1] == pytest.approx(sum(x.lost for x in run.impacts), abs=1e-12)


def test_it_leaves_the_valley_when_a_force_is_large_enough():
    """Oracle: by hand. A force k t along the wire holds m g sin(slope) at t = m g sin(slope) / k; then ½ k t² …"""
    m, k = 0.2, 4.0
    model = bead_on(valley(), m)
    run = cd.simulate(model, [1.0], duration=0.5, record=0.05, control=lambda t, q, v: [k * t], control_at="stages")
    leaves = m * G * np.sin(0.5) / k
    after = np.maximum(run.t - leaves, 0.0)
    assert leaves > 0.2
    assert run.v[:, 0] == pytest.approx(0.5 * k / m * after**2, abs=1e-9)
    assert run.q[:, 0] == pytest.approx(1.0 + k / m * after**3 / 6, abs=1e-9)


def test_a_sharp_corner_that_would_send_it_back_stops_it():
    """Oracle: a turn by 120° leaves no way on: all of ½ m v² is lost, and nothing pulls it away without gravity."""
    joint = cd.joints.track([(0, 0, 0), (1, 0, 0), (0.5, 0, np.sqrt(0.75))])
    run = cd.simulate(bead_on(joint, gravity=(0, 0, 0)), [0.5], [2.0], duration=1.0, step=0.01)
    (hit,) = run.impacts
    assert (hit.time, hit.lost, hit.leaving[0]) == pytest.approx((0.25, 0.4, 0.0))
    assert run.q[-1, 0] == pytest.approx(1.0)
    pulled = cd.simulate(bead_on(joint), [0.5], [2.0], duration=1.0, step=0.01)
    assert pulled.q[-1, 0] == pytest.approx(1.0)  # gravity pushes it into the upper side, and along neither away


def test_two_beads_meet_their_corners_at_once():
    """Oracle: each by itself."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    for name in ("left", "right"):
        b.add_body(name, joint=cd.joints.track(hexagon(), closed=True), inertia=cd.Inertia.point(1.0))
    run = cd.simulate(b.build(), [0.5, 0.5], [4.0, 4.0], duration=0.3, step=0.01)
    assert sorted(x.coordinate for x in run.impacts) == ["left", "right"]
    assert [x.time for x in run.impacts] == pytest.approx([0.125, 0.125])
    assert run.v[-1] == pytest.approx([2.0, 2.0])


def test_a_batch_is_its_members():
    model = bead_on(cd.joints.track(ZIGZAG))
    q, v = np.array([[0.05], [0.3], [1.0]]), np.array([[2.0], [-0.5], [0.5]])
    batch = cd.simulate(model, q, v, duration=0.5, record=0.1)
    for i in range(3):
        alone, mine = cd.simulate(model, q[i], v[i], duration=0.5, record=0.1), batch.member(i)
        assert mine.q == pytest.approx(alone.q, abs=1e-14)
        assert times_and_lost(mine.impacts) == pytest.approx(times_and_lost(alone.impacts), abs=1e-14)
        assert all(x.member == (i,) for x in batch.impacts if x not in mine.impacts) or len(batch.impacts) > 0


def test_a_nan_of_a_control_keeps_the_records_of_the_legs_before_it():
    """Oracle: the run without it; records that are there are its, from the start on, and not only those of a leg."""
    model = bead_on(cd.joints.track(ZIGZAG))
    how = {"duration": 0.9, "step": 0.01, "control_at": "stages"}
    with pytest.raises(cd.errors.NotFinite, match=r"t = 0\.5") as caught:
        cd.simulate(model, [0.05], [2.0], control=lambda t, q, v: [np.nan if t > 0.5 else 0.0], **how)
    found, whole = caught.value.trajectory, cd.simulate(model, [0.05], [2.0], control=lambda t, q, v: [0.0], **how)
    good = np.isfinite(found.q[:, 0])
    assert len(found.t) == 91 and 1 < good.sum() < 52 and good[: good.sum()].all()
    assert found.q[good] == pytest.approx(whole.q[good], abs=1e-12)


def test_stop_arrays_of_control_and_wrenches_are_taken():
    model = bead_on(cd.joints.track(hexagon(), closed=True), mass=1.0, gravity=(0, 0, 0))
    run = cd.simulate(model, [0.5], [2.0], duration=1.0, step=0.01, stop=lambda t, q, v: t > 0.295)
    assert run.stopped.time == pytest.approx(0.3)
    assert np.isnan(run.q[-1]).all()
    steps = np.full((100, 1), 3.0)
    by_steps = cd.simulate(model, [0.5], [2.0], duration=1.0, step=0.01, control=steps)
    steady = cd.simulate(model, [0.5], [2.0], duration=1.0, step=0.01, control=[3.0])
    assert by_steps.q == pytest.approx(steady.q, abs=1e-12)
    pushed = cd.simulate(model, [0.5], duration=0.2, step=0.01, wrenches=[[0, 0, 0, -0.5, 0, 0.5 * 3**0.5]])
    assert pushed.v[-1, 0] == pytest.approx(0.2)  # 1 N along the first side


def test_leaving_a_track_that_refuses_it_stops_the_run():
    model = bead_on(cd.joints.track(ZIGZAG, outside="error"))
    with pytest.warns(StoppedWarning, match="left its domain"):
        run = cd.simulate(model, [0.05], [-3.0], duration=0.5)
    assert run.stopped.q[0] >= 0.0
    with pytest.warns(cd.simulation.OutsideDomainWarning):
        cd.simulate(bead_on(cd.joints.track(ZIGZAG)), [0.05], [-3.0], duration=0.1)


def test_corners_survive_composition_inverse_names_and_files(tmp_path):
    joint = cd.joints.track(ZIGZAG, name="s")
    both = cd.joints.compose(cd.joints.revolute("y"), joint)
    assert both.corners == ((), joint.corners[0])
    assert joint.inverse().renamed("x").corners == joint.corners
    cd.save(joint, tmp_path / "track.toml")
    assert cd.load(tmp_path / "track.toml").corners == joint.corners
    run = cd.simulate(bead_on(joint), [0.05], [2.0], duration=0.5, record=0.1)
    cd.save(run, tmp_path / "run.npz")
    back = cd.load(tmp_path / "run.npz")
    assert times_and_lost(back.impacts) == pytest.approx(times_and_lost(run.impacts), abs=0)
    assert back.impacts[0].coordinate == run.model.coordinates[0]


@pytest.mark.parametrize(
    ("made", "error", "words"),
    [
        (lambda: cd.joints.track([(0, 0, 0)]), BadShape, "2 corners"),
        (lambda: cd.joints.track([(0, 0), (0, 0), (1, 0)]), BadValue, "same point"),
        (lambda: cd.joints.track([(0, 0), (np.nan, 0)]), BadValue, "finite"),
        (lambda: cd.joints.track([cd.joints.universal("x", "y")]), BadShape, "wire 0"),
        (lambda: cd.joints.track([cd.joints.prismatic("x")]), BadValue, "wire 0.*no ends"),
        (lambda: cd.joints.track([cd.joints.elliptic(1, 2)]), BadValue, "wire 0.*no ends"),
        (lambda: cd.joints.track([(cd.joints.elliptic(1, 2), 0, 1)]), NotSupported, "wire 0"),
        (lambda: cd.joints.track([arcs()[0], arcs()[0]]), BadValue, "after wire 0.*m apart"),
        (
            lambda: cd.joints.track(
                [(cd.joints.revolute("y"), 0, 1), (cd.joints.prismatic("x"), 0, 1)],
            ),
            BadValue,
            "frame turns.*wire 0",
        ),
    ],
)
def test_what_is_no_track_is_refused_with_the_place(made, error, words):
    with pytest.raises(error, match=words):
        made()


def test_what_goes_not_with_corners_is_named(tmp_path):
    model = bead_on(cd.joints.track(ZIGZAG))
    start = {"duration": 0.1, "step": 0.01}
    with pytest.raises(NotSupported, match="variational"):
        cd.simulate(model, [0.1], integrator="variational", **start)
    with pytest.raises(NotSupported, match=r"record_to.*bead"):
        cd.simulate(model, [0.1], record_to=tmp_path / "x", **start)
    with pytest.raises(NotSupported, match=r"parameters.*bead"):
        cd.simulate(model, [0.1], parameters={"bead.mass": [1.0, 2.0]}, **start)
    with pytest.raises(NotSupported, match="batch"):
        cd.simulate(model, [[0.1], [0.2]], control=lambda t, q, v: 0 * v, **start)
    with pytest.raises(NotSupported, match=r"simulate_vjp.*bead"):
        cd.simulate_vjp(model, [0.1], cotangent=None, **start)


def cranked(leader, follower):
    """A bead of 1 kg on a right angle and a crank of 0.004 kg m², coupled one to one."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("crank", joint=cd.joints.revolute("y"), inertia=cd.Inertia.sphere(1.0, 0.1))
    track = cd.joints.track([(0, 0, 0), (0.3, 0, 0), (0.3, 0, 0.3)])
    b.add_body("bead", joint=track, inertia=cd.Inertia.sphere(1.0, 0.1))
    return b.add_coupler(follower, leader).build()


def test_corners_of_a_coordinate_that_follows_are_refused_and_the_way_out_works():
    """Oracle: in the corner the bead loses all momentum along x, the crank keeps its own: v₊ = 0.004 v₋ / 1.004."""
    with pytest.raises(NotSupported, match=r"'track'.*'crank'"):
        cd.simulate(cranked("crank", "bead"), [0.25], [1.0], duration=0.2, step=0.01)
    run = cd.simulate(cranked("bead", "crank"), [0.25], [1.0], duration=0.2, step=0.01)
    assert run.v[-1, 0] == pytest.approx(0.004 / 1.004, abs=1e-12)


def test_optimal_motions_and_replays_refuse_corners():
    """Oracle: the class of the error and the joint that it names."""
    model = bead_on(cd.joints.track(ZIGZAG))
    with pytest.raises(NotSupported, match="'bead'"):
        cd.control.optimize(model, [0.1], [0.6], duration=1.0, intervals=3)
    torques = cd.control.TorqueFunctions(np.linspace(0, 1, 5), *np.zeros((3, 5, 1)))
    with pytest.raises(NotSupported, match="'bead'"):
        cd.control.replay(model, torques)
