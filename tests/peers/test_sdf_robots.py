"""SDF files against Drake, whose reader is SDFormat's own library."""

import os
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadFile
from support.sdf_files import SdfTree

pytestmark = pytest.mark.peers
plant_module = pytest.importorskip("pydrake.multibody.plant", reason="pydrake is not installed")
from pydrake.multibody.parsing import Parser  # noqa: E402


def drake(path):
    """The plant of a file, and a context."""
    plant = plant_module.MultibodyPlant(time_step=0.0)
    Parser(plant).AddModels(str(path))
    plant.Finalize()
    return plant, plant.CreateDefaultContext()


def ours(path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cd.load(path, **options)


@pytest.mark.parametrize("seed", range(6))
def test_poses_mass_matrix_and_bias_are_drakes(tmp_path, seed):
    """Oracle: Drake; poses, mass matrix and bias at a random state to 1e-9."""
    tree, path = SdfTree(seed), tmp_path / "tree.sdf"
    path.write_text(tree.text)
    plant, context = drake(path)
    model, rng = ours(path), np.random.default_rng(seed)
    order = _set_state(plant, context, model, q := rng.normal(size=model.nq), v := rng.normal(size=model.nv))
    poses = cd.forward_kinematics(model, q)
    for part in tree.parts:
        theirs = plant.EvalBodyPoseInWorld(context, plant.GetBodyByName(part.name)).GetAsMatrix4()
        assert_allclose(poses[model.body_index(part.name.replace(".", "_"))].as_matrix(), theirs, atol=1e-9)
    M = plant.CalcMassMatrix(context)[np.ix_(order, order)]
    assert_allclose(cd.mass_matrix(model, q), M, atol=1e-9)
    bias = (plant.CalcBiasTerm(context) - plant.CalcGravityGeneralizedForces(context))[order] + tree.damping * v
    assert_allclose(cd.inverse_dynamics(model, q, v, np.zeros(model.nv)), bias, atol=1e-9)


def _set_state(plant, context, model, q, v):
    """Put a state into Drake's context; where condyle's coordinates are in Drake's velocities."""
    order = []
    positions, velocities = np.zeros(plant.num_positions()), np.zeros(plant.num_velocities())
    for name, place in zip(model.coordinates, model.coordinate_places, strict=True):
        joint = plant.GetJointByName(model.bodies[place.body].joint_name)
        at, of = joint.position_start() + place.coordinate, joint.velocity_start() + place.coordinate
        positions[at], velocities[of] = q[model.q_index(name)], v[model.v_index(name)]
        order.append(of)
    plant.SetPositions(context, positions)
    plant.SetVelocities(context, velocities)
    plant.mutable_gravity_field().set_gravity_vector(np.asarray(model.gravity))
    return order


def test_files_of_pybullet_are_opened_or_refused_with_a_reason():
    """Oracle: Drake: what it opens, condyle opens."""
    folder = Path(os.environ.get("CONDYLE_ROBOTS", "")) / "pybullet" / "pybullet_data"
    files = sorted(folder.rglob("*.sdf")) if folder.is_dir() else []
    if not files:
        pytest.skip("the files of pybullet are not here: unpack them where CONDYLE_ROBOTS says")
    opened, refused = [], {}
    for file in files:
        try:
            opened.append(file) if ours(file).nbodies else None
        except BadFile as error:
            refused[file] = str(error)
    assert len(opened) + len(refused) == len(files)
    for file in refused:
        with pytest.raises(RuntimeError):
            drake(file)
