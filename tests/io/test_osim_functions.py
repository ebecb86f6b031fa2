"""Functions of .osim files, against scipy and closed forms."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import CubicSpline, interp1d

import condyle as cd
from condyle.formats.loose_xml import parse_loose_xml
from condyle.io.opensim.joints.functions import function_of
from condyle.io.opensim.osim_document import Document, Node
from support.osim_files import chain

RNG = np.random.default_rng(3)
T, Y = np.cumsum(RNG.uniform(0.2, 1.0, 9)), RNG.normal(size=9)
POINTS = f"<x>{' '.join(map(repr, T.tolist()))}</x><y>{' '.join(map(repr, Y.tolist()))}</y>"
WIDE = np.linspace(T[0] - 1.0, T[-1] + 1.0, 301)


def made(text, count=1):
    """The function of an element."""
    return function_of(Node(parse_loose_xml(text.encode(), "ours.osim"), Document("ours.osim", 40000)), count)


@pytest.mark.parametrize("tag", ["SimmSpline", "NaturalCubicSpline", "natCubicSpline"])
def test_a_simm_spline_has_its_definition(tag):
    """Oracle: it is C2 through the points, its outer third derivatives are those of four points, lines go on outside.

    These conditions determine it.
    """
    f = made(f"<{tag}>{POINTS}</{tag}>")
    assert_allclose(f(T), Y, atol=1e-13)
    gap = 1e-9
    for order in (1, 2):
        assert_allclose(f.derivative(T[1:-1] - gap, order=order), f.derivative(T[1:-1] + gap, order=order), atol=1e-6)
    ends = [f.derivative(0.5 * (T[i] + T[i + 1]), order=3) for i in (0, -2)]
    assert_allclose(ends, [6 * np.polyfit(T[:4], Y[:4], 3)[0], 6 * np.polyfit(T[-4:], Y[-4:], 3)[0]], rtol=1e-9)
    for end, step in ((T[0], -1.3), (T[-1], 0.8)):
        inside = end - 1e-9 * np.sign(step)
        assert_allclose(f(end + step), f(end) + step * f.derivative(inside), atol=1e-7)


@pytest.mark.parametrize("count", [2, 3])
def test_a_simm_spline_of_few_points_is_their_polynomial(count):
    """Oracle: numpy's polynomials; outside the tangents go on."""
    f = made(f"<SimmSpline><x>{' '.join(map(str, T[:count]))}</x><y>{' '.join(map(str, Y[:count]))}</y></SimmSpline>")
    c = np.polyfit(T[:count], Y[:count], count - 1)
    x = np.linspace(T[0], T[count - 1], 21)
    assert_allclose(f(x), np.polyval(c, x), atol=1e-12)
    assert_allclose(f(T[0] - 1), Y[0] - np.polyval(np.polyder(c), T[0]), atol=1e-12)


@pytest.mark.parametrize("half", [1, 2, 3, 4])
def test_a_gcv_spline_is_the_natural_spline_of_its_degree(half):
    """Oracle: for lines and cubics scipy's; for all, the end conditions, continuity and the Taylor continuation."""
    f = made(f"<GCVSpline><half_order>{half}</half_order>{POINTS}</GCVSpline>")
    assert_allclose(f(T), Y, atol=1e-11)
    if half == 1:
        assert_allclose(f(WIDE), interp1d(T, Y, fill_value="extrapolate")(WIDE), atol=1e-12)
        return
    if half == 2:
        inside = (T[0] <= WIDE) & (T[-1] >= WIDE)
        assert_allclose(f(WIDE[inside]), CubicSpline(T, Y, bc_type="natural")(WIDE[inside]), atol=1e-12)
    gap = 1e-7
    for order in range(1, 2 * half - 1):
        left, right = (f.derivative(T + side, order=order) for side in (-gap, gap))
        assert_allclose(left[1:-1], right[1:-1], atol=1e-4 * 10**order)
        if order >= half:
            assert_allclose([left[0], right[-1]], 0.0, atol=1e-12)  # outside: no powers from `half` on
            assert_allclose([right[0], left[-1]], 0.0, atol=1e-3 * 10**order)
        else:
            assert_allclose(left, right, atol=1e-4 * 10**order)


def test_lines_between_points_go_on_outside():
    """Oracle: scipy's interpolation."""
    f = made(f"<PiecewiseLinearFunction>{POINTS}</PiecewiseLinearFunction>")
    assert_allclose(f(WIDE), interp1d(T, Y, fill_value="extrapolate")(WIDE), atol=1e-13)


