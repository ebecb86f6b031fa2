"""Every MJCF file of public packages against MuJoCo: opened, equal, or refused with a reason."""

import importlib.util
import os
import warnings
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile
from condyle.view.render_scene import stage_of

pytestmark = pytest.mark.peers
mujoco = pytest.importorskip("mujoco")

from support.mjcf_files import EVERYTHING  # noqa: E402
from support.mjcf_twin import Twin  # noqa: E402

TOLERANCE = 1e-9
PACKAGES = ("gymnasium", "dm_control", "gymnasium_robotics", "myosuite")


def folder_of(package):
    """Where a package is: unpacked in the folder that CONDYLE_ROBOTS names, or installed."""
    unpacked = Path(os.environ.get("CONDYLE_ROBOTS", "")) / package
    if os.environ.get("CONDYLE_ROBOTS") and unpacked.is_dir():
        return unpacked
    found = importlib.util.find_spec(package)
    return None if found is None or found.origin is None else Path(found.origin).parent


def opened_by_mujoco(path):
    """MuJoCo's model, or None."""
    try:
        return mujoco.MjModel.from_xml_path(str(path)) if b"<mujoco" in path.read_bytes() else None
    except ValueError:
        return None


def compared(path, folder, theirs):
    """What differs between the two engines over random states, or why condyle refuses; empty if they are equal."""
    try:
        twin, rng = Twin(path, folder, theirs), np.random.default_rng(0)
    except BadFile as error:
        return f"refused: {error}"
    gaps = np.max([twin.gaps(rng) for _ in range(2)], axis=0)
    return "" if (gaps < TOLERANCE).all() else f"poses {gaps[0]:.1e}, mass matrix {gaps[1]:.1e}, forces {gaps[2]:.1e}"


def left_out_of_the_picture(path, folder):
    """What a picture of the model says it does not draw."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert stage_of(cd.load(path, packages=folder)).outline().size
    return [str(w.message) for w in caught if "not drawn" in str(w.message)]


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_every_model_that_mujoco_opens_is_opened_and_equal(package):
    """Oracle: MuJoCo's body poses, mass matrix, bias and joint forces at random states, to 1e-9.

    Only files without a body are refused: floors, materials and other parts of models.
    """
    folder = folder_of(package)
    if folder is None:
        pytest.skip(f"{package} is neither installed nor unpacked in the folder that CONDYLE_ROBOTS names")
    found = {p: compared(p, folder, m) for p in sorted(folder.rglob("*.xml")) if (m := opened_by_mujoco(p)) is not None}
    parts = [p for p, words in found.items() if "there is no <body>" in words]
    wrong = {str(p): words for p, words in found.items() if words and p not in parts}
    lacking = [p for p in found if p not in parts and left_out_of_the_picture(p, folder)]
    print(f"{package}: MuJoCo opens {len(found)}; equal {len(found) - len(parts) - len(wrong)}; no body {len(parts)}; "
          f"drawn {len(found) - len(parts)}, of these in part {len(lacking)}")  # fmt: skip
    assert wrong == {}


def test_a_file_of_everything_is_mujocos(tmp_path):
    """Oracle: MuJoCo at random states, with a folded equality, classes, frames, shells and a mesh without triangles."""
    path = tmp_path / "small.xml"
    path.write_text(EVERYTHING)
    twin, rng = Twin(path, None), np.random.default_rng(1)
    assert np.max([twin.gaps(rng) for _ in range(5)]) < TOLERANCE


@pytest.mark.parametrize("shell", ["true", "false"])
@pytest.mark.parametrize("kind", ["sphere", "box", "cylinder", "capsule", "ellipsoid"])
def test_inertias_of_geoms_are_mujocos(tmp_path, kind, shell):
    """Oracle: MuJoCo's mass, centre and moments of a geom that is turned and shifted."""
    path = tmp_path / "geom.xml"
    geom = f'<geom type="{kind}" size="0.11 0.23 0.37" shellinertia="{shell}" pos="0.1 0.2 0.3" euler="10 20 30"/>'
    path.write_text(f"<mujoco><worldbody><body><freejoint/>{geom}</body></worldbody></mujoco>")
    assert max(Twin(path, None).gaps(np.random.default_rng(0))) < TOLERANCE


WEDGE = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MOVED = 'scale="0.1 -0.2 0.3" refpos="0.1 0.2 0.3" refquat="0.6 0 0.8 0" inertia="exact"'


@pytest.mark.parametrize("how", ["", MOVED], ids=["plain", "moved"])
@pytest.mark.parametrize("kind", ["mesh", "sphere", "box", "cylinder", "capsule", "ellipsoid"])
def test_inertias_of_meshes_and_of_shapes_fitted_to_them_are_mujocos(tmp_path, kind, how):
    """Oracle: MuJoCo's mass matrix and forces of a body that is a mesh, or a shape fitted to it."""
    (tmp_path / "wedge.obj").write_text(WEDGE)
    asset = f'<asset><mesh name="w" file="wedge.obj" {how}/></asset>'
    geom = f'<geom type="{kind}" mesh="w" pos="0.1 0.2 0.3" euler="10 20 30"/>'
    path = tmp_path / "fit.xml"
    path.write_text(f"<mujoco>{asset}<worldbody><body><freejoint/>{geom}</body></worldbody></mujoco>")
    assert max(Twin(path, None).gaps(np.random.default_rng(0))) < TOLERANCE
