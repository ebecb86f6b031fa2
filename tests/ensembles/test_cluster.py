"""Ensembles on a cluster of dask: a real scheduler and workers on this machine."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import condyle as cd
from condyle.ensembles import FailedMembers, cluster, samples
from condyle.errors import BadValue, NotSupported
from support.ensemble_functions import noisy, poisoned

LINE = samples({"x": np.arange(3.0, 43.0)})


def test_a_cluster_that_is_not_there_is_named_soon(monkeypatch):
    """Oracle: the address in the words; the time that is waited for it is below ten seconds."""
    pytest.importorskip("distributed")
    assert cluster.CONNECT < 10.0
    monkeypatch.setattr(cluster, "CONNECT", 1.0)
    with pytest.raises(BadValue, match=r"tcp://127\.0\.0\.1:1"):
        cd.ensemble(noisy, LINE, scheduler="tcp://127.0.0.1:1")
    with pytest.raises(BadValue, match="nonsense"):
        cd.ensemble(noisy, LINE, scheduler="nonsense://x")


def test_without_dask_the_extra_is_named(monkeypatch):
    """Oracle: the words of the error."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(NotSupported, match=r"condyle\[cluster\]"):
        cd.ensemble(noisy, LINE, scheduler="tcp://127.0.0.1:1")


@pytest.mark.slow
def test_a_cluster_gives_what_one_process_gives(tmp_path):
    """Oracle: the run in this process; a member that kills its worker is alone missing; other versions are refused."""
    pytest.importorskip("distributed")
    from support.dask_cluster import DaskCluster

    machines = DaskCluster(tmp_path, 2)
    try:
        found = cd.ensemble(noisy, LINE, seed=3, scheduler=machines.address)
        np.testing.assert_array_equal(found["noise"], cd.ensemble(noisy, LINE, seed=3)["noise"])
        with pytest.warns(FailedMembers, match="2 of 40"):
            found = cd.ensemble(poisoned, LINE, scheduler=machines.address, record_to=tmp_path / "run")
        assert list(found.failed) == [4, 8] and not found.missing
        x = LINE.values["x"]
        np.testing.assert_array_equal(found["value"][found.good], x[found.good] ** 2)
        factor = 3.0
        assert cd.ensemble(lambda p: factor * p["x"], LINE, scheduler=machines.address)["value"][0] == 9.0
        with open(tmp_path / "open", "w") as file, pytest.raises(NotSupported, match="cluster"):
            cd.ensemble(lambda p: file.name, LINE, scheduler=machines.address)
    finally:
        machines.close()


@pytest.mark.slow
def test_workers_with_other_versions_are_refused(tmp_path):
    """Oracle: a worker whose condyle says another version of itself; its address and both versions are told."""
    pytest.importorskip("distributed")
    from support.dask_cluster import DaskCluster

    other = tmp_path / "other"
    other.mkdir()
    (other / "sitecustomize.py").write_text(
        "import importlib.metadata as m\nold = m.version\n"
        "m.version = lambda name: '0.0.9' if name == 'condyle' else old(name)\n"
    )
    machines = DaskCluster(tmp_path, 0)
    try:
        machines.environment["PYTHONPATH"] = f"{other}:{machines.environment['PYTHONPATH']}"
        machines.add_worker(0)
        with pytest.raises(BadValue, match=r"worker tcp://.*condyle 0\.0\.9 \(here"):
            cd.ensemble(noisy, LINE, scheduler=machines.address)
    finally:
        machines.close()


def test_what_answers_but_is_no_scheduler_is_named(monkeypatch):
    """Oracle: the address in the words; dask takes what a web server answers for the size of a message."""
    distributed = pytest.importorskip("distributed")

    def connect(*given, **how):
        raise MemoryError("Unable to allocate 3.07 EiB")

    monkeypatch.setattr(distributed, "Client", connect)
    with pytest.raises(BadValue, match=r"not a scheduler.*127\.0\.0\.1:80"):
        cd.ensemble(noisy, LINE, scheduler="tcp://127.0.0.1:80")
