"""Ensembles that are killed (kill -9) at random moments and go on."""

from __future__ import annotations

import pytest

from support.killed_study import Killer


@pytest.mark.slow
def test_kills_lose_nothing_that_was_finished(tmp_path):
    """Oracle: the members' random numbers by their definition, after every kill of the study or of a worker."""
    seen = Killer(tmp_path, seed=4).run(20)
    assert seen["kills of the study"] and seen["kills of workers"] and seen["complete"]
