"""An MJCF file with its includes put in their places. Nothing outside of the folders that were named is opened."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from ...errors import BadFile, require
from ..loose_xml import parse_loose_xml
from ..safe_files import read_bytes
from ..xml import MOST

ROOTS = ("mujoco", "mujocoinclude")
INCLUDES = 200  # in one model
DEEP = 20  # files that include each other


class Folders:
    """Where the files of a model may be: in its own folder or below, or in a folder that the caller names."""

    def __init__(self, path: Path, named: list[Path]) -> None:
        self.home = Path(os.path.abspath(path)).parent
        self.open = [self.home, *(Path(os.path.abspath(folder)) for folder in named)]

    def inside(self, name: str, *bases: Path) -> Path:
        """The file called `name` in the first of the folders that has it, else in the first of them."""
        require(name and "\0" not in name, "a file needs a name", BadFile, got=name[:200])
        places = [Path(os.path.normpath(base / name.replace("\\", "/"))) for base in (*bases, self.home)]
        found = next((p for p in places if _is_file(p)), places[0])
        known = any(_within(found, folder) for folder in self.open)
        words = f"{name}: not in the folder of the model; name a folder around it: cd.load(path, packages=folder)"
        require(known, words, BadFile, file=str(found)[:300])
        return found


def _within(path: Path, folder: Path) -> bool:
    """Whether a file is in a folder, and whether it is so too when links are followed."""
    if not path.is_relative_to(folder):
        return False
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long
        return False


def read_mjcf(path: Path, folders: Folders) -> Element:
    """The root element of a model with all includes in their places; `<robot>` is left to the reader of URDF."""
    root = parse_loose_xml(read_bytes(path), str(path))
    known = root.tag in (*ROOTS, "robot")
    require(known, f"{path}: expected <mujoco>, this is <{root.tag}>{_advice(root)}", BadFile)
    if root.tag in ROOTS:
        Includes(folders).expand(root, Path(os.path.abspath(path)), ())
    return root


def _advice(root: Element) -> str:
    """What to do with an XML file of another program."""
    opensim = root.tag == "OpenSimDocument"
    tag = root[0].tag if opensim and len(root) else root.tag
    if tag == "Model":
        return ", a model of OpenSim: name the file .osim"
    if tag.endswith("Tool"):
        return f", a setup of OpenSim's {tag}: `condyle trial` runs those for scaling, inverse kinematics and dynamics"
    if opensim:
        return f" of OpenSim with <{tag}>, which is no model: name it in a setup of `condyle trial`"
    return ": name the file .sdf" if tag == "sdf" else ""


class Includes:
    """Puts what files hold in the places where they are included, as often as bounds allow."""

    def __init__(self, folders: Folders) -> None:
        self.folders, self.files, self.elements = folders, 0, 0

    def expand(self, root: Element, path: Path, outer: tuple[Path, ...]) -> None:
        """Replace every <include> below an element that stands in the file `path`."""
        for parent in list(root.iter()):
            self.elements += 1
            require(self.elements <= MOST, f"{path}: more than {MOST} elements with includes", BadFile)
            if any(child.tag == "include" for child in parent):
                parent[:] = list(self._children(parent, path, outer))

    def _children(self, parent: Element, path: Path, outer: tuple[Path, ...]) -> Iterator[Element]:
        for child in parent:
            if child.tag != "include":
                yield child
                continue
            require(child.get("file"), f"{path}: <include> needs the attribute 'file'", BadFile)
            yield from self._included(str(child.get("file")), path, (*outer, path))

    def _included(self, name: str, path: Path, outer: tuple[Path, ...]) -> list[Element]:
        self.files += 1
        require(self.files <= INCLUDES, f"{path}: more than {INCLUDES} files are included", BadFile)
        found = self.folders.inside(name, self.folders.home, path.parent)
        ring = found in outer or len(outer) > DEEP
        require(not ring, f"{path}: {name} is included by itself, or more than {DEEP} deep", BadFile)
        root = parse_loose_xml(read_bytes(found), str(found))
        self.expand(root, found, outer)
        for element in root.iter("mesh"):
            element.folder = getattr(element, "folder", None) or found.parent  # type: ignore[attr-defined]
        return list(root)
