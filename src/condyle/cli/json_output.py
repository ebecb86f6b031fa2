"""The option --json, and what it prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import numpy as np

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for scripts.")


def print_json(data: Any) -> None:
    """One JSON document; NaN becomes null."""
    click.echo(json.dumps(plain(data), indent=2))


def plain(x: Any) -> Any:
    """Lists, dictionaries, strings and finite numbers."""
    if isinstance(x, dict):
        return {str(k): plain(v) for k, v in x.items()}
    if isinstance(x, np.ndarray):
        return plain(x.tolist())
    if isinstance(x, (list, tuple)):
        return [plain(v) for v in x]
    if isinstance(x, (np.bool_, np.integer)):
        return x.item()
    if isinstance(x, (float, np.floating)):
        return float(x) if np.isfinite(x) else None
    return str(x) if isinstance(x, Path) else x
