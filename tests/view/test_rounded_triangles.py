"""Finer triangles of curved surfaces in pictures."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from condyle.model.look.shapes import box, cylinder, sphere
from condyle.view.files.rounded_triangles import rounded
from condyle.view.files.scene_triangles import Triangles
from condyle.view.geometry import body_meshes


def triangles(shape) -> Triangles:
    (mesh,) = body_meshes((shape,))
    n = len(mesh.faces)
    rest = np.tile(mesh.color[:3], (n, 1)), np.ones(n), np.full((n, 3, 2), np.nan)
    return Triangles(mesh.vertices[mesh.faces], mesh.normals[mesh.faces], *rest)


def area(part: Triangles) -> float:
    a, b, c = np.moveaxis(part.points, 1, 0)
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()


def sagitta(part: Triangles) -> float:
    """How far the middles of sides are inside a unit sphere."""
    return float(1.0 - np.linalg.norm(0.5 * (part.points + np.roll(part.points, 1, axis=1)), axis=-1).min())


def test_a_large_sphere_becomes_rounder():
    """Oracle: points of a sphere are its radius from its centre, and its area is 4π."""
    coarse = triangles(sphere(1.0))
    fine = rounded(coarse, 1.0)
    assert_allclose(np.linalg.norm(fine.points, axis=-1), 1.0, atol=1.5e-3)
    assert sagitta(fine) < 0.15 * sagitta(coarse)
    assert abs(area(fine) / (4.0 * np.pi) - 1.0) < 0.15 * abs(area(coarse) / (4.0 * np.pi) - 1.0)
    assert all(len(x) == len(fine.points) for x in fine)


@pytest.mark.parametrize("shape", [sphere(0.01), box((1.0, 1.0, 1.0)), cylinder(1.0, 1.0)], ids=lambda s: s.kind)
def test_what_is_small_flat_or_has_edges_stays(shape):
    part = triangles(shape)
    assert rounded(part, 1.0) is part
