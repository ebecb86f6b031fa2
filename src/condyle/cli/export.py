"""`condyle export`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from ..errors import BadValue, require, unknown_name
from ..formats.files import require_writable
from ..io import save
from ..io.table_file import SUFFIXES as TABLES
from ..simulation import Trajectory
from ..view import export
from ..view.export import PAINTERS, SUFFIXES
from .common import as_json, file_name, load_shown, print_json
from .robots import robot_options

__all__ = ["command"]

FILES = (".toml", ".npz", *TABLES)


@click.command(
    help="Write the model or trajectory of a FILE as OUT: .html (plays offline), .glb (animated glTF), .png, .gif, "
    ".mp4, .toml, .npz, .csv, .sto or .mot."
)
@click.argument("file", type=file_name)
@click.argument("out", type=file_name)
@click.option("--model", type=file_name, help="Model file of a trajectory that does not hold its own.")
@click.option("--member", default=0, show_default=True, help="Which run of a batch.")
@click.option("--time", default=None, type=float, help="Time of a picture [s]; default: the end.")
@click.option("--by", default=None, type=click.Choice(PAINTERS), help="Who draws a picture or film.")
@robot_options
@as_json
def command(
    file: str, out: str, model: str | None, member: int, time: float | None, by: str | None, as_json: bool
) -> None:
    """Write it."""
    path = Path(out)
    if path.suffix not in SUFFIXES + FILES:
        raise unknown_name("export", path.suffix, SUFFIXES + FILES, "condyle")
    thing = load_shown(file, model)
    require_writable(path)
    if path.suffix in FILES:
        save(one_of(thing, member) if path.suffix in TABLES and isinstance(thing, Trajectory) else thing, path)
    else:
        export(thing, path, member=member, time=time, by=by, folder=Path(file).parent)
    if as_json:
        print_json({"file": path, "bytes": path.stat().st_size})
    else:
        click.echo(f"{path} ({path.stat().st_size / 1e3:.0f} kB)")


def one_of(run: Trajectory, member: int) -> Trajectory:
    """One run of a batch."""
    q, v = (x.reshape(-1, *x.shape[-2:]) for x in (run.q, run.v))
    require(0 <= member < len(q), f"--member is 0 … {len(q) - 1}", BadValue, member=member)
    return replace(run, q=q[member], v=v[member], stopped=None, outside=())
