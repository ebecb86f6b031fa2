"""`condyle simulate --record-to`: a run whose records go to a folder while it goes on."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import click
import numpy as np

from ...errors import Interrupted, amount
from ...model import Model
from ...simulation import RecordedRun, simulate
from ...simulation.events import described_stops
from ..json_output import print_json
from ..signals import ENDING, ends


@contextmanager
def interrupted_by_signals() -> Iterator[list[int]]:
    """Ctrl-C, SIGTERM and SIGHUP interrupt a run wherever it is, and are listed: its folder is whole at any moment."""
    caught: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        caught.append(number)
        raise KeyboardInterrupt

    wanted = [s for s in ENDING if signal.getsignal(s) is not signal.SIG_IGN]
    before = [signal.signal(s, handle) for s in wanted]
    try:
        yield caught
    finally:
        for s, handler in zip(wanted, before, strict=True):
            signal.signal(s, handler)


def record(model: Model, q: np.ndarray, v: np.ndarray, **options: Any) -> tuple[RecordedRun, list[int]]:
    """The run in its folder, and the signals that interrupted it."""
    with interrupted_by_signals() as caught:
        try:
            found = simulate(model, q, v, **options)
        except Interrupted as interrupted:
            found = interrupted.trajectory
        assert isinstance(found, RecordedRun)
        return found, caught


def report(run: RecordedRun, caught: list[int], notes: list[str], as_json: bool) -> int:
    """Say what is in the folder, without reading its records; 1 if a member stopped by itself."""
    end = float(run.t[-1]) if run.records else None
    stops = [(i, s) for i, s in enumerate(run.stops()) if s is not None]
    if as_json:
        told = [{"member": i, "time": s.time, "reason": s.reason} for i, s in stops]
        exits = {name: [str(x) for x in getattr(run, name)] for name in ("outside", "beyond_range")}
        print_json({"folder": run.folder, "records": run.records, "end": end, "finished": run.finished,
                    "interrupted": bool(caught), "stopped": told, **exits, "notes": notes})  # fmt: skip
    else:
        until = "" if end is None else f" to t = {end:g} s"
        click.echo(f"{amount(run.records, 'record')}{until} in {run.folder}")
        for line in (*notes, *filter(None, [described_stops(run.stopped)]), *run.outside, *run.beyond_range):
            click.echo(line)
        click.echo("interrupted: --resume goes on" if caught else f"in Python: cd.open_run({str(run.folder)!r})")
    return ends(caught) if caught else 1 if stops else 0
