"""A real cluster on this machine: a scheduler and workers with nannies, each a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

SUPPORT = Path(__file__).resolve().parents[1]


class DaskCluster:
    """Processes of `dask scheduler` and `dask worker`; all end with `close`."""

    def __init__(self, folder: Path, workers: int, environment: dict[str, str] | None = None) -> None:
        self.folder, self.environment = folder, {**os.environ, **(environment or {})}
        path = os.pathsep.join([str(SUPPORT), os.environ.get("PYTHONPATH", "")])
        self.environment |= {"PYTHONPATH": path, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
        self.environment |= {"DASK_DISTRIBUTED__ADMIN__LOG_LENGTH": "10"}
        self.file, self.processes = folder / "scheduler.json", []
        self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file)
        )
        self.address = self._address()
        for k in range(workers):
            self.add_worker(k)

    def _start(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "dask", *arguments]
        with (self.folder / f"log-{len(self.processes)}.txt").open("w") as log:
            self.processes.append(subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=log, start_new_session=True, cwd=self.folder
            ))  # fmt: skip

    def add_worker(self, k: int) -> None:
        one = ("--nworkers", "1", "--nthreads", "1", "--no-dashboard", "--local-directory", f"worker-{k}")
        self._start("worker", self.address, "--host", "127.0.0.1", *one)

    def _address(self) -> str:
        deadline = time.monotonic() + 60.0
        while time.monotonic() < deadline:
            try:
                return json.loads(self.file.read_text())["address"]
            except (OSError, ValueError):
                time.sleep(0.05)
        raise RuntimeError((self.folder / "log-0.txt").read_text())

    def close(self) -> None:
        for process in self.processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def worker_processes(self) -> list[int]:
        """The processes that compute: children of the nannies."""
        from support.killed_study import children

        return [pid for process in self.processes[1:] for pid in children(process.pid)]

    def restart_scheduler(self) -> None:
        """Kill the scheduler and start another at the same address, with new workers: the old ones end with theirs."""
        port, workers = self.address.rpartition(":")[2], len(self.processes) - 1
        self.close()
        self.processes.clear()
        self.file.unlink()
        at = ("--host", "127.0.0.1", "--port", port, "--no-dashboard", "--scheduler-file", str(self.file))
        self._start("scheduler", *at)
        self._address()
        for k in range(workers):
            self.add_worker(workers + k)
