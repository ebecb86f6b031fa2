"""Otani's model as printed, and beside the data."""

import numpy as np
import pytest

from condyle.workspace import compare_otani, synthetic_subject
from condyle.workspace.otani import otani_angles, otani_elbow


@pytest.mark.parametrize(
    ("elevation", "abduction", "clavicle"),
    [(0, 0, 1.076), (0, 90, 2.348), (90, 0, 23.702), (90, 90, 21.3074), (150, 90, 30.0), (150, 0, 33.45)],
)
def test_the_clavicle_takes_its_printed_share(elevation, abduction, clavicle):
    """Oracle: the printed formula by hand."""
    raised, turned, shoulder, rest = np.degrees(otani_angles(*np.radians([elevation, abduction])))
    assert raised == pytest.approx(clavicle, abs=1e-9)
    assert turned == pytest.approx(0.2 * abduction)
    assert raised + shoulder == pytest.approx(elevation) and turned + rest == pytest.approx(abduction)


def test_the_printed_jumps_are_there():
    """Oracle: −0.009° at 131.4° and +0.266° at 130°."""

    def jump(at, ab):
        before, after = (otani_angles(np.radians(at + more), np.radians(ab))[0] for more in (0.0, 1e-9))
        return np.degrees(after - before)

    assert [jump(131.4, 0.0), jump(130.0, 90.0)] == pytest.approx([-0.009, 0.266], abs=1e-3)


def test_links_keep_their_lengths():
    """Oracle: the elbow is between the difference and the sum of the links from the clavicle."""
    el, ab = np.meshgrid(np.linspace(0, np.pi, 30), np.linspace(-1.5, 1.5, 30))
    distance = np.linalg.norm(otani_elbow(el, ab, 0.1, 0.26), axis=-1)
    assert distance.min() >= 0.16 - 1e-12 and distance.max() <= 0.36 + 1e-12


def test_it_misses_part_of_the_workspace():
    """Oracle: a model compared with its own elbows is perfect; with a subject it is centimetres off."""
    samples = synthetic_subject("female", noise=0.0)
    el, ab = np.radians(np.random.default_rng(0).integers([10, -80], [170, 80], (60, 2)).T)
    own = type(samples)(samples.shoulder[:60], otani_elbow(el, ab, 0.1, 0.26), samples.trials)
    assert compare_otani(own, 0.1, 0.26).largest < 1e-9
    found = compare_otani(samples, 0.096, 0.255)
    assert found.mean > 0.02 and found.coverage < 0.6
