"""`condyle view`."""

from __future__ import annotations

from pathlib import Path

import click

from ...errors import BadValue, require
from ...view import view
from ..common import file_name, model_option, opened
from ..drawable import drawable, markers_option, measured
from ..json_output import as_json, print_json
from ..robots import robot_options, truncated_option


@click.command(
    help="Show what a FILE holds (model, joint, arm, motion) in the browser, on this machine only. With a MOTION, FILE "
    "is its model: condyle view model.osim run.mot --markers walk.trc."
)
@click.argument("file", type=file_name)
@click.argument("motion", type=file_name, required=False)
@model_option
@markers_option
@click.option("--port", default=8080, show_default=True, type=click.IntRange(1, 65535))
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--allow-save", is_flag=True, help="Let the page save edited models beside the FILE, as new files.")
@robot_options
@truncated_option
@as_json
def command(
    file: str, motion: str | None, model: str | None, markers: str | None, port: int, no_browser: bool,
    allow_save: bool, as_json: bool,
) -> None:  # fmt: skip
    """Serve until interrupted."""
    if motion is not None:
        require(model is None, f"{motion}: give the model as FILE or as --model, not both", BadValue, model=model)
        file, model = motion, file
    shown, seen = drawable(opened(file, model), file, model), measured(markers)
    serve(shown, port, no_browser, Path(file).parent, as_json, allow_save, seen)


def serve(
    thing, port: int, no_browser: bool, folder: Path, as_json: bool = False, allow_save: bool = False, markers=None
) -> None:
    """Print the address and wait."""
    options = {"open_browser": not no_browser, "folder": folder, "allow_save": allow_save, "markers": markers}
    viewer = view(thing, port=port, block=False, **options)
    try:  # Ctrl-C may come before the viewer waits for it
        if as_json:
            print_json({"address": viewer.address})
        else:
            click.echo(f"open {viewer.address} (Ctrl-C ends)")
        viewer.run()
    finally:
        viewer.stop()
