"""What is measured, printed and stored."""

import json
import math
import os
import platform
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich.console import Console
from rich.table import Table

from condyle.numeric.entries.shipped import processor_flags, supported

__all__ = ["Row", "machine", "show", "store"]

STORE = Path(__file__).parent / "results" / "bench.json"


@dataclass(frozen=True)
class Row:
    """One figure. `target` is a least value, or a most value if `at_most`; without a target it is only reported."""

    key: str
    what: str
    value: float
    unit: str
    target: float | None = None
    at_most: bool = False
    note: str = ""

    @property
    def passed(self):
        if self.target is None:
            return None
        return bool(self.value <= self.target if self.at_most else self.value >= self.target)


def machine():
    """What the figures were measured on, and how busy it was."""
    packages = ("condyle", "numpy", "scipy", "numba", "pin", "mujoco", "pin-pink", "mink", "opensim")
    return {
        "processor": processor(),
        "instruction set": next(iter(supported(processor_flags())), platform.machine()),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {name: installed(name) for name in packages},
    }


def processor():
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def installed(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


WHO_LOOPS = (
    "One thread. batched: one call from Python, a compiled loop over states; single: the same, one state at a time. "
    "Rows p: one call from Python for each state. Peers are called from Python once for each state or run of steps."
)


def show(rows, about):
    """One table in the terminal, with the machine and who loops."""
    title = f"{about['processor']}, {about['instruction set']}, load {about['load']:.1f}. {WHO_LOOPS}"
    table = Table("", "measured", "value", "target", "", "note", caption=title)
    for row in rows:
        table.add_row(row.key, row.what, f"{row.value:.3g} {row.unit}", aim(row), verdict(row), row.note)
    Console(width=150).print(table)


def aim(row):
    return "" if row.target is None else f"{'≤' if row.at_most else '≥'} {row.target:g}"


def verdict(row):
    return {None: "", True: "[green]yes[/]", False: "[red]NO[/]"}[row.passed]


def as_stored(row):
    """A void figure is null: JSON has no NaN."""
    return asdict(row) | {"value": float(row.value) if math.isfinite(row.value) else None, "passed": row.passed}


def store(rows, about, path=STORE):
    """Everything as JSON."""
    path.parent.mkdir(exist_ok=True)
    content = {"machine": about, "rows": [as_stored(r) for r in rows]}
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
