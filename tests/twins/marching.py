"""The loop that an integrator runs on a constrained model, with its kernels called one by one; prints energy errors.

Run with CONDYLE_COMPILE=0: the kernels are then plain functions and nothing waits for a compiler.
"""

import numpy as np

import condyle as cd
from condyle.dynamics.constraints.kernels.constrained_forward import constrained_forward
from condyle.dynamics.constraints.kernels.constraint_scratch import constraint_scratch
from condyle.dynamics.constraints.kernels.projection import project_state
from condyle.dynamics.kernels.scratch import External, tree_scratch
from condyle.numeric import tables
from twins.mechanisms import pinned_chain, rolling_coin


def march(model, q, v, h, steps):
    """Classical Runge-Kutta steps, each projected; the change of energy."""
    t, zero = tables(model.tables), np.zeros(model.nv)
    m, c, nothing = tree_scratch(0.0, t), constraint_scratch(0.0, t), External(zero, zero, False)

    def rates(q, v):
        a = np.zeros(model.nv)
        assert constrained_forward(0.0, t, q, v, a, nothing, m, c) == 0
        return v, a

    before = cd.energy(model, q, v).total
    for _ in range(steps):
        k1 = rates(q, v)
        k2 = rates(q + 0.5 * h * k1[0], v + 0.5 * h * k1[1])
        k3 = rates(q + 0.5 * h * k2[0], v + 0.5 * h * k2[1])
        k4 = rates(q + h * k3[0], v + h * k3[1])
        q = q + h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        v = v + h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        assert project_state(0.0, t, q, v, m, c) == 0
    return abs(cd.energy(model, q, v).total - before)


def main():
    ring, _, start = pinned_chain(np.random.default_rng(3), 4)
    slow, quick = [0.2, 0.4, 0.6, 0.8], [0.5, 0.0, 0.0, 0.0, 2.0]
    for model, q, v in ((ring.model, start, slow), (rolling_coin()[0].model, [0, 0, 0, 0.3, 0], quick)):
        q, v = cd.project(model, q, v)
        print(*(march(model, q, v, h, round(0.25 / h)) for h in (0.01, 0.005, 0.0025)))


if __name__ == "__main__":
    main()
