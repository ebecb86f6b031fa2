"""What of an MJCF file was not asked for: listed once by name, with what that means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ....formats.mjcf.attributes import Classes

CONTACT = {"friction", "condim", "contype", "conaffinity", "margin", "gap", "priority", "solmix", "solref", "solimp",
           "fluidshape", "fluidcoef"}  # fmt: skip
SOFT = {"solreflimit", "solimplimit", "solreffriction", "solimpfriction", "solreffix", "solimpfix"}
MEANT = {
    "contact": "there is no contact",
    "softness": "equalities hold exactly, and limits act only where springs were asked for",
    "look": "looks and views are not MuJoCo's",
    "else": "not read",
}
READ = {"mujoco", "mujocoinclude", "worldbody", "body", "frame", "joint", "freejoint", "geom", "site", "inertial",
        "compiler", "option", "flag", "default", "equality", "tendon", "actuator", "keyframe", "key", "sensor", "asset",
        "mesh", "material"}  # fmt: skip
DATA = ("tendon", "actuator", "equality", "sensor")
LOOK = {"visual", "statistic", "camera", "light", "texture", "material", "skin", "hfield"}
LOOKS = {"material", "rgba", "group", "user", "texcoord", "smoothnormal", "maxhullvert"}
PLAIN = {"class", "childclass", "name", "model"}  # read by other ways than numbers


def unread_notes(root: Element, classes: Classes) -> Iterator[str]:
    """One line for each meaning."""
    found: dict[str, Counter[str]] = {kind: Counter() for kind in MEANT}
    for element in _elements(root):
        tag = str(element.tag)
        if tag not in READ:
            found["look" if tag in LOOK else "contact" if tag == "contact" else "else"][f"<{tag}>"] += 1
            continue
        for key in element.attrib:
            if (tag, key) not in classes.asked and key not in PLAIN:
                found[_kind(tag, key)][f"{tag}.{key}"] += 1
    for kind, counts in found.items():
        if counts:
            listed = ", ".join(f"{what} ({n})" if n > 1 else what for what, n in sorted(counts.items()))
            yield f"{MEANT[kind]}: {listed}"


def _kind(tag: str, key: str) -> str:
    if key in SOFT or (key in ("solref", "solimp", "solmix") and tag != "geom"):
        return "softness"
    if tag == "geom" and key in CONTACT:
        return "contact"
    return "look" if tag in ("material", "site") or key in LOOKS else "else"


def _elements(root: Element) -> Iterator[Element]:
    """Elements from outside inwards, without the insides of what is not read or is kept as data."""
    yield root
    for child in root:
        if child.tag in READ and not (root.tag in ("mujoco", "mujocoinclude") and child.tag in DATA):
            yield from _elements(child)
        elif child.tag not in DATA:
            yield child
