"""`condyle demo`."""

from __future__ import annotations

import click

from ..demos import DEMOS, run
from .common import as_json, print_json
from .progress import in_terminal

__all__ = ["command"]


@click.command(help="Run the demonstration NAME (default: leg) and leave files to open; `list` names all.")
@click.argument("name", default="leg")
@click.option("--out", default="demo", show_default=True, help="Folder for the files.")
@as_json
def command(name: str, out: str, as_json: bool) -> None:
    """Run, then say what to open."""
    if name == "list":
        _list(as_json)
        return
    outcome = run(name, out, progress=not as_json and in_terminal())
    if as_json:
        print_json({"demo": name, "summary": outcome.summary, "files": outcome.files})
        return
    click.echo(f"{DEMOS[name].about}\n{outcome.summary}")
    first, *others = outcome.files
    where = " in a browser" if first.suffix == ".html" else ""
    also = f" Also written: {', '.join(p.name for p in others)}." if others else ""
    click.echo(f"Open {first}{where}.{also}")


def _list(as_json: bool) -> None:
    if as_json:
        print_json({name: demo.about for name, demo in DEMOS.items()})
        return
    width = max(map(len, DEMOS))
    for name, demo in DEMOS.items():
        click.echo(f"{name:{width}}  {demo.about}")
