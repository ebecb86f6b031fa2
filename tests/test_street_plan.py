"""Folders and files that a stranger can take in at a glance."""

from pathlib import Path

import condyle

PACKAGE = Path(condyle.__file__).parent
MOST_FILES, MOST_LINES = 20, 400


def test_no_folder_lists_more_than_twenty_modules():
    """Oracle: the files of each folder."""
    folders = [PACKAGE, *(folder for folder in PACKAGE.rglob("*") if folder.is_dir())]
    counts = {str(folder.relative_to(PACKAGE)): len(list(folder.glob("*.py"))) for folder in folders}
    assert max(counts.values()) > 10 and {k: n for k, n in counts.items() if n > MOST_FILES} == {}


def test_no_module_is_longer_than_four_hundred_lines():
    """Oracle: the lines of each file."""
    lines = {str(path.relative_to(PACKAGE)): len(path.read_text().splitlines()) for path in PACKAGE.rglob("*.py")}
    assert len(lines) > 500 and {k: n for k, n in lines.items() if n > MOST_LINES} == {}
