"""Force plates of C3D files that are written byte by byte, with forces whose points and free moments are known."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadFile, BadValue, CondyleWarning, NotSupported
from support.c3d_files import plate_group, write_c3d
from support.trial_files import measured, motion, write_leg

ezc3d = pytest.importorskip("ezc3d")

FRAMES, SAMPLES = 11, 10
T = np.arange(FRAMES * SAMPLES) / 1000
# a plate 0.4 m by 0.6 m in a laboratory with z up: its x along x, its y along −y, its z into the ground
CORNERS = np.array([[0.5, -0.2, 0], [0.1, -0.2, 0], [0.1, 0.4, 0], [0.5, 0.4, 0]])
AXES = np.diag([1.0, -1.0, -1.0])  # columns: of the plate, in the laboratory
CENTER = CORNERS.mean(axis=0)
FORCE = np.stack([30 * np.sin(9 * T), 20 * np.cos(7 * T), 600 + 100 * np.sin(5 * T)], axis=1)  # on the foot
POINT = CENTER + np.stack([0.1 * np.sin(8 * T), 0.2 * np.cos(6 * T), 0 * T], axis=1)
FREE = np.stack([0 * T, 0 * T, 4 * np.sin(11 * T)], axis=1)
ORIGIN = np.array([0.005, -0.003, -0.04])  # from the sensors to the centre of the surface, in the plate's axes [m]
SENSORS = np.array([0.12, 0.2, -0.054])
MATRIX = np.linalg.inv(np.eye(6) + 0.02 * np.arange(36).reshape(6, 6) % 0.3)


def at_center(sign):
    """Forces, and moments about the centre of the surface, in the plate's axes."""
    return sign * FORCE @ AXES, sign * (np.cross(POINT - CENTER, FORCE) + FREE) @ AXES


def channels(kind, sign=1.0):
    """What the plate's channels hold, in N and N mm, or mm: worked back from what is known."""
    force, moment = at_center(sign)
    if kind == 1:
        pressure = (POINT - CENTER) @ AXES
        return np.column_stack([force, 1e3 * pressure[:, :2], sign * 1e3 * FREE @ AXES[:, 2]])
    if kind == 3:
        a, b, h = SENSORS
        m = moment + np.cross([0, 0, h], force)
        one = np.array([[1, 1, 1, 1], [b, b, -b, -b], [-a, a, a, -a], [1, -1, 1, -1]])  # the last: any share will do
        fz = np.linalg.solve(one, np.stack([force[:, 2], m[:, 0], m[:, 1], 0 * T])).T
        twist = m[:, 2] / 2
        fx = np.stack([force[:, 0] / 2 - twist / (2 * b), force[:, 0] / 2 + twist / (2 * b)], axis=1)
        fy = np.stack([force[:, 1] / 2 + twist / (2 * a), force[:, 1] / 2 - twist / (2 * a)], axis=1)
        return np.column_stack([fx, fy, fz])
    six = np.column_stack([force, 1e3 * (moment + np.cross(ORIGIN, force))])
    return six @ np.linalg.inv(MATRIX).T if kind == 4 else six


def write_plates(path, *signals, kinds, origins, calibration=None, points=None):
    """A file of plates at the same place, one after another in the channels."""
    widths = np.cumsum([0, *(x.shape[1] for x in signals)])
    used = [range(a + 1, b + 1) for a, b in pairwise(widths)]
    group = plate_group(kinds, [1e3 * CORNERS] * len(kinds), 1e3 * np.array(origins), used, calibration)
    analog = np.concatenate([x.T for x in signals])
    points = np.ones((FRAMES, 1, 3)) if points is None else points
    return write_c3d(path, points, analog, plates=group, units=["N"] * len(analog))


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """One plate of each type; the last holds the force on the plate."""
    folder = tmp_path_factory.mktemp("plates")
    return write_plates(folder / "all.c3d", channels(1), channels(2), channels(3), channels(4), channels(2, -1.0),
                        kinds=[1, 2, 3, 4, 2], origins=[ORIGIN, ORIGIN, SENSORS, ORIGIN, ORIGIN],
                        calibration=[np.eye(6)] * 3 + [MATRIX, np.eye(6)])  # fmt: skip


def test_every_type_gives_force_point_and_free_moment(file):
    """Oracle: the force, its point and its free moment from which the channels were worked out (stored as float32)."""
    plates = cd.trial.read_force_plates(file)
    assert [p.name for p in plates] == ["plate1", "plate2", "plate3", "plate4", "plate5"]
    for plate in plates:
        assert_allclose(plate.times, T, atol=1e-12)
        assert_allclose(plate.force, FORCE, atol=5e-3)
        assert_allclose(plate.point, POINT, atol=1e-5)
        assert_allclose(plate.free_moment, FREE, atol=2e-3)
        assert_allclose(plate.moment, np.cross(POINT - CENTER, FORCE) + FREE, atol=2e-3)
        assert_allclose(plate.corners, CORNERS, atol=1e-6)
    assert "on the plate" in plates[4].notes[-1] and "on the foot" in plates[1].notes[-1]


