"""Skeletons whose motion ends before its time: who is named, and what the report says."""

import numpy as np
import pytest

import condyle as cd
from condyle.simulation import StoppedWarning
from condyle.skeleton import SkeletonBuilder

pytestmark = pytest.mark.filterwarnings("ignore::condyle.simulation.StoppedWarning")


def two_bodies():
    """Two bodies tied by next to nothing, without gravity."""
    b = SkeletonBuilder(gravity=(0, 0, 0))
    for name, x in (("slow", 0.0), ("fast", 10.0)):
        b.add_body(name, cd.Inertia.sphere(1.0, 0.5), position=(x, 0, 0))
    return b.add_spring("slow", (0, 0, 0), "fast", (0, 0, 0), stiffness=1e-6).build()


@pytest.mark.parametrize("integrator", ["variational", "rk4", "printed"])
def test_the_body_that_exceeds_the_speed_limit_of_models_is_named(integrator):
    """Oracle: v = F t / m passes 1e9 m/s after 1 s; the other body is 1000 times slower."""
    forces = {"slow": (1e6, 0, 0), "fast": (1e9, 0, 0)}
    motion = two_bodies().simulate(duration=2.0, step=0.1, integrator=integrator, forces=forces)
    assert motion.stopped.time == pytest.approx(1.0, abs=0.11)
    assert "'fast'" in motion.stopped.reason and "'slow'" not in motion.stopped.reason
    assert np.abs(motion.stopped.state.velocities).max() <= 1e9


def test_the_report_of_a_motion_that_stopped_tells_how_long_it_went():
    """Oracle: the closed form above; a motion of 2 s that stopped after about 1 s."""
    motion = two_bodies().simulate(duration=2.0, step=0.1, forces={"fast": (1e9, 0, 0)})
    first, *_, last = str(motion.report()).splitlines()
    assert float(first.split()[-2]) == pytest.approx(motion.stopped.time)
    assert "stopped at t = " in last and "'fast'" in last


def test_the_report_of_a_whole_motion_speaks_of_no_stop():
    """Oracle: the duration asked for."""
    text = str(two_bodies().simulate(duration=0.5, step=0.1).report())
    assert "over 0.5 s" in text and "stopped" not in text


def test_the_warning_names_the_body():
    """Oracle: the name."""
    with pytest.warns(StoppedWarning, match="'fast'"):
        two_bodies().simulate(duration=2.0, step=0.1, forces={"fast": (1e9, 0, 0)})
