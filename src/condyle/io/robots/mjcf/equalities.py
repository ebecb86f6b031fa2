"""Equalities of an MJCF file: joints become functions of others, bodies are pinned or welded together."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

import numpy as np
from numpy.polynomial import Polynomial

from ....errors import BadFile, require
from ....formats.mjcf.attributes import Attributes, Classes
from ....joints.functions import polynomial
from ....model import ModelBuilder, constraints
from ....spatial.twists import pose_inverse, pose_matrix
from .joints import MjcfJoint
from .poses import quaternion_matrix
from .tree import MjcfBody, Tree

IDENTITY = (0.0, 1.0, 0.0, 0.0, 0.0)  # as far as polycoef is not given


class Equalities:
    """Adds them to a builder; remembers which coordinates follow others."""

    def __init__(self, builder: ModelBuilder, tree: Tree) -> None:
        self.builder, self.tree = builder, tree
        self.leaders: dict[str, str] = {}
        self.fixed: set[str] = set()
        self.joints = {name: self._owner(plain) for name, plain in tree.joint_names.known.items()}

    def _owner(self, plain: str) -> tuple[MjcfBody, MjcfJoint]:
        return next((b, j) for b in self.tree.bodies for j in b.joints if j.name == plain)

    def add(self, element: Element, classes: Classes) -> Iterator[str]:
        """One equality; what does not act of it is told."""
        a = classes.of(element, "equality")
        called = f"equality {a.text('name') or a.tag!r}"
        if a.word("active", ("true", "false"), "true") == "false":
            yield f"{called} is not active, so it does not act"
        elif a.tag == "joint":
            yield from self._joint(a, called)
        elif a.tag in ("connect", "weld"):
            (self._connect if a.tag == "connect" else self._weld)(a)
        else:
            yield f"{called}: equalities of {a.tag}s do not act"

    def _joint(self, a: Attributes, called: str) -> Iterator[str]:
        body, joint = self._single(a, "joint1")
        given = a.numbers("polycoef", 1, 5, default=IDENTITY)
        curve = Polynomial([*given, *IDENTITY[len(given) :]])
        name = body.coordinate(joint)
        if name in self.leaders or name in self.fixed:
            yield f"{called}: joint {joint.name!r} follows another already, so that this one does not act"
        elif not a.has("joint2"):
            self.builder.prescribe(name, joint.ref + float(curve(0.0)))
            self.fixed.add(name)
        else:
            owner, leader = self._single(a, "joint2")
            other = owner.coordinate(leader)
            if self._leads_to(other, name):
                yield f"{called}: the joints would follow each other in a circle, so that it does not act"
                return
            shifted = curve(Polynomial([-leader.ref, 1.0])) + joint.ref
            self.builder.add_coupler(name, other, polynomial(np.atleast_1d(shifted.coef)))
            self.leaders[name] = other

    def _leads_to(self, here: str, name: str) -> bool:
        while here != name and here in self.leaders:
            here = self.leaders[here]
        return here == name

    def _single(self, a: Attributes, key: str) -> tuple[MjcfBody, MjcfJoint]:
        """A hinge or slide by its name."""
        name = a.text(key)
        require(name in self.joints, f"{a.where}: there is no joint named {name!r}", BadFile)
        body, joint = self.joints[name]
        require(joint.single, f"{a.where}: joint {name!r} must be a hinge or a slide", BadFile, got=joint.kind)
        return body, joint

    def _connect(self, a: Attributes) -> None:
        """A point of one body on a point of another, where the file has them, or of two sites."""
        (one, there), (two, here) = self._sites(a) if a.has("site1") else self._bodies(a)
        if not a.has("site1"):
            there = pose_matrix(np.eye(3), np.array(a.numbers("anchor", 3)))
            here = pose_inverse(two.world) @ one.world @ there
        self.builder.add_constraint(constraints.point(*self._end(one, there[:3, 3]), *self._end(two, here[:3, 3])))

    def _weld(self, a: Attributes) -> None:
        """A frame of one body on a frame of another: as the file has them, as relpose says, or of two sites."""
        (one, there), (two, here) = self._sites(a) if a.has("site1") else self._bodies(a)
        if not a.has("site1"):
            p = np.array(a.numbers("relpose", 7, default=(0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
            R = quaternion_matrix(p[3:])
            there = pose_inverse(one.world) @ two.world if R is None else pose_matrix(R, p[:3])
        self.builder.add_constraint(constraints.weld(*self._end(one, there), *self._end(two, here)))

    def _bodies(self, a: Attributes) -> tuple[tuple[MjcfBody, np.ndarray], tuple[MjcfBody, np.ndarray]]:
        one = self.tree.by_name(a.text("body1"), a.where)
        two = self.tree.by_name(a.text("body2", "world") or "world", a.where)
        return (one, np.eye(4)), (two, np.eye(4))

    def _sites(self, a: Attributes) -> list[tuple[MjcfBody, np.ndarray]]:
        names = [a.text(key) for key in ("site1", "site2")]
        for name in names:
            require(name in self.tree.sites, f"{a.where}: there is no site named {name!r}", BadFile)
        return [self.tree.sites[name] for name in names]

    def _end(self, body: MjcfBody, what: np.ndarray) -> tuple[str | None, np.ndarray]:
        return (None if body is self.tree.world else body.name), what
