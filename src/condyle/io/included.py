"""Joint files that files include: each is read once, none includes itself, and they are bounded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..errors import BadFile, require
from ..formats.bounds import INCLUDED, JOINTS
from ..formats.safe_files import existing
from ..joints import Joint


class Included:
    """Reads the joints of files beside a file: `included(name)`.

    `read(path, included)` reads one of them. The files on the `way` to it are known, so that a circle is seen; what
    was read is `known`, with the number of joint files that it is made of.
    """

    def __init__(
        self,
        path: Path,
        read: Callable[[Path, Included], Joint],
        way: tuple[Path, ...] = (),
        known: dict[Path, tuple[Joint, int] | BadFile] | None = None,
    ) -> None:
        self._path, self._read, self._way = path, read, (*way, path.resolve())
        self._known = {} if known is None else known
        self._count = 0  # of files that this one has included, each as often as it was

    def __call__(self, name: str) -> Joint:
        """The joint of the file of that name, from the folder of this one."""
        path = existing(beside(self._path, name))
        real = path.resolve()
        require(real not in self._way, "joint files that include each other in a circle", BadFile, path=name)
        require(len(self._way) <= INCLUDED, f"joint files that include each other more than {INCLUDED} deep", BadFile,
                path=name)  # fmt: skip
        if real not in self._known:
            self._known[real] = self._joint(path)
        found = self._known[real]
        if isinstance(found, BadFile):
            raise found
        joint, count = found
        self._count += count
        inner = len(self._way) > 1  # a model may have many bodies
        require(
            not inner or self._count < JOINTS, f"a joint made of more than {JOINTS} joint files", BadFile, path=name
        )
        return joint

    def _joint(self, path: Path) -> tuple[Joint, int] | BadFile:
        inner = Included(path, self._read, self._way, self._known)
        try:
            return self._read(path, inner), 1 + inner._count
        except BadFile as error:
            return error


def beside(path: Path, name: str) -> Path:
    """A file in the folder of `path`: files of condyle refer to no other place."""
    good = name and Path(name).name == name and name not in (".", "..") and "\0" not in name
    require(good, "a side file is named without a folder and stands beside its file", BadFile, name=name)
    return path.parent / name
