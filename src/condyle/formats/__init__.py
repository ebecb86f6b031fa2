"""Raw files to plain arrays and back; no knowledge of models."""

from .tables.marker_frames import Markers
from .tables.table_files import Table, read_table, write_table

__all__ = ["Markers", "Table", "read_table", "write_table"]


def __dir__() -> list[str]:
    return sorted(__all__)
