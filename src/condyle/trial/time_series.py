"""Measured coordinates as functions of time: zero-phase low-pass filter and natural splines, as in OpenSim."""

from __future__ import annotations

import numpy as np

from ..errors import BadShape, BadValue, NotFinite, require, warn
from ..typing import ArrayLike

ORDER = 3  # of the Butterworth filter; two passes, so six in all
HIGHEST = 0.49  # of the sampling rate: a higher cutoff is lowered to this
EVEN = 2.3e-16  # [s]: steps that differ by more on average are made even first
LEAST = 6  # samples of a natural quintic spline
MOST = 100_000  # samples after steps were made even
DEGREE = 5


def lowpass(times: ArrayLike, values: ArrayLike, cutoff: float) -> np.ndarray:
    """Values without what changes faster than `cutoff`, not shifted in time.

    The series is continued at both ends by half of it, reflected through the end points. A Butterworth filter of third
    order runs over it forwards and then backwards, so that half of the amplitude is left at the cutoff (−6 dB). Each
    pass keeps its first three samples. Series with uneven steps are sampled at their shortest step before, by a natural
    quintic spline. This is the filter of OpenSim's inverse dynamics.

    Parameters
    ----------
    times : array_like, shape (T,)
        Rising [s].
    values : array_like, shape (T,) or (T, n)
        Anything that was sampled at those times.
    cutoff : float
        [Hz]

    Returns
    -------
    ndarray, shape of `values`
        At the same times.

    Raises
    ------
    BadValue
        If times do not rise, or the cutoff is not positive.
    BadShape
        If there are fewer than six samples.
    NotFinite
        If a value is missing.

    Examples
    --------
    >>> import condyle as cd
    >>> t = np.arange(0.0, 2.0, 0.01)
    >>> slow, fast = np.sin(2 * np.pi * t), 0.1 * np.sin(2 * np.pi * 30 * t)
    >>> left = cd.trial.lowpass(t, slow + fast, cutoff=6.0) - slow
    >>> bool(np.abs(left[50:150]).max() < 2e-3)
    True
    """
    t, x = checked_series(times, values)
    return TimeSpline(*filtered(t, x, cutoff))(t).reshape(np.asarray(values).shape)


