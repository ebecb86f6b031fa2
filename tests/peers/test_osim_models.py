"""Every .osim file at hand is the same model in condyle as in OpenSim."""

import os
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from support.coupled import inertia, pose
from support.laboratory import FOLDER
from support.osim_files import (
    JOINTS,
    LINE,
    ON_FRAME,
    SPLINE,
    body,
    chain,
    coordinate,
    coupler,
    custom,
    in_set,
    joint,
    model,
    odd_files,
    old_file,
    two_pins,
)

osim = pytest.importorskip("opensim")
from support.osim_twin import errors, in_condyle, in_opensim, vector  # noqa: E402

pytestmark = pytest.mark.peers

STATES = int(os.environ.get("CONDYLE_OSIM_STATES", "3"))
FOLDERS = [FOLDER / "opensim", *map(Path, filter(None, os.environ.get("CONDYLE_OSIM_FILES", "").split(os.pathsep)))]
FILES = sorted({path for folder in FOLDERS for path in folder.glob("**/*.osim")})
MOST = {"pose": 1e-12, "velocity": 1e-10, "mass matrix": 1e-12, "inverse dynamics": 1e-10}


def test_there_are_models_of_opensim_to_compare_with():
    """Oracle: none; says that the next test has nothing to do."""
    if not FILES:
        pytest.skip(f"no .osim files in {FOLDERS[0]}; name folders of them in CONDYLE_OSIM_FILES")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_model_of_opensim_moves_and_weighs_as_in_opensim(path, tmp_path):
    """Oracle: OpenSim at random states, constraints and forces off, coordinates in their ranges."""
    found = errors(path, tmp_path, STATES)
    assert all(found[what] < most for what, most in MOST.items()), found


@pytest.mark.parametrize("kind", [*JOINTS, "TwoOfOneAxis", "Reversed"])
def test_a_chain_of_joints_of_each_kind_moves_and_weighs_as_in_opensim(kind, tmp_path):
    """Oracle: OpenSim, on files of our own with joints of every kind at random offsets."""
    path = tmp_path / "chain.osim"
    path.write_text(chain(kind))
    found = errors(path, tmp_path, 5)
    compared = ["pose"] if kind == "ConstantCurvatureJoint" else list(MOST)  # see the next test
    assert all(found[what] < MOST[what] for what in compared), found


def test_a_bent_rod_has_the_velocity_of_its_poses_where_opensim_does_not(tmp_path):
    """Oracle: differences of OpenSim's own poses."""
    path = tmp_path / "rod.osim"
    path.write_text(chain("ConstantCurvatureJoint"))
    ours, (theirs, state, _) = in_condyle(path), in_opensim(path)
    q, v, step = np.array([0.2, 0.3, 0.4, 0.5]), np.array([0.0, 1.0, 0.5, -0.7]), 1e-6
    last = theirs.getBodySet().get("two")

    def place(x):
        state.setQ(vector(x))
        theirs.realizePosition(state)
        return last.getTransformInGround(state).p().to_numpy()

    expected = (place(q + step * v) - place(q - step * v)) / (2 * step)
    R = np.asarray(cd.forward_kinematics(ours, q).as_matrix())[1, :3, :3]
    np.testing.assert_allclose(R @ (cd.body_jacobian(ours, q, "two") @ v)[3:], expected, atol=1e-8)
    place(q)
    state.setU(vector(v))
    theirs.realizeVelocity(state)
    there = last.getVelocityInGround(state).get(1).to_numpy()
    assert np.abs(there - expected).max() > 0.01, "OpenSim has mended it: take the sentence out of docs/opensim.md"


def own_files():
    """Old files, and bodies without joints, by name."""
    pin = joint("PinJoint", "p", "/bodyset/two", "/bodyset/one", [coordinate("a")])
    old = {f"{version} {way}": old_file(version, way) for version in (10905, 20001, 30000) for way in ("false", "true")}
    return old | {"free": model([body("one")], []), "two free": model([body("one"), body("two", 1)], [pin])}


