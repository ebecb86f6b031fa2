"""Load and save condyle's objects: models, joints, arms, trajectories."""

from .load import load
from .recorded_run_file import open_run
from .save import save
from .schema import json_schema

__all__ = ["json_schema", "load", "open_run", "save"]


def __dir__() -> list[str]:
    return sorted(__all__)
