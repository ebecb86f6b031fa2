"""Which members are still to be run: chunks sized by cost, failures retried once, suspects isolated."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from .member_work import Done

SECONDS = 1.0  # of work in a chunk
GROWTH = 8  # how many times larger than the last a chunk may become
SHARES = 4  # chunks that each worker should still get
PARTS = 8  # a chunk is at least such a part of `SECONDS`: what it costs beyond its members is not paid too often
TRIES = 2  # of a member that fails


class Pending:
    """Members to run, in chunks; those that failed come again, alone."""

    def __init__(self, members: Iterable[int], workers: int) -> None:
        self.waiting, self.again, self.suspects = deque(members), deque[list[int]](), deque[list[int]]()
        self.workers, self.size, self.tries = workers, 1, Counter[int]()

    def __bool__(self) -> bool:
        return bool(self.waiting or self.again or self.suspects)

    def most_chunks(self) -> int:
        """How many workers could have something to do."""
        return len(self.waiting) + len(self.again) + len(self.suspects)

    def only_suspects(self) -> bool:
        """Whether all that is left was running where a process died, perhaps through no fault of its own."""
        return not (self.waiting or self.again)

    def take(self) -> list[int]:
        """The next chunk; suspects come last."""
        if self.again:
            return self.again.popleft()
        if not self.waiting:
            return self.suspects.popleft()
        return [self.waiting.popleft() for _ in range(min(self.size, self._fair(), len(self.waiting)))]

    def _fair(self) -> int:
        """How many members leave enough for the other workers, so that all end at about the same time."""
        if self.workers == 1:
            return len(self.waiting)
        return max(1, self.size // PARTS, len(self.waiting) // (SHARES * self.workers))

    def ran(self, chunk: list[int], done: Done) -> Done:
        """Learn from a chunk that came back; what is left of it after members to be retried were taken out."""
        affordable = int(len(chunk) * SECONDS / max(done.seconds, 1e-6))
        self.size = max(1, min(GROWTH * max(self.size, len(chunk)), affordable))
        final = {i: words for i, words in done.failed.items() if self._gives_up(i)}
        self.again.extend([i] for i in done.failed if i not in final)
        return Done(done.outputs, final, done.seconds, done.notes)

    def died(self, chunk: list[int], words: str, alone: bool = True) -> Done:
        """The process of a chunk died. Halves of it are run again, so that in the end the culprit is by itself.

        A chunk that did not run alone may be innocent: it becomes a suspect, and nothing is counted against it.
        """
        if not alone:
            self.suspects.append(chunk)
        elif len(chunk) > 1:
            half = len(chunk) // 2
            self.suspects.extend([chunk[:half], chunk[half:]])
        elif self._gives_up(chunk[0]):
            return Done(failed={chunk[0]: words})
        else:
            self.suspects.append(chunk)
        return Done()

    def back(self, chunk: list[int]) -> None:
        """A chunk that was not run: it is nobody's fault."""
        self.again.appendleft(chunk)

    def _gives_up(self, member: int) -> bool:
        self.tries[member] += 1
        return self.tries[member] >= TRIES
