"""One simulation under way, of either engine: how far it goes at once, what stopped whom, and what is given back."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from ..errors import BadFile, CondyleError, Interrupted, warn
from ..model.kernels.status import ASKED, INTERRUPTED, KINDS
from ..typing import Progress
from .callbacks import stop_flags
from .events import Stop, StoppedWarning, by_member, stopped_words
from .run_progress import Pace, progress_bar
from .schedule import Plan
from .stop_reasons import WANTED


class Engine(Protocol):
    """What advances the members of a batch, packed as its kernels want them.

    Member i is row i of `status` (count, 1), 0 while it goes on and else kind + KINDS · place, and of `ended`
    (count, 1), its good steps, with the part of one that adaptive steps reached. `first_steps` are so few that Ctrl-C
    may wait for them; `patience` [s] is how long a call of `advance` may take.
    """

    batch: tuple[int, ...]
    status: np.ndarray
    ended: np.ndarray
    first_steps: int
    patience: float

    def advance(self, base: int, steps: int, control: Callable | None) -> None:
        """Step from step `base` on, counting in `ended` and recording; a control is asked and `steps` is 1."""
        ...

    def seen(self) -> tuple[Any, ...]:
        """What the user's functions get after the time: the last good states, in the caller's batch shape."""
        ...

    def state(self, i: int) -> tuple[np.ndarray, ...]:
        """The last good state of member i as numbers that can be written."""
        ...

    def records(self, i: int) -> tuple[np.ndarray, ...]:
        """The records (T, …) of member i as numbers that can be written, each of the kind that `state` has."""
        ...

    def stopped(self, i: int, time: float, words: str | None) -> Stop:
        """The end of member i in its last good state; the engine has the reason if there are no words."""
        ...

    def trajectory(self, plan: Plan, stopped: Stop | np.ndarray | None) -> Any:
        """The records of the plan, unpacked in the caller's batch shape."""
        ...


class Run:
    """Marches the members of an engine through a plan."""

    def __init__(self, engine: Engine, plan: Plan) -> None:
        self.engine, self.plan, self.base = engine, plan, 0
        self.wanted = WANTED  # why members ended that did not fail, in words

    def march(self, control: Callable | None, stop: Callable | None, progress: Progress) -> None:
        """Advance to the end, or until all members have stopped.

        Compiled code returns to Python at every step if there is a control, at records if there is a stop condition,
        and at least about ten times a second, so that Ctrl-C is answered; how often does not change the results.
        """
        base, pace = self.base, Pace(self.engine.first_steps)
        pace.seconds = self.engine.patience
        with progress_bar(self.plan.steps, progress) as advanced:
            if base:
                advanced(base)
            while base < self.plan.steps and not (self.engine.status > 0).all():
                steps = self._next(base, pace, control, stop)
                began = perf_counter()
                self._advance(base, steps, control)
                pace.took(steps, perf_counter() - began)
                began_at, base = base, base + steps
                if stop and base % self.plan.every == 0:
                    self._stop_where(stop, base)
                base = self._passed(base)
                advanced(base - began_at)

    def _next(self, base: int, pace: Pace, control: Callable | None, stop: Callable | None) -> int:
        """How many steps to take at once."""
        left = self.plan.steps - base
        if control:
            return 1
        return min(pace.steps, self.plan.every - base % self.plan.every if stop else left, left)

    def _advance(self, base: int, steps: int, control: Callable | None) -> None:
        self.engine.advance(base, steps, control)

    def _passed(self, done: int) -> int:
        """So many steps are taken, and stops seen; from which step the run goes on."""
        return done

    def _stop_where(self, stop: Callable, done: int) -> None:
        t, status = self.plan.time(done), self.engine.status
        ends = stop_flags(stop(t, *self.engine.seen()), t, self.engine.batch)
        status[ends & (status[:, 0] == 0), 0] = ASKED

    def interrupt(self) -> None:
        """End all members that still run at their last records: whatever was under way, these are whole."""
        status, ended, every = self.engine.status, self.engine.ended, self.plan.every
        for i in np.flatnonzero(status[:, 0] == 0).tolist():
            last = int(ended[i, 0]) // every
            status[i, 0], ended[i, 0] = INTERRUPTED, last * every
            for state, records in zip(self.engine.state(i), self.engine.records(i), strict=True):
                state[:] = records[last]
        self.plan = replace(self.plan, steps=int(ended.max(initial=0.0)) // every * every)

    def trajectory(self) -> Any:
        """Records in the caller's shape, NaN after a member stopped."""
        if not self.engine.status.any():
            return self.engine.trajectory(self.plan, None)
        stops = [self._stopped(i) for i in range(len(self.engine.status))]
        return self.engine.trajectory(self.plan, by_member(stops, self.engine.batch))

    def _stopped(self, i: int) -> Stop | None:
        kind, steps = int(self.engine.status[i, 0]) % KINDS, float(self.engine.ended[i, 0])
        if kind == 0:
            return None
        for records in self.engine.records(i):
            records[int(steps) // self.plan.every + 1 :] = np.nan
        return self.engine.stopped(i, self.plan.time(steps), self.wanted.get(kind))

    def failed(self) -> bool:
        """Whether a member stopped that nobody asked to."""
        if not self.engine.status.any():
            return False
        kinds = self.engine.status[:, 0].astype(int) % KINDS
        return bool(((kinds > 0) & ~np.isin(kinds, list(WANTED))).any())


def unexplained(run: Run, trajectory: Any) -> Any:
    """The trajectory with the reasons that the engine gave."""
    return trajectory


def driven(
    run: Run,
    control: Callable | None,
    stop: Callable | None,
    progress: Progress,
    explained: Callable[[Run, Any], Any],
) -> Any:
    """The trajectory of a run that is marched to its end, or Interrupted with its records."""
    try:
        _marched(run, control, stop, progress)
        return explained(run, run.trajectory())
    except KeyboardInterrupt:
        raise _interrupted(run) from None


def _marched(run: Run, control: Callable | None, stop: Callable | None, progress: Progress) -> None:
    """March; an error of the user's functions, or about what they returned, takes the records so far with it."""
    try:
        run.march(control, stop, progress)
    except BadFile:  # what could be written is in the folder
        raise
    except CondyleError as error:
        run.wanted = {**WANTED, INTERRUPTED: f"ended by {type(error).__name__}: {error}"}
        run.interrupt()
        error.trajectory = run.trajectory()
        raise


def _interrupted(run: Run) -> Interrupted:
    """What to raise for a run that Ctrl-C ended, with its records."""
    with _deaf():
        run.interrupt()
        trajectory = run.trajectory()
    reached = trajectory.t[-1] if len(trajectory.t) else run.plan.start
    return Interrupted(f"the simulation was interrupted at t = {reached:.6g} s", trajectory)


@contextmanager
def _deaf() -> Iterator[None]:
    """No further Ctrl-C while records are put together, which is soon done."""
    known = signal.getsignal(signal.SIGINT) is not None  # None: set by another language, and not to be put back
    if not known or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def warn_of_stops(run: Run, trajectory: Any) -> None:
    """Warn of members that failed."""
    if run.failed():
        warn(stopped_words(run.plan.time(run.plan.steps), trajectory.stopped), StoppedWarning)
