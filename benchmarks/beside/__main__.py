"""`python -m benchmarks.beside OTHER_PYTHON [PATTERN …]`: this checkout beside another one.

OTHER_PYTHON is the interpreter of an environment where the other checkout is installed. Both run the same operations
(`operations.py`) in fresh processes, in turn, on one thread. What is printed is the least time of each, and now over
before. A first run compiles kernels; run it again for numbers, on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

OPERATIONS = Path(__file__).parent / "operations.py"
WORTH_A_LOOK = 1.03


def names() -> list[str]:
    """All operations, in their order."""
    from .operations import OPERATIONS

    return list(OPERATIONS)


def measure(python: str, seconds: float, chosen: list[str]) -> dict[str, float | str]:
    """One fresh process of a checkout: least seconds of a call of each operation, or why there is none."""
    done = subprocess.run([python, str(OPERATIONS), str(seconds), *chosen], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def least(runs: list[dict[str, float | str]], name: str) -> float | str:
    """The least time over the processes of a checkout, or the words of its error."""
    times = [run[name] for run in runs]
    return min((t for t in times if isinstance(t, float)), default=times[0])


def line(name: str, before: float | str, now: float | str) -> str:
    """A row of the table."""
    if isinstance(before, str) or isinstance(now, str):
        return f"{name:46s} {before if isinstance(before, str) else now}"
    ratio = now / before
    mark = "  slower" if ratio > WORTH_A_LOOK else ""
    return f"{name:46s} {1e3 * before:10.3f} {1e3 * now:10.3f} {ratio:8.2f}{mark}"


def main() -> None:
    """Measure in turn, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beside", description=__doc__)
    parser.add_argument("other", help="the other checkout's Python")
    parser.add_argument("patterns", nargs="*", help="operations whose names contain one of these (default: all)")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each checkout")
    parser.add_argument("--seconds", type=float, default=0.2, help="for each operation in a process")
    given = parser.parse_intermixed_args()
    chosen = [n for n in names() if not given.patterns or any(p in n for p in given.patterns)]
    runs: dict[str, list] = {given.other: [], sys.executable: []}
    for _ in range(given.rounds):
        for python, found in runs.items():
            found.append(measure(python, given.seconds, chosen))
    print(f"{'least time of a call':46s} {'before':>7s} ms {'now':>7s} ms   now / before")
    for name in chosen:
        print(line(name, *(least(found, name) for found in runs.values())))


if __name__ == "__main__":
    main()
