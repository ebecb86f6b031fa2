"""Chunks on a cluster, with dask.distributed: a scheduler at an address, and workers that may come and go."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from ..errors import BadValue, CondyleError, NotSupported, require
from ..formats.record_folder import versions
from .designs import Design
from .local_workers import timed
from .member_work import Done, Work
from .pending import Pending

CONNECT = 8.0  # [s] until a scheduler that does not answer is given up
IDLE = 60.0  # [s] without any worker
AHEAD = 2  # chunks per worker that are sent ahead
COMPARED = ("condyle", "numpy", "scipy", "numba", "python")


class ClusterLost(CondyleError):
    """The scheduler of a cluster went away, or has no workers left; what was recorded stays."""


def connected(address: str) -> Any:
    """A client of the scheduler at an address."""
    try:
        from distributed import Client
    except ImportError:
        raise NotSupported("scheduler=… needs dask.distributed: pip install 'condyle[cluster]'") from None
    try:
        return Client(address, timeout=CONNECT, set_as_default=False)
    except Exception as error:  # what answers there may be anything but a scheduler
        words, lost = str(error) or type(error).__name__, isinstance(error, OSError | ValueError)
        what = "there is no scheduler" if lost else "what answers is not a scheduler of dask"
        raise BadValue(f"{what} at {address!r}: {words[:300]}; start one with `dask scheduler`") from None


def worker_versions() -> dict[str, str]:
    """Versions of what computes, on a worker."""
    return versions()


def check_versions(client: Any) -> None:
    """Workers compute with the versions of this process, or results would depend on who ran what."""
    own = versions()
    try:
        found = client.run(worker_versions, on_error="return")
    except Exception as error:
        raise BadValue(f"the workers of the cluster do not answer: {error}") from None
    for address, theirs in found.items():
        if isinstance(theirs, OSError):  # it died meanwhile
            continue
        if not isinstance(theirs, dict):
            raise BadValue(f"worker {address} has no condyle that it can import: {theirs}")
        other = [f"{name} {theirs.get(name)} (here {own[name]})" for name in COMPARED if theirs.get(name) != own[name]]
        require(not other, f"worker {address} has other versions: {', '.join(other)}; install the same ones", BadValue)


def run_chunk(content: tuple[Work, Design], members: list[int]) -> Done:
    """What a worker does."""
    return timed(*content, members)


class Cluster:
    """Sends chunks to the workers of a scheduler and hears of them."""

    def __init__(self, work: Work, design: Design, pending: Pending, address: str) -> None:
        self.client, self.pending, self.address = connected(address), pending, address
        self.content = (work, design)
        self.flying: dict[Any, list[int]] = {}
        self.heard: SimpleQueue[Any] = SimpleQueue()
        self.alone: Any = None

    def outcomes(self) -> Iterator[Done]:
        """What becomes of the members, as it comes."""
        try:
            self._require_workers()
            self.pending.workers = max(2, len(self._workers()))
            check_versions(self.client)
            self.remote = self._sent()
            yield from self._pilots()
            while self.pending or self.flying:
                self._send()
                yield from self._hear()
        finally:
            with suppress(Exception):
                self.client.close(timeout=2)

    def _workers(self) -> dict[str, str]:
        """Addresses of the workers, and their hosts."""
        if self.client.status != "running":
            raise ClusterLost(f"the scheduler at {self.address} went away; with record_to, resume=True goes on")
        found = self.client.scheduler_info(n_workers=-1)["workers"]
        return {address: said.get("host", address) for address, said in found.items()}

    def _require_workers(self) -> None:
        """Wait a while for workers, which batch systems start late and nannies start again."""
        began = time.monotonic()
        while not self._workers():
            gone = time.monotonic() - began
            require(gone < IDLE, f"the scheduler at {self.address} has had no workers for {IDLE:g} s", ClusterLost)
            with suppress(Exception):
                self.client.wait_for_workers(1, timeout=1)

    def _sent(self) -> Any:
        """The work, once on the scheduler's side."""
        from distributed.protocol.pickle import dumps

        try:
            dumps(self.content)
        except Exception as error:
            words = f"the function or an output of the ensemble cannot be sent to a cluster ({error})"
            raise NotSupported(f"{words}; it must not hold open files, locks or generators") from None
        return self.content

    def _pilots(self) -> Iterator[Done]:
        """One member on one worker of every host first, so that each compiles its kernels once.

        A worker that dies comes back at another address: its pilot may then run anywhere, or it would wait for ever.
        """
        if not self.pending:
            return
        chunk, hosts = self.pending.take(), {host: address for address, host in self._workers().items()}
        first, *others = [self._submit(chunk, workers=[a], allow_other_workers=True) for a in hosts.values()]
        self.flying = {first: chunk}
        while self.flying or not all(f.done() for f in others):
            yield from self._hear()

    def _submit(self, chunk: list[int], **where: Any) -> Any:
        future = self.client.submit(run_chunk, self.remote, chunk, pure=False, **where)
        self.flying[future] = chunk
        future.add_done_callback(self.heard.put)
        return future

    def _send(self) -> None:
        """Keep all workers busy; what ran where a worker died runs alone, or innocents would be blamed with it."""
        self._require_workers()
        if self.pending.only_suspects():
            if self.pending and not self.flying:
                self.alone = self._submit(self.pending.take()).key
            return
        while not self.pending.only_suspects() and len(self.flying) < AHEAD * max(1, len(self._workers())):
            self._submit(self.pending.take())

    def _hear(self) -> Iterator[Done]:
        """Wait a second for a chunk to come back."""
        try:
            future = self.heard.get(timeout=1.0)
        except Empty:
            self._workers()  # raises if the scheduler is gone
            return
        if future in self.flying:  # else a pilot that only compiles
            yield self._outcome(future, self.flying.pop(future))

    def _outcome(self, future: Any, chunk: list[int]) -> Done:
        if future.status == "finished":
            return self.pending.ran(chunk, future.result())
        if future.status != "error":  # cancelled or lost, by a scheduler that went away
            self.pending.back(chunk)
            self._workers()
            return Done()
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            return self.pending.died(chunk, "its worker died", alone=future.key == self.alone)
        raise BadValue(f"the cluster cannot run members of the ensemble: {type(error).__name__}: {error}")
