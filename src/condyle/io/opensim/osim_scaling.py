"""A model of OpenSim with bodies of other sizes: all lengths of a file by factors of its bodies, by OpenSim's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ...errors import require, unknown_name
from ..tables.table_degrees import TRANSLATIONAL
from .edited import EditedFile, multiply, multiply_function, set_property
from .joints.functions import function_in
from .joints.spatial_transform import axes_of
from .links import Link, ground_nodes, link_of, owners
from .osim_document import Node
from .osim_paths import AXES
from .physical_frames import GROUND, euler_pose
from .scaled_masses import scale_masses

RADII = ("radii_x_y_z", "thoracic_ellipsoid_radii_x_y_z")
UNSCALED = {
    "ContactGeometrySet": "contact geometry",
    "ConstraintSet": "points of constraints, but for couplers,",
}  # what keeps its size and place


def scale_file(
    file: EditedFile, factors: Mapping[str, np.ndarray], mass: float | None, keep_distribution: bool
) -> tuple[str, ...]:  # fmt: skip
    """Scale everything in a file by the factors (x, y, z) of its bodies, in place; what stays as it was, in words."""
    for name, given in factors.items():
        if name not in file.bodies:
            raise unknown_name("body", name, file.bodies, str(file.path))
        good = np.shape(given) == (3,) and np.isfinite(given).all() and (np.asarray(given) > 0).all()
        require(good, f"scale factors of {name!r} are three positive numbers", got=given)
    by_body = {name: np.asarray(factors.get(name, np.ones(3)), dtype=float) for name in (*file.bodies, GROUND)}
    _Scaling(file, by_body).all()
    scale_masses(file.bodies, by_body, mass, keep_distribution)
    kept = [words for tag, words in UNSCALED.items() if file.model.objects(tag)]
    return tuple(f"{words} of the model: not scaled" for words in kept)


class _Scaling:
    def __init__(self, file: EditedFile, factors: Mapping[str, np.ndarray]) -> None:
        self.file, self._factors = file, factors
        self._links = [link_of(joint, file.frames) for joint in file.joints]

    def factors(self, body: str | None) -> np.ndarray:
        return self._factors[body or GROUND]

    def all(self) -> None:
        """Every length of the file; functions of joints and offsets were read before."""
        offsets = [(node, frame.body) for node, frame in self.file.frames.offsets()]
        points = list(self._points())
        self._couplers()
        self._joints()
        for node, body in offsets:
            multiply(node, ("translation",), self.factors(body))
        for node, body in points:
            self._point(node, self.factors(body))
        grounds = [(None, node) for node in ground_nodes(self.file.model)]
        for body, node in [*grounds, *self.file.bodies.items()]:
            self._attached(node, self.factors(body))

    def _joints(self) -> None:
        for joint, link in zip(self.file.joints, self._links, strict=True):
            parent, child = self.factors(link.parent.body), self.factors(link.child.body)
            multiply(joint.node, ("location_in_parent",), parent)
            multiply(joint.node, ("location", "location_in_child"), child)
            multiply(joint.node, RADII, parent)
            multiply(joint.node, ("scapula_winging_axis_origin",), parent[:2])
            if joint.node.tag == "CustomJoint":
                self._translations(joint.node, parent)

    @staticmethod
    def _translations(joint: Node, factors: np.ndarray) -> None:
        """The functions of a CustomJoint along its translation axes; the plain coordinate itself stays."""
        for slot, axis in axes_of(joint):
            function = function_in(axis)
            if slot < 3 or function is None or _is_plain(function):
                continue
            direction = np.abs(axis.vector("axis", 3, [1.0, 0.0, 0.0]))
            multiply_function(axis, function, float(direction @ factors))

    def _couplers(self) -> None:
        """Couplers of shifts: what they ask for grows with the body from which it is measured."""
        for _, node in owners(self.file.model, "ConstraintSet"):
            dependent = node.text("dependent_coordinate_name")
            link = next((link for link in self._links if link.types.get(dependent) == TRANSLATIONAL), None)
            if node.tag == "CoordinateCouplerConstraint" and link is not None:
                factor = self._shift_factor(link, dependent, self.factors(link.parent.body), node)
                set_property(node, "scale_factor", node.number("scale_factor", 1.0) * factor)

    @staticmethod
    def _shift_factor(link: Link, coordinate: str, factors: np.ndarray, node: Node) -> float:
        """How much longer a shift is: along its axis in a CustomJoint, in others only if all factors are one."""
        if factors[0] == factors[1] == factors[2]:
            return float(factors[0])
        axes = axes_of(link.node) if link.node.tag == "CustomJoint" else []
        own = [axis for slot, axis in axes if slot >= 3 and coordinate in axis.words("coordinates", "coordinate")]
        if len(own) != 1:
            node.fail(f"{link.parent.body!r} is scaled unevenly, and it is not clear how that scales {coordinate!r}")
        return float(np.abs(own[0].vector("axis", 3, [1.0, 0.0, 0.0])) @ factors)

    def _points(self) -> Iterator[tuple[Node, str | None]]:
        """Markers and points of paths, with their bodies."""
        frames, model = self.file.frames, self.file.model
        for node in model.objects("MarkerSet"):
            yield node, frames.resolve(node.socket("parent_frame", "body"), f"/markerset/{node.name}", node).body
        for owner, force in owners(model, "ForceSet"):
            for tag in ("PathPointSet", "MusclePointSet"):
                for inner in force.element.iter(tag):
                    for node in Node(inner, force.document).objects_here():  # type: ignore[arg-type]
                        yield node, frames.resolve(node.socket("parent_frame", "body"), owner, node).body

    @staticmethod
    def _point(node: Node, factors: np.ndarray) -> None:
        multiply(node, ("location",), factors)
        for axis, factor in zip(AXES, factors, strict=True) if node.tag == "MovingPathPoint" else ():
            function = function_in(node, f"{axis}_location") or function_in(node, f"{axis.upper()}Attachment")
            if function is not None:
                multiply_function(node, function, float(factor))

    @staticmethod
    def _attached(node: Node, factors: np.ndarray) -> None:
        """What a body wraps muscles over, and what is drawn of it."""
        for wrap in node.objects("WrapObjectSet"):
            _scale_wrap(wrap, factors)
        for element in node.element.iter():
            if element.tag != "FrameGeometry":  # the picture of its axes
                multiply(Node(element, node.document), ("scale_factors",), factors)  # type: ignore[arg-type]


def _is_plain(function: Node) -> bool:
    """The coordinate itself: a linear function of slope 1 and offset 0."""
    if function.tag != "LinearFunction":
        return False
    c = function.numbers("coefficients")
    return c is None or (len(c) == 2 and c[0] == 1.0 and c[1] == 0.0)


def _scale_wrap(wrap: Node, factors: np.ndarray) -> None:
    """Place and size of a wrap object; a round one by the mean of the stretches across it."""
    R = euler_pose(np.zeros(3), wrap.vector("xyz_body_rotation", 3, [0.0] * 3))[:3, :3]
    x, y, z = np.linalg.norm(R * factors[:, None], axis=0)  # stretches along its own axes
    multiply(wrap, ("translation",), factors)
    if wrap.tag == "WrapCylinder":
        multiply(wrap, ("radius",), 0.5 * (x + y))
        multiply(wrap, ("length",), z)
    elif wrap.tag == "WrapEllipsoid":
        multiply(wrap, ("dimensions",), np.array([x, y, z]))
    else:
        multiply(wrap, ("radius", "inner_radius", "outer_radius"), (x + y + z) / 3.0)


def set_lengths(file: EditedFile, ratios: Mapping[str, float]) -> None:
    """Multiply the fibre and tendon lengths of muscles, and resting lengths, by how much longer their paths are."""
    for _, force in owners(file.model, "ForceSet"):
        for tag in ("optimal_fiber_length", "tendon_slack_length", "resting_length", "slack_length"):
            if force.name in ratios and (found := force.numbers(tag)) is not None:
                set_property(force, tag, found * ratios[force.name])
