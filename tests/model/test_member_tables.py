"""Tables of many members at once: what packing a model of each gives."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadInertia, CondyleWarning, HalfTurn, NotARotation
from condyle.model.model_batch import ModelBatch
from condyle.model.packing.member_tables import _unshared, pack_members
from condyle.model.packing.model_packing import pack_model
from support.varied_leg import built, knee

COUNT = 11  # no whole number of lanes
RNG = np.random.default_rng(4)


def poses(count=COUNT):
    """Random ones."""
    return cd.SE3.exp(RNG.normal(size=(count, 6)) * [1, 1, 1, 0.2, 0.2, 0.2]).as_matrix()


def moments(count=COUNT):
    """Of solid boxes, turned at random."""
    R = poses(count)[:, :3, :3]
    diagonals = np.stack([cd.Inertia.box(2.0, x).moment for x in RNG.uniform(0.1, 0.4, (count, 3))])
    return R @ diagonals @ R.swapaxes(1, 2)


def zoo():
    """A ball, a joint of several segments, two bodies that share a knee, a closed curve and a driven hinge."""
    turn, slide, curve = cd.joints.revolute("z"), cd.joints.prismatic((1, 1, 0)), cd.joints.spline_curve(knee())
    frames = [cd.SE3.exp([0, 0, a, 0.1, 0, 0]).as_matrix() for a in (0.0, 0.3, 0.5, 0.2)]
    wheel = cd.joints.spline_curve(frames, periodic=True)
    b = cd.ModelBuilder()
    inertia = cd.Inertia(1.0, (0, 0.1, 0), (0.03, 0.02, 0.04))
    b.add_body("trunk", joint=cd.joints.ball(), inertia=inertia)
    b.add_body("arm", parent="trunk", joint=cd.joints.compose(turn, curve, slide), inertia=inertia)
    b.add_body("left", parent="trunk", joint=curve, inertia=inertia)
    b.add_body("right", parent="trunk", joint=curve, inertia=inertia)
    b.add_body("wheel", parent="right", joint=wheel, inertia=inertia)
    b.add_body("crank", parent="left", joint=turn, inertia=inertia)
    b.prescribe("crank", np.sin)
    b.add_spring("arm", (0, 0.1, 0), "left", (0.1, 0, 0), stiffness=50.0, damping=1.0, length=0.2)
    return b.add_spring("trunk", (0, 0.3, 0), None, (0.1, 0, 0), stiffness=50.0, length=0.1).build()


ALL = {
    "bodies.mass": RNG.uniform(1, 3, (COUNT, 6)),
    "trunk.moment": moments(),
    "arm.com": RNG.normal(size=(COUNT, 3)) * 0.1,
    "left.com[1]": RNG.uniform(-0.1, 0.1, COUNT),
    "crank.moment[0, 1]": RNG.uniform(-1e-3, 1e-3, COUNT),
    "right.placement": poses(),
    "wheel.offset": poses(),
    "left.frames": np.stack([knee(b) for b in RNG.uniform(0.1, 0.9, COUNT)]),
    "wheel.frames": poses(COUNT * 4).reshape(COUNT, 4, 4, 4),
    "springs[0].point_a": RNG.normal(size=(COUNT, 3)),
    "springs[1].stiffness": RNG.uniform(1, 90, COUNT),
    "gravity": RNG.normal(size=(COUNT, 3)),
}


@pytest.mark.parametrize("names", [tuple(ALL), *((name,) for name in ALL)], ids=str)
def test_tables_of_members_are_those_of_their_models(names):
    """Oracle: the packing of one model per member."""
    members = ModelBatch(zoo(), {name: ALL[name] for name in names})
    found = pack_members(members)
    assert found is not None
    for i in (0, 4, COUNT - 1):
        codes, numbers = pack_model(_unshared(members.model(i)))
        np.testing.assert_array_equal(found.codes, codes)
        mine = found.member(i)
        mine = np.where(np.isnan(mine), numbers, mine)  # what no kernel reads
        np.testing.assert_allclose(mine, numbers, rtol=1e-13, atol=1e-14)
        np.testing.assert_allclose(found.frames[i], members.model(i).inertial_frames, atol=1e-15)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::condyle.simulation.OutsideDomainWarning")
def test_curves_that_leave_their_plane_in_some_members_are_right_in_all():
    """Oracle: one model per member; the first member's knee is flat, others' are not, and one's only slides."""
    frames = np.stack([knee(b) for b in np.linspace(0.1, 0.9, COUNT)])
    frames[3:] = frames[3:] @ cd.SE3.exp(1e-2 * RNG.normal(size=(COUNT - 3, 6, 6))).as_matrix()
    frames[5] = cd.SE3.from_translation([[0.1 * k, 0, 0] for k in range(6)]).as_matrix()
    q, v = RNG.uniform(0.1, 1.0, (COUNT, 2)), RNG.normal(size=(COUNT, 2))
    options = {"duration": 0.02, "step": 5e-3}
    run = cd.simulate(built(), q, v, parameters={"knee.frames": frames}, **options)
    alone = [cd.simulate(built(frames=f), x, y, **options).v for f, x, y in zip(frames, q, v, strict=True)]
    np.testing.assert_allclose(run.v, alone, rtol=1e-12, atol=1e-12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::condyle.simulation.OutsideDomainWarning")
def test_members_side_by_side_run_as_each_model_does():
    """Oracle: one simulation of one model per member, of all kinds of joints and parameters and a driven hinge."""
    members = ModelBatch(zoo(), ALL)
    q = zoo().neutral() + np.r_[np.zeros(4), np.full(zoo().nq - 4, 0.3)]
    run = cd.simulate(zoo(), q, parameters=ALL, duration=0.05, step=5e-3, record=0.05)
    for i in (0, COUNT - 1):
        alone = cd.simulate(members.model(i), q, duration=0.05, step=5e-3, record=0.05)
        np.testing.assert_allclose(run.q[i], alone.q, rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(run.v[i], alone.v, rtol=1e-12, atol=1e-12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::condyle.simulation.OutsideDomainWarning")
def test_results_do_not_depend_on_who_runs_beside_whom():
    """Oracle: the same members in other company, bit by bit."""
    masses, q = np.linspace(1.0, 4.0, COUNT), RNG.uniform(0.1, 1.0, (COUNT, 2))
    options = {"duration": 0.05, "step": 5e-3, "record": 0.05}
    whole = cd.simulate(built(), q, parameters={"shank.mass": masses}, **options)
    for part in (slice(2, 3), slice(1, COUNT)):
        few = cd.simulate(built(), q[part], parameters={"shank.mass": masses[part]}, threads=1, **options)
        np.testing.assert_array_equal(few.q, whole.q[part])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::condyle.simulation.OutsideDomainWarning")
def test_a_member_that_fails_leaves_the_others_alone():
    """Oracle: the run without it, bit by bit; a spring that is far too stiff for the step."""
    stiff, q = np.full(COUNT, 100.0), RNG.uniform(0.1, 1.0, (COUNT, 2))
    stiff[4] = 1e12
    options = {"duration": 0.2, "step": 1e-2, "record": 0.1}
    with pytest.warns(cd.simulation.StoppedWarning):
        run = cd.simulate(built(), q, parameters={"springs[0].stiffness": stiff}, **options)
    assert [i for i, stop in enumerate(run.stops()) if stop] == [4] and np.isnan(run.q[4, -1]).all()
    good = np.arange(COUNT) != 4
    alone = cd.simulate(built(), q[good], parameters={"springs[0].stiffness": stiff[good]}, **options)
    np.testing.assert_array_equal(run.q[good], alone.q)


def test_a_member_that_cannot_be_is_named():
    """Oracle: classes of errors, with the member and the parameter."""
    bent = np.stack([knee()] * 3)
    bent[1, 2:, :3, :3] = cd.SE3.exp([0, 0, np.pi - 0.4, 0, 0, 0]).as_rotation() @ bent[1, 2:, :3, :3]
    bent[1, 2] = bent[1, 1] @ cd.SE3.exp([0, 0, np.pi, 0, 0, 0]).as_matrix()
    sheared = np.stack([np.eye(4)] * 3)
    sheared[2, 0, 1] = 0.1
    wrong = [({"knee.frames": bent}, HalfTurn, r"member \[1\].*knee\.frames"),
             ({"shank.placement": sheared}, NotARotation, r"member \[2\].*shank\.placement"),
             ({"shank.moment": np.stack([np.diag([1, 1, 1.0]), np.diag([1, 1, 3.0])])}, BadInertia, r"member \[1\]"),
             ({"springs[0].length": [0.1, -0.1]}, cd.errors.BadValue, r"member \[1\].*length")]  # fmt: skip
    for parameters, error, words in wrong:
        with pytest.raises(error, match=words):
            pack_members(ModelBatch(built(), parameters))


@pytest.mark.slow
def test_moments_that_are_mended_are_told_of_and_run_one_by_one():
    """Oracle: the warning of the body by itself."""
    plates = np.stack([np.diag([1.0, 1.0, 2.0 + 1e-10]), np.diag([1.0, 1.0, 1.5])])
    with pytest.warns(CondyleWarning, match="nearest"):
        assert pack_members(ModelBatch(built(), {"shank.moment": plates})) is None
