"""The low-pass filter of trials and their derivatives."""

import numpy as np
import pytest
from scipy.signal import butter

import condyle as cd
from condyle.errors import BadShape, BadValue, NotFinite


def textbook(x, cutoff):
    """Third-order Butterworth by scipy's design, one pass, sample by sample; it keeps three samples."""
    b, a = butter(3, 2.0 * cutoff)
    y = x.astype(float).copy()
    for k in range(3, len(x)):
        y[k] = b @ x[k - 3 : k + 1][::-1] - a[1:] @ y[k - 3 : k][::-1]
    return y


def test_the_filter_is_a_textbook_one_over_a_series_reflected_at_its_ends():
    """Oracle: the difference equation of scipy's third-order Butterworth filter, written out, both ways."""
    rng, step = np.random.default_rng(0), 0.01
    t, x = step * np.arange(60), rng.normal(size=60).cumsum()
    n = 30
    long = np.concatenate([2 * x[0] - x[n:0:-1], x, 2 * x[-1] - x[-2 : -2 - n : -1]])
    expected = textbook(textbook(long, 6.0 * step)[::-1], 6.0 * step)[::-1][n : n + 60]
    assert np.allclose(cd.trial.lowpass(t, x, 6.0), expected, atol=1e-10)


def test_half_of_a_wave_at_the_cutoff_is_left_and_none_of_its_phase():
    """Oracle: two passes of a Butterworth filter leave 1/2 at the cutoff, and zero phase."""
    t = np.arange(0.0, 8.0, 0.005)
    wave = np.sin(2 * np.pi * 6.0 * t)
    left = cd.trial.lowpass(t, wave, 6.0)
    assert np.allclose(left[600:1000], 0.5 * wave[600:1000], atol=2e-3)


def test_times_that_are_rounded_are_made_even():
    """Oracle: the same series with exact times; rounding to milliseconds moves it by less than its slope times that."""
    t = np.arange(150) / 60.0
    x = np.stack([np.sin(3 * t), np.cos(2 * t)], axis=1)
    exact, rounded = cd.trial.lowpass(t, x, 6.0), cd.trial.lowpass(np.round(t, 3), x, 6.0)
    assert exact.shape == x.shape and np.abs(exact - rounded).max() < 3e-3


def test_derivatives_are_those_of_the_function_and_zero_at_natural_ends():
    """Oracle: derivatives of a polynomial whose third and fourth derivatives vanish at both ends."""
    t = np.linspace(0.0, 1.0, 31)
    x, v, a = cd.trial.derivatives(t, np.stack([2 + 3 * t, t**2], axis=1))
    assert np.allclose(x, np.stack([2 + 3 * t, t**2], axis=1), atol=1e-12)
    assert np.allclose(v, np.stack([3 + 0 * t, 2 * t], axis=1), atol=1e-9)
    assert np.allclose(a, np.stack([0 * t, 2 + 0 * t], axis=1), atol=1e-7)


def test_a_cutoff_beyond_the_sampling_rate_is_lowered_with_a_word():
    """Oracle: the warning names both frequencies."""
    t = np.arange(50) * 0.01
    with pytest.warns(cd.CondyleWarning, match=r"80 Hz.*49"):
        cd.trial.lowpass(t, np.sin(t), 80.0)


@pytest.mark.parametrize(
    ("times", "values", "cutoff", "error", "words"),
    [
        (np.arange(5.0), np.zeros(5), 0.1, BadShape, "at least 6"),
        (np.arange(10.0), np.zeros(9), 0.1, BadShape, "row of values"),
        (np.arange(10.0)[::-1], np.zeros(10), 0.1, BadValue, "rise"),
        (np.arange(10.0), np.full(10, np.nan), 0.1, NotFinite, "finite"),
        (np.arange(10.0), np.zeros(10), -1.0, BadValue, "positive"),
    ],
)
def test_series_that_cannot_be_filtered_are_refused(times, values, cutoff, error, words):
    """Oracle: the class of the error and its words."""
    with pytest.raises(error, match=words):
        cd.trial.lowpass(times, values, cutoff)


def test_derivatives_beyond_the_series_are_refused():
    """Oracle: the class of the error and the span in its words."""
    t = np.linspace(0.0, 1.0, 11)
    with pytest.raises(BadValue, match="between 0 and 1"):
        cd.trial.derivatives(t, np.sin(t)[:, None], at=[0.5, 1.5])
