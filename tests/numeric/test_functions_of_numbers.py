"""Sine, cosine, root, arc tangent, floor, magnitude and choice in floats, lanes and complex steps."""

import math

import mpmath
import numpy as np
import pytest

from condyle.numeric import LANE_WIDTH, LANES
from condyle.numeric import number_types as numbers
from support.numeric_probes import run_unary

rng = np.random.default_rng(0)
NEAR_QUARTERS = np.rint(rng.uniform(-6000, 6000, 800)) * (np.pi / 2)
ANGLES = np.concatenate(
    [
        rng.uniform(-1e4, 1e4, 3000),
        rng.uniform(-10.0, 10.0, 1000),
        NEAR_QUARTERS,
        np.nextafter(NEAR_QUARTERS, np.inf),
        NEAR_QUARTERS + np.pi / 4,  # where the quadrant changes
        10.0 ** rng.uniform(-320, 0, 200),
        [0.0, -0.0, 1e4, -1e4],
    ]
)
FAR = np.array([1e5, -1e5, 1e6, 1.1e6, 1e8, -1e8, 1e15, 1e22, 1e300, -1e300])


def exact(name, x):
    with mpmath.workdps(50):
        return np.array([getattr(mpmath, name)(mpmath.mpf(float(a))) for a in x])


SINES, COSINES = exact("sin", ANGLES), exact("cos", ANGLES)


@pytest.mark.parametrize("z", [0.0, LANES, 0j])
def test_sine_and_cosine_are_right_to_4e_16_up_to_1e4(z):
    """Oracle: mpmath, 50 digits."""
    found = run_unary(z, ANGLES)
    for name, right in (("sine", SINES), ("cosine", COSINES)):
        error = [abs(float(mpmath.mpf(float(a)) - b)) for a, b in zip(found[name].real, right, strict=False)]
        assert max(error) <= 4e-16, name


def test_plain_sine_and_cosine_are_right_to_4e_16_up_to_1e4():
    """Oracle: mpmath, 50 digits."""
    for a, s, c in zip(ANGLES, SINES, COSINES, strict=True):
        found = numbers.sincos(float(a))
        assert abs(found[0] - s) <= 4e-16 and abs(found[1] - c) <= 4e-16


@pytest.mark.parametrize("z", [0.0, LANES])
def test_far_angles_are_those_of_the_library(z):
    """Oracle: the C library, which reduces any argument."""
    found = run_unary(z, FAR)
    for k, x in enumerate(FAR):
        assert found["sine"][k] == pytest.approx(math.sin(x), abs=4e-16)
        assert found["cosine"][k] == pytest.approx(math.cos(x), abs=4e-16)


@pytest.mark.parametrize("z", [0.0, LANES])
def test_tiny_angles_keep_their_digits(z):
    """sin x = x to round-off, relative, down to the smallest numbers."""
    x = 10.0 ** np.linspace(-300, -9, 64)
    assert np.array_equal(run_unary(z, x)["sine"], x)


@pytest.mark.parametrize("z", [0.0, LANES])
def test_floor_holds_for_every_size(z):
    """Oracle: numpy.floor; 1e300 does not fit an integer."""
    x = np.array([0.5, -0.5, 2.0, -2.0, 1e15 + 0.5, 2.0**63, -(2.0**64), 1e300, -1e300, np.inf, -np.inf])
    assert np.array_equal(run_unary(z, x)["floor"][: len(x)], np.floor(x))
    assert np.array_equal([numbers.floor(float(a)) for a in x], np.floor(x))


