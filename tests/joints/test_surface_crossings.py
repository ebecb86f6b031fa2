"""Surfaces that meet themselves are refused with the place; those that only come near, or close, are taken.

Oracles: surfaces whose crossings are known in closed form, and embedded ones that come near to themselves.
"""

import numpy as np
import pytest
from scipy.interpolate import NdBSpline, make_interp_spline
from scipy.optimize import brentq

import condyle as cd
from condyle.errors import BadFile, BadValue, UnknownName
from condyle.joints import Surface, contact, on

TURN = 2.0 * np.pi


def stacked(*parts):
    return np.stack(np.broadcast_arrays(*parts), axis=-1)


def enneper(u, v):
    return 0.1 * stacked(u - u**3 / 3 + u * v**2, v - v**3 / 3 + v * u**2, u**2 - v**2)


def eight(u, v):
    return stacked(0.1 * np.sin(u), 0.1 * np.sin(2 * u), v)


def tube(u, v):
    return stacked(0.2 * np.cos(u), 0.2 * np.sin(u), v)


def torus(u, v):
    return stacked((0.3 + 0.1 * np.cos(v)) * np.cos(u), (0.3 + 0.1 * np.cos(v)) * np.sin(u), 0.1 * np.sin(v))


def ball(u, v):
    return 0.3 * stacked(np.cos(v) * np.cos(u), np.cos(v) * np.sin(u), np.sin(v))


def klein(u, v):
    """A figure of eight that goes around a ring and turns over by half a turn on the way."""
    c = np.cos(u / 2) * np.sin(v) - np.sin(u / 2) * np.sin(2 * v)
    s = np.sin(u / 2) * np.sin(v) + np.cos(u / 2) * np.sin(2 * v)
    return 0.1 * stacked((3 + c) * np.cos(u), (3 + c) * np.sin(u), s)


def moebius(u, v):
    r = 1.0 + v * np.cos(u / 2)
    return stacked(r * np.cos(u), r * np.sin(u), v * np.sin(u / 2))


def screw(u, v):
    return stacked(0.2 * np.cos(u), 0.2 * np.sin(u), v + 0.05 * u)


def loop(u, v):
    """A trochoid: it crosses itself at x = 0, at the parameters ± MET."""
    return stacked(u - 2.0 * np.sin(u), -2.0 * np.cos(u), v)


def spiral(gap):
    """A roll whose layers are `gap` apart."""

    def f(u, v):
        r = 0.1 + gap * u / TURN
        return stacked(r * np.cos(u), r * np.sin(u), v)

    return f


def dented(depth):
    """A roll with layers 20 mm apart and a dent of the second one towards the first, `depth` deep."""

    def f(u, v):
        r = 0.1 + 0.02 * u / TURN - depth * np.exp(-(((u - 3 * np.pi) / 0.3) ** 2) - ((v - 0.15) / 0.05) ** 2)
        return stacked(r * np.cos(u), r * np.sin(u), v)

    return f


def spline_of(f, domain, shape):
    x, y = (np.linspace(*d, n) for d, n in zip(domain, shape, strict=True))
    along = make_interp_spline(x, f(*np.meshgrid(x, y, indexing="ij")), k=5)
    across = make_interp_spline(y, np.moveaxis(along.c, 1, 0), k=5)
    return NdBSpline((along.t, across.t), np.ascontiguousarray(np.moveaxis(across.c, 0, 1)), 5)


