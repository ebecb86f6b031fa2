"""The swing of least torque
=========================

A leg swings from one posture to another in 0.6 s. Of all motions that do it, one asks least of its motors: predicted,
played forward again, and compared with a motion that is merely smooth.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd
from condyle.plots import Curve, Panel, draw_chart

out = Path("demo")
out.mkdir(exist_ok=True)

# %%
# A leg whose knee rolls and glides. Splines of order 6 are smooth enough for the solver's second derivatives.

leg = cd.gallery.leg(order=6)
start, end = np.array([-0.4, -0.3, 0.0]), np.array([0.5, -0.2, 0.1])  # hip, knee, ankle [rad]

# %%
# At rest at both ends. Unknowns are postures, rates and accelerations on a mesh of twelve intervals; torques follow
# from inverse dynamics.

swing = cd.control.optimize(leg, start, end, duration=0.6, intervals=12, speeds=8.0)
print(swing)

# %%
# A smooth motion between the same ends, joint by joint: its torques are those of inverse dynamics.

t = np.linspace(0.0, 0.6, 121)
s = t / t[-1]
q = start + (end - start) * (10 * s**3 - 15 * s**4 + 6 * s**5)[:, None]
_, v, a = cd.trial.derivatives(t, q)
smooth = cd.inverse_dynamics(leg, q, v, a)


def cost(times: np.ndarray, torques: np.ndarray) -> float:
    """The integral of all squared torques [N² m² s]."""
    squares = np.sum(torques**2, axis=1)
    return float(np.sum(0.5 * (squares[1:] + squares[:-1]) * np.diff(times)))


print(f"cost: {cost(swing.t, swing.tau):.0f} N² m² s, of the smooth motion {cost(t, smooth):.0f}")

# %%
# The torques alone, played forward without feedback, lead to the end.

replay = swing.replay()
print(f"the replay ends {np.abs(replay.q[-1] - end).max():.1e} rad away")

# %%
# The swing, and its torques beside those of the smooth motion.

cd.view.export(swing.trajectory, out / "least-torque.png", time=0.35, camera=(10.0, -80.0))
cd.view.export(swing.trajectory, out / "least-torque.html", title="The swing of least torque", camera=(10.0, -80.0))
panels = [
    Panel(
        f"torque of the {name} [N m]",
        [Curve(swing.t, swing.tau[:, k], "least torque"), Curve(t, smooth[:, k], "smooth", style=":")],
        "t [s]",
    )
    for k, name in enumerate(leg.coordinates[:2])
]
draw_chart(panels, out / "least-torque-torques.png", size=(9.0, 3.8))


# %%
# What the tests hold it to.


def check() -> None:
    """It converged, asks for less than the smooth motion, and its torques lead to the end."""
    assert swing.converged
    assert cost(swing.t, swing.tau) < 0.9 * cost(t, smooth)
    assert np.abs(replay.q[-1] - end).max() < 0.02
