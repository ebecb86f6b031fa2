"""A batch whose members have masses, frames and springs of their own."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadInertia, BadShape, NotSupported, UnknownName
from condyle.model.model_batch import ModelBatch
from condyle.model.packing.member_tables import pack_members
from condyle.model.packing.model_packing import pack_model
from support.varied_leg import built, knee

MASSES, BENDS = np.array([2.0, 3.0, 5.0]), np.array([0.1, 0.4, 0.9])
VARIED = {
    "shank.mass": MASSES,
    "shank.com": np.array([[0, -0.2, 0], [0.01, -0.25, 0], [0, -0.1, 0.01]]),
    "knee.frames": np.stack([knee(b) for b in BENDS]),
    "springs[0].stiffness": np.array([10.0, 100.0, 300.0]),
    "gravity": np.array([0.0, -9.81, 0.0]),
}
Q, V = np.array([0.3, 1.2]), np.array([0.5, -0.7])
WRENCH = np.random.default_rng(1).normal(size=(2, 6))
RUN = {"duration": 0.3, "step": 1e-2, "record": 0.1}


def models():
    """One model per member, built from its numbers."""
    numbers = zip(MASSES, VARIED["shank.com"], BENDS, VARIED["springs[0].stiffness"], strict=True)
    return [built(mass=m, com=c, frames=knee(b), stiffness=k) for m, c, b, k in numbers]


@pytest.mark.slow  # entries for lane tables
@pytest.mark.parametrize("integrator", ["rk4", "adaptive", "variational"])
def test_a_run_of_members_is_that_of_each_model(integrator):
    """Oracle: one simulation of one model per member."""
    options = {**RUN, "integrator": integrator, "wrenches": WRENCH}
    run = cd.simulate(built(), Q, V, parameters=VARIED, **options)
    alone = [cd.simulate(m, Q, V, **{**options, "land_on_knots": False}) for m in models()]
    assert run.batch == (3,)
    np.testing.assert_allclose(run.q, [x.q for x in alone], rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(run.v, [x.v for x in alone], rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(run.energy().total, [x.energy().total for x in alone], rtol=1e-12)
    np.testing.assert_allclose(run.poses().as_matrix(), [x.poses().as_matrix() for x in alone], atol=1e-12)
    assert run.member(2).model.bodies[1].inertia.mass == 5.0


def bushed(mass=3.0):
    """A bar on a bushing."""
    b = cd.ModelBuilder(gravity=(0, 0, -9.81))
    b.add_body("bar", joint=cd.joints.revolute("y"), inertia=cd.Inertia(mass, (0.3, 0, 0), (0.01, 0.04, 0.04)))
    return b.add_bushing(None, None, "bar", None, stiffness=np.full(6, 20.0), damping=0.1).build()


def test_members_with_a_bushing_run_side_by_side():
    """Oracle: one simulation of one model per member; frames of bushings are in inertial frames, which vary."""
    assert pack_members(ModelBatch(bushed(), {"bar.mass": MASSES})) is not None
    run = cd.simulate(bushed(), [0.2], parameters={"bar.mass": MASSES}, **RUN)
    alone = [cd.simulate(bushed(m), [0.2], **RUN) for m in MASSES]
    np.testing.assert_allclose(run.q, [x.q for x in alone], rtol=1e-13, atol=1e-13)
    assert len({float(x.q[-1, 0]) for x in alone}) == 3 and run.member(2).model.bodies[0].inertia.mass == 5.0


def closed(mass=2.0, com=(0.3, 0.0, 0.02), shift=0.0, loop=True):
    """Three bars in a plane; the end of the third stays on a point of the world, or slides along with the first."""
    b, bar = cd.ModelBuilder(gravity=(0, 0, -9.81)), cd.SE3.from_translation((0.6, 0, 0))
    b.add_body("a", joint=cd.joints.revolute("y"), inertia=cd.Inertia(1.0, (0.3, 0, 0), (0.01, 0.04, 0.04)))
    b.add_body("b", parent="a", joint=cd.joints.revolute("y"), placement=cd.SE3.from_translation((0.6 + shift, 0, 0)),
               inertia=cd.Inertia(mass, com, (0.01, 0.05, 0.05)))  # fmt: skip
    b.add_body("c", parent="b", joint=cd.joints.revolute("y"), placement=bar,
               inertia=cd.Inertia(1.0, (0.3, 0, 0), (0.01, 0.04, 0.04)))  # fmt: skip
    if loop:
        return b.add_constraint(cd.constraints.point("c", (0.6, 0, 0), None, (0.9, 0, 0.3))).build()
    return b.add_constraint(cd.constraints.couple("c", "a", cd.functions.linear(scale=-0.5))).build()


@pytest.mark.slow  # an entry of its own
@pytest.mark.parametrize("loop", [True, False], ids=["loop", "coupling"])
def test_members_with_constraints_are_each_model(loop):
    """Oracle: one simulation of one model per member; each is brought onto its own constraint."""
    coms = np.array([[0.3, 0, 0.02], [0.2, 0, 0.0], [0.35, 0, -0.03]])
    own = [closed(m, c, loop=loop) for m, c in zip(MASSES, coms, strict=True)]
    q, v = (np.array(x) for x in zip(*(cd.project(m, [0.4, -1.2, 0.7], [1.0, 0.0, 0.0]) for m in own), strict=True))
    given = {"b.mass": MASSES, "b.com": coms}
    run = cd.simulate(closed(loop=loop), q, v, parameters=given, wrenches=np.ones((3, 6)), **RUN)
    alone = [cd.simulate(m, *x, wrenches=np.ones((3, 6)), **RUN) for m, *x in zip(own, q, v, strict=True)]
    np.testing.assert_allclose(run.q, [x.q for x in alone], rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(run.v, [x.v for x in alone], rtol=1e-12, atol=1e-12)
    a = cd.forward_dynamics(closed(loop=loop), q, v, parameters=given)
    np.testing.assert_allclose(a, [cd.forward_dynamics(m, *x) for m, *x in zip(own, q, v, strict=True)], rtol=1e-12)


def test_every_kind_of_constraint_sees_the_frames_of_its_member():
    """Oracle: the tables of each member's own model; bodies have other centres of mass and places in each."""
    b, box, rng = cd.ModelBuilder(), cd.Inertia.box(1.0, (0.1, 0.2, 0.3)), np.random.default_rng(3)
    b.add_body("table", joint=cd.joints.prismatic("x"), inertia=box)
    disk = cd.joints.compose(cd.joints.planar(), cd.joints.revolute("x", name="spin"))
    b.add_body("disk", "table", disk, box)
    b.add_body("left", "table", cd.joints.ball(), box)
    b.add_body("right", None, cd.joints.ball(), box)
    b.add_constraint(cd.constraints.roll("disk", cd.joints.planar(), (0, 1)))
    b.add_constraint(cd.constraints.weld("left", cd.SE3.exp(rng.normal(size=6)), "right", None))
    b.add_constraint(cd.constraints.point("left", (0.1, 0.2, -0.3), None, (0.0, 0.5, 0.0)))
    members = ModelBatch(b.build(), {
        "table.com": rng.normal(size=(5, 3)), "left.com": rng.normal(size=(5, 3)), "right.mass": rng.uniform(1, 2, 5),
        "disk.placement": cd.SE3.exp(rng.normal(size=(5, 6))).as_matrix(),
    })  # fmt: skip
    tables = pack_members(members)
    assert tables is not None
    for i in range(5):
        np.testing.assert_allclose(tables.member(i), pack_model(members.model(i))[1], atol=1e-14)