MET = brentq(lambda u: u - 2.0 * np.sin(u), 1.0, 3.0)
STRIP = (0.0, 0.3)
CROSSING = {  # function, domain, periodic, |what vanishes at both pairs of parameters and the point|
    "Enneper's": (enneper, ((-2, 2), (-2, 2)), (False, False),
                  lambda a, b, p: (p[0] * p[1], np.abs(np.add(a, b)).min(), max(0.0, 3.0 - np.abs([a, b]).max() ** 2))),
    "figure of eight": (eight, ((0, TURN), STRIP), (True, False),
                        lambda a, b, p: (p[0], p[1], abs(a[0] - b[0]) - np.pi, a[1] - b[1])),
    "its seam at the crossing": (eight, ((0, TURN), STRIP), (False, False),
                                 lambda a, b, p: (p[0], p[1], a[1] - b[1])),
    "Klein's bottle": (klein, ((0, TURN), (0, TURN)), (False, True),
                       lambda a, b, p: (np.hypot(*p[:2]) - 0.3, p[2], np.sin(a[1]), np.sin(b[1]))),
    "tube twice around": (tube, ((0, 2 * TURN), (0, 1)), (False, False),
                          lambda a, b, p: (b[0] - a[0] - TURN, a[1] - b[1])),
    "tube twice around, declared": (tube, ((0, 2 * TURN), (0, 1)), (True, False),
                                    lambda a, b, p: (b[0] - a[0] - TURN, a[1] - b[1])),
    "tube with 0.2 mm too much": (tube, ((0, TURN + 1e-3), (0, 1)), (False, False),
                                  lambda a, b, p: (b[0] - a[0] - TURN, a[1] - b[1])),
    "Möbius twice around": (moebius, ((0, 2 * TURN), (-0.3, 0.3)), (True, False),
                            lambda a, b, p: (abs(a[0] - b[0]) - TURN, a[1] + b[1])),
    "screw too wide": (screw, ((0, 3 * TURN), (0, 0.32)), (False, False),
                       lambda a, b, p: (b[0] - a[0] - TURN, a[1] - b[1] - 0.05 * TURN)),
    "an edge on the inside": (loop, ((-3.0, MET), (0, 1)), (False, False),
                              lambda a, b, p: (p[0], a[0] + MET, b[0] - MET, a[1] - b[1])),
    "dent that touches": (dented(0.02), ((0, 2 * TURN), STRIP), (False, False),
                          lambda a, b, p: ((b[0] - a[0] - TURN) * 1e-3, (a[1] - 0.15) * 1e-3)),
    "dent that passes by 10 µm": (dented(0.02001), ((0, 2 * TURN), STRIP), (False, False),
                                  lambda a, b, p: (b[0] - a[0] - TURN, a[1] - b[1],
                                                   ((a[0] - np.pi) / 0.3) ** 2 + ((a[1] - 0.15) / 0.05) ** 2
                                                   - np.log(0.02001 / 0.02))),
}  # fmt: skip


@pytest.mark.parametrize("name", CROSSING)
def test_places_lie_on_the_known_crossings(name):
    """Oracle: the closed form of where it crosses; both parameters give the point."""
    f, domain, periodic, zeros = CROSSING[name]
    surface = Surface.from_function(f, domain, periodic=periodic, title="sheet")
    found = surface.crossings()
    assert found
    for first, second, point, angle in found:
        assert np.abs(zeros(first, second, point)).max() < 1e-6
        assert max(np.linalg.norm(f(*map(np.array, q)) - point) for q in (first, second)) < 1e-7 * surface.size
        assert 0.0 <= angle <= np.pi / 2 + 1e-12
    with pytest.raises(BadValue, match=r"sheet meets itself at \(.*\) m, at parameters \(.*crossings='allow'"):
        on(surface)


EMBEDDED = {
    "Enneper's, inside": (enneper, ((-1.2, 1.2), (-1.2, 1.2)), (False, False)),
    "ring": (torus, ((0, TURN), (0, TURN)), (True, True)),
    "ring, not declared": (torus, ((0, TURN), (0, TURN)), (False, False)),
    "tube": (tube, ((0, TURN), (0, 1)), (True, False)),
    "tube, not declared": (tube, ((0, TURN), (0, 1)), (False, False)),
    "tube with 20 µm missing": (tube, ((0, TURN - 1e-4), (0, 1)), (False, False)),
    "half a figure of eight": (eight, ((0, np.pi), STRIP), (False, False)),
    "ball to near its poles": (ball, ((0, TURN), (-1.56, 1.56)), (True, False)),
    "Möbius": (moebius, ((0, TURN), (-0.3, 0.3)), (False, False)),
    "screw whose edges meet": (screw, ((0, 3 * TURN), (0, 0.05 * TURN)), (False, False)),
    "roll": (spiral(0.02), ((0, 3 * TURN), STRIP), (False, False)),
    "tight roll": (spiral(1e-4), ((0, 3 * TURN), STRIP), (False, False)),
    "dent with 1 µm left": (dented(0.02 - 1e-6), ((0, 2 * TURN), STRIP), (False, False)),
    "loop that ends at its crossing": (loop, ((-MET, MET), (0, 1)), (False, False)),
    "loop that ends before": (loop, ((-3.0, MET - 1e-4), (0, 1)), (False, False)),
}