@pytest.mark.parametrize("name", own_files())
def test_old_files_and_free_bodies_move_and_weigh_as_in_opensim(name, tmp_path):
    """Oracle: OpenSim, which names the coordinates of free bodies; old joints as they stand and reversed."""
    path = tmp_path / "own.osim"
    path.write_text(own_files()[name])
    found = errors(path, tmp_path, 5)
    assert all(found[what] < most for what, most in MOST.items()), found


@pytest.mark.parametrize("name", odd_files())
@pytest.mark.filterwarnings("ignore")
def test_odd_files_move_and_weigh_as_in_opensim(name, tmp_path):
    """Oracle: OpenSim, on files that it opens and nobody expects."""
    path = tmp_path / "odd.osim"
    path.write_text(odd_files()[name])
    found = errors(path, tmp_path, 5)
    assert all(found[what] < most for what, most in MOST.items()), found


@pytest.mark.filterwarnings("ignore")
def test_a_spring_on_a_frame_pulls_at_the_points_of_the_body_as_in_opensim(tmp_path):
    """Oracle: OpenSim's accelerations under the spring, which names a frame at an offset from its body."""
    path = tmp_path / "spring.osim"
    path.write_text(two_pins(extra=in_set("ForceSet", ON_FRAME)))
    peer = osim.Model(str(path))
    state, q = peer.initSystem(), np.array([0.3, -0.4])
    state.setQ(vector(q))
    peer.realizeAcceleration(state)
    np.testing.assert_allclose(
        cd.forward_dynamics(cd.load(path), q, np.zeros(2)), state.getUDot().to_numpy(), rtol=1e-9
    )


def turned_before():
    """A constant turn before a moving one, and a step, whose words only files of OpenSim have."""
    step = """<StepFunction><transition_start_time>-0.4</transition_start_time>
<transition_end_time>0.9</transition_end_time><start_value>0.1</start_value><end_value>0.3</end_value></StepFunction>"""
    axes = {"rotation1": ("1 0 0", "", "<Constant><value>0.3</value></Constant>"),
            "rotation2": ("0 1 0", "a", LINE), "translation1": ("1 0 0", "a", step)}  # fmt: skip
    made = joint("CustomJoint", "j", "/ground", "/bodyset/two", [coordinate("a")], custom(axes), seed=2)
    return model([body("two", 2)], [made])


def test_after_a_constant_turn_velocities_are_those_of_the_poses_where_opensim_errs(tmp_path):
    """Oracle: differences of OpenSim's own poses, which are condyle's."""
    path = tmp_path / "turned.osim"
    path.write_text(turned_before())
    ours, (theirs, state, _) = in_condyle(path), in_opensim(path)
    two, h = theirs.getBodySet().get("two"), 1e-6

    def place(x):
        state.setQ(vector([x]))
        theirs.realizePosition(state)
        return two.getTransformInGround(state).p().to_numpy()

    for q in (-0.7, 0.2, 1.1):
        X = np.asarray(cd.forward_kinematics(ours, [q]).as_matrix())[0]
        np.testing.assert_allclose(X[:3, 3], place(q), atol=1e-12)
        rate = X[:3, :3] @ cd.body_jacobian(ours, [q], "two")[3:, 0]
        np.testing.assert_allclose(rate, (place(q + h) - place(q - h)) / (2 * h), atol=1e-8)
    state.setU(vector([1.0]))
    theirs.realizeVelocity(state)
    there = two.getVelocityInGround(state).get(1).to_numpy()
    expected = (place(1.1 + h) - place(1.1 - h)) / (2 * h)
    assert np.abs(there - expected).max() > 1e-3, "OpenSim has mended it: take the sentence out of docs/opensim.md"


TURNS = [("rotation1", "0 0 1", 1.0), ("rotation2", "0 1 0", 0.7), ("rotation3", "1 0 0", -0.4)]


