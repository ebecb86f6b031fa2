"""Directing and spacetime constraints
===================================

Directed motion beside spacetime constraints: the same task, torque cost and error of both.

Directing finds joint motion moment by moment. Spacetime constraints (Witkin and Kass, 1988) discretise the whole motion
and minimise its torque at once. Prints both; draws demo/spacetime.png.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import condyle as cd
from condyle.gallery import planar_chain

C = cd.control
START, GOAL, DURATION, KNOTS = np.array([-1.2, 0.5, 0.4]), np.array([0.55, 0.45]), 0.8, 25


def space() -> C.AnimationSpace:
    """The end of a three-link arm."""
    return C.AnimationSpace(planar_chain((0.4, 0.35, 0.3)), [C.point("link3", (0.3, 0, 0), axes="xy", name="tip")])


def directed() -> C.TorqueFunctions:
    """The tip goes straight to the goal, joints by least velocity."""
    made = space()
    path = C.keyframes([0.0, DURATION], [made.value(START), GOAL])
    return C.torque_functions(C.direct(made, START, {"tip": path}, duration=DURATION, step=DURATION / (8 * KNOTS)))


def differences(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Velocities and accelerations of discrete paths (..., KNOTS, n) that start and end at rest."""
    h = DURATION / (KNOTS - 1)
    around = np.concatenate([q[..., :1, :], q, q[..., -1:, :]], axis=-2)
    return (around[..., 2:, :] - around[..., :-2, :]) / (2 * h), (
        around[..., 2:, :] - 2 * q + around[..., :-2, :]
    ) / h**2


@lru_cache(maxsize=1)
def spacetime() -> C.TorqueFunctions:
    """The whole path at once: least torque, first pose given, the tip at the goal at the end."""
    made, n = space(), 3
    model = made.model

    def torques(x):
        q = np.concatenate(
            [np.broadcast_to(START, (*x.shape[:-1], 1, n)), x.reshape(*x.shape[:-1], KNOTS - 1, n)], axis=-2
        )
        v, a = differences(q)
        return q, v, cd.inverse_dynamics(model, q, v, a)

    def cost(x):
        return np.sum(torques(x)[2] ** 2, axis=(-1, -2)) * DURATION / KNOTS

    def cost_and_slope(x):
        step = 1e-5 * np.eye(len(x))
        return cost(x), (cost(x + step) - cost(x - step)) / 2e-5  # one batch

    def arrive(x):
        return made.value(x[-n:]) - GOAL

    def arrive_slope(x):
        return np.concatenate([np.zeros((2, len(x) - n)), made.gradient(x[-n:])], axis=1)

    guess = directed().thinned(KNOTS).q[1:].reshape(-1)
    end = {"type": "eq", "fun": arrive, "jac": arrive_slope}
    best = minimize(
        cost_and_slope, guess, jac=True, method="SLSQP", constraints=end, options={"maxiter": 150, "ftol": 1e-6}
    )
    q, v, tau = torques(best.x)
    return C.TorqueFunctions(np.linspace(0.0, DURATION, KNOTS), tau, q, v)


def report(torques: C.TorqueFunctions) -> dict[str, float]:
    """Torque cost [N² m² s], the goal missed as planned [m], and missed when the torques are replayed open [m]."""
    made = space()
    back = C.replay(made.model, torques, v=np.zeros(3), step=2e-3, record=0.1).trajectory
    cost = np.trapezoid(np.sum(torques.tau**2, axis=1), torques.t)
    planned, reached = (np.linalg.norm(made.value(q[-1]) - GOAL) for q in (torques.q, back.q))
    return {"cost": float(cost), "planned": float(planned), "replayed": float(reached)}


def draw(motions: dict[str, C.TorqueFunctions], path: Path) -> None:
    """The arm by both, and the torques' size."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(12, 4.2), layout="constrained")
    for ax, (name, torques) in zip(axes, motions.items(), strict=False):
        poses = cd.forward_kinematics(space().model, torques.q)
        tips = poses[:, -1].apply(np.array([0.3, 0.0, 0.0]))
        for k in np.linspace(0, len(torques.t) - 1, 9).astype(int):
            x = np.concatenate([poses[k].xyz, tips[k : k + 1]])
            ax.plot(x[:, 0], x[:, 1], "-o", color=plt.get_cmap("viridis")(k / len(torques.t)), markersize=3)
        ax.plot(*GOAL, "r*", markersize=12)
        ax.set(title=name, xlabel="x [m]", ylabel="y [m]", aspect="equal")
        axes[2].plot(torques.t, np.linalg.norm(torques.tau, axis=1), label=name)
    axes[2].set(title="size of the torques", xlabel="t [s]", ylabel="|τ| [N m]")
    axes[2].legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "demo") -> None:
    """Both, side by side."""
    motions = {"directed": directed(), "spacetime": spacetime()}
    print("              torque cost   goal missed as planned   when replayed open")
    for name, torques in motions.items():
        r = report(torques)
        print(f"{name:12s} {r['cost']:12.2f}   {r['planned']:22.1e}   {r['replayed']:18.1e}")
    Path(folder).mkdir(parents=True, exist_ok=True)
    draw(motions, Path(folder) / "spacetime.png")


def check() -> None:
    """Both plans meet the goal; spacetime asks for less torque, directing is truer to the physics."""
    first, second = report(directed()), report(spacetime())
    assert first["planned"] < 1e-6 and second["planned"] < 1e-3
    assert second["cost"] < first["cost"]
    assert first["replayed"] < second["replayed"]


if __name__ == "__main__":
    main()
