"""A recorded ensemble that is run, killed at random moments and resumed until it is complete.

`python -m support.killed_study FOLDER ADDRESS` runs the study once; ADDRESS is "local" or that of a dask scheduler.
`python -m support.killed_study --kills 200` kills it so often and tells what was seen: when a kill strikes depends on
the machine, so that this is run by hand and is no test of the suite.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.ensembles import FailedMembers, open_ensemble, samples
from condyle.errors import BadFile

POISON, SEED = 17, 8
DESIGN = samples({"x": np.arange(60.0)})
TESTS = Path(__file__).resolve().parents[1]


def noise(p, rng):
    """Some numbers after 20 ms; one member kills its process."""
    time.sleep(0.02)
    if p["x"] == POISON:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"noise": rng.normal(size=5)}


def expected() -> np.ndarray:
    """What every member gives, from the definition of its random numbers."""
    return np.array([np.random.default_rng(s).normal(size=5) for s in np.random.SeedSequence(SEED).spawn(len(DESIGN))])


def study(folder: str, address: str) -> None:
    from support import killed_study  # so that workers import this module, not __main__

    where = {"workers": 2} if address == "local" else {"scheduler": address}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FailedMembers)
        cd.ensemble(killed_study.noise, DESIGN, seed=SEED, record_to=folder, resume=True, **where)


def started(folder: Path, address: str) -> subprocess.Popen:
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "support.killed_study", str(folder), address]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, stderr=subprocess.PIPE, text=True)


def children(parent: int) -> list[int]:
    """Processes that a process started."""
    found = []
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(pid))
        except (OSError, IndexError):
            continue
    return found


def gone(pids: list[int], seconds: float = 60.0) -> bool:
    """Whether processes end within a time."""
    until = time.monotonic() + seconds
    while any(_runs(pid) for pid in pids):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Killer:
    """Runs studies and kills them; asserts after every kill."""

    def __init__(self, folder: Path, seed: int, cluster=None) -> None:
        self.folder, self.random, self.cluster = folder, random.Random(seed), cluster
        self.address = "local" if cluster is None else cluster.address
        self.good = expected()
        self.seen = {
            "kills of the study": 0,
            "kills of workers": 0,
            "kills of the scheduler": 0,
            "complete": 0,
            "again": 0,
        }
        self._fresh()

    def _fresh(self) -> None:
        self.place, self.finished = self.folder / f"run-{self.seen['complete']}", 0

    def kills(self) -> int:
        return sum(x for name, x in self.seen.items() if name.startswith("kills"))

    def run(self, kills: int) -> dict[str, int]:
        """Strike until there were so many kills, then let the last study end."""
        while self.kills() < kills:
            self.once(strike=True)
        while not self.once(strike=False):
            pass
        return self.seen

    def once(self, strike: bool) -> bool:
        """Start the study, perhaps kill something, look at what is there; whether the study is complete."""
        process = started(self.place, self.address)
        try:
            if strike:
                self._strike(process)
            _, said = process.communicate(timeout=300)
        finally:
            process.kill()
            process.wait()
        assert process.returncode in (0, -signal.SIGKILL) or "ClusterLost" in said or "no scheduler" in said, said
        return self._look(process.returncode == 0)

    def _strike(self, process: subprocess.Popen) -> None:
        """Kill workers after random times, and sometimes the study, which ends it."""
        while process.poll() is None:
            try:
                process.wait(self.random.uniform(0.0, 4.0))
                return
            except subprocess.TimeoutExpired:
                pass
            workers = children(process.pid) if self.cluster is None else self.cluster.worker_processes()
            if self.random.random() < 0.7:
                self._kill_one(workers)
            else:
                self._kill_study(process, workers)

    def _kill_one(self, workers: list[int]) -> None:
        with suppress(ProcessLookupError, IndexError):  # it ended by itself, or none has begun
            os.kill(self.random.choice(workers), signal.SIGKILL)
            self.seen["kills of workers"] += 1

    def _kill_study(self, process: subprocess.Popen, workers: list[int]) -> None:
        process.kill()
        self.seen["kills of the study"] += 1
        process.wait()
        assert self.cluster is not None or gone(workers), "a worker was left behind"

    def _look(self, ended: bool) -> bool:
        """No finished member is lost, all are bit by bit what they should be, and the poisoned one alone is missing."""
        try:
            found = open_ensemble(self.place)
        except BadFile:
            assert self.finished == 0 and not ended
            return False
        there = np.flatnonzero(found.good)
        assert len(there) >= self.finished, "finished members were lost"
        assert not len(there) or np.array_equal(found["noise"][there], self.good[there])
        self.finished = len(there)
        if not ended:
            return False
        if list(found.failed) != [POISON] or found.missing:  # a member that was hit twice: it is tried again
            self.seen["again"] += 1
            return False
        assert len(there) == len(DESIGN) - 1
        self.seen["complete"] += 1
        self._fresh()
        return True


if __name__ == "__main__":
    if sys.argv[1] == "--kills":
        with tempfile.TemporaryDirectory() as name:
            print(Killer(Path(name), seed=1).run(int(sys.argv[2])))
    elif sys.argv[1] == "--cluster-kills":
        from support.dask_cluster import DaskCluster

        with tempfile.TemporaryDirectory() as name:
            machines = DaskCluster(Path(name), 2)
            try:
                killer = Killer(Path(name), 2, machines)
                killer.run(int(sys.argv[2]) // 2)
                machines.restart_scheduler()
                killer.seen["kills of the scheduler"] += 1
                print(killer.run(int(sys.argv[2])))
            finally:
                machines.close()
    else:
        study(*sys.argv[1:])
