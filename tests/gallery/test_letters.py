"""The chain of letters."""

import numpy as np
import pytest
from scipy.interpolate import BSpline

import condyle as cd
from condyle.gallery import letters
from condyle.gallery.glyphs import WORD, glyph, plate, support
from condyle.gallery.letters import letter_curve, rim, touching


def outline_point(letter, turn):
    """Point and direction of a rim in its letter's frame, from the support function alone: p = h n + h′ t."""
    c, k = support(glyph(letter)), 6
    step = 2 * np.pi / len(c)
    wrapped = c[np.arange(-3, len(c) + 3) % len(c)]  # control i is in the middle of its basis function, at turn i
    h = BSpline(step * (np.arange(len(wrapped) + k) - 6), wrapped, k - 1)
    turn = turn % (2 * np.pi)
    n, t = np.array([np.sin(turn), -np.cos(turn)]), np.array([np.cos(turn), np.sin(turn)])
    return h(turn) * n + h(turn, 1) * t, t


def test_neighbours_touch_and_are_tangent():
    """Oracle: the two outlines alone (scipy's B-splines), placed by the bodies' poses: no gap, tangents opposite."""
    scene = letters(2)
    path = scene.run(1.0, record=0.2)
    poses = path.poses().as_matrix()
    for record, q in zip(poses, path.q, strict=True):
        for k in range(1, len(WORD)):
            ends = [placed(record[k - 1], WORD[k - 1], q[2 * k - 1]), placed(record[k], WORD[k], q[2 * k])]
            assert np.linalg.norm(ends[0][0] - ends[1][0]) < 1e-12
            assert np.linalg.norm(ends[0][1] + ends[1][1]) < 1e-12


def placed(T, letter, turn):
    """Point and direction of a rim in the world."""
    p, t = outline_point(letter, turn)
    return T[:3, :3] @ [*p, 0.0] + T[:3, 3], T[:3, :3] @ [*t, 0.0]


def test_the_tangent_line_parts_two_neighbours():
    """Oracle: two convex outlines touching from outside lie on either side of their common tangent."""
    joint = touching(rim("G"), rim("R"))
    T = joint.pose([0.7, 2.0])
    (p, t), turns = outline_point("G", 0.7), np.linspace(0, 2 * np.pi, 400)
    outward = np.array([t[1], -t[0]])
    own = np.array([outline_point("G", s)[0] for s in turns])
    other = np.array([outline_point("R", s)[0] for s in turns]) @ T[:2, :2].T + T[:2, 3]
    assert ((own - p) @ outward).max() < 1e-12
    assert ((other - p) @ outward).min() > -1e-12


@pytest.mark.parametrize("letter", sorted(set(WORD)))
def test_rims_are_strictly_convex_and_around_their_letters(letter):
    """Oracle: the radius of curvature h + h″ from the rim's turning, and the letter's own outline."""
    q = np.linspace(0.0, 2 * np.pi, 500)[:, None]
    S = rim(letter).jacobian(q)[..., 0]
    assert abs(S[:, [0, 1, 4, 5]]).max() < 1e-13  # tangent: no motion across
    assert S[:, 3].min() > 0.02
    outward = np.concatenate([np.sin(q), -np.cos(q)], axis=1)
    reach = np.array([outline_point(letter, s)[0] for s in q[:, 0]]) * outward
    assert ((glyph(letter) @ outward.T).max(axis=0) - reach.sum(axis=1)).max() < 1e-3  # [m] of 0.3


def test_plain_outlines_lose_rank_where_they_curve_alike():
    """Oracle: the words. Straight strokes on straight strokes, hollows on bumps."""
    report = cd.joints.check(touching(letter_curve("H"), letter_curve("I")), name="H on I")
    assert not report.ok
    with pytest.raises(cd.CondyleError, match=r"joint 'H on I': the Jacobian loses rank at q = .* equal curvature"):
        report.require()
    assert cd.joints.check(touching(rim("H"), rim("I"))).ok


@pytest.mark.parametrize(("kind", "freedoms", "kept"), [(1, 8, 2e-2), (2, 15, 1e-5)])
def test_the_chain_keeps_its_energy(kind, freedoms, kept):
    """Oracle: conservation; eight coordinates, or fifteen with both outlines."""
    scene = letters(kind)
    path = scene.run(0.7, step=5e-4, record=0.1)
    assert scene.model.nv == freedoms
    assert np.ptp(path.energy().total) < kept


def test_a_square_plate_has_the_inertia_of_a_thin_box():
    """Oracle: the textbook box, moved off the origin."""
    square = np.array([(0.0, 0.0), (0.4, 0.0), (0.4, 0.2), (0.0, 0.2)]) + (0.3, -0.1)
    found, box = plate(square, density=10.0), cd.Inertia.box(0.8, (0.4, 0.2, 1e-12))
    assert found.mass == pytest.approx(0.8)
    assert found.com == pytest.approx([0.5, 0.0, 0.0])
    assert found.moment == pytest.approx(box.moment, abs=1e-12)
