"""(m) One mechanism at 1 ms steps: seconds simulated for each second of the processor, no Python called in between."""

import condyle as cd
from condyle.gallery import beads, leg, letters

from ..table import Row
from ..timing import REPEATS, Timed, seconds

__all__ = ["measure"]

STEP, DURATION = 1e-3, 1.0
INTEGRATORS = ("euler", "semi-implicit", "rk4", "variational", "adaptive")
PAPER = {"knee": 6e-3, "letters 1": 49e-3}  # [s] for each step  [LeeTerzopoulos2008, section 8]


def starts():
    """Name, model, q, v and the least real-time factor."""
    yield "knee", leg(), [0.9, -1.4, 0.0], [0.0, 0.0, 0.0], 1000.0
    scenes = (("beads", beads(), 1000.0), ("letters 1", letters(1), 100.0), ("letters 2", letters(2), 100.0))
    for name, scene, least in scenes:
        yield name, scene.model, scene.q, scene.v, least


def run(model, q, v, integrator):
    """Only the end is recorded; adaptive chooses its own steps."""
    return cd.simulate(model, q, v, duration=DURATION, step=STEP, record=DURATION, integrator=integrator)


def measure():
    for name, model, q, v, least in starts():
        for integrator in INTEGRATORS:
            if integrator == "variational" and model.prescribed:
                continue
            timed = Timed(lambda m=model, x=q, y=v, i=integrator: run(m, x, y, i), 1)
            seconds(timed)
            best = min(seconds(timed) for _ in range(REPEATS))
            note = f"paper {1e3 * PAPER[name]:g} ms a step, here {1e3 * best * STEP:.2g} ms" if name in PAPER else ""
            target = least if integrator == "semi-implicit" else None
            yield Row("m", f"{name}, {integrator}, 1 ms: over real time", DURATION / best, "x", target, note=note)
