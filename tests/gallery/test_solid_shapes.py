"""Letters with thickness, continents, ribs and a shoulder blade: what is drawn, against areas and sizes."""

import numpy as np
import pytest

from condyle.gallery.bones import rib_cage
from condyle.gallery.bones.scapula import ACROMION, RIBS
from condyle.gallery.bones.shoulder_blade import blade_grids
from condyle.gallery.extrusion import inset, plate_grids
from condyle.gallery.scenes.glyphs import WORD, glyph, hole
from condyle.gallery.wires.coasts import CONTINENTS, land_grid


def area(outline):
    (x, y), (p, q) = outline.T, np.roll(outline, -1, axis=0).T
    return 0.5 * abs((x * q - p * y).sum())


def grid_area(grid):
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    return 0.5 * sum(np.linalg.norm(np.cross(q - p, r - p), axis=-1).sum() for p, q, r in ((a, b, c), (a, c, d)))


@pytest.mark.parametrize("letter", sorted(set(WORD)))
def test_faces_of_a_letter_have_the_area_of_its_outline_less_its_hole(letter):
    """Oracle: the shoelace formula."""
    outer, holes, bevel, half = glyph(letter, points=360), hole(letter), 0.006, 0.035
    grids = plate_grids(outer, holes, 2 * half, bevel)
    front = [g for g in grids if np.ptp(g[..., 2]) == 0 and g[0, 0, 2] > 0]
    expected = area(inset(outer, bevel)) - sum(area(inset(h[::-1], bevel)) for h in holes)  # a hole's ink is outside
    assert abs(sum(map(grid_area, front)) / expected - 1) < 5e-3
    normal = [np.cross(g[1, 0] - g[0, 0], g[0, 1] - g[0, 0])[2] for g in front]
    assert len({np.sign(n) for n in normal if n}) == 1  # all face one way
    assert max(np.abs(g[..., 2]).max() for g in grids) == half


def test_continents_cover_the_share_of_the_earth_that_land_does():
    """Oracle: land is 29 % of the Earth; hand-drawn continents without islands are within a few per cent of it."""
    grid = land_grid(1.0, 121)
    up = np.linalg.norm(grid, axis=-1) > 1.0
    weight = np.broadcast_to(np.cos(np.linspace(-0.5, 0.5, 121) * np.pi)[:, None], up.shape)
    assert 0.24 < (weight * up).sum() / weight.sum() < 0.33
    assert len(CONTINENTS) == 6


def test_bones_are_as_large_as_a_persons():
    """Oracle: extents: a rib cage of some 20 x 29 cm, ribs on their ellipsoid, a blade of 15 x 10 cm to its socket."""
    cage = np.concatenate([g.reshape(-1, 3) for g in rib_cage.ribs(RIBS)])
    size = np.ptp(cage, axis=0)
    assert 0.17 < size[0] < 0.23 and 0.27 < size[1] < 0.30 and 0.28 < size[2] < 0.40
    out = np.linalg.norm(cage / RIBS, axis=1)
    assert out.max() < 1.02 and out.min() > 0.9
    blade = blade_grids(ACROMION)[0].reshape(-1, 3)
    size = np.ptp(blade, axis=0)
    assert 0.14 < size[1] < 0.17 and 0.08 < size[2] < 0.11 and size[0] < 0.04
