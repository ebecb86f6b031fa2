"""Results that cannot be saved where they should be are saved elsewhere: hours of computing are not lost."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..errors import BadFile, CondyleError
from ..io import save


def save_somewhere(thing: Any, path: Path, suffix: str) -> Path:
    """Save what was computed; where that fails, in a new folder for temporary files or in the home folder.

    Parameters
    ----------
    thing : object
        What `cd.save` takes.
    path : Path
        Where it should be.
    suffix : str
        Of the file that is written instead: the one that can hold all of it.

    Returns
    -------
    Path
        The file, if it is where it should be.

    Raises
    ------
    BadFile
        If it is not, with the reason and where it is instead.
    """
    try:
        return save(thing, path)
    except (CondyleError, OSError) as error:
        kept = _kept(thing, f"{path.stem[:100]}{suffix}")
        where = f"what was computed is in {kept}" if kept else "it could not be saved elsewhere either"
        raise BadFile(f"{error}; {where}") from None


def _kept(thing: Any, name: str) -> Path | None:
    """The file that took it, if any did."""
    for folder in (None, Path.home(), Path.cwd()):
        with suppress(CondyleError, OSError), _new_folder(folder) as new:
            return save(thing, new / name)
    return None


@contextmanager
def _new_folder(parent: Path | None) -> Iterator[Path]:
    """A new folder, which goes again if nothing could be put into it."""
    folder = Path(tempfile.mkdtemp(prefix="condyle-", dir=parent))
    try:
        yield folder
    except BaseException:
        with suppress(OSError):
            folder.rmdir()
        raise
