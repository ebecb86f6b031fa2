"""A person on a chair: a closed loop three ways
=============================================

Shank, thigh and trunk with the hip held by the seat; the trunk rocks. Directed in extended coordinates, then forward
under the trunk's torque alone with a hard seat (the engine's constraint) and with soft springs. Prints what each
gives; a player and a chart in demo/.
"""

from __future__ import annotations

import numpy as np

import condyle as cd
from condyle import demos
from condyle.gallery import chair_force, rocking, seated, sitter, sitter_hip

C = cd.control


def one_moment(motion: C.Directed, k: int) -> dict[str, np.ndarray]:
    """Accelerations and chair force in one moment, driven by the trunk's torque alone."""
    state = (motion.q[k], motion.v[k], motion.tau[k] * [0.0, 0.0, 1.0])
    held = sitter(held=True)
    force = cd.constraint_forces(held, *state).forces[0].multipliers[:2]
    return {
        "hard, multipliers": np.concatenate([cd.forward_dynamics(held, *state), force]),
        "hard, elimination": np.concatenate(C.partitioned_acceleration(sitter_hip(sitter()), *state)),
        "extended coordinates": np.concatenate(C.extended_acceleration(motion.space, "seat", *state)),
    }


def main(folder: str = "demo") -> None:
    """Rock, print, draw."""
    for name, result in one_moment(rocking(), 60).items():
        print(f"{name:22s} joint accelerations {result[:3].round(6)} rad/s², chair {result[3:].round(4)} N")
    print(demos.run("sitting", folder).summary)


def check() -> None:
    """The hip stays; hard and extended agree to 1e-10; soft springs come nearer as they stiffen."""
    motion = rocking()
    assert np.abs(motion.u[:, :2]).max() < 1e-9
    hard, *others = one_moment(motion, 60).values()
    assert all(np.allclose(x, hard, rtol=0, atol=1e-10 * np.abs(hard).max()) for x in others)
    assert np.allclose(hard[:3], motion.a[60], atol=1e-6)
    assert np.allclose(hard[3:], chair_force(motion)[60], atol=1e-6)
    quick = rocking(0.8)
    firm, soft, softer = (seated(quick, k) for k in (None, 1e6, 1e5))
    assert firm.slipped() < 1e-9
    assert 5 * soft.slipped() < softer.slipped()
    apart = [np.abs(x.motion.q[:, 2] - firm.motion.q[:, 2]).max() for x in (soft, softer)]
    assert 5 * apart[0] < apart[1]


if __name__ == "__main__":
    main()
