"""The header of OpenSim's and SIMM's storage files: settings, words, counts, and whether angles are in degrees."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import BadFile, require, warn
from ..safe_files import plain_suffix
from .cut import check_count
from .numbers import as_count

SPACED = ("name", "datacolumns", "datarows", "otherdata", "range", "ncolumns", "nrows", "indegrees")  # may lack "="
FORCE = re.compile(r"_[vpfm][xyz]\d*$|force|torque|moment", re.IGNORECASE)  # columns of force plates
WORDS = re.compile(r"\bangles?\b[^.\n]*\bin (degrees|radians)", re.IGNORECASE)


def find_header(lines: list[str]) -> Header | None:
    """What stands before the line `endheader`, if there is one: `key=value`, or `key value` for the keys of SIMM."""
    end = next((i for i, line in enumerate(lines) if line.strip(" \t,;").lower() == "endheader"), None)
    if end is None:
        return None
    settings: dict[str, str] = {}
    words = []
    for line in (line.strip(" \t,;") for line in lines[:end]):
        key, separator, value = line.partition("=")
        first, *rest = line.split(None, 1) or [""]
        if separator and len(key.split()) == 1:
            settings[key.strip()] = value.strip()
        elif first.lower() in SPACED and rest:
            settings.setdefault(first, rest[0])
        elif line:
            words.append(line)
    return Header(settings, "\n".join(words), end + 1)


@dataclass(frozen=True)
class Header:
    """Settings by key as written, free text, and the number of lines up to `endheader`."""

    settings: dict[str, str]
    words: str
    length: int

    def get(self, key: str) -> str:
        """A setting, whatever the case of its key; empty if there is none."""
        return next((value for k, value in self.settings.items() if k.lower() == key.lower()), "")

    @property
    def units(self) -> str | None:
        """The unit that is stated."""
        return self.get("Units") or None

    @property
    def metadata(self) -> dict[str, str]:
        """Settings, and the free text under "header"."""
        return {**self.settings, "header": self.words}

    def check_counts(self, rows: int, columns: int, path: str, truncated: str) -> None:
        """Compare the counts of rows and columns with what is there."""
        for key in ("nRows", "datarows"):
            check_count(rows, as_count(self.get(key), key, path), key, path, truncated)
        for key in ("nColumns", "datacolumns"):
            said = as_count(self.get(key), key, path)
            if said not in (None, columns):
                warn(f"{path}: its header says {key} {said}, and it names {columns} columns, which are read")

    def in_degrees(self, path: str, names: Sequence[str] = ()) -> bool | None:
        """Whether angles are in degrees: by `inDegrees`, by words, or by OpenSim's rule for old motion files.

        Where all columns, `names`, are forces and where they act, there are no angles to doubt.

        `inDegrees=no` is also what programs write by default, so that any statement of degrees outweighs it.
        """
        said, words, motion = self.get("inDegrees").lower(), WORDS.search(self.words), _is_motion(path)
        good = said in ("", "yes", "y", "no", "n")
        require(good, f"{path}: inDegrees must be yes or no", BadFile, inDegrees=said[:60])
        sources = {f"inDegrees={said}": said.startswith("y")} if said else {}
        sources |= {f"the words {words[0]!r}": words[1].lower() == "degrees"} if words else {}
        stated = bool(sources)
        if motion and (as_count(self.get("version"), "version", path) or 0) < 1:
            sources["OpenSim's rule for motion files without a version"] = True
        degrees = any(sources.values())
        forces = bool(names) and all(FORCE.search(name) for name in names)
        if stated or (motion and not forces):
            _warn_of_degrees(sources, degrees, stated, path)
        return degrees if sources else None


def _warn_of_degrees(sources: dict[str, bool], degrees: bool, stated: bool, path: str) -> None:
    """Warn where the header does not say what its angles are in, or says two things."""
    unit = "degrees" if degrees else "radians"
    if not stated:
        rule = f"OpenSim's rule for motion files {'without a version' if degrees else 'of version 1 and later'}"
        silent = "its header does not say whether angles are in degrees"
        warn(f"{path}: {silent}; they are taken to be in {unit} by {rule}")
    elif degrees and len(sources) == 1 and "inDegrees=yes" not in sources and "inDegrees=y" not in sources:
        warn(f"{path}: its angles are taken to be in degrees by {next(iter(sources))}; OpenSim reads inDegrees alone")
    elif len(set(sources.values())) == 2:
        said = " against ".join(" and ".join(s for s, is_so in sources.items() if is_so == d) for d in (True, False))
        warn(f"{path}: its angles are taken to be in {unit}: {said}")


def _is_motion(path: str) -> bool:
    return plain_suffix(path) == ".mot"
