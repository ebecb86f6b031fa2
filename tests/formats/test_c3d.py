"""C3D: a damaged file is refused in words, though it crashes the library that reads it."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, CondyleWarning
from condyle.formats.tables.c3d import read_c3d
from support.c3d_bytes import DEC, INTEL, c3d

ezc3d = pytest.importorskip("ezc3d")


@pytest.fixture
def path(tmp_path):
    """Two markers, three frames, written by ezc3d itself."""
    content = ezc3d.c3d()
    content["parameters"]["POINT"]["RATE"]["value"] = [100]
    content["parameters"]["POINT"]["LABELS"]["value"] = ("a", "b")
    content["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    content["data"]["points"] = np.ones((4, 2, 3))
    content.write(str(tmp_path / "m.c3d"))
    return tmp_path / "m.c3d"


@pytest.mark.parametrize(("place", "value"), [(594, 255), (555, 255), (1, 0)])
def test_a_damaged_byte_is_refused_in_words(path, place, value):
    """Oracle: the words; the first two crash ezc3d itself (segmentation fault)."""
    data = bytearray(path.read_bytes())
    data[place] = value
    path.write_bytes(data)
    with pytest.raises(BadFile, match=r"m\.c3d: not a C3D file"):
        read_c3d(path)


def test_what_is_no_c3d_file_is_said(tmp_path):
    """Oracle: the words."""
    (tmp_path / "x.c3d").write_text("hello")
    with pytest.raises(BadFile, match=r"x\.c3d: not a C3D file: "):
        read_c3d(tmp_path / "x.c3d")
    with pytest.raises(BadFile, match="there is no such file"):
        read_c3d(tmp_path / "no.c3d")


PLACES = np.random.default_rng(1).normal(size=(5, 3, 3)) * 100


@pytest.mark.parametrize("processor", [INTEL, DEC])
def test_fewer_labels_than_points_are_legal(tmp_path, processor):
    """Oracle: the numbers that the test wrote, to the digits of four bytes."""
    path = tmp_path / "x.c3d"
    path.write_bytes(c3d(PLACES, ["hip", "knee"], "mete", processor))
    with pytest.warns(CondyleWarning) as told:
        found = cd.read_table(path)
    assert {"mete" in str(w.message) or "2 labels" in str(w.message) for w in told} == {True} and len(told) == 2
    assert found.names[:3] == ("time", "hip", "knee") and len(found.names) == 4
    np.testing.assert_allclose(found.values[:, 1:].reshape(5, 3, 3), PLACES, rtol=1e-6)
    np.testing.assert_allclose(found.times, np.arange(5) / 50, rtol=1e-12)
    with pytest.warns(CondyleWarning):
        np.testing.assert_allclose(cd.trial.read_markers(path).points, PLACES, rtol=1e-6)
    with pytest.raises(BadFile, match="strict"):
        cd.read_table(path, strict=True)


@pytest.mark.parametrize("labels", [None, []])
@pytest.mark.parametrize("processor", [INTEL, DEC])
def test_a_file_of_plates_alone_is_a_table_of_its_channels(tmp_path, processor, labels):
    """Oracle: the numbers that the test wrote."""
    path, channels = tmp_path / "x.c3d", np.random.default_rng(2).normal(size=(5, 6))
    path.write_bytes(c3d(np.zeros((5, 0, 3)), labels, "mm", processor, analog=channels))
    found = cd.read_table(path)
    assert found.names == ("time", *(f"ch{k}" for k in range(6)))
    np.testing.assert_allclose(found.values[:, 1:], channels, rtol=1e-6)
    np.testing.assert_allclose(found.times, np.arange(5) / 50, rtol=1e-12)


def test_a_unit_that_nobody_knows_is_refused(tmp_path):
    """Oracle: the unit in the error."""
    (tmp_path / "x.c3d").write_bytes(c3d(PLACES, ["a", "b", "c"], "feet"))
    with pytest.raises(BadFile, match="feet"):
        cd.read_table(tmp_path / "x.c3d")
