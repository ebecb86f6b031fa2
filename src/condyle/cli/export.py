"""`condyle export`."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import unknown_name
from ..io import save
from ..view import export
from ..view.export import PAINTERS, SUFFIXES
from .common import as_json, load_shown, print_json

__all__ = ["command"]

FILES = (".toml", ".npz", ".csv", ".sto", ".mot")


@click.command(
    help="Write the model or trajectory of a FILE as OUT: .html (plays offline), .glb (animated glTF), .png, .gif, "
    ".mp4, .toml, .npz, .csv, .sto or .mot."
)
@click.argument("file")
@click.argument("out")
@click.option("--model", help="Model file of a trajectory that does not hold its own.")
@click.option("--member", default=0, show_default=True, help="Which run of a batch.")
@click.option("--time", default=None, type=float, help="Time of a picture [s]; default: the end.")
@click.option("--by", default=None, type=click.Choice(PAINTERS), help="Who draws a picture or film.")
@as_json
def command(
    file: str, out: str, model: str | None, member: int, time: float | None, by: str | None, as_json: bool
) -> None:
    """Write it."""
    thing, path = load_shown(file, model), Path(out)
    if path.suffix not in SUFFIXES + FILES:
        raise unknown_name("export", path.suffix, SUFFIXES + FILES, "condyle")
    if path.suffix in FILES:
        save(thing, path)
    else:
        export(thing, path, member=member, time=time, by=by, folder=Path(file).parent)
    if as_json:
        print_json({"file": path, "bytes": path.stat().st_size})
    else:
        click.echo(f"{path} ({path.stat().st_size / 1e3:.0f} kB)")
