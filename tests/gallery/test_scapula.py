"""The synthetic shoulder blade."""

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline
from scipy.spatial.transform import Rotation

import condyle as cd
from condyle.formats.tables.table_files import read_csv
from condyle.gallery import scapula
from condyle.gallery.bones.scapula import ACROMION, CLAVICLE, RIBS, STERNUM, scapulothoracic
from support.measured_joints import SCAPULA

# ISB axes of the thorax in the world: x forward, y up, z to the right
THORAX = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])


@pytest.fixture(scope="module")
def domain_poses():
    joint = scapulothoracic()
    q = np.stack(np.meshgrid(*(np.linspace(*d, 21) for d in joint.domain), indexing="ij"), axis=-1)
    return joint.pose(q).as_matrix()


def test_the_acromion_is_a_clavicle_away_from_the_sternum(domain_poses):
    """Oracle: the distance, over the domain and not only at the grid that the splines go through."""
    acromion = (domain_poses @ [*ACROMION, 1.0])[..., :3]
    assert abs(np.linalg.norm(acromion - STERNUM, axis=-1) - CLAVICLE).max() < 2e-6


def test_the_blade_glides_on_the_ribs(domain_poses):
    """Oracle: the ellipsoid's equation; the blade lies within 11 degrees of its tangent plane."""
    p = domain_poses[..., :3, 3]
    assert abs(((p / RIBS) ** 2).sum(axis=-1) - 1.0).max() < 1e-3
    normal = p / RIBS**2
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    assert (domain_poses[..., :3, 0] * normal).sum(axis=-1).max() < -np.cos(np.radians(11.0))


@pytest.mark.skipif(not SCAPULA.exists(), reason=f"no {SCAPULA.name} beside the repository: nothing was compared")
def test_the_blade_turns_as_bone_pins_showed():
    """Oracle: mean rotations of every published plane and elevation (y, x, z of the ISB) by scipy; no condyle."""
    columns = ("plane_deg", "elevation_deg", "internal_rotation_deg", "upward_rotation_deg", "tilt_deg")
    table = read_csv(SCAPULA).columns(columns)
    published = Rotation.from_euler("YXZ", table[:, 2:], degrees=True)
    poses = scapulothoracic().pose(np.radians(table[:, [1, 0]]))
    off = np.degrees((published.inv() * Rotation.from_matrix(THORAX.T @ poses[:, :3, :3])).magnitude())
    assert len(off) > 50
    assert off.max() < 2.8 and np.sqrt(np.mean(off**2)) < 1.65


def test_the_blade_has_two_freedoms_everywhere():
    """Oracle: singular values of S over the domain."""
    assert cd.joints.check(scapulothoracic(), name="scapula").require().ok


def test_springs_and_dampers_take_what_the_energy_loses():
    """Oracle: Σ c l̇² + Σ c q̇², with l̇ of each spring by scipy's spline through its length along the motion."""
    scene = scapula()
    path = scene.run(0.1, step=1e-4)
    poses, model, h = path.poses().as_matrix(), scene.model, path.t[1]
    power = sum(load.constants[2] * path.v[:, load.at.v] ** 2 for load in model.coordinate_forces)
    for s in model.springs:
        ends = [(poses[:, i] @ [*p, 1.0])[:, :3] for i, p in ((s.a, s.point_a), (s.b, s.point_b))]
        length = make_interp_spline(path.t, np.linalg.norm(ends[0] - ends[1], axis=1), k=5)
        power = power + s.damping * length(path.t, 1) ** 2
    lost = (power[0] + power[-1] + 4 * power[1:-1:2].sum() + 2 * power[2:-1:2].sum()) * h / 3
    energy = path.energy().total
    assert energy[0] - energy[-1] == pytest.approx(lost, rel=1e-6)
    assert lost > 1e-4


def test_the_energy_at_the_start_is_that_of_the_two_springs_of_the_blade():
    """Oracle: ½ k Δ² of each, by hand, and m g z; so nothing else is tight, and 1.2 J go in a tenth of a second."""
    scene = scapula()
    energy, poses = scene.run(0.1, record=0.1).energy(), cd.forward_kinematics(scene.model, scene.q).as_matrix()
    pairs = zip(scene.model.bodies, poses, strict=True)
    weight = sum(9.81 * b.inertia.mass * (X @ [*b.inertia.com, 1.0])[2] for b, X in pairs)
    held = 2 * 0.5 * 4.0 * np.radians(0.35 * 90.0) ** 2
    assert energy.potential[0] - weight == pytest.approx(held, abs=1e-6)
    assert energy.kinetic[0] == 0.0
    assert energy.total[0] - energy.total[-1] == pytest.approx(1.21, abs=0.01)
