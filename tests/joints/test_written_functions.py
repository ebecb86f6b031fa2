"""Functions that users give for curves, surfaces and normals: they work, or what they did is named with the place."""

import math

import numpy as np
import pytest

from condyle.errors import BadShape, BadValue, CondyleError, FoldedSurface, NotFinite
from condyle.joints import Curve, Surface, along, on

SQUARE = ((0.0, 1.0), (0.0, 1.0))


def stacked(*parts):
    return np.stack(np.broadcast_arrays(*parts), axis=-1)


def late(u, v):
    if np.any(np.real(u) > 0.9):
        raise RuntimeError("too far")
    return stacked(u, v, u * v)


def doubling(u, v):
    u *= 2.0
    return stacked(u, v, u * v)


WRONG = {
    "divides by zero": (lambda u, v: stacked(u, v, 1 / 0), BadValue, r"raised ZeroDivisionError at \(0, 0\)"),
    "fails at one place": (late, BadValue, r"function late raised RuntimeError at \(0\.9"),
    "adds text": (lambda u, v: u + "a", BadValue, "raised .*TypeError"),
    "its domain ends": (lambda u, v: [u, v, math.sqrt(u - 0.5)], BadValue, r"raised ValueError at \(0, 0\)"),
    "takes one argument": (lambda u: u, BadValue, "raised TypeError"),
    "gives nothing": (lambda u, v: None, BadValue, "numbers; got None"),
    "gives text": (lambda u, v: "abc", BadValue, "numbers; got 'abc'"),
    "complex": (lambda u, v: stacked(u, v, 1j * u), BadValue, r"complex numbers for real.*0\.21"),
    "NaN": (lambda u, v: stacked(u, v, np.where(np.real(u) > 0.5, np.nan, u)), NotFinite, r"q = \(0\.\d+, 0\.\d+\)"),
    "two numbers": (lambda u, v: stacked(u, v), BadShape, r"shape \(5, 2\)"),
    "four numbers": (lambda u, v: stacked(u, v, u, v), BadShape, r"shape \(5, 4\)"),
    "always five": (lambda u, v: np.ones((5, 3)), BadShape, r"shape = \(5, 3\)"),
    "ignores v": (lambda u, v: stacked(u, u * u, 0 * u), FoldedSurface, "no normal"),
    "ignores both": (lambda u, v: np.zeros(3), FoldedSurface, "no normal"),
    "no function": (3, BadValue, "a function that takes"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_function_of_a_surface_does_wrong_is_named(name):
    """Oracle: the class, the object's name and the place; an error of the function's own is the cause."""
    f, error, words = WRONG[name]
    with pytest.raises(error, match=f"(?s)sheet.*{words}") as caught:
        Surface.from_function(f, SQUARE, title="sheet")
    assert ("raised" in words) == (caught.value.__cause__ is not None) or "got" in words
    assert not isinstance(caught.value.__cause__, CondyleError) or "got" in words


@pytest.mark.parametrize(
    "f",
    [
        lambda u, v: [u, v, math.cos(u) * v],
        lambda u, v: np.array([u, v, np.cos(u) * v]),
        lambda u, v: (u, v, np.cos(u) * v),
        lambda u, v: stacked(u, v, np.cos(u) * v + 0j),
        lambda u, v: math.cos(u) * v,
    ],
    ids=["of numbers", "three rows", "a tuple", "complex without imaginary parts", "heights of numbers"],
)
def test_functions_of_numbers_and_rows_are_taken(f):
    """Oracle: the written surface."""
    surface, q = Surface.from_function(f, SQUARE), np.array([[0.1, 0.9], [0.5, 0.3]])
    assert np.abs(surface.points(q) - stacked(*q.T, np.cos(q[:, 0]) * q[:, 1])).max() < 1e-12


def test_functions_that_change_their_arguments_do_no_harm():
    """Oracle: the written surface."""
    q = np.array([[0.1, 0.9], [0.5, 0.3]])
    assert np.abs(Surface.from_function(doubling, SQUARE).points(q) - doubling(*q.T.copy())).max() < 1e-12


@pytest.mark.parametrize(
    ("f", "error", "words"),
    [
        (lambda t: 1 / 0, BadValue, r"raised ZeroDivisionError at \(0\)"),
        (lambda t: stacked(t, 1j * t), BadValue, "complex"),
        (lambda t: (1.0, 2.0), BadValue, "all its points are one"),
        (lambda t: 3.0, BadShape, r"shape \(\)"),
        (lambda t: t[:, None], BadShape, r"shape \(5, 1\)"),
        (lambda t: None, BadValue, "numbers; got None"),
        ("sin", BadValue, "a function that takes"),
    ],
)
def test_what_a_function_of_a_curve_does_wrong_is_named(f, error, words):
    """Oracle: the class, the object's name and the place."""
    with pytest.raises(error, match=f"(?s)wire.*{words}"):
        Curve.from_function(f, (0.0, 1.0), title="wire")


@pytest.mark.parametrize(
    ("normal", "error", "words"),
    [
        (lambda p: 1 / 0, BadValue, r"raised ZeroDivisionError at \(1, 0, 0\)"),
        (lambda p: p[:, :2], BadShape, r"got shape = \(17, 2\)"),
        (lambda p: 1j * p, BadValue, "complex"),
        (lambda p: None, BadValue, "numbers; got None"),
    ],
)
def test_what_a_function_of_normals_does_wrong_is_named(normal, error, words):
    """Oracle: the class and the place."""
    helix = Curve.from_function(lambda t: stacked(np.cos(t), np.sin(t), t), (0.0, 1.0))
    with pytest.raises(error, match=f"(?s)along.*{words}"):
        along(helix, normal=normal)


@pytest.mark.parametrize("domain", [3, ((0, np.inf), (0, 1)), ((0, np.nan), (0, 1)), ((1, 0), (0, 1)), ((0, 1),)])
def test_domains_that_are_no_rectangle_are_named(domain):
    """Oracle: the class and the words."""
    with pytest.raises(BadShape, match="the domain is"):
        Surface.from_function(late, domain)


@pytest.mark.parametrize("periodic", [True, "no", (True,)])
def test_periodic_is_two_answers(periodic):
    """Oracle: the class and the words."""
    with pytest.raises(BadValue, match="periodic is two"):
        on(Surface.from_function(late, SQUARE, periodic=periodic))
