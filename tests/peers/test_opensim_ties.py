"""Constraints and loads between bodies as OpenSim has them: accelerations at random states."""

import numpy as np
import pytest

import condyle as cd
from support.constraint_models import BUSHING, DISTANCE, LIMIT, LINE, tied

osim = pytest.importorskip("opensim")
pytestmark = pytest.mark.peers
osim.Logger.setLevelString("error")

CASES = {
    "rod": tied(DISTANCE),
    "line": tied(LINE),
    "bushing": tied(forces=[BUSHING]),
    "limit": tied(forces=[LIMIT]),
    "all": tied(DISTANCE, LINE, forces=[BUSHING, LIMIT]),
}


def accelerations(peer, state, model, q, v):
    """By OpenSim, in the order of condyle's coordinates."""
    known = {c.getName(): c for c in (peer.getCoordinateSet().get(k) for k in range(peer.getNumCoordinates()))}
    for name in model.coordinates:
        known[name].setValue(state, float(q[model.q_index(name)]), False)
        known[name].setSpeedValue(state, float(v[model.v_index(name)]))
    peer.realizeAcceleration(state)
    return np.array([known[name].getAccelerationValue(state) for name in model.coordinates])


@pytest.mark.parametrize("case", CASES)
def test_accelerations_are_those_of_opensim(case, tmp_path):
    """Oracle: Simbody's rod, point on line, bushing and OpenSim's limit force at 20 random states each."""
    path = tmp_path / "tied.osim"
    path.write_text(CASES[case])
    model, peer = cd.load(path), osim.Model(str(path))
    state, rng, worst = peer.initSystem(), np.random.default_rng(0), 0.0
    for _ in range(20):
        q, v = rng.normal(size=model.nq) * 0.4, rng.normal(size=model.nv)
        q, v = cd.project(model, q, v) if model.constraints else (q, v)
        theirs = accelerations(peer, state, model, q, v)
        worst = max(worst, np.abs(cd.forward_dynamics(model, q, v) - theirs).max() / np.abs(theirs).max())
    assert not model.notes and worst < 1e-9
