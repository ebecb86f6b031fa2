"""Surfaces in VTK's XML format."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import condyle as cd
from condyle.formats.meshes.vtp import parse_vtp

SQUARE = "0 0 0  1 0 0  1 1 0  0 1 0  0.5 0.5 1"


def vtp(polys="", strips="", form="ascii", points=SQUARE):
    """A file with polygons and strips given as (corners, ends)."""

    def cells(tag, arrays):
        names = ("connectivity", "offsets")
        inside = "".join(
            f'<DataArray Name="{n}" format="{form}">{a}</DataArray>' for n, a in zip(names, arrays, strict=True)
        )
        return f"<{tag}>{inside}</{tag}>"

    made = (cells("Polys", polys) if polys else "") + (cells("Strips", strips) if strips else "")
    data = f'<DataArray NumberOfComponents="3" format="{form}">{points}</DataArray>'
    return (
        f'<VTKFile type="PolyData"><PolyData><Piece><Points>{data}</Points>{made}</Piece></PolyData></VTKFile>'.encode()
    )


def test_polygons_become_fans_of_triangles():
    """Oracle: cut by hand; lines and points of two corners and one are no triangles."""
    vertices, faces = parse_vtp(vtp(("0 1 2 3  0 1 4  2 3", "4 7 9")), "bone.vtp")
    assert vertices.shape == (5, 3)
    assert_array_equal(faces, [[0, 1, 2], [0, 2, 3], [0, 1, 4]])


def test_strips_turn_every_second_triangle():
    """Oracle: the normals of a flat strip are all alike."""
    vertices, faces = parse_vtp(vtp(strips=("0 1 3 2", "4")), "bone.vtp")
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    assert_array_equal(np.cross(b - a, c - a)[:, 2] > 0, [True, True])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<VTKFile type='UnstructuredGrid'/>", "PolyData"),
        (vtp(("0 1 9", "3")), "points 0"),
        (vtp(("0 1 2", "4")), "points 0"),
        (vtp(("0 1 2", "3"), form="binary"), "binary"),
        (vtp(("0 1 x", "3")), "numbers"),
        (vtp(points="1 2"), "three"),
        (b"<!DOCTYPE x><VTKFile/>", "document type"),
    ],
)
def test_other_files_are_refused(data, words):
    """Oracle: the words and the name."""
    with pytest.raises(cd.CondyleError, match=f"bone.vtp.*{words}"):
        parse_vtp(data, "bone.vtp")
