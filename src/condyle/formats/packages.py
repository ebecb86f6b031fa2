"""Where a file of a robot is: beside the model, in a package of ROS, or in a folder that the caller names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..errors import BadValue, require

Packages = Mapping[str, Path]
SCHEMES = ("package://", "model://")
LEVELS = 6  # of folders above a model, whose folders may hold its packages; beyond are those of other things


def package_folders(packages) -> Packages:
    """Folders by the name of a package: a mapping, one folder, or several; a folder is named by its last part."""
    if packages is None:
        return {}
    if isinstance(packages, Mapping):
        return {str(name): Path(folder).expanduser() for name, folder in packages.items()}
    folders = [packages] if isinstance(packages, (str, os.PathLike)) else list(packages)
    good = all(isinstance(f, (str, os.PathLike)) for f in folders)
    require(good, "packages: give {name: folder}, or the folders of packages or around them", BadValue, got=packages)
    found: dict[str, Path] = {}
    for folder in (Path(f).expanduser() for f in folders):
        require(folder.is_dir(), "packages: there is no such folder", BadValue, got=str(folder))
        inside = {child.name: child for child in sorted(folder.iterdir()) if child.is_dir()}
        found = {**inside, **found, folder.resolve().name: folder}
    return found


def find_file(name: str, folder: Path | None, packages: Packages | None = None) -> Path | None:
    """The file that a model in `folder` calls `name`: a path, a file:// or a package:// address; None if not found.

    A package is looked for among `packages`, in the folders above the model, where ROS_PACKAGE_PATH and
    AMENT_PREFIX_PATH say, and in the folders beside the model's nearest ones, as a workspace has repositories.
    """
    for place in _places(name, folder, packages or {}):
        try:
            if place.is_file():
                return place
        except (OSError, ValueError):  # names too long, or with a zero in them
            continue
    return None


def _places(name: str, folder: Path | None, packages: Packages) -> Iterator[Path]:
    above = [] if folder is None else [folder.resolve(), *folder.resolve().parents]
    scheme = next((s for s in SCHEMES if name.startswith(s)), None)
    if scheme is None:
        path = Path(name.removeprefix("file://"))
        yield path if folder is None else folder / path
        yield from (() if path.is_absolute() else (a / path for a in above[1:]))
        return
    package, _, rest = name.removeprefix(scheme).lstrip("/").partition("/")
    if package in packages:
        yield packages[package] / rest
    for base in (*above, *_folders_of("ROS_PACKAGE_PATH")):
        if base.name == package:
            yield base / rest
        yield base / package / rest
    yield from (base / "share" / package / rest for base in _folders_of("AMENT_PREFIX_PATH"))
    yield from (child / package / rest for base in above[1:LEVELS] for child in _inside(base))
    yield from (a / rest for a in above)  # a package whose folder was renamed


def _inside(folder: Path) -> list[Path]:
    """The folders in a folder, such as repositories of a workspace; none if they cannot be listed."""
    try:
        return sorted(child for child in folder.iterdir() if child.is_dir())
    except OSError:
        return []


def _folders_of(variable: str) -> list[Path]:
    return [Path(x) for x in os.environ.get(variable, "").split(os.pathsep) if x]
