"""How large a step may be: energy error of every integrator on the gallery's conservative scenes.

python -m benchmarks.steps [docs/figures/steps.png] prints two tables and draws the errors. Energies are deterministic;
nothing here is timed. The error is max |E(t) − E(0)| over the kinetic energy's range in a run with a fine step.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np

from condyle.gallery import Scene, beads, elliptic, globe, letters

STEPS = (0.02, 0.01, 0.005, 0.0025, 0.00125)  # [s]
EULER = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005)  # [s]
INTEGRATORS = ("euler", "semi-implicit", "rk4", "variational")


def scenes() -> dict[str, Scene]:
    """What is compared: no motor, no dampers."""
    return {
        "elliptic": elliptic(),
        "beads, free wire": beads(spin=None),
        "globe": globe(),
        "letters 1": letters(1),
        "letters 2": letters(2),
    }


def scale_of(scene: Scene) -> float:
    """The largest kinetic energy in a short fine run [J]."""
    return float(scene.run(2.0, step=5e-4, record=0.01).energy().kinetic.max())


def error(scene: Scene, scale: float, duration: float, step: float, integrator: str) -> float:
    """The largest energy error over the scale; infinite if the run stopped."""
    path = scene.run(duration, step=step, integrator=integrator)
    if path.stopped is not None:
        return np.inf
    energy = path.energy().total
    return float(np.abs(energy - energy[0]).max() / scale)


def largest_euler(scene: Scene, scale: float) -> float | None:
    """The largest step [s] of forward Euler whose energy error stays below the scale for 10 s."""
    return next((h for h in EULER if error(scene, scale, 10.0, h, "euler") < 1.0), None)


def written(x: float) -> str:
    """An error for the table."""
    return "stopped" if np.isinf(x) else f"{x:.0e}" if x < 1e3 else "> 1e3"


def draw(errors: dict, path: str) -> None:
    """One panel for each scene: error against step."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, len(errors), figsize=(3.4 * len(errors), 3.6), sharey=True, layout="constrained")
    for axes, (name, rows) in zip(panels, errors.items(), strict=True):
        for integrator, values in rows.items():
            axes.loglog(1e3 * np.array(STEPS), np.where(np.isfinite(values), values, np.nan), "o-", label=integrator)
        axes.set(title=name, xlabel="step [ms]", ylim=(1e-12, 1e2))
        axes.set_xticks([1e3 * h for h in STEPS], [f"{1e3 * h:g}" for h in STEPS], minor=False)
        axes.minorticks_off()
    panels[0].set_ylabel("energy error / kinetic energy")
    panels[0].legend(fontsize=8)
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main(path: str | None = None) -> None:
    """Both tables, and the picture if a path is given."""
    warnings.simplefilter("ignore")
    errors = {}
    print("| scene | integrator | " + " | ".join(f"{1e3 * h:g} ms" for h in STEPS) + " | largest Euler step, 10 s |")
    print("|---" * (len(STEPS) + 3) + "|")
    for name, scene in scenes().items():
        scale = scale_of(scene)
        errors[name] = {i: [error(scene, scale, 2.0, h, i) for h in STEPS] for i in INTEGRATORS}
        euler = largest_euler(scene, scale)
        for i, values in errors[name].items():
            last = "" if i != "euler" else "none of them" if euler is None else f"{1e3 * euler:g} ms"
            print(f"| {name} | {i} | {' | '.join(map(written, values))} | {last} |", flush=True)
    if path:
        draw(errors, path)


if __name__ == "__main__":
    main(*sys.argv[1:])
