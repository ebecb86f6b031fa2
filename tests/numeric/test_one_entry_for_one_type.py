"""An entry is compiled once for each number type: not again for arrays that are read-only, broadcast or strided."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd
from condyle.numeric import COMPILED


def variants(x: np.ndarray) -> list[np.ndarray]:
    """The same states as different kinds of arrays."""
    sealed = x.copy()
    sealed.flags.writeable = False
    strided = np.repeat(x, 2, axis=-1)[..., ::2]
    return [x, sealed, strided, np.asfortranarray(x), np.broadcast_to(x[:1], x.shape), x.astype(np.float32)]


@pytest.mark.skipif(not COMPILED, reason="plain kernels are not compiled")
def test_other_kinds_of_arrays_do_not_compile_an_entry_again():
    """Counts what the compiler made of three entries, after calls with arrays of every kind."""
    from condyle.dynamics.kernels.forward import forward_states
    from condyle.dynamics.kernels.inverse import inverse_states
    from condyle.joints.kernels.entries import poses

    rod = cd.Inertia.box(1.0, (0.1, 0.1, 0.5), com=(0, 0, -0.25))
    joint = cd.joints.revolute("y")
    model = cd.ModelBuilder().add_body("rod", joint=joint, inertia=rod).build()
    batch = np.linspace(-1.0, 1.0, 12)[:, None]
    cd.forward_dynamics(model, batch, batch, batch)
    cd.inverse_dynamics(model, batch, batch, batch)
    joint.pose(batch)
    entries = forward_states, inverse_states, poses
    before = [len(entry.overloads) for entry in entries]
    for x in variants(batch):
        for y in variants(batch):
            cd.forward_dynamics(model, x, y)
            cd.inverse_dynamics(model, x, y, x)
        joint.pose(x)
    assert [len(entry.overloads) for entry in entries] == before
