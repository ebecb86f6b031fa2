"""Ensembles that are killed (kill -9) at random moments and go on."""

from __future__ import annotations

import pytest

from support.killed_study import Killer


@pytest.mark.slow
def test_kills_lose_nothing_that_was_finished(tmp_path):
    """Oracle: the members' random numbers by their definition, after every kill of the study or of a worker."""
    seen = Killer(tmp_path, seed=4).run(20)
    assert seen["kills of the study"] and seen["kills of workers"] and seen["complete"]


@pytest.mark.slow
def test_kills_on_a_cluster_lose_nothing_that_was_finished(tmp_path):
    """Oracle: as above, with workers of dask and once its scheduler."""
    pytest.importorskip("distributed")
    from support.dask_cluster import DaskCluster

    machines = DaskCluster(tmp_path, 2)
    try:
        killer = Killer(tmp_path, 5, machines)
        killer.run(3)
        machines.restart_scheduler()
        assert killer.run(6)["complete"] >= 1
    finally:
        machines.close()