def driven_thrice():
    """One coordinate that drives three rotations, without gravity."""
    line = "<LinearFunction><coefficients>{} 0</coefficients></LinearFunction>"
    axes = custom({name: (axis, "c", line.format(slope)) for name, axis, slope in TURNS})
    inside = "<mass>1</mass><mass_center>0.1 0.2 0.3</mass_center><inertia>0.1 0.2 0.25 0 0 0</inertia>"
    thrice = f"""<CustomJoint name="j"><socket_parent_frame>/ground</socket_parent_frame>
<socket_child_frame>/bodyset/b</socket_child_frame><coordinates>{coordinate("c")}</coordinates>{axes}</CustomJoint>"""
    return model([f'<Body name="b">{inside}</Body>'], [thrice], gravity="0 0 0")


def test_a_coordinate_that_drives_three_rotations_keeps_its_energy_where_opensim_does_not(tmp_path):
    """Oracle: Lagrange: the force of a motion at constant rate is half the slope of the mass, by differences of M."""
    path = tmp_path / "thrice.osim"
    path.write_text(driven_thrice())
    ours, (theirs, state, _) = in_condyle(path), in_opensim(path)
    c, rate, step = 0.5, 2.0, 1e-5
    slope = (cd.mass_matrix(ours, [c + step]) - cd.mass_matrix(ours, [c - step])).item() / (2 * step)
    own = cd.inverse_dynamics(ours, [c], [rate], [0.0]).item()
    np.testing.assert_allclose(own, 0.5 * slope * rate**2, rtol=1e-8)
    state.setQ(vector([c]))
    state.setU(vector([rate]))
    theirs.realizeVelocity(state)
    other = osim.InverseDynamicsSolver(theirs).solve(state, vector([0.0])).to_numpy().item()
    assert abs(other - own) > 0.1, "OpenSim has mended it: take the sentence out of docs/opensim.md"


def test_opensims_own_kinetic_energy_says_whose_acceleration_is_right(tmp_path):
    """Oracle: no force acts, so OpenSim's own kinetic energy must stay; RK4 on both accelerations for 1 s."""
    path = tmp_path / "thrice.osim"
    path.write_text(driven_thrice())
    ours, (theirs, state, _) = in_condyle(path), in_opensim(path)

    def put(c, rate):
        state.setQ(vector([c]))
        state.setU(vector([rate]))

    def energy(c, rate):
        put(c, rate)
        theirs.realizeVelocity(state)
        return theirs.calcKineticEnergy(state)

    def opensims(c, rate):
        put(c, rate)
        theirs.realizeAcceleration(state)
        return state.getUDot().get(0)

    def own(c, rate):
        return cd.forward_dynamics(ours, [c], [rate])[0]

    def drift(acceleration):
        y, h = np.array([0.5, 2.0]), 1e-3
        before = energy(*y)
        for _ in range(1000):
            k = []
            for part in (0.0, 0.5, 0.5, 1.0):
                x = y + part * h * (k[-1] if k else np.zeros(2))
                k.append(np.array([x[1], acceleration(*x)]))
            y = y + h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3])
        return abs(energy(*y) / before - 1)

    assert drift(own) < 1e-9
    assert drift(opensims) > 1e-3, "OpenSim has mended it: take the section out of docs/engines-disagree.md"


def test_a_coupler_accelerates_as_in_opensim(tmp_path):
    """Oracle: OpenSim with the constraint enforced, at a state that satisfies it; ours held, and folded."""
    path = tmp_path / "coupled.osim"
    path.write_text(two_pins(extra=in_set("ConstraintSet", coupler(SPLINE))))
    ours, (theirs, state, known) = cd.load(path, couplers="constraint"), in_opensim(path)
    q, v = cd.project(ours, [0.3, 0.0], [1.5, 0.0])
    order = [ours.q_index(name) for _, name in known]
    state.setQ(vector(q[order]))
    state.setU(vector(v[order]))
    theirs.realizeAcceleration(state)
    there = state.getUDot().to_numpy()
    np.testing.assert_allclose(cd.forward_dynamics(ours, q, v)[order], there, rtol=1e-8)
    own = [place for place, name in enumerate(n for _, n in known) if name == "hip"]
    np.testing.assert_allclose(cd.forward_dynamics(cd.load(path), q[:1], v[:1]), there[own], rtol=1e-8)


