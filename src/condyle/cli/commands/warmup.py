"""`condyle warmup`: everyday calls, made once, so that their kernels are compiled and kept before they are needed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager

import click
import numpy as np

from ...progress import bars
from ..common import as_json, print_json


def _arm():
    """Seven hinges."""
    import condyle as cd

    builder = cd.ModelBuilder()
    link = cd.Inertia.box(1.0, (0.1, 0.1, 0.3), com=(0, 0, 0.15))
    for i in range(7):
        above = f"link{i - 1}" if i else None
        joint = cd.joints.revolute("zyx"[i % 3])
        builder.add_body(f"link{i}", parent=above, joint=joint, inertia=link, placement=_raised(0.3 if i else 0.0))
    return builder.build()


def _raised(z: float):
    import condyle as cd

    return cd.SE3.exp([0, 0, 0, 0, 0, z])


def _four_bar():
    """Three bars and the ground."""
    import condyle as cd

    bar = cd.Inertia.box(1.0, (0.05, 0.05, 1.0), com=(0, 0, 0.5))
    builder = cd.ModelBuilder()
    for i, above in enumerate([None, "bar0", "bar1"]):
        place = _raised(1.0 if i else 0.0)
        builder.add_body(f"bar{i}", parent=above, joint=cd.joints.revolute("y"), inertia=bar, placement=place)
    builder.add_constraint(cd.constraints.point("bar2", (0, 0, 1.0), None, (1.0, 0, 0)))
    return builder.build(), np.array([0.0, np.pi / 2, np.pi / 2])


def _states(count: int = 16) -> tuple[np.ndarray, np.ndarray]:
    q = np.linspace(-1.0, 1.0, 7 * count).reshape(count, 7)
    return q, 0.5 * q


def _singly_and_together(call: Callable, model, *arrays: np.ndarray) -> None:
    """A call for one state, on floats, and for a batch, on lanes."""
    call(model, *(x[0] for x in arrays))
    call(model, *arrays)


def forward() -> None:
    """Accelerations."""
    import condyle as cd

    _singly_and_together(cd.forward_dynamics, _arm(), *_states())


def inverse() -> None:
    """Forces."""
    import condyle as cd

    q, v = _states()
    _singly_and_together(cd.inverse_dynamics, _arm(), q, v, v)


def kinematics() -> None:
    """Poses and Jacobians."""
    import condyle as cd

    model, (q, v) = _arm(), _states()
    _singly_and_together(cd.forward_kinematics, model, q)
    _singly_and_together(lambda m, x: cd.body_jacobian(m, x, "link6"), model, q)
    _singly_and_together(cd.body_velocities, model, q, v)


def inertia() -> None:
    """Mass matrix, energy and momentum."""
    import condyle as cd

    model, (q, v) = _arm(), _states()
    _singly_and_together(cd.mass_matrix, model, q)
    for call in (cd.energy, cd.momentum):
        _singly_and_together(call, model, q, v)


def joints() -> None:
    """Poses and derivatives of a spline joint."""
    import condyle as cd

    frames = cd.SE3.exp(np.linspace(0.0, 1.0, 8)[:, None] * [0, 1, 0, 0.01, 0, 0.02])
    joint = cd.joints.spline_curve(frames)
    for q in (0.3, np.linspace(0.0, 1.0, 16)):
        for call in (joint.pose, joint.jacobian, joint.hessian):
            call(q)


def fixed_steps() -> None:
    """Simulation with fixed steps."""
    _simulated("rk4")


def adaptive_steps() -> None:
    """Simulation with error control."""
    _simulated("adaptive")


def _simulated(integrator: str) -> None:
    import condyle as cd

    options = {"duration": 0.01, "step": 1e-3, "integrator": integrator}
    _singly_and_together(lambda m, q, v: cd.simulate(m, q, v, **options), _arm(), *_states())


def loops() -> None:
    """Accelerations and steps of a closed loop."""
    import condyle as cd

    model, q = _four_bar()
    v = np.zeros(3)
    cd.forward_dynamics(model, q, v)
    cd.simulate(model, q, v, duration=0.01, step=1e-3)


def reaching() -> None:
    """Inverse kinematics."""
    import condyle as cd

    model, (q, _) = _arm(), _states()
    goal = cd.forward_kinematics(model, q[0])[6].xyz
    cd.ik.solve(model, cd.ik.position("link6", goal))


def demonstration() -> None:
    """All that `condyle demo leg` calls, pictures included."""
    from ...gallery.showing import show

    with tempfile.TemporaryDirectory() as folder:
        show("leg", folder)


STEPS: dict[str, Callable[[], None]] = {
    "forward dynamics": forward,
    "fixed steps": fixed_steps,
    "adaptive steps": adaptive_steps,
    "inverse dynamics": inverse,
    "closed loops": loops,
    "inverse kinematics": reaching,
    "kinematics": kinematics,
    "mass matrix and energy": inertia,
    "joints": joints,
    "demonstration": demonstration,
}


@click.command(help="Compile the kernels of everyday calls now, on all cores, so that no later call waits for it.")
@click.argument("groups", nargs=-1, type=click.Choice(list(STEPS)))
@click.option("--processes", type=click.IntRange(1, 64), help="At the same time (default: the cores there are).")
@click.option("--here", is_flag=True, hidden=True, help="In this process, one after the other.")
@as_json
def command(groups: tuple[str, ...], processes: int | None, here: bool, as_json: bool) -> None:
    """Each group in a process of its own: the compiler does one thing at a time."""
    begin, steps = time.perf_counter(), groups or tuple(STEPS)
    if here:
        for name in steps:
            STEPS[name]()
        return
    for name, trouble in warmed(processes, steps):
        if trouble:
            raise click.ClickException(f"{name}: {trouble}")
    seconds = time.perf_counter() - begin
    if as_json:
        print_json({"groups": list(steps), "seconds": seconds})
    else:
        click.echo(f"Kernels are ready for: {', '.join(steps)} ({seconds:.1f} s).")


def warmed(processes: int | None = None, steps: Collection[str] = tuple(STEPS)) -> Iterator[tuple[str, str]]:
    """Run steps, with a bar in a terminal; each step's name and, if it failed, the last line of what it said."""
    with bars() as report, _pool(processes) as pool:
        waiting = {pool.submit(_run, name): name for name in steps}
        for done, future in enumerate(as_completed(waiting), 1):
            report("compiling", done, len(steps))
            yield waiting[future], future.result()


@contextmanager
def _pool(processes: int | None) -> Iterator[ThreadPoolExecutor]:
    """Threads that wait for processes; Ctrl-C does not wait for those that have not begun."""
    from ...numeric import thread_count

    pool = ThreadPoolExecutor(processes or thread_count())
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _run(name: str) -> str:
    """Run one step in a process; the last line of its trouble, if it had any."""
    command = [sys.executable, "-m", "condyle", "warmup", "--here", name]
    done = subprocess.run(command, env={**os.environ, "CONDYLE_THREADS": "1"}, capture_output=True, text=True)
    return (done.stderr.strip().splitlines() or ["it failed"])[-1] if done.returncode else ""
