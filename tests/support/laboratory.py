"""Files of laboratories, by path where they are at hand: in `shared/data` beside or above the repository."""

from pathlib import Path

import pytest

PLACES = [parent / "shared" / "data" for parent in Path(__file__).resolve().parents[2:]]
FOLDER = next((place for place in PLACES if place.is_dir()), PLACES[0])
SUFFIXES = (".sto", ".mot", ".csv", ".trc", ".bvh", ".c3d")
FILES = sorted(p for p in FOLDER.rglob("*") if p.suffix.lower() in SUFFIXES)

needs_files = pytest.mark.skipif(not FILES, reason="no folder shared/data beside or above the repository")