@pytest.mark.slow  # an entry of its own
def test_members_with_constraints_are_not_built_one_by_one(monkeypatch):
    """Oracle: how many models are made: two, of which the tables are compared."""
    made, model = [], ModelBatch.model
    monkeypatch.setattr(ModelBatch, "model", lambda self, i: made.append(i) or model(self, i))
    q, v = cd.project(closed(), [0.4, -1.2, 0.7], [0.0, 0.0, 0.0])
    cd.simulate(closed(), q, v, parameters={"b.mass": np.linspace(1.0, 3.0, 40)}, **RUN)
    assert len(made) <= 6


@pytest.mark.slow  # two entries to compile
def test_accelerations_and_forces_are_those_of_each_model():
    """Oracle: one call per model."""
    q, tau = Q + np.arange(3)[:, None] * 0.1, np.array([0.2, -0.1])
    a = cd.forward_dynamics(built(), q, V, tau, WRENCH, parameters=VARIED)
    alone = [cd.forward_dynamics(m, x, V, tau, WRENCH) for m, x in zip(models(), q, strict=True)]
    np.testing.assert_allclose(a, alone, rtol=1e-13)
    forces = cd.inverse_dynamics(built(), q, V, a, WRENCH, parameters=VARIED)
    np.testing.assert_allclose(forces, np.tile(tau, (3, 1)), atol=1e-10)


