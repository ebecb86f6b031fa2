"""Mimic joints of robots: functions of what they follow, or constraints where they are asked for."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadValue, CondyleError
from support.robot import ROBOT

RATIO, OFFSET = -2.0, 0.1
FOLLOWING = ROBOT.replace(
    '<axis xyz="0 0 1"/>', f'<axis xyz="0 0 1"/><mimic joint="shoulder" multiplier="{RATIO}" offset="{OFFSET}"/>'
)
CHAIN = FOLLOWING.replace('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><mimic joint="wheel" multiplier="0.3"/>')


@pytest.fixture
def load(tmp_path):
    path = tmp_path / "robot.urdf"

    def load(text=FOLLOWING, **options):
        path.write_text(text)
        return cd.load(path, **options)

    return load


def test_a_mimic_joint_is_no_coordinate_unless_it_is_asked_for(load):
    """Oracle: the names of the file: what follows is a follower, or a coordinate under a constraint."""
    for model in (load(), load(couplers="fold")):
        assert model.coordinates == ("root", "shoulder", "slide") and model.constraints == ()
        assert [(f.name, f.driver, float(f(0.4))) for f in model.followers] == [
            ("wheel", "shoulder", pytest.approx(-0.7))
        ]
    held = load(couplers="constraint")
    assert held.coordinates == ("root", "shoulder", "wheel", "slide")
    assert len(held.constraints) == 1 and held.followers == ()


@pytest.mark.parametrize("text", [FOLLOWING, CHAIN], ids=["one", "chain"])
def test_motion_is_that_of_the_constraint(load, text):
    """Oracle: the same file with constraints and multipliers, to 1e-10; the ratio of the file."""
    folded, held = load(text), load(text, couplers="constraint")
    rng = np.random.default_rng(0)
    root, shoulder, slide = rng.normal(size=6), rng.normal(), rng.normal()
    q, v = folded.neutral(), np.array([*root, shoulder, *([slide] if text is FOLLOWING else [])])
    q[folded.q_index("shoulder")] = 0.5
    whole, fast = held.neutral(), np.zeros(held.nv)
    wheel = RATIO * 0.5 + OFFSET
    whole[held.q_index("shoulder")], whole[held.q_index("wheel")] = 0.5, wheel
    fast[:6], fast[held.v_index("shoulder")], fast[held.v_index("wheel")] = root, shoulder, RATIO * shoulder
    fast[held.v_index("slide")] = slide
    if text is CHAIN:
        whole[held.q_index("slide")], fast[held.v_index("slide")] = 0.3 * wheel, 0.3 * RATIO * shoulder
    a, b = cd.forward_dynamics(folded, q, v), cd.forward_dynamics(held, whole, fast)
    kept = [*range(6), *(held.v_index(name) for name in folded.coordinates[1:])]
    assert_allclose(a, b[kept], rtol=1e-10, atol=1e-10)
    assert b[held.v_index("wheel")] == pytest.approx(RATIO * b[held.v_index("shoulder")], rel=1e-9)
    assert_allclose(
        cd.forward_kinematics(folded, q).as_matrix(), cd.forward_kinematics(held, whole).as_matrix(), atol=1e-14
    )


@pytest.mark.slow
@pytest.mark.parametrize("couplers", ["fold", "constraint"])
def test_it_is_a_mimic_joint_again_when_it_is_written(load, tmp_path, couplers):
    """Oracle: the text that is written; what is read of it follows by the same numbers."""
    from xml.etree import ElementTree

    path = cd.save(load(couplers=couplers), tmp_path / "again.urdf")
    (mimic,) = ElementTree.parse(path).getroot().iter("mimic")
    assert mimic.get("joint") == "shoulder"
    assert [float(mimic.get(key)) for key in ("multiplier", "offset")] == [RATIO, OFFSET]
    (follower,) = cd.load(path).followers
    assert (follower.name, float(follower(0.4))) == ("wheel", pytest.approx(RATIO * 0.4 + OFFSET))


def test_what_follows_keeps_its_range_and_its_damper(load):
    """Oracle: power of the damper at the wheel: 0.7 · (2 v)² at v of the shoulder; the range of the file."""
    limit = '<limit lower="-0.5" upper="0.5" effort="1" velocity="1"/><dynamics'
    model = load(FOLLOWING.replace('"continuous"', '"revolute"').replace("<dynamics", limit))
    assert model.followers[0].range == (-0.5, 0.5) and set(model.ranges) == {"shoulder", "slide"}
    v = np.zeros(model.nv)
    v[model.v_index("shoulder")] = 0.3
    from dataclasses import replace

    q, rest = model.neutral(), np.zeros(model.nv)
    forces = [cd.inverse_dynamics(m, q, v, rest) for m in (model, replace(model, forces=()))]
    assert (forces[0] - forces[1]) @ v == pytest.approx(0.7 * (RATIO * 0.3) ** 2, rel=1e-12)


def test_words_for_couplers(load, tmp_path):
    """Oracle: the names in the words."""
    with pytest.raises(BadValue, match=r"couplers must be 'fold' or 'constraint'.*'weld'"):
        load(couplers="weld")
    path = cd.save(load(), tmp_path / "robot.toml")
    with pytest.raises(CondyleError, match=r"couplers.*\.osim files and robots"):
        cd.load(path, couplers="fold")
    assert len(cd.load(path).followers) == 1
