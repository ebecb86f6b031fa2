"""Shapes, meshes and numbers that make no sense: each is refused by name, at once."""

import warnings

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadShape, BadValue, FoldedSurface
from condyle.joints import Curve, Mesh, Surface

SIDE = np.linspace(-0.05, 0.05, 21)
FLAT = np.stack([*np.meshgrid(SIDE, SIDE, indexing="ij"), np.zeros((21, 21))], axis=-1)
PLATE = Mesh.from_grid(FLAT, title="plate")
PLANE = Surface.from_heights(SIDE, SIDE, np.zeros((21, 21)))
ROLL = cd.joints.product([(0, 0, 0, 1, 0, 0), (0, 1, 0, 0, 0, 0)], 2 * [cd.functions.linear()])


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: PLATE.part([99999]), BadValue, r"plate: a part is numbers of triangles, 0 … 799"),
        (lambda: PLATE.part(np.ones(5, bool)), BadValue, r"plate: .* shape = \(5,\)"),
        (lambda: PLATE.part([0.5]), BadValue, "plate: .*float64"),
        (lambda: PLATE.part([]), BadShape, "plate: no triangle is left"),
        (lambda: PLATE.facing((0, 0, 0)), BadValue, "direction must not vanish"),
        (lambda: PLATE.near((0, 0, 0), np.nan), BadValue, "radius.*nan"),
        (lambda: PLATE.cleaned(-1.0), BadValue, r"nearest.*-1\.0"),
        (lambda: PLATE.cleaned(1.0), BadValue, "too many vertices.*nearest = 1.0"),
        (lambda: Mesh.from_grid(FLAT, closed=True), BadValue, "closed is two"),
        (lambda: Surface.from_mesh(Mesh.from_grid(FLAT, closed=(True, True))), FoldedSurface, r"0 and \d+ face"),
        (lambda: Surface.from_mesh(PLATE, up=(0, 0, 0)), BadValue, "up must not vanish"),
        (lambda: Surface.from_mesh(PLATE, axis=((0, 0, -1), (0, 0, 0))), BadValue, "direction of axis must not vanish"),
        (lambda: Curve.from_svg(None), BadValue, "SVG path.*NoneType"),
        (lambda: Curve.from_svg("M0 0 L1 0 L1 1 Z", rounding=10.0), BadValue, r"3\.414 m long; got rounding = 10"),
        (lambda: cd.joints.contact_path(ROLL, PLATE, PLANE, [0.0]), BadValue, "parent is a Surface.*Mesh"),
        (lambda: cd.joints.contact_path(ROLL, PLANE, PLATE, [0.0]), BadValue, "child is a Surface.*Mesh"),
        (lambda: cd.joints.conjugate_surface(ROLL, PLATE, [0, 1], [0, 1]), BadValue, "Surface.from_mesh.*Mesh"),
        (lambda: cd.joints.conjugate_surface(ROLL, PLANE, [0.1, 0.0], [0, 0.01]), BadValue, "q is two rising"),
        (lambda: cd.joints.conjugate_surface(ROLL, PLANE, [0.0, np.nan], [0, 0.01]), BadValue, "q is two rising.*nan"),
        (lambda: cd.joints.conjugate_surface(ROLL, PLANE, [], [0, 0.01]), BadValue, r"q is two rising.*\[\]"),
        (lambda: cd.joints.conjugate_surface(ROLL, PLANE, [0, 0.1], [0, 5.0]), BadValue, r"to 0\.05; got .*5\.0"),
    ],
)  # fmt: skip
def test_what_makes_no_shape_is_named(make, error, words):
    """Oracle: the class, the object's name and a number."""
    with pytest.raises(error, match=words):
        make()


@pytest.mark.parametrize("scale", [0.0, -1.0, np.nan, np.inf, "mm"])
def test_scales_that_are_no_length_write_and_read_nothing(tmp_path, scale):
    """Oracle: the words; no file is left (one of NaN was)."""
    with pytest.raises(BadValue, match=r"scale is metres per unit"):
        PLATE.save(tmp_path / "plate.stl", scale=scale)
    assert not (tmp_path / "plate.stl").exists()
    PLATE.save(tmp_path / "plate.stl")
    with pytest.raises(BadValue, match=r"scale is metres per unit"):
        Mesh.from_file(tmp_path / "plate.stl", scale=scale)


def test_many_vertices_at_one_place_are_one():
    """Oracle: by hand; pairs of so many vertices would not fit into memory."""
    v = np.zeros((60_000, 3))
    v[1::3, 0], v[2::3, 1] = 1.0, 1.0
    mesh = Mesh(v, np.arange(60_000).reshape(-1, 3))
    assert np.array_equal(mesh.vertices, [(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    assert np.array_equal(mesh.triangles, np.tile([0, 1, 2], (20_000, 1)))


def test_cleaning_at_no_distance_leaves_a_sound_mesh():
    """Oracle: the same triangles, in any order."""
    found = PLATE.cleaned(0.0).corners.reshape(-1, 9)
    assert np.array_equal(np.unique(found, axis=0), np.unique(PLATE.corners.reshape(-1, 9), axis=0))


def test_a_surface_on_one_of_two_pieces_says_so():
    """Oracle: by hand; of two plates the larger is covered, and its share of the area is 80 %."""
    small = Mesh.from_grid(FLAT[:11, :11] * (1, 1, 0) + (0.5, 0, 0))
    both = Mesh(
        np.r_[PLATE.vertices, small.vertices], np.r_[PLATE.triangles, small.triangles + len(PLATE.vertices)], "tray"
    )
    with pytest.warns(cd.CondyleWarning, match="tray: it has 2 separate pieces.*80%"):
        Surface.from_mesh(both)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Surface.from_mesh(PLATE)