@pytest.mark.slow  # an entry for lane tables
def test_batches_of_parameters_and_states_broadcast():
    """Oracle: the run of the member alone; masses (2, 1) and starts (3,) are a batch (2, 3)."""
    starts = Q + 0.1 * np.arange(3)[:, None]
    run = cd.simulate(built(), starts, parameters={"shank.mass": [[2.0], [4.0]]}, **RUN)
    assert run.batch == (2, 3)
    np.testing.assert_allclose(run.q[1, 2], cd.simulate(built(mass=4.0), starts[2], **RUN).q, rtol=1e-13)


@pytest.mark.slow  # an entry for lane tables
def test_a_recorded_run_of_members_keeps_their_parameters(tmp_path):
    """Oracle: the run in memory; opened again, members have their models."""
    plain = cd.simulate(built(), Q, parameters=VARIED, **RUN)
    cd.simulate(built(), Q, parameters=VARIED, record_to=tmp_path / "run", **RUN)
    opened = cd.open_run(tmp_path / "run")
    np.testing.assert_array_equal(opened.q, plain.q)
    assert opened.member(1).model.bodies[1].inertia.mass == 3.0
    with pytest.raises(cd.errors.BadFile, match="another parameters"):
        cd.simulate(built(), Q, parameters={**VARIED, "shank.mass": MASSES + 1}, record_to=tmp_path / "run",
                    resume=True, **RUN)  # fmt: skip


def test_parameters_that_make_no_sense_are_named():
    """Oracle: classes of errors, with the name or the member."""
    wrong = [({"shank.mas": MASSES}, UnknownName, "shank.mass"), ({"shank.mass": MASSES[:2]}, BadShape, r"\(2,\)"),
             ({"shank.mass": MASSES, "shank.com": np.zeros((2, 3))}, BadShape, "go together"),
             ({"shank.mass": [1.0, -1.0, 2.0]}, BadInertia, r"member \[1\].*shank\.mass"),
             ([1.0], BadShape, "mapping")]  # fmt: skip
    for parameters, error, words in wrong:
        with pytest.raises(error, match=words):
            cd.simulate(built(), np.tile(Q, (3, 1)), parameters=parameters, **RUN)
    with pytest.raises(NotSupported, match="stages"):
        cd.simulate(built(), Q, parameters=VARIED, control=lambda t, q, v: -v, control_at="stages", **RUN)


@pytest.mark.slow  # an entry for lane tables
def test_members_are_saved_one_by_one(tmp_path):
    """Oracle: the class of the error; a member's file holds its model."""
    run = cd.simulate(built(), Q, parameters=VARIED, **RUN)
    with pytest.raises(NotSupported, match=r"member\(i\)"):
        cd.save(run, tmp_path / "run.npz")
    cd.save(run.member(0), tmp_path / "one.npz")
    assert cd.load(tmp_path / "one.npz").model.bodies[1].inertia.mass == 2.0
