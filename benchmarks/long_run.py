"""`python -m benchmarks.long_run [STEPS]`: a run of many steps recorded at 100 Hz, and one coordinate of it read.

Prints the time, the memory at the start and at its highest, what is on disk, and what reading one coordinate takes.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import condyle as cd

__all__ = ["main", "pendulum", "read", "record"]

STEP, RECORD = 1e-3, 1e-2


def pendulum():
    """A thin rod on a hinge, and a second one on it."""
    b = cd.ModelBuilder()
    for name, parent in (("upper", None), ("lower", "upper")):
        inertia, place = cd.Inertia.capsule(1.0, 0.02, 0.5, com=(0, 0, -0.25)), (0, 0, -0.5 if parent else 0)
        b.add_body(name, parent=parent, joint=cd.joints.revolute("y"), inertia=inertia,
                   placement=cd.SE3.from_translation(place))  # fmt: skip
    return b.build()


def highest():
    """The most memory that this process has had [MB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def record(folder, steps):
    """Run so many steps into a folder."""
    model = pendulum()
    options = {"step": STEP, "record": RECORD, "integrator": "semi-implicit"}
    cd.simulate(model, [0.1, 0.1], duration=1.0, record_to=Path(folder) / "first", **options)  # compiles
    before, began = highest(), time.process_time()
    cd.simulate(model, [0.1, 0.1], duration=steps * STEP, record_to=Path(folder) / "run", **options)
    print(f"{steps:.3g} steps in {time.process_time() - began:.1f} s of processor time")
    print(f"memory: {before:.0f} MB before, at most {highest():.0f} MB")


def read(folder):
    """Read one coordinate of the run."""
    run = cd.open_run(Path(folder) / "run")
    before, began = highest(), time.process_time()
    x = run["lower"]
    grown, seconds = highest() - before, time.process_time() - began
    print(f"one coordinate: {x.nbytes / 1e6:.0f} MB in {seconds:.2f} s, {grown:.0f} MB more memory, {len(x)} records")


def main(steps=10**8):
    with tempfile.TemporaryDirectory() as folder:
        for what in ("record", "read"):
            arguments = [folder, str(steps)] if what == "record" else [folder]
            subprocess.run([sys.executable, "-m", "benchmarks.long_run", what, *arguments], check=True)
        files = sum(path.stat().st_size for path in (Path(folder) / "run").iterdir())
        print(f"on disk: {files / 1e6:.0f} MB")


if __name__ == "__main__":
    if sys.argv[1:2] == ["record"]:
        record(sys.argv[2], int(sys.argv[3]))
    elif sys.argv[1:2] == ["read"]:
        read(sys.argv[2])
    else:
        main(*(int(float(x)) for x in sys.argv[1:]))
