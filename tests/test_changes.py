"""The files of `changes/`, from which a release makes its section of the changelog."""

import re
import tomllib
from pathlib import Path

import condyle

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["towncrier"]
FRAGMENTS = sorted(path for path in (ROOT / SETTINGS["directory"]).iterdir() if path.name != "README.md")


def test_every_change_has_a_type_and_words():
    """Oracle: the types of pyproject.toml; towncrier passes over a file with another name without a word."""
    types = "|".join(kind["directory"] for kind in SETTINGS["type"])
    named = re.compile(rf"(\d+|\+[\w-]+)\.({types})(\.\d+)?\.md")
    assert not [path.name for path in FRAGMENTS if not named.fullmatch(path.name)]
    assert not [path.name for path in FRAGMENTS if not path.read_text().strip()]


def test_every_type_is_explained():
    """Oracle: the table in the folder's README."""
    page = (ROOT / SETTINGS["directory"] / "README.md").read_text()
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [kind["directory"] for kind in SETTINGS["type"]]


def test_the_changelog_has_a_place_for_the_next_release():
    """Oracle: the marker of the settings stands once, above the section of this version."""
    text = (ROOT / SETTINGS["filename"]).read_text()
    assert text.count(SETTINGS["start_string"]) == 1
    latest = re.search(r"^## (\S+)", text.split(SETTINGS["start_string"])[1], re.MULTILINE)
    assert latest and latest.group(1) == condyle.__version__
