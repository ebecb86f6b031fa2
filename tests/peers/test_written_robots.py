"""Written files in the other engines: poses, mass matrices, and a swing."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd

pytestmark = pytest.mark.peers


def written(model, path, seconds=0.0):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cd.io.write_robot(model, path, seconds=seconds)


def loose_leg():
    """The leg without stops and springs, which the files do not have."""
    return replace(cd.gallery.leg(), forces=())


def test_mujoco_swings_the_written_leg_as_condyle_swings_its_own(tmp_path):
    """Oracle: MuJoCo's integration of the file; bodies stay within half a millimetre while the knee is in its range."""
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed")
    model, start = loose_leg(), np.array([0.3, -1.8, 0.1])
    written(model, tmp_path / "leg.xml")
    there = mujoco.MjModel.from_xml_path(str(tmp_path / "leg.xml"))
    data = mujoco.MjData(there)
    names = [mujoco.mj_id2name(there, mujoco.mjtObj.mjOBJ_JOINT, k) for k in range(there.njnt)]
    for name, value in zip(model.coordinates, start, strict=True):
        data.qpos[names.index(name)] = value
    for tie in range(there.neq):
        one, other = there.eq_obj1id[tie], there.eq_obj2id[tie]
        data.qpos[one] = np.polynomial.polynomial.polyval(data.qpos[other], there.eq_data[tie, :5])
    there.opt.timestep = 2e-4
    mujoco.mj_forward(there, data)
    run = cd.simulate(model, start, duration=0.2, step=1e-3, record=0.05)
    gaps = []
    for k, t in enumerate(run.t):
        while data.time < t - 1e-9:
            mujoco.mj_step(there, data)
        mujoco.mj_kinematics(there, data)
        gaps.append(np.abs(data.xpos[1:] - run.poses()[k].xyz).max())
    assert 1e3 * max(gaps) < 0.5, gaps
    assert gaps[0] < 1e-3


def test_pinocchio_has_the_mass_matrix_of_the_written_urdf(tmp_path):
    """Oracle: Pinocchio's composite rigid bodies on the file of an exact chain."""
    pin = pytest.importorskip("pinocchio", reason="pinocchio is not installed")
    b = cd.ModelBuilder()
    rod = cd.Inertia.box(1.5, (0.1, 0.2, 0.5), com=(0.05, 0, -0.2))
    b.add_body(
        "a", joint=cd.joints.revolute((0.6, 0.8, 0.0)), inertia=rod, offset=cd.SE3.exp([0.1, 0.2, 0.3, 0.1, 0, 0.2])
    )
    b.add_body("b", "a", cd.joints.universal("x", "y"), rod, placement=cd.SE3.from_translation((0, 0, -0.5)))
    model = b.build()
    written(model, tmp_path / "m.urdf")
    there = pin.buildModelFromUrdf(str(tmp_path / "m.urdf"))
    q = np.array([0.3, -0.7, 0.5])
    order = [there.joints[there.getJointId(name)].idx_v for name in model.coordinates]
    theirs = np.empty(there.nq)
    for name, value in zip(model.coordinates, q, strict=True):
        joint = there.joints[there.getJointId(name)]
        theirs[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else (np.cos(value), np.sin(value))
    M = pin.crba(there, there.createData(), theirs)
    M = np.triu(M) + np.triu(M, 1).T
    assert_allclose(M[np.ix_(order, order)], cd.mass_matrix(model, q), atol=1e-9)


@pytest.mark.parametrize(("suffix", "engine"), [(".xml", "MuJoCo"), (".urdf", "Pinocchio")])
def test_the_certificate_has_the_swing_of_the_other_engine(tmp_path, suffix, engine):
    """Oracle: the other engine; exact files swing alike, and a leg's knee says how far it is off."""
    pytest.importorskip(engine.lower(), reason=f"{engine} is not installed")
    b = cd.ModelBuilder(gravity=(0.0, -3.0, -9.0))
    rod = cd.Inertia.box(1.5, (0.1, 0.2, 0.5), com=(0.05, 0, -0.2))
    b.add_body("a", joint=cd.joints.revolute((0.6, 0.8, 0.0)), inertia=rod)
    b.add_body("b", "a", cd.joints.universal("x", "y"), rod, placement=cd.SE3.from_translation((0, 0, -0.5)))
    b.add_damping("a", 0.4)
    found = written(b.build(), tmp_path / f"m{suffix}", 0.4).swing
    assert engine in found.engine and found.times[-1] == pytest.approx(0.4)
    assert max(found.millimeters) < 1e-4 and max(found.degrees) < 1e-4
    leg = written(loose_leg(), tmp_path / f"leg{suffix}", 0.4).swing
    assert max(leg.millimeters) < (0.5 if suffix == ".xml" else 4.0) and leg.times[-1] >= 0.2
    page = (tmp_path / "leg.certificate.html").read_text()
    assert "In the other engine" in page and engine in page
