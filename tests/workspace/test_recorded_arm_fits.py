"""Fits of arms that keep their steps in a folder."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, BadValue
from condyle.formats.record_folder import RecordFolder
from condyle.workspace.fit import surface_least_squares

pytestmark = pytest.mark.slow  # arms are fitted again and again


def fitted(count=150, **how):
    return cd.workspace.fit_arm(cd.workspace.synthetic_subject("male", count=count), **how)


def test_a_fit_that_is_cut_off_after_any_step_goes_on_bit_by_bit(tmp_path, monkeypatch):
    """Oracle: the undisturbed fit; the writer fails again and again, and no step is made twice."""
    whole, add, written, left = fitted(), RecordFolder.add_arrays, [], [3]

    def failing(self, name, arrays):
        if len(written) == left[0]:
            raise BadFile("cut off")
        written.append(name)
        add(self, name, arrays)

    monkeypatch.setattr(RecordFolder, "add_arrays", failing)
    for left[0] in (0, 1, 3):
        with pytest.raises(BadFile, match="cut off"):
            fitted(record_to=tmp_path / "arm", resume=True)
    left[0] = 100
    again = fitted(record_to=tmp_path / "arm", resume=True)
    np.testing.assert_array_equal(again.surface.control, whole.surface.control)
    assert again.report == whole.report and len(set(written)) == len(written) == 5  # two weights, three rounds


def test_a_finished_fit_is_not_made_again(tmp_path, monkeypatch):
    """Oracle: its steps cannot be made."""
    first = fitted(record_to=tmp_path / "arm")
    monkeypatch.setattr(surface_least_squares, "_nearest", None)
    monkeypatch.setattr(surface_least_squares, "_cross_validated", None)
    again = fitted(record_to=tmp_path / "arm", resume=True)
    np.testing.assert_array_equal(again.surface.control, first.surface.control)


def test_other_samples_and_options_are_refused(tmp_path):
    """Oracle: the words of what differs."""
    fitted(smoothing=1e-5, record_to=tmp_path / "arm")
    with pytest.raises(BadFile, match="another options"):
        fitted(smoothing=1e-4, record_to=tmp_path / "arm", resume=True)
    with pytest.raises(BadFile, match="another samples"):
        fitted(140, smoothing=1e-5, record_to=tmp_path / "arm", resume=True)
    with pytest.raises(BadFile, match="resume=True"):
        fitted(smoothing=1e-5, record_to=tmp_path / "arm")
    with pytest.raises(BadValue, match="record_to"):
        fitted(method="interpolation", record_to=tmp_path / "other")