@pytest.mark.parametrize("z", [0.0, LANES])
def test_roots_arctangents_magnitudes_and_choices_are_those_of_numpy(z):
    """Oracle: numpy."""
    x = rng.uniform(-3.0, 3.0, 64)
    found = run_unary(z, x)
    with np.errstate(invalid="ignore"):
        assert np.array_equal(found["root"], np.sqrt(x), equal_nan=True)
    assert np.allclose(found["arctan"], np.arctan(x), rtol=3e-16, atol=0)
    assert np.array_equal(found["magnitude"], np.abs(x))
    assert np.array_equal(found["below"], np.where(x < 0.5, 2.0 * x, 1.0 - x))
    assert np.array_equal(found["larger"], np.maximum(x * x, x + 1.0))
    assert np.allclose(found["ratio"], (3.0 * x - 2.0) / (x * x + 1.0) - x, rtol=0, atol=1e-15)


DERIVATIVES = {
    "sine": np.cos,
    "cosine": lambda x: -np.sin(x),
    "root": lambda x: 0.5 / np.sqrt(x),
    "arctan": lambda x: 1.0 / (1.0 + x * x),
    "floor": np.zeros_like,
    "magnitude": np.sign,
    "below": lambda x: np.where(x < 0.5, 2.0, -1.0),
    "larger": lambda x: np.where(x * x < x + 1.0, 1.0, 2.0 * x),
    "ratio": lambda x: 3.0 / (x * x + 1.0) - (3.0 * x - 2.0) * 2.0 * x / (x * x + 1.0) ** 2 - 1.0,
}


@pytest.mark.parametrize("name", DERIVATIVES)
@pytest.mark.parametrize("step", [1e-20, 1e-150])
def test_a_complex_step_gives_the_exact_derivative(name, step):
    """Oracle: the derivative in closed form; no difference is taken, so the step may be any size."""
    x = rng.uniform(0.1, 3.0, 64)
    if name != "root":
        x[::2] *= -1.0
    found = run_unary(0j, x + 1j * step)[name]
    assert np.allclose(found.imag / step, DERIVATIVES[name](x), rtol=1e-14, atol=1e-15)


PLAIN = {
    "sine": lambda a: numbers.sincos(a)[0],
    "cosine": lambda a: numbers.sincos(a)[1],
    "root": numbers.sqrt,
    "arctan": numbers.arctan,
    "floor": numbers.floor,
    "magnitude": numbers.magnitude,
    "below": lambda a: numbers.select(numbers.less(a, 0.5), 2.0 * a, 1.0 - a),
    "larger": lambda a: numbers.larger(a * a, a + 1.0),
}


@pytest.mark.parametrize("name", PLAIN)
def test_a_complex_step_is_exact_without_the_compiler(name):
    """Oracle: the derivative in closed form."""
    for x in (0.1, 0.7, 2.9):
        found = complex(PLAIN[name](complex(x, 1e-150))).imag / 1e-150
        assert found == pytest.approx(float(DERIVATIVES[name](np.array(x))), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("neighbor", [np.nan, np.inf, 1e300, 1e7, 5e-324, -3.0])
def test_lanes_of_one_block_do_not_influence_each_other(neighbor):
    """Oracle: the same numbers in a block of their own; equality is bitwise."""
    x = rng.uniform(-20.0, 20.0, LANE_WIDTH)
    alone = {k: np.array([run_unary(LANES, np.full(LANE_WIDTH, a))[k][0] for a in x]) for k in run_unary(LANES, x)}
    for lane in range(LANE_WIDTH):
        mixed = np.full(LANE_WIDTH, neighbor)
        mixed[lane] = x[lane]
        found = run_unary(LANES, mixed)
        for name, values in found.items():
            assert values[lane : lane + 1].tobytes() == alone[name][lane : lane + 1].tobytes(), name


def test_results_do_not_depend_on_the_position_in_a_batch():
    """Oracle: the same batch, shifted; equality is bitwise."""
    x = rng.uniform(-20.0, 20.0, 5 * LANE_WIDTH)
    found = run_unary(LANES, x)
    for shift in (1, 3, LANE_WIDTH + 1):
        shifted = run_unary(LANES, np.roll(x, shift))
        for name, values in found.items():
            assert np.roll(values, shift).tobytes() == shifted[name].tobytes(), name
