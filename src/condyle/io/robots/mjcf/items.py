"""Tendons, actuators, sensors and keyframes of an MJCF file as data."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ....errors import CondyleError
from ....formats.mjcf.attributes import Classes, defaults_key
from .mjcf_records import Keyframe, MjcfItem, MuJoCo

SECTIONS = ("tendon", "actuator", "equality", "sensor")  # in the order of the fields of `MuJoCo`
MANY = 10_000_000  # numbers of a keyframe


def read_items(root: Element, classes: Classes) -> MuJoCo:
    """Tendons, actuators, equalities and sensors."""
    tendons, actuators, equalities, sensors = (
        tuple(_item(e, classes, section) for found in root.findall(section) for e in found) for section in SECTIONS
    )
    return MuJoCo(tendons, actuators, equalities, sensors)


def _item(element: Element, classes: Classes, section: str) -> MjcfItem:
    tag = {"actuator": defaults_key(str(element.tag)), "sensor": "sensor"}.get(section, section)
    values = classes.of(element, tag).values
    classes.asked |= {(str(e.tag), key) for e in element.iter() for key in e.attrib}
    parts = tuple(_part(e) for e in element)
    return MjcfItem(str(element.tag), values.get("name", ""), values, parts)


def _part(element: Element) -> MjcfItem:
    return MjcfItem(str(element.tag), element.get("name", ""), dict(element.attrib), tuple(map(_part, element)))


def keyframes(root: Element, classes: Classes, data: MuJoCo) -> Iterator[Keyframe]:
    """States of the model; those whose numbers do not fit its joints have none."""
    for section in root.findall("keyframe"):
        for element in section.findall("key"):
            a = classes.plain(element)
            values = {key: a.numbers(key, 0, MANY, default=()) for key in ("qpos", "qvel", "ctrl")}
            try:
                state = data.state(values["qpos"], values["qvel"] or None) if values["qpos"] else (None, None)
            except CondyleError:
                state = None, None
            yield Keyframe(a.text("name"), a.number("time", 0.0), *state, controls=values["ctrl"])
