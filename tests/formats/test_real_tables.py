"""Files of laboratories, read where they are at hand: every one is opened right or refused with a reason."""

import re
import warnings

import numpy as np
import pytest

import condyle as cd
from support.laboratory import FILES, FOLDER, needs_files

# In degrees by what the numbers are: checked by hand against joint ranges, and for body kinematics against coordinates.
DEGREES = {
    "reference_walk_IK.mot",
    "reference_subject01_walk1_ik.mot",
    "arm26_InverseKinematics.mot",
    *(f"reference_forward_kinematics_{kind}.sto" for kind in ("q", "u", "dudt")),
    *(f"reference_body_kinematics_{kind}_global.sto" for kind in ("pos", "vel", "acc")),
}
FORCES = {"subject01_walk_grf.mot", "subject01_walk1_grf.mot"}  # no angle in them, though they say degrees


def numbers(path):
    """The numbers of a file by rules of its own that share no code with condyle."""
    text = path.read_text()
    if path.suffix == ".bvh":
        _, _, body = text.partition("Frame Time:")
        values = np.array(body.split()[1:], float)
        return values.reshape(int(re.search(r"Frames:\s+(\d+)", text)[1]), -1)
    if path.suffix == ".trc":
        rows = [line.split("\t") for line in text.splitlines()[5:] if line.strip()]
        return np.array([[float(x) for x in row if x.strip()] for row in rows])
    if path.suffix == ".csv":
        return np.loadtxt(path, delimiter=",", skiprows=1)
    return np.loadtxt(text[re.search(r"endheader\s*\n", text).end() :].splitlines()[1:], ndmin=2)


@needs_files
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_of_a_laboratory_is_opened_right(path):
    """Oracle: numpy's loadtxt and the header by regular expressions; degrees as known of each file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = cd.read_table(path)
    expected = numbers(path)
    skipped = {".trc": 1, ".bvh": 0}.get(path.suffix, 0)  # the number of the frame
    found = table.values[:, 1:] if path.suffix == ".bvh" else table.values
    np.testing.assert_array_equal(found, expected[:, skipped:])
    if path.suffix in (".sto", ".mot") and path.name not in FORCES:
        assert bool(table.in_degrees) == (path.name in DEGREES)
    for w in caught:
        assert issubclass(w.category, cd.CondyleWarning) and path.name in str(w.message)


@needs_files
def test_warnings_are_given_for_the_headers_that_mislead_and_no_others():
    """Oracle: the headers, read by eye: one is silent about degrees, three contradict themselves."""
    warned = set()
    for path in FILES:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            cd.read_table(path)
        warned |= {path.name} if caught else set()
    misleading = {f"reference_body_kinematics_{kind}_global.sto" for kind in ("pos", "vel", "acc")}
    assert warned == misleading | {"arm26_InverseKinematics.mot"}


@needs_files
def test_body_kinematics_that_say_no_are_in_degrees():
    """Oracle: the tilt of the pelvis, which the file of coordinates of the same run has in degrees."""
    folder = FOLDER / "opensim" / "gait2354"
    q = cd.read_table(folder / "reference_forward_kinematics_q.sto")
    with pytest.warns(cd.CondyleWarning, match="against inDegrees=no"):
        bodies = cd.read_table(folder / "reference_body_kinematics_pos_global.sto")
    assert bodies.in_degrees and np.abs(bodies["pelvis_Oz"] - q["pelvis_tilt"]).max() < 0.1
