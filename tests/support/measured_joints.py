"""Other people's measurements, read where they are at hand; every reader returns None where the folder is absent."""

from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from condyle import design
from condyle.formats.tables.table_files import read_csv

PLACES = [parent / "shared" / "data" for parent in Path(__file__).resolve().parents[2:]]
FOLDER = next((place for place in PLACES if place.is_dir()), PLACES[1])  # beside the repository, or above it
KNEE, SCAPULA = FOLDER / "knee_passive_flexion.csv", FOLDER / "scapula_on_thorax.csv"
ELLIPSOID = (0.12, 0.2, 0.09)  # [m] half axes of the thorax under the scapula: synthetic, round numbers


def measured_knee():
    """Flexion [rad] and poses (N, 4, 4) of the tibia in the femur while the knee bends on."""
    columns = ("flexion_rad", "adduction_rad", "rotation_rad")
    found = design.read_poses(
        KNEE, angles=columns, sequence="ZXY", position=("tx_m", "ty_m", "tz_m"), coordinates="flexion_rad"
    )
    q = found.coordinates if found.coordinates[-1] > 0 else -found.coordinates
    rising = np.concatenate([[0], 1 + np.flatnonzero(q[1:] > np.maximum.accumulate(q)[:-1] + 1e-6)])
    return q[rising], found.poses[rising]


def measured_scapula():
    """(plane, elevation) [rad] and poses of the scapula on the thorax; the translation slides on a stated ellipsoid."""
    table = read_csv(SCAPULA)
    angles = table.columns(("internal_rotation_deg", "upward_rotation_deg", "tilt_deg"))
    poses = np.tile(np.eye(4), (len(angles), 1, 1))
    poses[:, :3, :3] = Rotation.from_euler("YXZ", angles, degrees=True).as_matrix()
    poses[:, :3, 3] = poses[:, :3, :3] @ [0.0, 0.0, -1.0] * ELLIPSOID
    return np.radians(table.columns(("plane_deg", "elevation_deg"))), poses
