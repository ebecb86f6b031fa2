"""Every .osim file at hand is the same model in condyle as in OpenSim."""

import os
from pathlib import Path

import pytest

from formats.laboratory import FOLDER

pytest.importorskip("opensim")
from osim_files import JOINTS, chain
from osim_twin import errors

pytestmark = pytest.mark.peers

STATES = int(os.environ.get("CONDYLE_OSIM_STATES", "3"))
FOLDERS = [FOLDER / "opensim", *map(Path, filter(None, os.environ.get("CONDYLE_OSIM_FILES", "").split(os.pathsep)))]
FILES = sorted({path for folder in FOLDERS for path in folder.glob("**/*.osim")})
MOST = {"pose": 1e-12, "velocity": 1e-10, "mass matrix": 1e-12, "inverse dynamics": 1e-10}


def test_there_are_models_of_opensim_to_compare_with():
    """Oracle: none; says that the next test has nothing to do."""
    if not FILES:
        pytest.skip(f"no .osim files in {FOLDERS[0]}; name folders of them in CONDYLE_OSIM_FILES")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_model_of_opensim_moves_and_weighs_as_in_opensim(path, tmp_path):
    """Oracle: OpenSim at random states, constraints and forces off, coordinates in their ranges."""
    found = errors(path, tmp_path, STATES)
    assert all(found[what] < most for what, most in MOST.items()), found


@pytest.mark.parametrize("kind", [*JOINTS, "TwoOfOneAxis", "Reversed"])
def test_a_chain_of_joints_of_each_kind_moves_and_weighs_as_in_opensim(kind, tmp_path):
    """Oracle: OpenSim, on files of our own with joints of every kind at random offsets."""
    path = tmp_path / "chain.osim"
    path.write_text(chain(kind))
    found = errors(path, tmp_path, 5)
    assert all(found[what] < most for what, most in MOST.items()), found