@pytest.mark.parametrize("name", EMBEDDED)
def test_surfaces_that_only_come_near_or_close_have_none(name):
    """Oracle: these are embedded, but for edges that meet edges."""
    f, domain, periodic = EMBEDDED[name]
    assert Surface.from_function(f, domain, periodic=periodic).crossings() == []


@pytest.mark.filterwarnings("ignore:.*Are these millimetres")
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("away", [0.0, 100.0])
def test_sizes_and_places_do_not_matter(scale, away):
    """Oracle: a figure of eight crosses on a line, whatever its size and place; a ring does not cross."""
    crossing = Surface.from_function(lambda u, v: scale * (eight(u, v) + away), ((0, TURN), STRIP))
    points = np.array([c.point for c in crossing.crossings()])
    assert len(points) and np.abs(points[:, :2] / scale - away).max() < 1e-7
    ring = Surface.from_function(
        lambda u, v: scale * (torus(u, v) + away), ((0, TURN), (0, TURN)), periodic=(True, True)
    )
    assert not ring.crossings()


def test_splines_and_functions_of_numbers_are_looked_at_too():
    """Oracle: Enneper's surface by a spline crosses where x y = 0 to the spline's error; a ring's seams only meet."""
    found = Surface.from_spline(spline_of(enneper, ((-2, 2), (-2, 2)), (30, 30))).crossings()
    assert found and max(abs(c.point[0] * c.point[1]) for c in found) < 1e-9
    assert not Surface.from_spline(spline_of(torus, ((0, TURN), (0, TURN)), (60, 40))).crossings()
    side = np.linspace(-1, 1, 9)
    assert not Surface.from_heights(side, side, np.add.outer(side**2, side)).crossings()


def test_crossings_may_be_allowed():
    """Oracle: the written points, on both ways through the crossing."""
    joint = on(Surface.from_function(loop, ((-2.4, 2.4), (0, 1))), crossings="allow")
    q = np.array([[-MET, 0.1], [MET, 0.1], [1.0, 0.2]])
    assert np.abs(joint.pose(q).xyz - loop(*q.T)).max() < 1e-11
    with pytest.raises(UnknownName, match="allow"):
        on(Surface.from_function(tube, ((0, 3), (0, 1))), crossings="alow")


def test_a_child_that_meets_itself_is_refused_in_contact():
    """Oracle: the class and the place of the word; `contact` takes what `on` makes."""
    side = np.linspace(-0.3, 0.3, 9)
    plane = on(Surface.from_heights(side, side, np.zeros((9, 9))))
    child = Surface.from_function(tube, ((0, 2 * TURN), (0, 1)))
    with pytest.raises(BadValue, match="touches or covers itself"):
        contact(plane, on(child))


def test_files_say_whether_a_crossing_is_allowed(tmp_path):
    """Oracle: the joint made by hand; a saved joint comes back as it is; a surface without the word is refused."""
    spline = spline_of(enneper, ((-1.9, 1.9), (-0.3, 0.3)), (14, 8))
    made, q = on(spline, crossings="allow"), [[1.8, 0.2], [-1.0, 0.1]]
    cd.save(made, tmp_path / "saved.toml")
    knots, controls = [t.tolist() for t in spline.t], spline.c.tolist()
    form = f'condyle = 1\nkind = "joint"\n[joint]\ntype = "on"\nknots = {knots}\ncontrols = {controls}\n'
    (tmp_path / "allowed.toml").write_text(form + 'crossings = "allow"\n')
    for name in ("saved", "allowed"):
        assert np.array_equal(cd.load(tmp_path / f"{name}.toml").pose(q).as_matrix(), made.pose(q).as_matrix())
    (tmp_path / "refused.toml").write_text(form)
    with pytest.raises(BadFile, match="meets itself at"):
        cd.load(tmp_path / "refused.toml")