def test_closed_forms():
    """Oracle: the formulas."""
    x = np.linspace(-2.0, 3.0, 41)
    assert_allclose(made("<PolynomialFunction><coefficients>1 2 3</coefficients></PolynomialFunction>")(2.0), 11.0)
    sine = "<amplitude>2</amplitude><omega>3</omega><phase>0.5</phase><offset>0.25</offset>"
    assert_allclose(made(f"<Sine>{sine}</Sine>")(x), 2 * np.sin(3 * x + 0.5) + 0.25, atol=1e-15)
    step = """<transition_start_time>0.5</transition_start_time><transition_end_time>2</transition_end_time>
<start_value>1</start_value><end_value>-2</end_value>"""
    u = np.clip((x - 0.5) / 1.5, 0, 1)
    assert_allclose(
        made(f"<StepFunction>{step}</StepFunction>")(x), 1 - 3 * u**3 * (10 - 15 * u + 6 * u**2), atol=1e-14
    )
    scaled = "<function><LinearFunction><coefficients>2 1</coefficients></LinearFunction></function><scale>-3</scale>"
    assert_allclose(made(f"<MultiplierFunction>{scaled}</MultiplierFunction>")(x), -3 * (2 * x + 1), atol=1e-14)
    assert_allclose(made("<Constant><value>4</value></Constant>", 0)(), 4.0)


def test_what_a_function_leaves_out_is_as_in_opensim():
    """Oracle: values of the functions that OpenSim 4.6 makes without properties."""
    x = np.array([-1.0, 0.25, 1.0, 2.0])
    expected = {"LinearFunction": x, "PolynomialFunction": 1 + 0 * x, "Sine": np.sin(x), "StepFunction": [0, 0, 0.5, 1]}
    for kind, values in expected.items():
        f = made(f"<{kind}/>")
        assert_allclose(f(x) if f.coordinates else f() + 0 * x, values, atol=1e-12)


def test_polynomials_of_several_coordinates_run_fastest_in_the_last():
    """Oracle: the powers by hand, 1, y, y², x, xy, x²; a linear one has a slope for each coordinate, then an offset."""
    c = "1 2 3 4 5 6"
    f = made(f"<MultivariatePolynomialFunction><dimension>2</dimension><order>2</order><coefficients>{c}</coefficients>"
             "</MultivariatePolynomialFunction>", 2)  # fmt: skip
    x, y = 0.7, -1.3
    assert_allclose(f(x, y), 1 + 2 * y + 3 * y**2 + 4 * x + 5 * x * y + 6 * x**2)
    g = made("<LinearFunction><coefficients>2 -3 0.5</coefficients></LinearFunction>", 2)
    assert_allclose(g(x, y), 2 * x - 3 * y + 0.5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<SimmSpline><x>0 1 1</x><y>0 1 2</y></SimmSpline>", "rise"),
        ("<SimmSpline><x>0 1</x><y>0 1 2</y></SimmSpline>", "2 and 3"),
        ("<SimmSpline><x>0 1</x><y>0 1,5</y></SimmSpline>", "commas"),
        ("<SimmSpline/>", "x and y"),
        ("<GCVSpline><half_order>3</half_order><x>0 1</x><y>0 1</y></GCVSpline>", "6 or more"),
        (f"<GCVSpline><error_variance>0.1</error_variance>{POINTS}</GCVSpline>", "smooths"),
        ("<PiecewiseConstantFunction><x>0 1</x><y>0 1</y></PiecewiseConstantFunction>", "jumps"),
        ("<ExpressionBasedFunction/>", "ExpressionBasedFunction"),
        ("<MultiplierFunction/>", "needs a function"),
        ("<StepFunction><transition_start_time>2</transition_start_time></StepFunction>", "before"),
        ("<LinearFunction><coefficients>1 nan</coefficients></LinearFunction>", "nan"),
        ("<LinearFunction><coefficients>1 2 3</coefficients></LinearFunction>", "2 numbers"),
    ],
)
def test_functions_that_make_no_sense_are_refused(text, words):
    """Oracle: the words and the line."""
    with pytest.raises(cd.CondyleError, match=f"line 1.*{words}"):
        made(text)


@pytest.mark.parametrize("how", ["<function>{}</function>", "{}"])
@pytest.mark.parametrize("label", ["", ' name="function"'])
def test_an_axis_with_a_function_that_is_not_known_is_refused(how, label, tmp_path):
    """Oracle: the class in the words: such an axis must not be taken for one that does nothing."""
    odd = how.format(f"<OddFunction{label}><x>1</x></OddFunction>")
    path = tmp_path / "odd.osim"
    path.write_text(chain("CustomJoint").replace("<function><Constant><value>0.11</value></Constant></function>", odd))
    with pytest.raises(cd.CondyleError, match="OddFunction"):
        cd.load(path)


@pytest.mark.parametrize("label", ["", ' name="function"'])
def test_functions_need_no_element_around_them(label, tmp_path):
    """Oracle: the same joint with the element."""
    paths = [tmp_path / "a.osim", tmp_path / "b.osim"]
    text = chain("CustomJoint")
    bare = re.sub(r"<function><(\w+)>", rf"<\1{label}>", text).replace(
        "</function></TransformAxis>", "</TransformAxis>"
    )
    for path, words in zip(paths, (text, bare.replace("</function><scale>", "<scale>")), strict=True):
        path.write_text(words)
    one, two = (cd.forward_kinematics(cd.load(path), [0.3, 0.4, 0.5]).as_matrix() for path in paths)
    assert_allclose(one, two, atol=0)
