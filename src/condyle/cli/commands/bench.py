"""`condyle bench`."""

from __future__ import annotations

import time

import click
import numpy as np

from ...dynamics import forward_dynamics, inverse_dynamics
from ...dynamics.model_check import random_states
from ...gallery import leg
from ..common import file_name, load_model, seed
from ..json_output import as_json, print_json


@click.command(help="Time the dynamics of a MODEL (default: the gallery's leg) on this machine.")
@click.argument("model", required=False, type=file_name)
@click.option("--states", default=4096, show_default=True, type=click.IntRange(1, 10**6), help="States in a batch.")
@seed
@as_json
def command(model: str | None, states: int, seed: int, as_json: bool) -> None:
    """Print microseconds per state."""
    loaded = load_model(model) if model else leg()
    q, v, tau = random_states(loaded, states, seed)
    rows = {
        "forward dynamics, batch": lambda: forward_dynamics(loaded, q, v, tau),
        "forward dynamics, one state": lambda: forward_dynamics(loaded, q[0], v[0], tau[0]),
        "inverse dynamics, batch": lambda: inverse_dynamics(loaded, q, v, tau),
    }
    found = {name: _microseconds(call) / (1 if "one" in name else len(q)) for name, call in rows.items()}
    if as_json:
        print_json({"states": len(q), "freedoms": loaded.nv, "microseconds": found})
        return
    click.echo(f"{loaded!r}, {len(q)} states")
    for name, value in found.items():
        click.echo(f"  {name}: {value:.3g} µs per state")


def _microseconds(call) -> float:
    """The best of several, after one that compiles."""
    call()
    times = []
    for _ in range(7):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return 1e6 * float(np.min(times))
