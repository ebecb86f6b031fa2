"""`condyle schema`."""

from __future__ import annotations

import click

from ..io import json_schema
from .common import print_json

__all__ = ["command"]


@click.command(help="Print the JSON schema of files of a KIND (model, joint or arm).")
@click.argument("kind", default="model")
def command(kind: str) -> None:
    """Print it."""
    print_json(json_schema(kind))
