"""What the elements <compiler> and <option> of an MJCF file decide."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element

from ....errors import BadFile, require
from ....formats.mjcf.attributes import Attributes, Classes
from ....formats.mjcf.mjcf_document import Folders
from .poses import Angles

GRAVITY = (0.0, 0.0, -9.81)
MEDIUM = ("density", "viscosity")  # of air or water


@dataclass(frozen=True)
class Compiler:
    """Settings of a whole model."""

    angles: Angles
    autolimits: bool = True
    inertia_from_geoms: str = "auto"
    groups: tuple[float, ...] = (0.0, 5.0)  # of geoms that have mass
    least_mass: float = 0.0
    least_moment: float = 0.0
    balance: bool = False
    total_mass: float = -1.0
    mesh_folder: str = ""
    strip_path: bool = False
    fit_bounds: bool = False  # shapes are fitted to the bounds of meshes, not to their inertia
    gravity: tuple[float, ...] = GRAVITY
    notes: tuple[str, ...] = field(default=())


def read_compiler(root: Element, classes: Classes) -> Compiler:
    """The settings; of several <compiler> elements the last that says something counts."""
    said: dict[str, str] = {}
    for element in root.findall("compiler"):
        said.update(element.attrib)
    a = Attributes("compiler", said, classes.name, 0, classes.asked)
    sequence = a.text("eulerseq", "xyz")
    good = len(sequence) == 3 and set(sequence.lower()) <= set("xyz")
    require(good, f"{a.where}: eulerseq must be three letters of x, y, z", BadFile, got=sequence)
    local = a.word("coordinate", ("local", "global"), "local") == "local"
    require(local, f"{a.where}: coordinate='global' is of old MuJoCo; let a version that knows it convert it", BadFile)
    gravity, notes = read_option(root, classes)
    if a.switch("alignfree"):
        notes.append("alignfree: free bodies keep the frames that the file gives them")
    return Compiler(
        Angles(a.word("angle", ("degree", "radian"), "degree") == "degree", sequence),
        a.switch("autolimits", True),
        a.word("inertiafromgeom", ("auto", "true", "false"), "auto"),
        a.numbers("inertiagrouprange", 2, default=(0.0, 5.0)),
        a.number("boundmass", 0.0), a.number("boundinertia", 0.0), a.switch("balanceinertia"),
        a.number("settotalmass", -1.0),
        a.text("meshdir") or a.text("assetdir"), a.switch("strippath"), a.switch("fitaabb"), gravity, tuple(notes),
    )  # fmt: skip


def read_option(root: Element, classes: Classes) -> tuple[tuple[float, ...], list[str]]:
    """Gravity, and what of a medium does not act."""
    gravity, notes = GRAVITY, []
    for element in root.findall("option"):
        a = classes.plain(element)
        gravity = a.numbers("gravity", 3, default=gravity)
        medium = [key for key in MEDIUM if a.number(key, 0.0) != 0.0]
        if any(a.numbers("wind", 3, default=(0.0, 0.0, 0.0))):
            medium.append("wind")
        if medium:
            notes.append(f"the medium ({', '.join(medium)}) exerts no force here")
        for flag in element.findall("flag"):
            if classes.plain(flag).text("gravity") == "disable":
                gravity = (0.0, 0.0, 0.0)
    return gravity, notes


def mesh_path(compiler: Compiler, folders: Folders, name: str, included: Path | None = None) -> Path:
    """Where the file of a mesh is: from the folder of the model or, if it is not there, of the file `included`."""
    name = name.replace("\\", "/")
    name = name.rsplit("/", 1)[-1] if compiler.strip_path else name
    bases = [folders.home] if included is None else [folders.home, included]
    return folders.inside(name, *(base / compiler.mesh_folder for base in bases), *bases[1:])
