"""Muscles in files: condyle's own and OpenSim's."""

import numpy as np

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
