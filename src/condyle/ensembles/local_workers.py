"""Chunks in processes of this machine. Each worker has a pipe of its own, so that who died, and over what, is known."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait

from ..errors import NotSupported, require
from ..numeric import thread_count
from .designs import Design
from .member_work import Done, Work
from .pending import Pending

PATIENCE = 5.0  # [s] that a worker is given to end by itself
STARTS = 3  # processes in a row that may end by themselves before they say a word
KILLED_STARTS = 100  # processes in a row that may be killed before they say a word
ENDING = ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT")
OUTSIDE = [getattr(signal, name) for name in ENDING if hasattr(signal, name)]  # by which others end a process


def pickled(work: Work, design: Design) -> bytes:
    """The work as other processes get it."""
    try:
        return pickle.dumps((work, design))
    except Exception as error:
        raise NotSupported(
            f"the function or an output of the ensemble cannot be sent to other processes ({error}); define it at the "
            "top of a module, not inside a function or as a lambda, or use workers=1"
        ) from None


def timed(work: Work, design: Design, members: list[int]) -> Done:
    """What became of some members, and how long it took."""
    began = time.perf_counter()
    done = work.run(design, members)
    done.seconds = time.perf_counter() - began
    return done


class Worker:
    """A process and the pipe to it."""

    def __init__(self, content: bytes, threads: int) -> None:
        context = get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, content, threads), daemon=True)
        self.process.start()
        other.close()
        self.chunk: list[int] | None = None
        self.ready = False

    def give(self, chunk: list[int]) -> None:
        """Send members to run; a worker that is dead is seen when it is waited for."""
        self.chunk = chunk
        with suppress(OSError):
            self.pipe.send(chunk)

    def end(self) -> int:
        """Leave no process behind; how it ended: its code, or minus the signal that killed it."""
        self.pipe.close()
        self.process.join(0.1 if self.chunk else PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        code = self.process.exitcode or 0
        self.process.close()
        return code


def ending(code: int) -> str:
    """How a process ended, in words."""
    if code < 0:
        return f"its process was killed by {signal.Signals(-code).name}"
    return f"its process ended with code {code}"


def _serve(pipe: Connection, content: bytes, threads: int) -> None:
    """Run chunks until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is answered by the parent, which ends its workers
    os.environ["CONDYLE_THREADS"] = str(threads)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        work, design = pickle.loads(content)
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")
        return
    pipe.send(None)
    with suppress(EOFError, OSError):
        while True:
            pipe.send(timed(work, design, pipe.recv()))


def _end_with_parent() -> None:
    """A worker whose parent was killed ends at once, whatever it is computing."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


class Crew:
    """The workers of an ensemble. The first chunk runs alone, so that kernels are compiled once."""

    def __init__(self, work: Work, design: Design, pending: Pending, workers: int) -> None:
        self.content, self.threads = pickled(work, design), max(1, thread_count() // workers)
        self.pending, self.most, self.crew = pending, workers, list[Worker]()
        self.warm, self.stillborn, self.killed = False, 0, 0

    def outcomes(self) -> Iterator[Done]:
        """What becomes of the members, as it comes."""
        try:
            while self.pending or any(w.chunk for w in self.crew):
                self._employ()
                for pipe in wait([w.pipe for w in self.crew]):
                    yield from self._hear(next(w for w in self.crew if w.pipe is pipe))
        finally:
            for w in self.crew:
                w.pipe.close()  # all of them end at the same time
            for w in self.crew:
                w.end()

    def _employ(self) -> None:
        """Start workers while there are members for them, and give those that are idle a chunk, at first one alone."""
        wanted = min(self.most, self.pending.most_chunks() + sum(1 for w in self.crew if w.chunk))
        while len(self.crew) < wanted:
            self.crew.append(Worker(self.content, self.threads))
        for w in self.crew:
            if w.ready and w.chunk is None and self.pending and (self.warm or not any(x.chunk for x in self.crew)):
                w.give(self.pending.take())

    def _hear(self, w: Worker) -> Iterator[Done]:
        """Take a message of a worker, or its death."""
        try:
            message = w.pipe.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            yield from self._bury(w)
            return
        if isinstance(message, str):
            raise NotSupported(f"a worker process cannot load the function of the ensemble: {message}")
        if isinstance(message, Done) and w.chunk is not None:
            chunk, w.chunk, self.warm = w.chunk, None, True
            found = self.pending.ran(chunk, message)
            self._employ()  # first: whoever takes what was found may record it, and no worker should wait for that
            yield found
        else:
            w.ready, self.stillborn, self.killed = True, 0, 0

    def _bury(self, w: Worker) -> Iterator[Done]:
        self.crew.remove(w)
        chunk, began = w.chunk, w.ready
        code = w.end()
        if not began:
            self._stillborn(code)
        if chunk is not None:
            yield self.pending.died(chunk, ending(code))

    def _stillborn(self, code: int) -> None:
        """A process died before it began: give up on those that end by themselves, which others would do too.

        What kills processes from outside may stop; only very many in a row are given up, as by a lack of memory.
        """
        self.killed += 1
        self.stillborn += -code not in OUTSIDE
        require(self.stillborn < STARTS, f"{STARTS} worker processes died before they began ({ending(code)}); a "
                'script that starts an ensemble does it below `if __name__ == "__main__":`', NotSupported)  # fmt: skip
        require(self.killed < KILLED_STARTS, f"{KILLED_STARTS} worker processes in a row were killed before they began "
                f"({ending(code)}); is there too little memory for so many workers?", NotSupported)  # fmt: skip
