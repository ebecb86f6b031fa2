"""Least torque that raises an arm: condyle beside a program written by hand in CasADi and beside Crocoddyl.

Run `python -m benchmarks.optimal_control` from the root, with CasADi installed. Crocoddyl, where it is installed,
solves the same problem by shooting. Links hang in a vertical plane, from rest to rest in 0.8 s, cost ∫ Σ τ² dt.

The program in CasADi is the same Hermite-Simpson collocation with the same unknowns, first guess, solver (IPOPT with
MUMPS) and tolerance; its dynamics are symbolic and its derivatives CasADi's own. (The wheel of Pinocchio has no CasADi
bindings.) Crocoddyl has torques that are parabolas in each interval, Runge-Kutta steps of fourth
order and a penalty for the end.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from time import perf_counter

import numpy as np

import condyle as cd

LENGTH, MASS, GRAVITY, DURATION = 0.4, 1.5, 9.81, 0.8
INERTIA = 0.15  # [kg m²] of each link: without much of it the last link whips, and needs a finer mesh than others
TOLERANCE, REPEATS, PENALTY = 1e-8, 5, 1e6


@dataclass
class Row:
    """What a program found: cost, iterations, seconds of one solve and of what comes before, once."""

    name: str
    cost: float
    iterations: int
    seconds: float
    before: float
    missed: float


def ends(links: int) -> tuple[np.ndarray, np.ndarray]:
    """From hanging to half raised."""
    return np.zeros(links), np.linspace(1.2, 0.4, links)


def arm(links: int) -> cd.Model:
    """Rods in the x-z plane that turn about −y, so that a positive angle raises them."""
    b, rod = cd.ModelBuilder(), cd.Inertia(MASS, (0, 0, -LENGTH / 2), (INERTIA, INERTIA, INERTIA))
    for k in range(links):
        place = cd.SE3.from_translation((0, 0, -LENGTH if k else 0))
        b.add_body(f"link{k}", f"link{k - 1}" if k else None, cd.joints.revolute((0, -1, 0)), rod, placement=place)
    return b.build()


def fastest(solve):
    """The quickest of some calls, and what it gave."""
    times, found = [], None
    for _ in range(REPEATS):
        began = perf_counter()
        found = solve()
        times.append(perf_counter() - began)
    return min(times), found


def in_condyle(links: int, intervals: int) -> Row:
    """`cd.control.optimize`."""
    start, end = ends(links)

    def solve():
        return cd.control.optimize(arm(links), start, end, duration=DURATION, intervals=intervals, tolerance=TOLERANCE)

    solve()  # compiles
    seconds, found = fastest(solve)
    missed = float(np.abs(found.replay().q[-1] - end).max())
    conditions = max(found.optimality.stationarity, found.optimality.feasibility)
    print(f"  condyle: conditions of an optimum met to {conditions:.1e}")
    return Row("condyle", found.cost, found.iterations, seconds, 0.0, missed)


def symbolic_torques(q, v, a):
    """Inverse dynamics of the arm in CasADi: absolute angles, Lagrange's equations of the chain in closed form."""
    import casadi as ca

    n = q.numel()
    sums = ca.DM(np.tril(np.ones((n, n))))
    angle, rate, bend = sums @ q, sums @ v, sums @ a
    force = []
    for i in range(n):
        total = INERTIA * bend[i] + GRAVITY * LENGTH * MASS * (n - i - 0.5) * ca.sin(angle[i])
        for j in range(n):
            far = max(i, j)
            if i == j:
                shared = MASS * LENGTH**2 * (0.25 + n - i - 1)
            else:
                shared = MASS * LENGTH**2 * (0.5 + n - far - 1)
            turn = angle[i] - angle[j]
            total += shared * (ca.cos(turn) * bend[j] + ca.sin(turn) * rate[j] ** 2)
        force.append(total)
    return sums.T @ ca.vertcat(*force)


def first_motion(links: int, intervals: int) -> tuple[np.ndarray, ...]:
    """condyle's first guess: a quintic between the ends, differences of it."""
    start, end = ends(links)
    t = np.linspace(0.0, DURATION, intervals + 1)
    s = (t / DURATION)[:, None]
    q = start + (end - start) * s**3 * (10 - 15 * s + 6 * s**2)
    v = np.gradient(q, t, axis=0)
    return q, v, np.gradient(v, t, axis=0)