def test_forces_are_those_of_ezc3d(file):
    """Oracle: ezc3d's own extraction, which leaves the sense of the channels as it is.

    Its moments of type 1 have the opposite sense of those of all other types, and are not compared.
    """
    theirs = ezc3d.c3d(str(file), extract_forceplat_data=True)["data"]["platform"]
    for ours, other in zip(cd.trial.read_force_plates(file, reaction=True), theirs, strict=True):
        assert_allclose(ours.force, other["force"].T, atol=1e-3)
        assert_allclose(ours.point, 1e-3 * other["center_of_pressure"].T, atol=1e-6)
        if ours.name != "plate1":
            assert_allclose(ours.moment, 1e-3 * other["moment"].T, atol=1e-3)


def test_a_rotation_turns_all_of_it(file):
    """Oracle: (x, y, z) → (x, z, −y) by hand."""
    plain, turned = (cd.trial.read_force_plates(file, rotation=R)[1] for R in (None, cd.trial.Z_UP_TO_Y_UP))
    for name in ("force", "moment", "point", "free_moment", "corners"):
        x, y, z = getattr(plain, name).T
        assert_allclose(getattr(turned, name), np.stack([x, z, -y], axis=1), atol=1e-12)
    with pytest.raises(BadValue, match="right-handed"):
        cd.trial.read_force_plates(file, rotation=np.diag([1, 1, -1]))


def test_nobody_on_a_plate_is_no_force(tmp_path):
    """Oracle: a threshold above the force; and a baseline that was added to all channels is taken off."""
    signals = channels(2)
    signals[:60] = 0.0
    path = write_plates(tmp_path / "later.c3d", signals + [1, 2, 3, 40, 50, 60], kinds=[2], origins=[ORIGIN])
    (plate,) = cd.trial.read_force_plates(path, baseline=(0.0, 0.05))
    assert not plate.force[:60].any() and np.isnan(plate.point[:60]).all() and not plate.free_moment[:60].any()
    assert_allclose(plate.force[60:], FORCE[60:], atol=1e-2)
    assert not cd.trial.read_force_plates(path, threshold=1e4)[0].force.any()


def test_what_does_not_fit_is_refused_by_name(tmp_path, file):
    """Oracle: the class, the plate and what is wrong."""
    other = write_plates(tmp_path / "a.c3d", channels(2), kinds=[7], origins=[ORIGIN])
    with pytest.raises(NotSupported, match=r"force plate 1 .*7"):
        cd.trial.read_force_plates(other)
    bare = write_plates(tmp_path / "b.c3d", channels(4), kinds=[4], origins=[ORIGIN])
    with pytest.raises(BadFile, match="CAL_MATRIX"):
        cd.trial.read_force_plates(bare)
    none = write_c3d(tmp_path / "c.c3d", np.ones((FRAMES, 1, 3)), channels(2).T)
    with pytest.raises(BadFile, match="no force plates"):
        cd.trial.read_force_plates(none)
    above = write_plates(tmp_path / "d.c3d", channels(2), kinds=[2], origins=[-ORIGIN])
    with pytest.warns(CondyleWarning, match="plate 1"):
        (plate,) = cd.trial.read_force_plates(above)
    assert_allclose(plate.point, POINT, atol=1e-5)
    with pytest.raises(BadValue, match=r"plate1.*\[9\]"):
        cd.trial.plate_loads(cd.trial.read_force_plates(file), {9: "shank_r"})


def test_a_trial_from_a_c3d_file_alone(tmp_path):
    """Oracle: forces of the same trial with the reaction given as a table of forces at their points, y up."""
    _, leg = write_leg(tmp_path)
    times = np.arange(FRAMES) / 100
    back = cd.trial.Z_UP_TO_Y_UP.T  # from the model's axes to the laboratory's
    seen = measured(leg, times, motion(times)[0])
    group_points = 1e3 * seen.points @ back.T
    path = tmp_path / "walk.c3d"
    group = plate_group([2], [1e3 * CORNERS], 1e3 * ORIGIN[None], [range(1, 7)])
    write_c3d(path, group_points, channels(2).T, plates=group, labels=list(seen.names), units=["N"] * 6)
    (tmp_path / "walk.toml").write_text(
        'model = "leg.osim"\n[[trial]]\nname = "walk"\nmarkers = "walk.c3d"\nloads = "walk.c3d"\n'
        'rotation = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]\nforce = [{ plate = 1, body = "shank_r" }]\n'
    )
    found = cd.trial.run(tmp_path / "walk.toml", tmp_path / "out", report=False).trials[0]
    assert not found.error and np.abs(found.kinematics.q - motion(times)[0]).max() < 1e-5  # float32 in mm
    turn = cd.trial.Z_UP_TO_Y_UP.T
    columns = np.column_stack([T, FORCE @ turn, POINT @ turn, FREE @ turn])
    names = ("time", *(f"{part}{axis}" for part in ("f_", "p_", "t_") for axis in "xyz"))
    table = cd.Table(names, columns, in_degrees=False)
    loads = cd.trial.ExternalLoads((cd.trial.ExternalForce("foot", "shank_r", "f_", "p_", "t_"),), table)
    expected = cd.trial.inverse_dynamics(leg, found.kinematics, loads=loads)
    assert_allclose(found.dynamics.forces, expected.forces, atol=0.01)
    assert Path(found.folder).is_dir()
