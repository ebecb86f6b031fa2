"""What of a file the model does not do: collected by reason, told once in a warning, kept in the model's notes."""

from __future__ import annotations

from ...errors import NotInModel, amount, warn
from ...formats.doubts import refuse_if_strict

MESHES = "mesh files"
SHOWN = 8  # names of one kind in a warning; the notes have all


class Report:
    """Reasons with the names of what they hold for, in the order they came up."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[str]] = {}
        self._quiet: set[tuple[str, str]] = set()

    def add(self, what: str, name: str, meaning: str, quiet: bool = False) -> None:
        """Something of the class `what`, and what it means for results; a quiet one is only noted."""
        key = (what, meaning)
        self._found.setdefault(key, []).append(name or "without name")
        if quiet:
            self._quiet.add(key)

    def doubt(self, what: str, name: str, meaning: str) -> None:
        """Something that is not as it should be, refused if `cd.load` is strict."""
        refuse_if_strict(f"{what} ({name}): {meaning}")
        self.add(what, name, meaning)

    def notes(self) -> tuple[str, ...]:
        """A sentence for each reason, with all names."""
        return tuple(_sentence(*key, names, None) for key, names in self._found.items())

    def warn(self, path: object) -> None:
        """One warning for all that is not quiet, a line for each reason; what is not drawn comes last."""
        loud = sorted((key for key in self._found if key not in self._quiet), key=lambda key: key[0] == MESHES)
        told = "".join(f"\n  {_sentence(*key, self._found[key], SHOWN)}" for key in loud)
        if told:
            warn(f"{path}:{told}\nmodel.notes lists them all", NotInModel)


def _sentence(what: str, meaning: str, names: list[str], most: int | None) -> str:
    plural = what.islower()  # else it is the name of a class or an element
    one = {"bodies": "body"}.get(what, what.removesuffix("s")) if plural else what
    return f"{amount(len(names), one, what)} ({', '.join(_some(names, most))}): {meaning}"


def brief(note: str) -> str:
    """A sentence of `Report.notes` with its first names only."""
    head, bracket, rest = note.partition(" (")
    names, end, meaning = rest.partition("): ")
    if not (bracket and end):
        return note
    some = names.split(", ")
    return f"{head} ({', '.join(_some(some, SHOWN))}): {meaning}"


def _some(names: list[str], most: int | None) -> list[str]:
    return names if most is None or len(names) <= most else [*names[:most], f"… {len(names) - most} more"]
