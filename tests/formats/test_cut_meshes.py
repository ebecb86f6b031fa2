"""Mesh files that were cut within a line: no other body without a word."""

import warnings

import numpy as np
import pytest

from condyle.errors import CondyleError, CondyleWarning
from condyle.formats.meshes.triangles import read_triangles

CORNERS = [(x, y, z) for x in (0.0, 1.25) for y in (0.0, 1.5) for z in (0.0, 1.75)]
FACES = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
NORMALS = "".join(f"vn {k} 0 1\n" for k in range(12))
OBJ = (
    "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS)
    + NORMALS
    + "".join("f " + " ".join(f"{c}//{c + 4}" for c in face) + "\n" for face in FACES)
)


def volume(vertices, faces):
    """One sixth of the sum of triple products."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.einsum("ni,ni->", a, np.cross(b, c)) / 6)


def test_no_cut_within_a_line_gives_another_volume_without_a_word(tmp_path):
    """Oracle: the volume 1.25 · 1.5 · 1.75 of the box; every place within a line is cut."""
    path = tmp_path / "box.obj"
    path.write_text(OBJ)
    whole = volume(*read_triangles(path))
    assert abs(whole) == pytest.approx(1.25 * 1.5 * 1.75, rel=1e-12)
    for end in range(1, len(OBJ) - 1):
        if OBJ[end - 1] == "\n":
            continue
        path.write_text(OBJ[:end])
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                found = volume(*read_triangles(path))
            except CondyleError:
                continue
        assert found == pytest.approx(whole) or told, repr(OBJ[:end][-30:])


def test_a_whole_mesh_without_a_last_line_end_is_read_in_silence(tmp_path):
    """Oracle: the volume of the box."""
    path = tmp_path / "box.obj"
    path.write_text(OBJ[:-1])
    with warnings.catch_warnings():
        warnings.simplefilter("error", CondyleWarning)
        assert abs(volume(*read_triangles(path))) == pytest.approx(1.25 * 1.5 * 1.75, rel=1e-12)