def casadi_program(links: int, intervals: int):
    """A solver of IPOPT for the same program, its first guess, and bounds of its rows."""
    import casadi as ca

    q, v, a = (ca.SX.sym(x, links) for x in "qva")
    torques = ca.Function("torques", [q, v, a], [symbolic_torques(q, v, a)])
    h, (start, end) = DURATION / intervals, ends(links)
    Q, V = ca.SX.sym("Q", links, intervals + 1), ca.SX.sym("V", links, intervals + 1)
    A, B = ca.SX.sym("A", links, intervals + 1), ca.SX.sym("B", links, intervals)
    rows, cost = [Q[:, 0] - start, V[:, 0], Q[:, -1] - end, V[:, -1]], 0
    for k in range(intervals):
        a0, am, a1 = A[:, k], B[:, k], A[:, k + 1]
        rows += [V[:, k + 1] - V[:, k] - h / 6 * (a0 + 4 * am + a1),
                 Q[:, k + 1] - Q[:, k] - h / 2 * (V[:, k] + V[:, k + 1]) + h**2 / 12 * (a1 - a0)]  # fmt: skip
        qm = (Q[:, k] + Q[:, k + 1]) / 2 + h / 8 * (V[:, k] - V[:, k + 1])
        vm = (V[:, k] + V[:, k + 1]) / 2 + h / 8 * (a0 - a1)
        points = (Q[:, k], V[:, k], a0), (qm, vm, am), (Q[:, k + 1], V[:, k + 1], a1)
        cost += sum(w * h / 6 * ca.sumsqr(torques(*x)) for w, x in zip((1, 4, 1), points, strict=True))
    z = ca.veccat(Q, V, A, B)
    quiet = {"print_time": False, "ipopt": {"print_level": 0, "sb": "yes", "tol": TOLERANCE}}
    solver = ca.nlpsol("arm", "ipopt", {"x": z, "f": cost, "g": ca.vertcat(*rows)}, quiet)
    gq, gv, ga = first_motion(links, intervals)
    return solver, np.concatenate([x.ravel() for x in (gq, gv, ga, 0.5 * (ga[1:] + ga[:-1]))])


def in_casadi(links: int, intervals: int) -> Row:
    """The program by hand."""
    began = perf_counter()
    solver, first = casadi_program(links, intervals)
    before = perf_counter() - began
    seconds, found = fastest(lambda: solver(x0=first, lbg=0, ubg=0))
    assert solver.stats()["success"]
    return Row("CasADi by hand", float(found["f"]), solver.stats()["iter_count"], seconds, before, float("nan"))


def pinocchio_arm(links: int):
    """The same arm in Pinocchio."""
    import pinocchio as pin

    model = pin.Model()
    rod = pin.Inertia(MASS, np.array([0, 0, -LENGTH / 2]), INERTIA * np.eye(3))
    parent = 0
    for k in range(links):
        place = pin.SE3(np.eye(3), np.array([0, 0, -LENGTH if k else 0.0]))
        joint = pin.JointModelRevoluteUnaligned(np.array([0.0, -1.0, 0.0]))
        parent = model.addJoint(parent, joint, place, f"link{k}")
        model.appendBodyToJoint(parent, rod, pin.SE3.Identity())
    return model


def in_crocoddyl(links: int, intervals: int) -> Row:
    """Feasibility-driven differential dynamic programming."""
    import crocoddyl as cr

    began = perf_counter()
    model = pinocchio_arm(links)
    state = cr.StateMultibody(model)
    drives = cr.ActuationModelFull(state)
    start, end = ends(links)
    goal = np.concatenate([end, np.zeros(links)])

    def action(weight: float, last: bool):
        costs = cr.CostModelSum(state)
        if last:
            costs.addCost("end", cr.CostModelResidual(state, cr.ResidualModelState(state, goal, links)), weight)
        else:
            costs.addCost("torque", cr.CostModelResidual(state, cr.ResidualModelControl(state, links)), weight)
        free = cr.DifferentialActionModelFreeFwdDynamics(state, drives, costs)
        free.armature = np.full(links, 1e-12)  # without it the wheels 3.2.1, with Pinocchio 4.1, leave gravity out
        if last:
            return cr.IntegratedActionModelEuler(free, 0.0)
        parabola = cr.ControlParametrizationModelPolyTwoRK(links, cr.RKType.four)
        return cr.IntegratedActionModelRK(free, parabola, cr.RKType.four, DURATION / intervals)

    x0 = np.concatenate([start, np.zeros(links)])
    running, last = action(2.0, False), action(PENALTY, True)  # costs have a factor 1/2
    problem = cr.ShootingProblem(x0, [running] * intervals, last)
    q, v, a = first_motion(links, intervals)
    torques = cd.inverse_dynamics(arm(links), q, v, a)
    controls = [np.concatenate([x, 0.5 * (x + y), y]) for x, y in pairwise(torques)]
    first = [np.concatenate(x) for x in zip(q, v, strict=True)]
    first[0] = x0
    before = perf_counter() - began
    solver = cr.SolverFDDP(problem)
    solver.th_stop = TOLERANCE

    def solve():
        solver.solve(first, controls, 500, False)
        return solver

    seconds, found = fastest(solve)
    missed = float(np.abs(found.xs[-1][:links] - end).max())
    final = found.problem.terminalData.cost
    return Row("Crocoddyl", found.cost - final, found.iter, seconds, before, missed)


def compared(links: int, intervals: int) -> None:
    """Print all of them on one mesh."""
    print(f"{links} links, {intervals} intervals")
    rows = [in_condyle(links, intervals), in_casadi(links, intervals)]
    rows += [in_crocoddyl(links, intervals)] if find_spec("crocoddyl") else []
    for r in rows:
        print(f"  {r.name:15s} cost {r.cost:.6f}, {r.iterations:3d} iterations, {1e3 * r.seconds:8.1f} ms"
              f" (built in {1e3 * r.before:.0f} ms), end missed by {r.missed:.1e}")  # fmt: skip


if __name__ == "__main__":
    for links, intervals in ((1, 40), (3, 40), (6, 40)):
        if len(sys.argv) < 2 or str(links) in sys.argv[1:]:
            compared(links, intervals)
