"""What directing costs against the number of segments: the report's O(n³) tensor form beside the recursive one.

`python -m benchmarks.control [folder]` prints a table and draws cost.png. Both forms are compared, then timed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import crawl, spatial_chain

C = cd.control
TENSOR_LIMIT = 40  # segments; beyond this the tensors are only slow


def median(call: Callable, repeats: int = 5) -> float:
    """Median seconds of a call, after one to warm up."""
    call()
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return float(np.median(seconds))


def row(segments: int) -> tuple[int, float, float]:
    """(segments, seconds of the recursive form, of the tensor form)."""
    model, rng = spatial_chain(segments), np.random.default_rng(0)
    q, v, a = 0.3 * rng.normal(size=(3, model.nv))
    fast = median(lambda: cd.inverse_dynamics(model, q, v, a))
    if segments > TENSOR_LIMIT:
        return segments, fast, np.nan
    tau = C.tensor_form(model, q).inverse(v, a)
    expected = cd.inverse_dynamics(model, q, v, a)
    assert np.abs(tau - expected).max() < 1e-10 * np.abs(expected).max()  # agree first, then time
    return segments, fast, median(lambda: C.tensor_form(model, q).inverse(v, a), 3)


def crawling(segments: int) -> float:
    """Seconds to direct one second of a worm at 30 frames per second."""
    chords = tuple(0.005 * segments * x for x in (0.68, 0.92))
    begin = time.perf_counter()
    crawl(segments, cycles=1, goal=(10.0, 0.0, 0.0), chords=chords, duration=0.5, step=1 / 30)
    return time.perf_counter() - begin


def main(folder: str = "demo") -> None:
    """Print and draw."""
    rows = [row(n) for n in (2, 5, 10, 20, 40, 80, 160)]
    print("segments  recursive [ms]  tensors [ms]")
    for n, fast, slow in rows:
        print(f"{n:8d}  {1e3 * fast:14.3f}  {1e3 * slow:12.1f}")
    crawling(5)
    print(f"directing a worm of 50 segments: {crawling(50):.2f} s for 1 s of motion at 30 frames per second")
    draw(np.array(rows), Path(folder))


def draw(rows: np.ndarray, folder: Path) -> None:
    """Both costs on logarithmic axes."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
    ax.loglog(rows[:, 0], 1e3 * rows[:, 1], "-o", label="recursive")
    ax.loglog(rows[:, 0], 1e3 * rows[:, 2], "-o", label="tensor form")
    ax.set(xlabel="segments of two freedoms", ylabel="inverse dynamics [ms]", title="cost of one state")
    ax.legend()
    figure.savefig(folder / "cost.png", dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    main(*sys.argv[1:])
