"""Every URDF of public collections against Pinocchio: opened, equal, or refused with a reason."""

import importlib.metadata
import importlib.util
import warnings
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, CondyleWarning

pytestmark = pytest.mark.peers
pin = pytest.importorskip("pinocchio")

TOLERANCE = 1e-9
GROSS = {  # their moments are of no body by far more than rounding: asked for, the nearest are taken
    "alex_psyonic_hands.urdf", "allegro_left_hand.urdf", "allegro_right_hand.urdf", "pr2.urdf", "romeo_laas_small.urdf",
    "romeo_small.urdf", "mini_cheetah.urdf", "xarm6_robot.urdf", "xarm6_robot_white.urdf", "xarm6_with_gripper.urdf",
}  # fmt: skip


def example_robots():
    """Files of the package example-robot-data."""
    try:
        files = importlib.metadata.files("example-robot-data") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return sorted(str(Path(f.locate()).resolve()) for f in files if f.suffix == ".urdf")


def bullet_robots():
    """Files of pybullet_data, which comes with the package pybullet."""
    found = importlib.util.find_spec("pybullet_data")
    return [] if found is None or found.origin is None else sorted(map(str, Path(found.origin).parent.rglob("*.urdf")))


def opened_by_pinocchio(path):
    try:
        pin.buildModelFromUrdf(path)
    except (ValueError, RuntimeError):
        return False
    return True


def refusal(path):
    """Why condyle refuses a file by default, or None."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CondyleWarning)
        try:
            cd.load(path)
        except BadFile as error:
            return str(error)
    return None


def compared(path):
    """What differs between the two engines over random states, held and free; empty if nothing does."""
    from urdf_twin import Robot

    rng = np.random.default_rng(0)
    gaps = np.max([Robot(path, base).gaps(rng) for base in ("fixed", "free", "free")], axis=0)
    return "" if (gaps < TOLERANCE).all() else f"poses {gaps[0]:.1e}, mass matrix {gaps[1]:.1e}, forces {gaps[2]:.1e}"


@pytest.mark.slow
@pytest.mark.parametrize("collection", [example_robots, bullet_robots], ids=["example-robot-data", "pybullet"])
def test_every_robot_that_pinocchio_opens_is_opened_and_equal(collection):
    """Oracle: Pinocchio's link poses, crba and nonLinearEffects at random states, to 1e-9.

    Links that were repaired, each told by a warning, are repaired in Pinocchio's model too; all others are equal as
    read. By default only robots are refused whose inertias are grossly those of no body, by a message that tells how to
    take them.
    """
    paths = collection()
    if not paths:
        pytest.skip(f"the package of {collection.__name__} is not installed")
    theirs = [p for p in paths if opened_by_pinocchio(p)]
    refused = {Path(p).name: why for p in theirs if (why := refusal(p))}
    assert set(refused) <= GROSS and all("inertias=" in why for why in refused.values()), refused
    wrong = {p: gap for p in theirs if (gap := compared(p))}
    print(f"{len(paths)} files: Pinocchio opens {len(theirs)}; condyle {len(theirs) - len(refused)} as they are, "
          f"{len(refused)} with inertias='repair'; wrong {len(wrong)}")  # fmt: skip
    assert wrong == {}
