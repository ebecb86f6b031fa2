"""`condyle check`."""

from __future__ import annotations

import click

from ..dynamics.check import check_model
from .common import as_json, file_name, load_model, print_json, seed
from .robots import robot_options

__all__ = ["command"]


@click.command(help="Check the MODEL of a file; exit code 1 if something fails.")
@click.argument("model", type=file_name)
@click.option("--samples", default=64, show_default=True, type=click.IntRange(8, 4096), help="Random states.")
@seed
@robot_options
@as_json
def command(model: str, samples: int, seed: int, as_json: bool) -> int:
    """Print every finding."""
    findings = check_model(load_model(model), samples, seed)
    good = all(f.ok for f in findings)
    if as_json:
        print_json({"ok": good, "findings": [vars(f) for f in findings]})
    else:
        for f in findings:
            click.echo(f"{'ok  ' if f.ok else 'FAIL'} {f.what}: {f.said}")
    return 0 if good else 1
