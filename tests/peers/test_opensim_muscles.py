"""Muscles in condyle and in OpenSim: lengths, moment arms, and the laws of forces."""

import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import condyle as cd
from support.laboratory import FOLDER

osim = pytest.importorskip("opensim")
from support.osim_muscles import Peer, poses  # noqa: E402
from support.osim_twin import twins  # noqa: E402

pytestmark = pytest.mark.peers

FILES = sorted((FOLDER / "opensim").glob("**/*.osim"))
# where shortest ways are not OpenSim's: its tangent points on cylinders are not those of a geodesic, those of paths
# with several wraps are stale by a sweep, its ellipsoids jump, and their ways can leave the active side
WRAPPED = {"TRIlong": 8e-3, "BIClong": 4e-3, "BRA": 3e-5, "TRImed": 3e-6, "TRIlat": 3e-6, "vas_int_r": 3e-5}


def loaded(path, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cd.load(twins(path, tmp_path)[0])


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_lengths_are_those_of_opensim(path, tmp_path):
    """Oracle: OpenSim at 200 random poses; shortest ways over wraps are off by what is known of OpenSim's."""
    ours = loaded(path, tmp_path)
    if not ours.muscles:
        pytest.skip("no muscles")
    Q = poses(ours, 200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.CondyleWarning)
        found = cd.muscles.lengths(ours, Q)
    more = found - Peer(path, tmp_path, ours).lengths(Q)
    error = np.abs(more).max(axis=0)
    allowed = [WRAPPED.get(m.name, 1e-9) if m.path.wraps else 1e-9 for m in ours.muscles]
    assert (error <= allowed).all(), dict(zip(cd.muscles.names(ours), error, strict=True))
    kinds = {w.name: w.kind for w in ours.wraps}
    round_ones = [{kinds[w.wrap_object] for w in m.path.wraps} == {"WrapCylinder"} for m in ours.muscles]
    assert (more.max(axis=0)[round_ones] < 1e-9).all()  # on cylinders OpenSim's way is never the shorter one


def arm26(tmp_path):
    path = FOLDER / "opensim" / "models" / "arm26.osim"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    ours = loaded(path, tmp_path)
    return ours, Peer(path, tmp_path, ours)


def test_the_long_biceps_differs_from_opensim_s_only_where_that_leaves_the_active_side(tmp_path):
    """Oracle: OpenSim, whose tangent points beyond −1.37 rad are not on the active side of the ellipsoid."""
    ours, peer = arm26(tmp_path)
    k, x = cd.muscles.names(ours).index("BIClong"), np.linspace(-1.36, 1.5, 60)
    Q = np.c_[x, np.linspace(0.1, 2.0, 60)]
    assert np.abs(cd.muscles.lengths(ours, Q)[:, k] - peer.lengths(Q)[:, k]).max() < 2e-4


@pytest.mark.parametrize(("name", "egg", "shoulder"), [("BIClong", "BIClonghh", -1.5), ("TRIlong", "TRIlonghh", 2.15)])
def test_ways_that_are_not_opensim_s_are_geodesics(name, egg, shoulder, tmp_path):
    """Oracle: scipy's integration of the equation of geodesics, from one straight part to the other. OpenSim's way is
    another: over the other side for BIClong, along the border of the active side for TRIlong, where none is left."""
    ours, peer = arm26(tmp_path)
    wrap, q = next(w for w in ours.wraps if w.name == egg), np.array([shoulder, 0.5])
    T = np.linalg.inv(cd.forward_kinematics(ours, q)[ours.body_index(wrap.body)].as_matrix() @ wrap.pose)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.CondyleWarning)
        path = cd.muscles.path_points(ours, q, samples=2001)[cd.muscles.names(ours).index(name)]
        length = cd.muscles.lengths(ours, q)[cd.muscles.names(ours).index(name)]
    x = path @ T[:3, :3].T + T[:3, 3]
    a = np.array(wrap.sizes["dimensions"])
    on = np.flatnonzero(np.abs(((x / a) ** 2).sum(axis=1) - 1) < 1e-7)
    p, start, end, after = x[on[0] - 1], x[on[0]], x[on[-1]], x[on[-1] + 1]
    arc = np.linalg.norm(np.diff(x[on], axis=0), axis=1).sum()

    def curve(_, state):
        n = state[:3] / a**2
        return np.concatenate([state[3:], -n * (state[3:] @ (state[3:] / a**2)) / (n @ n)])

    u = (start - p) / np.linalg.norm(start - p)
    last = solve_ivp(curve, (0, arc), [*start, *u], method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]
    assert np.abs(last[:3] - end).max() < 1e-7
    assert np.abs(np.cross(last[3:], (after - end) / np.linalg.norm(after - end))).max() < 1e-6
    assert abs(u @ (start / a**2)) < 1e-9 * np.linalg.norm(start / a**2)
    assert 1e-3 < abs(peer.lengths(q[None])[0, cd.muscles.names(ours).index(name)] - length) < 8e-3
    sign, axis = (-1 if "-" in wrap.quadrant else 1), "xyz".index(wrap.quadrant[-1])
    assert (sign * x[on[len(on) // 2], axis] > 0) == (name == "BIClong")


ARMS = ["models/gait2354_simbody.osim", "models/leg6dof9musc.osim", "models/wrist.osim"]


@pytest.mark.parametrize("name", ARMS)
def test_moment_arms_are_those_of_opensim(name, tmp_path):
    """Oracle: OpenSim's moment arms at random poses in the ranges; couplers are folded into coordinates."""
    path = FOLDER / "opensim" / name
    if not path.exists():
        pytest.skip(f"{path} is not here")
    ours = loaded(path, tmp_path)
    peer, worst = Peer(path, tmp_path, ours), 0.0
    paths = peer.paths()
    for q in poses(ours, 4):
        peer.set(q)
        arms = cd.muscles.moment_arms(ours, q)
        for k, coordinate in enumerate(peer.coordinates):
            column = arms[:, ours.v_index(ours.coordinates[k])]
            for m in range(0, len(ours.muscles), 3):
                there = paths[ours.muscles[m].name].computeMomentArm(peer.state, coordinate)
                worst = max(worst, abs(column[m] - there))
    assert worst < 1e-7


def rigid(model):
    for k in range(model.getMuscles().getSize()):
        model.getMuscles().get(k).set_ignore_tendon_compliance(True)


def undamped(model):
    for k in range(model.getMuscles().getSize()):
        osim.Millard2012EquilibriumMuscle.safeDownCast(model.getMuscles().get(k)).setFiberDamping(0.0)


def with_constants(model, **constants):
    from dataclasses import replace

    muscles = [replace(m, constants={**m.constants, **constants}) for m in model.muscles]
    return replace(model, muscles=tuple(muscles))


CASES = {
    "thelen": ("gait2392_thelen2003muscle", None, {}),
    "millard": ("gait2392_millard2012muscle", None, {}),
    "millard undamped": ("gait2392_millard2012muscle", undamped, {"fiber_damping": 0.0}),
    "millard rigid": ("gait2392_millard2012muscle", rigid, {"ignore_tendon_compliance": 1.0}),
}


@pytest.mark.parametrize("case", CASES)
def test_forces_and_fibres_are_those_of_opensim(case, tmp_path):
    """Oracle: OpenSim at random poses, velocities, activations and fibre lengths of 92 muscles."""
    name, change, constants = CASES[case]
    path = FOLDER / "opensim" / "models" / f"{name}.osim"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    ours = with_constants(loaded(path, tmp_path), **constants)
    peer, rng = Peer(path, tmp_path, ours, change), np.random.default_rng(3)
    muscles, worst = peer.model.getMuscles(), np.zeros(3)
    F = np.array([m.constants["max_isometric_force"] for m in ours.muscles])
    l0 = np.array([m.constants["optimal_fiber_length"] for m in ours.muscles])
    for q in poses(ours, 11):
        v, a = rng.normal(size=ours.nv), rng.uniform(0.05, 1.0, len(l0))
        fiber = rng.uniform(0.6, 1.4, len(l0)) * l0
        peer.set(q, v)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cd.CondyleWarning)
            found = cd.muscles.forces(ours, q, v, a, fiber_length=fiber)
        for k, m in enumerate(ours.muscles):
            muscle = muscles.get(m.name)
            muscle.setActivation(peer.state, a[k])
            if case != "millard rigid":
                osim.Muscle.safeDownCast(muscle)
                muscle.setStateVariableValue(peer.state, "fiber_length", fiber[k])
        peer.model.realizeDynamics(peer.state)
        there = np.array([[m.getTendonForce(peer.state), m.getFiberLength(peer.state), m.getFiberVelocity(peer.state)]
                          for m in (muscles.get(x.name) for x in ours.muscles)])  # fmt: skip
        mine = np.array([found.tendon_force, found.fiber_length, found.fiber_velocity]).T
        sound = found.status == 0
        error = np.abs(mine - there) / np.c_[np.maximum(F, np.abs(there[:, 0])), l0, 10 * l0 + np.abs(there[:, 2])]
        worst = np.maximum(worst, error[sound].max(axis=0))
    assert worst[0] < 1e-9, worst
    assert worst[1] < 1e-9, worst
    assert worst[2] < 1e-6, worst


def sliding_muscle(folder, rigid_tendon):
    """A file of a block on a slider with De Groote and Fregly's muscle, written by OpenSim."""
    model = osim.Model()
    block = osim.Body("block", 1.0, osim.Vec3(0), osim.Inertia(1))
    model.addBody(block)
    joint = osim.SliderJoint("slider", model.getGround(), block)
    joint.updCoordinate().setName("x")
    model.addJoint(joint)
    muscle = osim.DeGrooteFregly2016Muscle()
    muscle.setName("m")
    muscle.set_max_isometric_force(500.0)
    muscle.set_optimal_fiber_length(0.1)
    muscle.set_tendon_slack_length(0.15)
    muscle.set_pennation_angle_at_optimal(0.2)
    muscle.set_ignore_tendon_compliance(rigid_tendon)
    muscle.set_fiber_damping(0.05)
    muscle.set_tendon_compliance_dynamics_mode("explicit")
    muscle.addNewPathPoint("p", model.getGround(), osim.Vec3(0))
    muscle.addNewPathPoint("q", block, osim.Vec3(0))
    model.addForce(muscle)
    model.finalizeConnections()
    path = folder / "slider.osim"
    model.printToXML(str(path))
    return path


@pytest.mark.parametrize("rigid_tendon", [True, False])
def test_de_groote_and_fregly_s_muscle_is_that_of_opensim(rigid_tendon, tmp_path):
    """Oracle: OpenSim, at random lengths, speeds, activations and (explicit mode) tendon forces."""
    path, rng = sliding_muscle(tmp_path, rigid_tendon), np.random.default_rng(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = cd.load(path)
    model = osim.Model(str(path))
    state = model.initSystem()
    muscle = osim.DeGrooteFregly2016Muscle.safeDownCast(model.getMuscles().get("m"))
    coordinate = model.getCoordinateSet().get("x")
    for _ in range(50):
        x, v, a = rng.uniform(0.22, 0.28), rng.uniform(-0.3, 0.3), rng.uniform(0.05, 1.0)
        coordinate.setValue(state, x)
        coordinate.setSpeedValue(state, v)
        muscle.setActivation(state, a)
        fiber = None
        if not rigid_tendon:
            tension = rng.uniform(0.05, 0.9)
            muscle.setNormalizedTendonForce(state, tension)
            along = x - 0.15 * (1 + np.log((tension + 0.2) / 0.2) / (np.log(6) / 0.049))
            fiber = np.hypot(0.1 * np.sin(0.2), along)
        model.realizeDynamics(state)
        found = cd.muscles.forces(ours, [x], [v], a, fiber_length=None if fiber is None else [fiber])
        assert abs(found.tendon_force[0] - muscle.getTendonForce(state)) < 1e-9 * 500
        assert abs(found.fiber_length[0] - muscle.getFiberLength(state)) < 1e-12
        assert abs(found.fiber_velocity[0] - muscle.getFiberVelocity(state)) < 1e-9 * max(
            1.0, abs(found.fiber_velocity[0])
        )


def test_activation_rates_are_those_of_opensim(tmp_path):
    """Oracle: OpenSim's derivative of the activation of Thelen's and Millard's muscles."""
    for name in ("gait2392_thelen2003muscle", "gait2392_millard2012muscle"):
        path = FOLDER / "opensim" / "models" / f"{name}.osim"
        if not path.exists():
            pytest.skip(f"{path} is not here")
        ours = loaded(path, tmp_path)
        peer, rng = Peer(path, tmp_path, ours), np.random.default_rng(5)
        muscles = peer.model.getMuscles()
        a, u = rng.uniform(0.05, 1.0, 92), rng.uniform(0.0, 1.0, 92)
        controls = peer.model.updControls(peer.state)
        for k, m in enumerate(ours.muscles):
            muscle = muscles.get(m.name)
            muscle.setActivation(peer.state, a[k])
            muscle.addInControls(osim.Vector(1, u[k]), controls)
        peer.model.setControls(peer.state, controls)
        peer.model.realizeAcceleration(peer.state)
        there = [muscles.get(m.name).getStateVariableDerivativeValue(peer.state, "activation") for m in ours.muscles]
        np.testing.assert_allclose(cd.muscles.activation_rates(ours, a, u), there, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["models/gait2392_thelen2003muscle", "models/leg6dof9musc", "models/arm26"])
def test_muscles_that_condyle_wrote_are_those_of_the_file_in_opensim(name, tmp_path):
    """Oracle: lengths of the first file in OpenSim, at random poses; names and largest forces of its muscles."""
    path = FOLDER / "opensim" / f"{name}.osim"
    if not path.exists():
        pytest.skip(f"no {path}")
    ours = loaded(path, tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = cd.save(ours, tmp_path / "again.osim")
    Q = poses(ours, 20)
    first, second = Peer(path, tmp_path, ours), Peer(again, tmp_path, ours)
    np.testing.assert_allclose(second.lengths(Q), first.lengths(Q), atol=2e-6)  # offsets of old files are rounded
    forces = [
        {m.getName(): m.getMaxIsometricForce() for m in (p.model.getMuscles().get(k) for k in range(len(ours.muscles)))}
        for p in (first, second)
    ]
    assert forces[0] == forces[1]