def checked_series(times: ArrayLike, values: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """(T,) and (T, n) numbers that a spline can go through."""
    t, x = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    require(t.ndim == 1 and x.ndim in (1, 2) and len(x) == len(t), "a series has a row of values for each time",
            BadShape, times=t.shape, values=x.shape)  # fmt: skip
    require(len(t) >= LEAST, f"a series needs at least {LEAST} samples to be differentiated", BadShape, samples=len(t))
    require(np.isfinite(t).all() and np.isfinite(x).all(), "a series must be finite: fill gaps first", NotFinite)
    back = np.flatnonzero(~(np.diff(t) > 0))
    require(not len(back), "times must rise", BadValue, at=t[back[:1] + 1].tolist())
    return t, x.reshape(len(t), -1)


def filtered(t: np.ndarray, x: np.ndarray, cutoff: float) -> tuple[np.ndarray, np.ndarray]:
    """Times and values (T, n) after padding, even sampling and the low-pass filter; they reach beyond both ends."""
    require(np.isfinite(cutoff) and cutoff > 0, "the cutoff of a low-pass filter is positive [Hz]", got=cutoff)
    t, x = even(*padded(t, x))
    step = float(np.diff(t).min())
    if cutoff > HIGHEST / step:
        warn(f"a cutoff of {cutoff:g} Hz is too high for steps of {step:g} s; {HIGHEST / step:g} Hz is used")
        cutoff = HIGHEST / step
    return t, one_pass(one_pass(x, cutoff * step)[::-1], cutoff * step)[::-1]


def padded(t: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The series continued by half its length at both ends, reflected through the end points; times likewise."""
    n = len(t) // 2

    def both(y: np.ndarray) -> np.ndarray:
        return np.concatenate([2.0 * y[0] - y[n:0:-1], y, 2.0 * y[-1] - y[-2 : -2 - n : -1]])

    return both(t), both(x)


def even(t: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The series at even steps, its shortest, by a natural quintic spline, unless it has such steps already."""
    step = float(np.diff(t).min())
    if (t[-1] - t[0]) / (len(t) - 1) - step <= EVEN:
        return t, x
    count = int(np.floor((t[-1] - t[0]) / step + 1e-9)) + 1
    require(count <= MOST, f"the shortest step of time is so short that there would be {count} samples", step=step)
    times = t[0] + step * np.arange(count)
    return times, TimeSpline(t, x)(times)


def one_pass(x: np.ndarray, cutoff: float) -> np.ndarray:
    """A Butterworth low-pass filter forwards in time; `cutoff` in parts of the sampling rate. Three samples stay."""
    from scipy.signal import lfilter  # slow to load

    b, a = butterworth(cutoff)
    before = x[2::-1]  # the latest sample first; what was filtered there is the sample itself
    start = np.stack([(b - a)[m + 1 :] @ before[: ORDER - m] for m in range(ORDER)])
    rest, _ = lfilter(b, a, x[3:], axis=0, zi=start)
    return np.concatenate([x[:3], rest])


def butterworth(cutoff: float) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (b, a) of 1 / ((s + 1)(s² + s + 1)) by the bilinear transform s = (1 − 1/z) / (ω (1 + 1/z))."""
    w = np.tan(np.pi * cutoff)
    first, second = np.array([1.0 + w, w - 1.0]), np.array([1.0 + w + w * w, 2.0 * w * w - 2.0, 1.0 - w + w * w])
    b, a = w**3 * np.array([1.0, 3.0, 3.0, 1.0]), np.convolve(first, second)
    return b / a[0], a / a[0]


class TimeSpline:
    """A natural spline of degree five through values (T, n) at times (T,): three derivatives are continuous and more.

    Its third and fourth derivatives vanish at both ends.
    """

    def __init__(self, t: np.ndarray, x: np.ndarray) -> None:
        from scipy.interpolate import make_interp_spline  # slow to load

        still = [(order, np.zeros(x.shape[1])) for order in (3, 4)]
        self.span = float(t[0]), float(t[-1])
        self._spline = make_interp_spline(t, x, DEGREE, bc_type=(still, still))

    def __call__(self, times: np.ndarray, order: int = 0) -> np.ndarray:
        """Values, or derivatives of an order, (len(times), n)."""
        return self._spline(times, nu=order)


def derivatives(
    times: ArrayLike, values: ArrayLike, cutoff: float | None = None, at: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values, rates and accelerations of a sampled series, by natural quintic splines.

    Parameters
    ----------
    times : array_like, shape (T,)
        Rising [s].
    values : array_like, shape (T, n)
    cutoff : float, optional
        Of the low-pass filter before it (`lowpass`) [Hz]; none by default.
    at : array_like, shape (k,), optional
        Other times [s], inside the series or a step beyond its ends.

    Returns
    -------
    tuple of three ndarray, shape (k, n)
        x, ẋ [1/s], ẍ [1/s²].

    Raises
    ------
    BadValue
        If a time of `at` lies outside of the series.

    Examples
    --------
    >>> import condyle as cd
    >>> t = np.linspace(0.0, 1.0, 101)
    >>> x, v, a = cd.trial.derivatives(t, np.sin(3.0 * t)[:, None])
    >>> bool(abs(a[50, 0] + 9.0 * np.sin(1.5)) < 1e-6)
    True
    """
    t, x = checked_series(times, values)
    spline = TimeSpline(t, x) if cutoff is None else TimeSpline(*filtered(t, x, cutoff))
    where = t if at is None else np.asarray(at, dtype=float)
    slack = float(np.diff(t).max())
    good = where.ndim == 1 and ((where >= t[0] - slack) & (where <= t[-1] + slack)).all()
    require(good, f"times must lie between {t[0]:g} and {t[-1]:g} s", got=where[:5].tolist())
    return spline(where), spline(where, 1), spline(where, 2)
