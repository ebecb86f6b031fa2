"""(m) One mechanism at 1 ms steps: seconds simulated for each second of the processor, no Python called in between."""

import condyle as cd
from condyle.gallery import beads, leg
from condyle.gallery.scenes.letters import letters

from ..table import Row
from ..timing import REPEATS, Timed, seconds

__all__ = ["measure"]

STEP = 1e-3  # [s]
INTEGRATORS = ("euler", "semi-implicit", "rk4", "variational", "adaptive")
PAPER = {"knee": 6e-3, "letters 1": 49e-3}  # [s] for each step  [LeeTerzopoulos2008, section 8]


def starts():
    """Name, model, q, v, how long [s] and the least real-time factor."""
    yield "knee", leg(), [0.9, -1.4, 0.0], [0.0, 0.0, 0.0], 10.0, 1000.0
    scenes = (
        ("beads", beads(), 10.0, 1000.0),
        ("letters 1", letters(1), 3.0, 100.0),
        ("letters 2", letters(2), 3.0, 100.0),
    )
    for name, scene, duration, least in scenes:
        yield name, scene.model, scene.q, scene.v, duration, least


def run(model, q, v, duration, integrator):
    """Only the end is recorded; adaptive chooses its own steps."""
    return cd.simulate(model, q, v, duration=duration, step=STEP, record=duration, integrator=integrator)


def measure():
    for name, model, q, v, duration, least in starts():
        for integrator in INTEGRATORS:
            if integrator == "variational" and model.prescribed:
                continue
            timed = Timed(lambda m=model, x=q, y=v, d=duration, i=integrator: run(m, x, y, d, i), 1)
            seconds(timed)
            best = min(seconds(timed) for _ in range(REPEATS))
            note = (
                f"paper {1e3 * PAPER[name]:g} ms a step, here {1e3 * best * STEP / duration:.2g} ms"
                if name in PAPER
                else ""
            )
            target = least if integrator == "semi-implicit" else None
            yield Row("m", f"{name}, {integrator}, 1 ms: over real time", duration / best, "x", target, note=note)
