"""Moment arms against a complex step through the lengths, on paths of every kind and on OpenSim's models."""

import warnings

import numpy as np
import pytest

import condyle as cd
from condyle.dynamics.coordinate_differences import coordinate_rates
from condyle.muscles.kernels.path_lengths import path_states
from condyle.muscles.path_packing import packed_paths
from support.laboratory import FOLDER
from support.muscle_models import every_path, states

pytestmark = pytest.mark.slow  # kernels on complex numbers take long to compile

FILES = sorted((FOLDER / "opensim").glob("*/*.osim"))
STEP = 1e-30


def slopes_of_lengths(model, Q):
    """−∂L/∂q (states, muscles, nv): the imaginary parts of lengths at q + i·1e-30, exact to rounding."""
    nv, n, out = model.nv, len(model.muscles), np.empty((len(Q), len(model.muscles), model.nv))
    for k, along in enumerate(np.eye(nv)):
        z = np.ascontiguousarray(Q + 1j * STEP * coordinate_rates(model, Q, np.broadcast_to(along, (len(Q), nv))))
        lengths, status, failed = (np.zeros((len(Q), size), dtype=complex) for size in (n, n, 1))
        unread = np.zeros((len(Q), n * nv), dtype=complex)
        path_states(0j, model.tables, tuple(packed_paths(model)), (z, lengths, unread, status, failed), 0, len(Q))
        out[:, :, k] = -lengths.imag / STEP
    return out


def worst(model, Q):
    """The largest difference, relative to the largest moment arm of the muscle."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.CondyleWarning)
        found = cd.muscles.moment_arms(model, Q)
    size = np.abs(found).max(axis=(0, 2), keepdims=True)
    return (np.abs(found - slopes_of_lengths(model, Q)) / np.where(size > 0, size, 1.0)).max()


def test_moment_arms_over_every_kind_of_path_are_slopes_of_lengths():
    """Oracle: a complex step through the lengths, which know nothing of moment arms."""
    assert worst(every_path(), states()) < 1e-11


@pytest.mark.parametrize("path", FILES or [None], ids=lambda p: "none" if p is None else f"{p.parent.name}-{p.stem}")
def test_moment_arms_of_opensim_s_models_are_slopes_of_lengths(path):
    """Oracle: a complex step through the lengths, at random poses in the ranges of the coordinates."""
    if path is None:
        pytest.skip("no folder shared/data beside or above the repository")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.CondyleWarning)
        model = cd.load(path)
    if not model.muscles:
        pytest.skip("no muscles")
    ends = np.array([np.clip(model.ranges.get(c, (-1.0, 1.0)), -2.5, 2.5) for c in model.coordinates])
    rng, count = np.random.default_rng(1), 20 if any(m.path.wraps for m in model.muscles) else 200
    assert worst(model, rng.uniform(*ends.T, (count, model.nq))) < 1e-11
