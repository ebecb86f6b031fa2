"""Muscles in files: condyle's own and OpenSim's."""

import numpy as np
import pytest

import condyle as cd
from support.muscle_models import every_path, states


def test_a_model_file_keeps_muscles_bit_by_bit(tmp_path):
    """Oracle: the lengths and moment arms before."""
    model, path, Q = every_path(), tmp_path / "arm.toml", states()
    cd.save(model, path)
    again = cd.load(path)
    assert cd.muscles.names(again) == cd.muscles.names(model)
    np.testing.assert_array_equal(cd.muscles.lengths(again, Q), cd.muscles.lengths(model, Q))
    np.testing.assert_array_equal(cd.muscles.moment_arms(again, Q), cd.muscles.moment_arms(model, Q))


def test_an_osim_file_says_what_its_paths_lose(tmp_path):
    """Oracle: the number of paths without a force, which OpenSim has no class for."""
    model = every_path()
    with pytest.warns(cd.CondyleWarning, match=f"{len(model.muscles)} paths without a force"):
        cd.save(model, tmp_path / "arm.osim")
