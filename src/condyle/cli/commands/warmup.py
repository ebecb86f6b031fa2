"""`condyle warmup`: everyday calls, made once, so that their kernels are compiled and kept before they are needed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager

import click

from ...progress import bars
from ..everyday_calls import LEG_ENTRIES, LEG_POSES, LEG_STEPS, STEPS
from ..json_output import as_json, print_json


@click.command(help="Compile the kernels of everyday calls now, on all cores, so that no later call waits for it.")
@click.argument("groups", nargs=-1, type=click.Choice(list(STEPS)))
@click.option("--processes", type=click.IntRange(1, 64), help="At the same time (default: the cores there are).")
@as_json
def command(groups: tuple[str, ...], processes: int | None, as_json: bool) -> None:
    """Each group in a process of its own: the compiler does one thing at a time."""
    begin, steps = time.perf_counter(), groups or tuple(STEPS)
    for name, trouble in warmed(processes, steps):
        if trouble:
            raise click.ClickException(f"{name}: {trouble}")
    seconds = time.perf_counter() - begin
    if as_json:
        print_json({"groups": list(steps), "seconds": seconds})
    else:
        click.echo(f"Kernels are ready for: {', '.join(steps)} ({seconds:.1f} s).")


def warmed(processes: int | None = None, steps: Collection[str] = tuple(STEPS)) -> Iterator[tuple[str, str]]:
    """Run steps, with a bar in a terminal; each step's name and, if it failed, the last line of what it said."""
    with bars() as report, _pool(processes) as pool:
        waiting = {pool.submit(_run, name): name for name in steps}
        for done, future in enumerate(as_completed(waiting), 1):
            report("compiling", done, len(steps))
            yield waiting[future], future.result()


@contextmanager
def _pool(processes: int | None) -> Iterator[ThreadPoolExecutor]:
    """Threads that wait for processes; Ctrl-C does not wait for those that have not begun."""
    from ...numeric import thread_count

    pool = ThreadPoolExecutor(processes or thread_count())
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def prepare_demonstration() -> None:
    """Begin a part of the demonstration in another process, if there is a second core.

    Where kernels are there, that is the page about the fit. Else it is half of them: the other half is compiled here,
    and then what needs nothing of that half is drawn, while the other process ends.
    """
    from ...gallery.bones.page_apart import begin_page
    from ...numeric import COMPILED, thread_count
    from ...numeric.cache.folder import cache_folder
    from ...numeric.cache.parallel_compilation import begin_apart
    from ...numeric.entries.shipped import shipped_library

    if not COMPILED or thread_count() < 2:
        return
    folder = cache_folder()
    if shipped_library() or (folder is not None and any(folder.glob("*.fixed_steps-*.nbc"))):
        begin_page()
    elif folder is not None:
        begin_apart(_command(LEG_STEPS), LEG_ENTRIES)
        STEPS[LEG_POSES]()
        from ...gallery.bones.fitted_knee import knee_report

        knee_report()  # of which the demonstration needs nothing that the other process still compiles


def _run(name: str) -> str:
    """Run one step in a process; the last line of its trouble, if it had any."""
    done = subprocess.run(_command(name), env={**os.environ, "CONDYLE_THREADS": "1"}, capture_output=True, text=True)
    return (done.stderr.strip().splitlines() or ["it failed"])[-1] if done.returncode else ""


def _command(name: str) -> list[str]:
    """Python, told to run one step."""
    return [sys.executable, "-c", f"from {STEPS[name].__module__} import STEPS; STEPS[{name!r}]()"]
