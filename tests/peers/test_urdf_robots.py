"""Every URDF of public collections against Pinocchio: opened, equal, or refused with a reason."""

import importlib.metadata
import importlib.util
import os
import warnings
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, CondyleWarning
from condyle.view.render_scene import stage_of

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
    """Files of pybullet_data of the package pybullet: unpacked where CONDYLE_ROBOTS says, or installed."""
    unpacked = Path(os.environ.get("CONDYLE_ROBOTS", "")) / "pybullet" / "pybullet_data"
    if unpacked.is_dir():
        return sorted(map(str, unpacked.rglob("*.urdf")))
    found = importlib.util.find_spec("pybullet_data")
    return [] if found is None or found.origin is None else sorted(map(str, Path(found.origin).parent.rglob("*.urdf")))


def opened_by_pinocchio(path):
    try:
        pin.buildModelFromUrdf(path)
    except (ValueError, RuntimeError):
        return False
    return True


def told(path, **options):
    """What condyle warns of a file, and why it refuses it, or None."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CondyleWarning)
        try:
            stage_of(cd.load(path, **options))
        except BadFile as error:
            return [], str(error)
    return [str(w.message) for w in caught], None


def compared(path):
    """What differs between the two engines over random states, held and free; empty if nothing does."""
    from support.urdf_twin import Robot

    rng = np.random.default_rng(0)
    robots = [Robot(path, base) for base in ("fixed", "free", "free")]
    gaps = np.max([gaps for r in robots for gaps in (r.gaps(rng), r.folded_gaps(rng))[: 2 if r.mimics else 1]], axis=0)
    return "" if (gaps < TOLERANCE).all() else f"poses {gaps[0]:.1e}, mass matrix {gaps[1]:.1e}, forces {gaps[2]:.1e}"


@pytest.mark.slow
@pytest.mark.parametrize("collection", [example_robots, bullet_robots], ids=["example-robot-data", "pybullet"])
def test_every_robot_that_pinocchio_opens_is_opened_and_equal(collection):
    """Oracle: Pinocchio's link poses, crba and nonLinearEffects at random states, to 1e-9.

    Links that were repaired, each told by a warning, are repaired in Pinocchio's model too; all others are equal as
    read. With inertias="repair" none is refused; by default only those whose inertias are grossly those of no body, by
    a message that tells how to take them.
    """
    paths = collection()
    if not paths:
        pytest.skip(f"the package of {collection.__name__} is not installed")
    theirs = [p for p in paths if opened_by_pinocchio(p)]
    said = {p: told(p, inertias="repair") for p in theirs}
    assert {p: why for p, (_, why) in said.items() if why} == {}
    strict = {Path(p).name: why for p in theirs if (why := told(p)[1])}
    assert set(strict) <= GROSS and all("inertias=" in why for why in strict.values()), strict
    wrong = {p: gap for p in theirs if (gap := compared(p))}
    part = {p: words for p, (warned, _) in said.items() if (words := [w for w in warned if "not drawn" in w])}
    print(f"{len(paths)} files: Pinocchio opens {len(theirs)}; condyle {len(theirs) - len(strict)} as they are, "
          f"{len(strict)} with inertias='repair'; wrong {len(wrong)}; drawn in part {len(part)}")  # fmt: skip
    assert wrong == {}


KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


def written(rng, values):
    """Numbers as people and programs write them."""
    forms = ("{:.17g}", "{:.6f}", "{:+.3e}", "{:.4G}")
    return " ".join(forms[rng.integers(len(forms))].format(x) for x in np.atleast_1d(values))


def random_link(rng, name):
    """A body, a body without mass, one with moments alone, a point, or nothing at all."""
    points = rng.normal(size=(4, 3)) - rng.normal(size=3)
    moment = sum((p @ p) * np.eye(3) - np.outer(p, p) for p in points - points.mean(axis=0))
    mass, moment = [(1.0, moment), (0.0, moment), (2.0, 0 * moment), (1e-3, 1e-3 * moment)][rng.integers(4)]
    if rng.random() < 0.2:
        return f'<link name="{name}"/>'
    six = zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), moment[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]], strict=True)
    numbers = " ".join(f'{key}="{x:.17g}"' for key, x in six)
    origin = f'<origin xyz="{written(rng, rng.normal(size=3))}" rpy="{written(rng, 3 * rng.normal(size=3))}"/>'
    origin = origin if rng.random() < 0.7 else ""
    return f'<link name="{name}"><inertial>{origin}<mass value="{mass}"/><inertia {numbers}/></inertial></link>'


def random_joint(rng, k, leader):
    """A joint of any kind to link k from one before it, with an axis of any length; it may mimic the leader."""
    kind = KINDS[rng.integers(len(KINDS))]
    axis = [0, 0, 2.5] if kind == "planar" else rng.normal(size=3) * 10.0 ** rng.integers(-3, 3)
    axis = np.zeros(3) if kind == "fixed" else axis
    origin = f'<origin xyz="{written(rng, rng.normal(size=3))}" rpy="{written(rng, 3 * rng.normal(size=3))}"/>'
    more = '<limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="0.1" friction="1"/>'
    more += '<safety_controller k_velocity="1"/>'
    if leader > 0 and rng.random() < 0.8:
        ratio, offset = (written(rng, x) for x in rng.normal(size=2))
        more += f'<mimic joint="j-{leader}" multiplier="{ratio}" offset="{offset}"/>'
    return (
        f'<joint name="j-{k}" type="{kind}"><child link="link {k}"/><parent link="link {rng.integers(k)}"/>'
        f'{origin}<axis xyz="{" ".join(map(repr, map(float, axis)))}"/>{more}</joint>'
    )


@pytest.mark.parametrize("seed", range(12))
def test_random_robots_are_pinocchios(seed, tmp_path):
    """Oracle: Pinocchio, on trees of every kind of joint, axes of any length, bodies without mass or size.

    Joints mimic others, nearer to the root in half of the robots and farther in the others, also fixed ones and mimics.
    """
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 12))
    leaders = [
        int(rng.integers(0, k + 1) % (k or 1) if seed % 2 else rng.integers(k + 1, count + 1) % count)
        for k in range(count)
    ]
    parts = [random_link(rng, f"link {k}") for k in range(count)]
    parts += [random_joint(rng, k, leaders[k]) for k in range(1, count)]
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="random">{"".join(parts[k] for k in rng.permutation(len(parts)))}</robot>')
    assert compared(str(path)) == ""
