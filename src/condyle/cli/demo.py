"""`condyle demo`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from ..errors import BadFile, unknown_name
from ..gallery import leg
from ..io import save
from ..model import Model
from ..simulation import simulate
from ..view import export
from .common import as_json, print_json

__all__ = ["DEMOS", "command"]


@dataclass(frozen=True)
class Demo:
    """A model let go from a posture."""

    about: str
    build: Callable[[], Model]
    start: tuple[float, ...]
    duration: float = 2.0


DEMOS = {
    "leg": Demo("A leg whose knee rolls and glides, swinging from a fixed hip.", leg, (0.9, -1.4, 0.0)),
}


@click.command(help="Run the demonstration NAME (default: leg) and leave files to open; `list` names all.")
@click.argument("name", default="leg")
@click.option("--out", default="demo", show_default=True, help="Folder for the files.")
@as_json
def command(name: str, out: str, as_json: bool) -> None:
    """Simulate, save, draw."""
    if name == "list":
        _list(as_json)
        return
    if name not in DEMOS:
        raise unknown_name("demo", name, DEMOS, "condyle")
    folder = made(Path(out))
    demo = DEMOS[name]
    model = demo.build()
    run = simulate(model, demo.start, duration=demo.duration, step=1e-3, record=5e-3, progress=not as_json)
    written = [save(model, folder / f"{name}.toml"), save(run, folder / f"{name}.npz")]
    written += [export(run, folder / f"{name}{suffix}", title=demo.about) for suffix in (".html", ".png", ".glb")]
    if as_json:
        print_json({"demo": name, "files": written})
        return
    click.echo(f"{demo.about}\n{run!r}")
    click.echo(f"Open {folder / name}.html in a browser. Also written: {', '.join(p.name for p in written)}.")


def _list(as_json: bool) -> None:
    if as_json:
        print_json({name: demo.about for name, demo in DEMOS.items()})
        return
    for name, demo in DEMOS.items():
        click.echo(f"{name}: {demo.about}")


def made(folder: Path) -> Path:
    """The folder, made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"{folder}: the folder cannot be made: {error.strerror}") from None
    return folder
