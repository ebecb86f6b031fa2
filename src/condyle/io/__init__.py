"""Load and save condyle's objects: models, joints, arms, trajectories."""

from .characters.bvh_writing import write_character
from .characters.character import read_character
from .load import load
from .motions.recorded_run_file import open_run
from .robots.writing.certificate import Certificate
from .robots.writing.other_engine import Swing
from .robots.writing.robot_document import write_robot
from .save import save
from .schema import json_schema

__all__ = [
    "Certificate",
    "Swing",
    "json_schema",
    "load",
    "open_run",
    "read_character",
    "save",
    "write_character",
    "write_robot",
]


def __dir__() -> list[str]:
    return sorted(__all__)
