"""C3D: a damaged file is refused in words, though it crashes the library that reads it."""

import numpy as np
import pytest

from condyle.errors import BadFile
from condyle.formats.tables.c3d import read_c3d

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
