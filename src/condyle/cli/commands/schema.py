"""`condyle schema`."""

from __future__ import annotations

import click

from ...io import json_schema
from ..json_output import as_json, print_json


@click.command(help="Print the JSON schema of files of a KIND (model, joint or arm).")
@click.argument("kind", default="model")
@as_json
def command(kind: str, as_json: bool) -> None:
    """Print it: JSON in any case."""
    print_json(json_schema(kind))
