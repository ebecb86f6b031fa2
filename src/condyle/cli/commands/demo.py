"""`condyle demo`."""

from __future__ import annotations

import click

from ...gallery.catalogue import SCENES
from ...progress import in_terminal
from ..json_output import as_json, print_json
from .warmup import prepare_demonstration


@click.command(help="Run the demonstration NAME (default: leg) and leave files to open; `list` names all.")
@click.argument("name", default="leg")
@click.option("--out", default="demo", show_default=True, help="Folder for the files.")
@as_json
def command(name: str, out: str, as_json: bool) -> None:
    """Run, then say what to open."""
    if name == "list":
        _list(as_json)
        return
    if name == "leg":
        prepare_demonstration()
    from ...gallery.showing import show

    if not as_json and name in SCENES:
        click.echo(SCENES[name].about)
    outcome = show(name, out, progress=not as_json and in_terminal())
    if as_json:
        print_json({"demo": name, "summary": outcome.summary, "files": outcome.files})
        return
    click.echo(outcome.summary)
    first, *others = outcome.files
    where = " in a browser" if first.suffix == ".html" else ""
    also = f" Also written: {', '.join(p.name for p in others)}." if others else ""
    click.echo(f"Open {first}{where}.{also}")


def _list(as_json: bool) -> None:
    if as_json:
        print_json({name: scene.about for name, scene in SCENES.items()})
        return
    width = max(map(len, SCENES))
    for name, scene in SCENES.items():
        click.echo(f"{name:{width}}  {scene.about}")
