"""The chain of letters."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import brentq, least_squares

import condyle as cd
from condyle.gallery.scenes.glyphs import WORD, plate
from condyle.gallery.scenes.letter_contacts import crossings, draw_limits, equal_curvature, inside
from condyle.gallery.scenes.letters import (
    SPANS,
    curvature,
    letter_curve,
    letters,
    outline,
    outline_spline,
    relative_curvature,
)
from condyle.joints import contact


def outline_point(letter, place):
    """Point and direction of an outline in its letter's frame, from scipy's spline alone."""
    curve = outline_spline(letter)
    slope = curve(place % SPANS, 1)
    return curve(place % SPANS), slope / np.linalg.norm(slope)


def placed(T, letter, place):
    """Point and direction of an outline in the world."""
    p, t = outline_point(letter, place)
    return T[:3, :3] @ [*p, 0.0] + T[:3, 3], T[:3, :3] @ [*t, 0.0]


@pytest.fixture(scope="module")
def falling():
    return letters(2).run(2.0, record=0.1)


def test_neighbours_touch_and_are_tangent(falling):
    """Oracle: the two outlines alone (scipy's B-splines), placed by the bodies' poses: no gap, tangents opposite."""
    for record, q in zip(falling.poses().as_matrix(), falling.q, strict=True):
        for k in range(1, len(WORD)):
            ends = [placed(record[k - 1], WORD[k - 1], q[2 * k - 1]), placed(record[k], WORD[k], q[2 * k])]
            assert np.linalg.norm(ends[0][0] - ends[1][0]) < 1e-12
            assert np.linalg.norm(ends[0][1] + ends[1][1]) < 1e-12


def test_the_closest_points_of_two_neighbours_are_their_contact(falling):
    """Oracle: the distance between both outlines minimised by scipy from the samples nearest each other; no joint."""
    T, q = falling.poses()[-1].as_matrix(), falling.q[-1]
    for k in range(1, len(WORD)):

        def apart(x, k=k):
            return placed(T[k - 1], WORD[k - 1], x[0])[0] - placed(T[k], WORD[k], x[1])[0]

        near = least_squares(apart, q[2 * k - 1 : 2 * k + 1] + (0.3, -0.2), xtol=1e-15, ftol=1e-15, gtol=1e-15)
        assert np.linalg.norm(near.fun) < 1e-9


def test_letters_do_not_cross_away_from_their_contacts(falling):
    """Oracle: points of one outline inside another, at every record."""
    assert not [pair for k in range(len(falling.t)) for pair in crossings(falling, k)]


def test_a_crossing_is_found():
    """Oracle: two letters put on each other by hand; a square with a notch for the test of being inside."""
    scene = letters(2)
    q = scene.q.copy()
    q[4] += 0.5 * SPANS  # the first G upside down: its bottom at the I's, so the I is inside
    run = cd.simulate(scene.model, q, duration=1e-3)
    assert ("1I", "2G") in crossings(run, 0) or ("2G", "1I") in crossings(run, 0)
    notched = np.array([(0, 0), (2, 0), (2, 2), (1, 0.5), (0, 2)], float)
    assert inside(np.array([(0.2, 1.0), (1.0, 1.0), (1.0, 0.2), (3.0, 1.0)]), notched).tolist() == [
        True,
        False,
        True,
        False,
    ]


def test_the_chain_stays_where_its_contacts_have_rank(falling):
    """Oracle: the curvatures of both outlines, by scipy."""
    assert relative_curvature(falling.q).min() > 5.0


def test_outlines_of_equal_curvature_lose_rank():
    """Oracle: the place where both curvatures cancel, found by scipy; and the words."""
    scene, places = letters(2), np.linspace(0.0, SPANS, 2001)
    q = scene.q.copy()
    q[2] = places[np.argmin(abs(curvature("I", places)))]

    def relative(x):
        return float(curvature("S", x) + curvature("I", q[2]))

    signs = np.array([relative(x) for x in places])
    i = np.flatnonzero(signs[:-1] * signs[1:] < 0)[0]
    q[1] = brentq(relative, places[i], places[i + 1], xtol=1e-15)
    with pytest.raises(
        cd.CondyleError, match="joint '1I' has a direction without inertia: its Jacobian lost rank here"
    ):
        cd.forward_dynamics(scene.model, q, np.zeros(15))


def lies(parent, child, x):
    """(x, y, turn) of a letter that touches another at places x, from both outlines alone."""
    (p, t), (s, u) = outline_point(parent, x[0]), outline_point(child, x[1])
    turn = np.arctan2(t[1], t[0]) + np.pi - np.arctan2(u[1], u[0])
    c, d = np.cos(turn), np.sin(turn)
    return np.array([p[0] - c * s[0] + d * s[1], p[1] - d * s[0] - c * s[1], turn])


def least_share(parent, child, x, h=2e-4):
    """The least singular value of what (x, y, turn) does per span, as a share of the largest; by differences."""
    columns = []
    for e in np.eye(2) * h:
        near, far = (lies(parent, child, x + k * e) - lies(parent, child, x - k * e) for k in (1, 2))
        for change in (near, far):
            change[2] = (change[2] + np.pi) % (2 * np.pi) - np.pi
        columns.append((8 * near - far) / (12 * h))
    sigma = np.linalg.svd(np.array(columns), compute_uv=False)
    return sigma[-1] / sigma[0]


@pytest.mark.parametrize(("parent", "child"), [("S", "I"), ("R", "A"), ("P", "H")])
def test_places_of_equal_curvature_are_where_the_rank_is_lost(parent, child):
    """Oracle: differences of where the child lies, from the two outlines alone: there two motions are one."""
    pairs = equal_curvature(parent, child)
    rng = np.random.default_rng(0)
    shares = [least_share(parent, child, x) for x in rng.choice(pairs, 40)]
    assert max(shares) < 2e-7
    away = [x for x in rng.uniform(0, SPANS, (40, 2)) if abs(curvature(parent, x[0]) + curvature(child, x[1])) > 1.0]
    assert min(least_share(parent, child, x) for x in away) > 1e-4


@pytest.mark.parametrize(("parent", "child"), list(pairwise(WORD)))
def test_the_rank_check_finds_the_thin_lines_of_equal_curvature(parent, child):
    """Oracle: the outlines' curvatures; every place that the joint's check finds is one of the solved pairs."""
    report = cd.joints.check(contact(outline(parent), outline(child)), name=f"{child} on {parent}")
    assert not report.ok and report.smallest < 1e-14
    assert "both curves have equal curvature at the contact" in str(report)
    assert len(report.places) > 100
    assert abs(curvature(parent, report.places[:, 0]) + curvature(child, report.places[:, 1])).max() < 1e-7  # 1/m
    for first, second in report.places[::40]:
        solved = equal_curvature(parent, child, [first])[:, 1]
        flat = abs(curvature(child, second + 1e-3) - curvature(child, second - 1e-3)) < 1e-5  # no sharp place of a root
        assert flat or abs(solved - second % SPANS).min() < 1e-5


def test_the_limits_are_drawn(tmp_path, falling):
    """Oracle: the file."""
    draw_limits(falling, tmp_path / "limits.png")
    assert (tmp_path / "limits.png").stat().st_size > 10_000


def test_straight_strokes_on_straight_strokes_are_named():
    """Oracle: the words of the check of a joint, on the chain's first kind of curve."""
    report = cd.joints.check(contact(letter_curve("H"), letter_curve("I")), name="H on I")
    with pytest.raises(cd.CondyleError, match=r"joint 'H on I': the Jacobian loses rank at q = .* equal curvature"):
        report.require()


def test_only_two_kinds_of_letters_exist():
    """Oracle: the words."""
    with pytest.raises(cd.CondyleError, match="letters: kind is 1 or 2; got kind = 3"):
        letters(3)


@pytest.mark.parametrize(("kind", "freedoms", "kept"), [(1, 8, 2e-2), (2, 15, 1e-4)])
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
