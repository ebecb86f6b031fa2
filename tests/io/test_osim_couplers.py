"""Couplers of .osim files: folded into coordinates, in tables and in files, and what cannot be folded."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadFile, BadValue, NotSupported, UnknownName
from support.osim_files import LINE, SPLINE, coupler, in_set, two_pins
from support.osim_oracles import opened, simm

PIECES = "<PiecewiseLinearFunction><x>-1 0 1</x><y>0 1 0</y></PiecewiseLinearFunction>"


def coupled(tmp_path, *couplers, **options):
    return opened(two_pins(extra=in_set("ConstraintSet", *couplers), **options), tmp_path)


def test_a_coupled_coordinate_is_a_function_of_its_driver(tmp_path):
    """Oracle: half the spline, computed apart, puts the last body where the model without coupler has it."""
    found = coupled(tmp_path, coupler(SPLINE))
    assert found.coordinates == ("hip",) and not found.constraints and not found.notes
    (follower,) = found.followers
    assert (follower.name, follower.driver, follower.range) == ("knee", "hip", (-2.0, 2.0))
    bare, q = opened(two_pins(), tmp_path), np.linspace(-2, 2, 9)
    both = np.stack([q, [0.5 * simm(x) for x in q]], axis=1)
    assert_allclose(cd.forward_kinematics(found, q[:, None]), cd.forward_kinematics(bare, both), atol=1e-13)


@pytest.mark.slow
def test_a_run_is_that_with_the_constraint(tmp_path):
    """Oracle: the same file with couplers="constraint"."""
    text = two_pins(extra=in_set("ConstraintSet", coupler(SPLINE)), defaults=(0.3, 0.5 * simm(0.3)))
    found, held = opened(text, tmp_path), opened(text, tmp_path, couplers="constraint")
    runs = [cd.simulate(m, m.neutral()[None], duration=0.2, step=1e-3) for m in (found, held)]
    assert_allclose(runs[0].q[0, :, 0], runs[1].q[0, :, 0], atol=1e-9)


def test_what_cannot_be_folded_stays_a_constraint_and_is_told(tmp_path):
    """Oracle: the constraint is there, and the notes name the coordinate."""
    kinked = coupled(tmp_path, coupler(PIECES))
    assert len(kinked.constraints) == 1 and "knee" in kinked.notes[0] and "kinks" in kinked.notes[0]
    locked = coupled(tmp_path, coupler(SPLINE), second="<locked>true</locked>")
    assert len(locked.constraints) == 1 and "prescribed" in locked.notes[0]


def test_couplers_that_contradict_are_refused_by_name(tmp_path):
    """Oracle: the class and the coordinates: two couplers of one coordinate, and a circle."""
    with pytest.raises(BadFile, match=r"knee' to 'base\.hip' and"):
        coupled(tmp_path, coupler(SPLINE), coupler(LINE).replace('"coupler"', '"again"'))
    with pytest.raises(BadFile, match="circle"):
        coupled(tmp_path, coupler(SPLINE), coupler(SPLINE, "knee", "hip").replace('"coupler"', '"back"'))
    with pytest.raises(BadValue, match="couplers"):
        opened(two_pins(), tmp_path, couplers="weld")


def test_a_follower_has_no_place_in_q(tmp_path):
    """Oracle: the class and both names; what is known of it is told."""
    found = coupled(tmp_path, coupler(SPLINE))
    with pytest.raises(UnknownName, match=r"'knee' is a function of 'hip'"):
        found.q_index("knee")
    assert found.unfolded().coordinates == ("hip", "knee")
    assert found.unfolded().range_of("knee") == (-2.0, 2.0) and found.unfolded().neutral()[1] == 0.2
    assert "1 follower" in repr(found)
    again = found.unfolded().folded()
    assert [f.name for f in again.followers] == ["knee"] and again.nq == 1


def test_tables_have_a_column_for_every_coordinate(tmp_path):
    """Oracle: the function; reading drops the column, and warns where it is not the function's."""
    found = coupled(tmp_path, coupler(SPLINE))
    q = np.linspace(-0.4, 0.5, 7)[:, None]
    run = cd.Trajectory(found, np.arange(7) * 0.1, q, np.zeros_like(q))
    cd.save(run, tmp_path / "run.mot")
    table = cd.read_table(tmp_path / "run.mot")
    assert table.names == ("time", "hip", "knee") and not table.in_degrees
    assert_allclose(table["knee"], [0.5 * simm(x) for x in q[:, 0]], atol=1e-12)
    assert_allclose(cd.load(tmp_path / "run.mot", model=found).q, q, atol=1e-12)
    text = (tmp_path / "run.mot").read_text().replace("inDegrees=no", "inDegrees=yes")
    (tmp_path / "wrong.mot").write_text(text)
    with pytest.warns(cd.errors.CondyleWarning, match="'knee' is not the function of 'hip'"):
        cd.load(tmp_path / "wrong.mot", model=found)


def test_a_model_with_followers_goes_through_a_file(tmp_path):
    """Oracle: the same accelerations, bit by bit; followers keep their range."""
    found = coupled(tmp_path, coupler(SPLINE))
    again = cd.load(cd.save(found, tmp_path / "coupled.toml"))
    assert again.coordinates == ("hip",) and again.followers[0].range == (-2.0, 2.0)
    assert_allclose(cd.forward_dynamics(again, [0.3], [1.0]), cd.forward_dynamics(found, [0.3], [1.0]), rtol=0, atol=0)


def test_a_builder_refuses_what_cannot_follow():
    """Oracle: the class and the name."""

    def pins(*couplers, prescribe=()):
        b = cd.ModelBuilder()
        for name, parent in (("a", None), ("b", "a"), ("c", "b")):
            b.add_body(name, parent, cd.joints.revolute("z"), cd.Inertia.sphere(1.0, 0.1, com=(0.1, 0, 0)))
        for name in prescribe:
            b.prescribe(name, 0.1)
        for one in couplers:
            b.add_coupler(*one)
        return b

    with pytest.raises(NotSupported, match="'b'"):
        pins(("b", "a"), prescribe="b").build()
    with pytest.raises(NotSupported, match="kinks"):
        pins(("b", "a", cd.functions.piecewise_linear([0, 1, 2], [0, 1, 0]))).build()
    with pytest.raises(NotSupported, match="'b'"):
        pins(("b", "a")).add_constraint(cd.constraints.couple("c", "b")).build()
    with pytest.raises(BadValue, match="circle"):
        pins(("b", "a"), ("c", "b"), ("a", "c")).build()
    with pytest.raises(NotSupported, match="'b'"):
        cd.skeleton.from_model(pins(("b", "a")).build())
