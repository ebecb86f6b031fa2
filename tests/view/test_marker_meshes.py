"""Markers of a model in what is drawn of it."""

from dataclasses import replace

import numpy as np
from numpy.testing import assert_allclose

import condyle as cd
from condyle.model import Marker
from condyle.view.marker_meshes import COLOR
from condyle.view.render_scene import stage_of
from support.browser import player_data


def marked():
    """A rod on a hinge with two markers, and one of ground."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    b.add_body("rod", joint=cd.joints.revolute("z"), inertia=cd.Inertia.box(1.0, (0.05, 1.0, 0.05), com=(0, -0.5, 0)))
    places = (("tip", "rod", (0, -1, 0)), ("side", "rod", (0.2, -0.5, 0)), ("floor", None, (0, 0, 0)))
    return replace(b.build(), markers=tuple(Marker(name, body, np.array(at, float)) for name, body, at in places))


def balls(model, **options):
    return [mesh for mesh in stage_of(model, **options).meshes[0] if mesh.color == COLOR]


def test_markers_are_balls_on_their_bodies():
    """Oracle: points at one distance from the two places, in the body's axes; triangles face outwards."""
    (mesh,) = balls(marked())
    for part, center in zip(np.split(mesh.vertices, 2), [(0, -1, 0), (0.2, -0.5, 0)], strict=True):
        radii = np.linalg.norm(part - center, axis=1)
        assert 0.005 < radii[0] < 0.1
        assert_allclose(radii, radii[0], rtol=1e-12)
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    assert (np.sum(np.cross(b - a, c - a) * mesh.normals[mesh.faces[:, 0]], axis=1) > 0).all()


def test_markers_are_not_drawn_where_something_else_is_chosen():
    """Oracle: `drawn` says all that is shown beside the bodies."""
    assert not balls(marked(), drawn=())


def test_a_model_without_markers_has_no_balls():
    """Oracle: the count."""
    assert not balls(replace(marked(), markers=()))


def test_markers_are_in_the_player(tmp_path):
    """Oracle: one part of the page more than without them, in their colour."""
    pages = [
        player_data(cd.view.export(replace(marked(), markers=m), tmp_path / "m.html")) for m in (marked().markers, ())
    ]
    assert [sum(part["c"] == list(COLOR) for part in page["parts"]) for page in pages] == [1, 0]
