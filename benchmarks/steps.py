"""How large a step may be, and what one costs: every integrator on the gallery's conservative scenes.

python -m benchmarks.steps prints four tables, draws docs/figures/steps.png and keeps the numbers in
benchmarks/results/steps.json. The error is max |E(t) − E(0)| over the kinetic energy's range in a run with a fine step.
For the other scenes, driven, damped or constrained, there is only the largest bounded step of forward Euler.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import SCENES, Scene, beads, elliptic, globe, knee
from condyle.gallery.scenes.letters import letters
from condyle.gallery.wires.corner import corner_bend

ROOT = Path(__file__).parents[1]
STEPS = (0.02, 0.01, 0.005, 0.0025, 0.00125)  # [s]
EULER = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005)  # [s]
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)
INTEGRATORS = ("euler", "semi-implicit", "rk4", "variational")
PAPER = {"knee": 6.0, "letters 1": 49.0}  # [ms] for one step  [LeeTerzopoulos2008, section 8]


def swinging_knee() -> Scene:
    """A thigh and a shank without the knee's stops, swinging from a small angle."""
    b = cd.ModelBuilder(gravity=(0.0, -9.81, 0.0))
    b.add_body(
        "thigh", joint=cd.joints.revolute("z"), inertia=cd.Inertia.capsule(7.5, 0.07, 0.3, com=(0, -0.2, 0), axis=1)
    )
    b.add_body(
        "shank", parent="thigh", joint=knee(), inertia=cd.Inertia.capsule(3.5, 0.05, 0.3, com=(0, -0.2, 0), axis=1)
    )
    return Scene("knee", b.build(), np.array([0.1, -0.6]), np.zeros(2))


def scenes() -> dict[str, Scene]:
    """What is compared: no motor, no dampers."""
    return {
        "knee": swinging_knee(),
        "elliptic": elliptic(),
        "beads, free wire": beads(spin=None),
        "globe": globe(),
        "letters 1": letters(1),
        "letters 2": letters(2),
    }


def scale_of(scene: Scene) -> float:
    """The largest kinetic energy in a short fine run [J]."""
    return float(scene.run(2.0, step=5e-4, record=0.01).energy().kinetic.max())


def error(scene: Scene, scale: float, duration: float, step: float, integrator: str, **options) -> float:
    """The largest energy error over the scale; infinite if the run stopped."""
    path = scene.run(duration, step=step, integrator=integrator, **options)
    if path.stopped is not None:
        return np.inf
    energy = path.energy().total
    return float(np.abs(energy - energy[0]).max() / scale)


def largest_good(steps: Iterable[float], good: Callable[[float], bool]) -> float | None:
    """The largest step up to which every one is good: a longer one that passes by luck does not count."""
    found = None
    for h in sorted(steps):
        if not good(h):
            break
        found = h
    return found


def largest_euler(scene: Scene, scale: float) -> float | None:
    """The step [s] up to which forward Euler keeps the energy error below the scale for 10 s."""
    return largest_good(EULER, lambda h: error(scene, scale, 10.0, h, "euler") < 1.0)


def largest_bounded(scene: Scene) -> float | None:
    """The step [s] up to which forward Euler has at most four times the kinetic energy of a fine run for 10 s."""
    fine = scene.run(10.0, step=5e-4, record=0.01, integrator="rk4")
    limit = 4.0 * np.nanmax(fine.energy().kinetic)
    return largest_good(EULER, lambda h: _stays_below(scene.run(10.0, step=h, integrator="euler"), limit))


def _stays_below(path: cd.Trajectory, limit: float) -> bool:
    return path.stopped is None and float(path.energy().kinetic.max()) < limit


def cost(scene: Scene, integrator: str) -> float:
    """Microseconds of the processor for one step of 1 ms, the least of seven runs of half a second."""
    times = []
    for _ in range(7):
        start = time.process_time()
        scene.run(0.5, step=1e-3, record=0.5, integrator=integrator)
        times.append(time.process_time() - start)
    return 1e6 * min(times) / 500


