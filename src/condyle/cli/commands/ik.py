"""`condyle ik`."""

from __future__ import annotations

import click

from ... import ik
from ...errors import BadShape, require
from ..common import assignment, file_name, load_model, seed, start, state
from ..json_output import as_json, print_json
from ..robots import robot_options


@click.command(help="Find coordinates of a MODEL that bring bodies to targets; exit code 1 if one is out of reach.")
@click.argument("model", type=file_name)
@click.option(
    "--target", "targets", multiple=True, required=True, metavar="BODY=X,Y,Z[,W,X,Y,Z]",
    help="Position [m] of the body's origin, or position and quaternion wxyz; may be repeated.",
)  # fmt: skip
@start
@click.option("--method", default="damped", show_default=True, help="damped or qp.")
@click.option(
    "--restarts",
    default=8,
    show_default=True,
    type=click.IntRange(0, 10_000),
    help="Random starts for targets not reached.",
)
@click.option("--no-limits", is_flag=True, help="Leave the ranges of coordinates.")
@seed
@robot_options
@as_json
def command(model, targets, start, method, restarts, no_limits, seed, as_json) -> int:
    """Solve and print."""
    loaded = load_model(model)
    wanted = [target(text) for text in targets]
    q0, _ = state(loaded, start)
    options = {"limits": not no_limits, "method": method, "restarts": restarts, "seed": seed}
    found = ik.solve(loaded, wanted, q0, **options)
    if as_json:
        print_json({k: getattr(found, k) for k in ("q", "residual", "reached", "stationary", "iterations", "restarts")}
                   | {"coordinates": loaded.coordinates})  # fmt: skip
    else:
        click.echo(str(found))
        ends = [*(loaded.q_index(c) for c in loaded.coordinates), loaded.nq]
        for name, a, b in zip(loaded.coordinates, ends, ends[1:], strict=False):
            click.echo(f"  {name} = {', '.join(f'{x:.9g}' for x in found.q[a:b])}")
    return 0 if found.reached else 1


def target(text: str) -> ik.Target:
    """BODY=X,Y,Z or BODY=X,Y,Z,W,X,Y,Z."""
    body, x = assignment(text)
    require(len(x) in (3, 7), "a target is BODY=X,Y,Z or BODY=X,Y,Z,W,X,Y,Z", BadShape, got=text)
    if len(x) == 3:
        return ik.position(body, x)
    from ...spatial import SE3

    return ik.pose(body, SE3(x[3:], x[:3]))
