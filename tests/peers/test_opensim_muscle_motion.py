"""Models that muscles drive, in condyle and integrated by OpenSim."""

import warnings

import numpy as np
import pytest

import condyle as cd
from support.laboratory import FOLDER

osim = pytest.importorskip("opensim")
from support.osim_muscles import Peer  # noqa: E402
from support.osim_twin import twins  # noqa: E402

pytestmark = pytest.mark.peers

EXCITED = np.array([0.1, 0.05, 0.05, 0.15, 0.2, 0.1])


def without_wraps(text):
    """The text of arm26 without its wraps, on which OpenSim's ways are not the shortest."""
    start, end = text.find("<PathWrapSet>"), 0
    while start >= 0:
        end = text.find("</PathWrapSet>", start) + len("</PathWrapSet>")
        text = text[:start] + text[end:]
        start = text.find("<PathWrapSet>")
    return text


@pytest.fixture(scope="module")
def arm(tmp_path_factory):
    """arm26 without wraps, in both."""
    path = FOLDER / "opensim" / "models" / "arm26.osim"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    folder = tmp_path_factory.mktemp("arm26")
    plain = folder / "plain.osim"
    plain.write_text(without_wraps(path.read_text()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = cd.load(twins(plain, folder)[0])
    return ours, plain, folder


def opensim_run(peer, q, excited, activation, fibers, times):
    """(q, v, activations, fibre lengths) by OpenSim's integrator at times."""
    muscles = [peer.model.getMuscles().get(m.name) for m in peer.ours.muscles]
    peer.set(q, np.zeros(peer.ours.nv))
    for muscle, a, fiber in zip(muscles, activation, fibers, strict=True):
        muscle.setActivation(peer.state, float(a))
        muscle.setStateVariableValue(peer.state, "fiber_length", float(fiber))
    manager = osim.Manager(peer.model)
    manager.setIntegratorAccuracy(1e-9)
    manager.initialize(peer.state)
    rows = []
    for t in times:
        state = manager.integrate(float(t))
        peer.model.realizeDynamics(state)
        places = [c.getValue(state) for c in peer.coordinates]
        speeds = [c.getSpeedValue(state) for c in peer.coordinates]
        own = [m.getActivation(state) for m in muscles], [m.getFiberLength(state) for m in muscles]
        places = [c.getValue(state) for c in peer.coordinates]
        speeds = [c.getSpeedValue(state) for c in peer.coordinates]
        own = [m.getActivation(state) for m in muscles], [m.getFiberLength(state) for m in muscles]
        rows.append([places, speeds, *own])
    return [np.array(x) for x in zip(*rows, strict=True)]


def constant_controls(excited):
    """A change of a model: every muscle gets a constant excitation."""

    def change(model):
        brain = osim.PrescribedController()
        for k in range(model.getMuscles().getSize()):
            muscle = model.getMuscles().get(k)
            brain.addActuator(muscle)
            brain.prescribeControlForActuator(muscle.getName(), osim.Constant(float(excited[k])))
        model.addController(brain)

    return change


def test_an_arm_moves_under_its_muscles_as_in_opensim(arm):
    """Oracle: OpenSim's error-controlled integration of arm26 without wraps over 1 s, from the same state."""
    ours, path, folder = arm
    names = list(cd.muscles.names(ours))
    peer = Peer(path, folder, ours, constant_controls(EXCITED))
    there = [peer.model.getMuscles().get(k).getName() for k in range(peer.model.getMuscles().getSize())]
    excited = np.array([EXCITED[there.index(name)] for name in names])
    q, times = np.array([0.2, 0.6]), np.linspace(0.1, 1.0, 10)
    activation = np.full(len(names), 0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.CondyleWarning)
        fibers = cd.muscles.forces(ours, q, [0, 0], activation).fiber_length
        run = cd.muscles.simulate(ours, q, excitations=excited, activation=activation, fiber_length=fibers,
                                  duration=1.0, step=0.1, integrator="adaptive", tolerance=1e-9)  # fmt: skip
    assert run.stopped is None
    for mine, theirs in zip((run.q, run.v, run.activation, run.fiber_length), opensim_run(
            peer, q, excited, activation, fibers, times), strict=True):  # fmt: skip
        np.testing.assert_allclose(mine[1:], theirs, rtol=1e-4, atol=1e-6)