COUPLED = [p for p in FILES if p.stem.startswith(("leg6dof9musc", "Rajagopal", "LaiUhlrich"))]


@pytest.mark.parametrize("path", COUPLED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_patella_that_follows_accelerates_the_leg_as_in_opensim(path):
    """Oracle: OpenSim with its couplers enforced and forces off, at states on them; folded, nothing is a constraint."""
    with pytest.warns(cd.errors.NotInModel):
        ours = cd.load(path)
    (theirs, state, known), rng = in_opensim(path), np.random.default_rng(2)
    held, bare = ours.unfolded(), replace(ours, prescribed={}, forces=())
    assert ours.followers and not bare.constraints
    for _ in range(STATES):
        q, v = ours.neutral() + 0.2 * rng.normal(size=ours.nq), rng.normal(size=ours.nv)
        Q, V = cd.project(replace(held, prescribed={}), *started(ours, held, q, v))
        slots = np.zeros(state.getNQ())
        slots[[place for place, _ in known]] = Q[[held.q_index(name) for _, name in known]]
        state.setQ(vector(slots))
        theirs.realizePosition(state)
        state.setU(vector(V[[held.v_index(name) for _, name in known]]))
        theirs.realizeAcceleration(state)
        there = dict(zip([name for _, name in known], state.getUDot().to_numpy(), strict=True))
        found = cd.forward_dynamics(bare, q, v)
        expected = np.array([there[name] for name in bare.coordinates])
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


def started(ours, held, q, v):
    """The state of the model with constraints, followers where they must be and their rates near."""
    Q, V = held.neutral(), np.zeros(held.nv)
    for k, name in enumerate(ours.coordinates):
        Q[held.q_index(name)], V[held.v_index(name)] = q[k], v[k]
    for f in ours.followers:
        slope = f.slide.jacobian(Q[[held.q_index(f.driver)]])[3, 0]
        Q[held.q_index(f.name)] = f(Q[held.q_index(f.driver)])
        V[held.v_index(f.name)] = slope * V[held.v_index(f.driver)]
    return Q, V


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.filterwarnings("ignore")
def test_a_model_of_opensim_is_the_same_when_written_again(path, tmp_path):
    """Oracle: OpenSim opens the written file, and both engines agree on it; poses and masses are those of the first."""
    first, again = cd.load(path), tmp_path / "again.osim"
    with warnings.catch_warnings():
        warnings.simplefilter("error", cd.errors.Approximated)
        cd.save(first, again)  # what cannot go back, like some moving points, is left out
    found = errors(again, tmp_path, STATES)
    assert all(found[what] < most for what, most in MOST.items()), found
    second, names = cd.load(again), [name.replace(".", "_") for name in first.coordinates]
    order = [second.q_index(name) for name in names]
    q = first.neutral() + 0.1 * np.random.default_rng(0).normal(size=(3, first.nq))
    Q = np.tile(second.neutral(), (3, 1))
    Q[:, order] = q
    np.testing.assert_allclose(cd.forward_kinematics(second, Q), cd.forward_kinematics(first, q), atol=1e-9)
    M = cd.mass_matrix(first, q)
    np.testing.assert_allclose(
        cd.mass_matrix(second, Q)[:, order][:, :, order], M, atol=1e-9 * np.abs(M).max(initial=0.0)
    )


def test_what_condyle_writes_opens_in_opensim(tmp_path):
    """Oracle: OpenSim, on files of joints of every kind, read and written again."""
    for kind in JOINTS:
        (tmp_path / "first.osim").write_text(chain(kind))
        path = tmp_path / "again.osim"
        try:
            cd.save(cd.load(tmp_path / "first.osim"), path, approximate=False)
        except cd.errors.NotSupported:
            assert kind in ("EllipsoidJoint", "ScapulothoracicJoint", "ConstantCurvatureJoint")
            continue
        found = errors(path, tmp_path, 5)
        assert all(found[what] < most for what, most in MOST.items()), (kind, found)


def test_a_fitted_joint_goes_home_to_opensim(tmp_path):
    """Oracle: OpenSim has the poses of the spline joint within the certificate."""
    rng = np.random.default_rng(0)
    frames = cd.SE3.exp(np.cumsum(0.15 * rng.normal(size=(8, 6)), axis=0))
    b = cd.ModelBuilder().add_body("bone", None, cd.joints.spline_curve(frames), cd.Inertia.sphere(1.0, 0.1))
    path = tmp_path / "fitted.osim"
    with pytest.warns(cd.errors.Approximated):
        cd.save(b.build(), path)
    theirs, state, known = in_opensim(path)
    for q in np.linspace(*b.build().range_of("bone"), 9):
        state.setQ(vector([q]))
        theirs.realizePosition(state)
        there = theirs.getBodySet().get("bone").getTransformInGround(state)
        expected = cd.forward_kinematics(b.build(), [q]).as_matrix()[0]
        np.testing.assert_allclose(there.p().to_numpy(), expected[:3, 3], atol=1e-6)
        turned = [[there.R().asMat33().get(i, j) for j in range(3)] for i in range(3)]
        np.testing.assert_allclose(turned, expected[:3, :3], atol=1e-6)
    assert known[0][1] == "bone"


def legs(rng):
    """A pelvis with two legs whose patellas hang on the femur and follow the knee, as in Rajagopal's model."""
    F, b = cd.functions, cd.ModelBuilder(gravity=(0, -9.8, 0))
    along = [(0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 0, 1, 0, 0, 0)]
    b.add_body("pelvis", None, cd.joints.revolute("z").renamed("tilt"), inertia(rng), pose(rng))
    for side in "rl":
        b.add_body(f"femur_{side}", "pelvis", cd.joints.revolute("z").renamed(f"hip_{side}"), inertia(rng), pose(rng))
        rolling = [F.polynomial([0, 0.02, 0.01]), F.sinusoid(0.02, 1.3), F.linear()]
        for name, turn in (("tibia", "knee"), ("patella", "beta")):
            moved = cd.joints.product(along, rolling, coordinates=(f"{turn}_{side}",))
            b.add_body(f"{name}_{side}", f"femur_{side}", moved, inertia(rng), pose(rng))
        b.add_coupler(f"beta_{side}", f"knee_{side}", F.polynomial([0.1, 0.3, 0.4]))
    return b.build()


def test_patellas_beside_the_tibia_accelerate_the_legs_as_in_opensim(tmp_path):
    """Oracle: OpenSim on the file that condyle writes, its couplers enforced, at states on them."""
    rng, path = np.random.default_rng(3), tmp_path / "legs.osim"
    ours = legs(rng)
    cd.save(ours, path, approximate=False)
    theirs, state, known = in_opensim(path)
    held, names = ours.unfolded(), [name for _, name in known]
    order = [held.q_index(name) for name in names]
    for _ in range(3):
        q, v = 0.5 * rng.normal(size=ours.nq), rng.normal(size=ours.nv)
        Q, V = started(ours, held, q, v)
        state.setQ(vector(Q[order]))
        state.setU(vector(V[order]))
        theirs.realizeAcceleration(state)
        there = dict(zip(names, state.getUDot().to_numpy(), strict=True))
        expected = np.array([there[name] for name in ours.coordinates])
        np.testing.assert_allclose(cd.forward_dynamics(ours, q, v), expected, atol=1e-9 * np.abs(expected).max())