def study(scene: Scene) -> dict:
    """All numbers of a scene."""
    scale = scale_of(scene)
    return {
        "errors": {i: [error(scene, scale, 2.0, h, i) for h in STEPS] for i in INTEGRATORS},
        "adaptive": [error(scene, scale, 2.0, 0.01, "adaptive", tolerance=e) for e in TOLERANCES],
        "euler": largest_euler(scene, scale),
        "microseconds": {i: cost(scene, i) for i in INTEGRATORS},
    }


def others() -> dict[str, Scene]:
    """The scenes that do not keep their energy, or have constraints."""
    names = (
        "beads", "beads-spinning", "knees", "deforming", "rolling", "disc", "stone", "elastic-points", "scapula",
        "wrist", "thumb",
    )  # fmt: skip
    return {name: SCENES[name]() for name in names} | {"corner": corner_bend()}


def bounded_table(found: dict[str, float | None]) -> str:
    """The largest bounded steps of forward Euler."""
    cells = [row(name, "none of them" if h is None else f"{1e3 * h:g} ms") for name, h in found.items()]
    return "\n".join([row("scene", "largest Euler step, 10 s"), "|---|---|", *cells])


def written(x: float) -> str:
    """An error for the table."""
    return "stopped" if np.isinf(x) else f"{x:.0e}" if x < 1e3 else "> 1e3"


def row(*cells) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def tables(found: dict[str, dict]) -> str:
    """Errors by step, errors by tolerance, cost of a step."""
    lines = [
        row("scene", "integrator", *(f"{1e3 * h:g} ms" for h in STEPS), "largest Euler step, 10 s"),
        "|---" * 8 + "|",
    ]
    for name, numbers in found.items():
        most = "none of them" if numbers["euler"] is None else f"{1e3 * numbers['euler']:g} ms"
        lines += [row(name, i, *map(written, x), most if i == "euler" else "") for i, x in numbers["errors"].items()]
    lines += ["", row("scene", *(f"adaptive, tolerance {e:g}" for e in TOLERANCES)), "|---" * 5 + "|"]
    lines += [row(name, *map(written, numbers["adaptive"])) for name, numbers in found.items()]
    lines += ["", row("scene, µs for one step", *INTEGRATORS, "the paper [ms]"), "|---" * 6 + "|"]
    for name, numbers in found.items():
        lines.append(row(name, *(f"{x:.2g}" for x in numbers["microseconds"].values()), PAPER.get(name, "")))
    return "\n".join(lines)


def draw(found: dict[str, dict], path: Path) -> None:
    """One panel for each scene: error against step."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(2, 3, figsize=(10.5, 6.6), sharey=True, sharex=True, layout="constrained")
    for axes, (name, numbers) in zip(panels.ravel(), found.items(), strict=True):
        for integrator, values in numbers["errors"].items():
            axes.loglog(1e3 * np.array(STEPS), np.where(np.isfinite(values), values, np.nan), "o-", label=integrator)
        axes.set(title=name, ylim=(1e-12, 1e2))
        axes.set_xticks([1e3 * h for h in STEPS], [f"{1e3 * h:g}" for h in STEPS], minor=False)
        axes.minorticks_off()
    for axes in panels[1]:
        axes.set_xlabel("step [ms]")
    for axes in panels[:, 0]:
        axes.set_ylabel("energy error / kinetic energy")
    panels[0, 0].legend(fontsize=8)
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main() -> None:
    """Measure, print, keep, draw."""
    warnings.simplefilter("ignore")
    found = {name: study(scene) for name, scene in scenes().items()}
    bounded = {name: largest_bounded(scene) for name, scene in others().items()}
    print(f"{tables(found)}\n\n{bounded_table(bounded)}")
    (ROOT / "benchmarks" / "results").mkdir(exist_ok=True)
    (ROOT / "benchmarks" / "results" / "steps.json").write_text(json.dumps({**found, "bounded": bounded}, indent=1))
    draw(found, ROOT / "docs" / "figures" / "steps.png")


if __name__ == "__main__":
    main()
