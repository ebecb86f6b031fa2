"""Load and save condyle's objects: models, joints, arms, trajectories."""

from .load import load
from .save import save
from .schema import json_schema

__all__ = ["json_schema", "load", "save"]


def __dir__() -> list[str]:
    return sorted(__all__)
