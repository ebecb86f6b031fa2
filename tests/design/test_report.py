"""The page about a fit."""

import re

import numpy as np
import pytest

from condyle import design
from condyle.design.report import figures
from condyle.errors import BadFile
from support.knees import noisy_knee


def test_the_page_stands_alone_and_tells_the_numbers(tmp_path):
    """Oracle: the fit's own numbers; no address to be fetched."""
    q, _, poses = noisy_knee(30, 0.01, 0.001)
    poses[4] = np.nan
    fit = design.fit_curve(poses, q, frames=8, name="knee")
    curve = design.trade_off(poses, q, weights=[0.0, 1e-4, 1e-2], frames=8)
    page = design.report(fit, tmp_path / "r.html", title="knee & co", curve=curve)
    assert (tmp_path / "r.html").read_text() == page
    assert "knee &amp; co" in page and "29, 30" in page
    assert f"{np.nanmax(fit.distance_errors):.3g} mm" in page
    assert not re.search(r"(src|href)=\"(?!data:)", page)
    assert page.count("data:image/png;base64,") == 5
    with pytest.raises(BadFile, match="exists already"):
        design.report(fit, tmp_path / "r.html")


def test_more_smoothing_trades_misfit_for_bending():
    """Oracle: along the trade-off the misfit rises and the bending falls."""
    q, _, poses = noisy_knee(30, 0.02, 0.002)
    curve = design.trade_off(poses, q, weights=[0.0, 1e-4, 1e-3, 1e-2, 1e-1], frames=12)
    assert np.all(np.diff(curve.misfit) > 0) and np.all(np.diff(curve.bending) < 0)
    assert curve.best in curve.weights


def test_the_axode_of_a_hinge_is_its_axis():
    """Oracle: a hinge about z through (0.1, 0.2)."""
    from scipy.linalg import expm

    from support.knees import hat

    g = np.array([0, 0, 1, 0.2, -0.1, 0])
    q = np.linspace(0, 1, 12)
    fit = design.fit_curve(np.array([expm(hat(x * g)) for x in q]), q, frames=6)
    points, directions = figures.screw_axes(fit)
    assert np.abs(points - [0.1, 0.2, 0]).max() < 1e-9
    assert np.abs(directions - [0, 0, 1]).max() < 1e-9


@pytest.mark.slow
def test_a_surface_has_a_page_too():
    """Oracle: its numbers."""
    rng = np.random.default_rng(0)
    q = rng.uniform(0, 1, size=(60, 2))
    poses = np.tile(np.eye(4), (60, 1, 1))
    poses[:, :2, 3] = q
    page = design.report(design.fit_surface(poses, q, shape=(4, 4)))
    assert "4 × 4 control points, 4" in page and page.count("data:image/png;base64,") == 3
