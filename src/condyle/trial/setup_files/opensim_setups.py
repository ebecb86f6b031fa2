"""Setup files of OpenSim's tools: ScaleTool, InverseKinematicsTool, InverseDynamicsTool, and ExternalLoads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...errors import BadFile, warn
from ...formats.loose_xml import parse_loose_xml
from ...formats.safe_files import existing, file_path, read_bytes
from ...formats.tables.table_files import read_table
from ...io.opensim.osim_document import Document, Node
from ...typing import PathLike
from ..external_loads.ground_reactions import GROUND, ExternalForce, ExternalLoads
from ..measured_markers import FIRST_FRAME
from ..scaling import ORDER, Measurement
from .setups import DynamicsStep, KinematicsStep, PlacementStep, ScaleStep, Span, Step, Tasks

NOTHING = ("", "unassigned")
GROUPS = {"muscles", "all", "actuators"}  # of forces, each of which holds all muscles
UNSET = (-1.0, -1.0)  # a time_range that was not set
DEFAULT_VALUE, MANUAL_VALUE, FROM_FILE = "default_value", "manual_value", "from_file"


def root_of(path: Path) -> Node:
    """The outermost object of an XML file of OpenSim."""
    root = parse_loose_xml(read_bytes(path), str(path))
    inner = list(root) if root.tag == "OpenSimDocument" else [root]
    if not inner:
        raise BadFile(f"{path}: an empty OpenSimDocument; a setup file is expected")
    version = root.get("Version", "").strip()
    return Node(inner[0], Document(str(path), int(version) if version.isdecimal() else 0))  # type: ignore[arg-type]


def tool_of(path: Path) -> str:
    """The tool whose setup an XML file is, also of one that is damaged; empty if it is none."""
    try:
        tag = root_of(path).tag
        return tag if tag.endswith("Tool") else ""
    except BadFile:
        data = read_bytes(path)
        return next((tool for tool in TOOLS if f"<{tool}".encode() in data), "")


def read_setup(path: Path) -> Step:
    """The step that a setup file describes."""
    node = root_of(path)
    if node.tag not in TOOLS:
        muscles = "; for muscles and static optimisation: condyle muscles MODEL MOTION" * (node.tag == "AnalyzeTool")
        node.fail(f"condyle runs setups of {', '.join(TOOLS)}{muscles}")
    return TOOLS[node.tag](node, path.resolve())


def read_external_loads(path: PathLike) -> ExternalLoads:
    """External forces of a file of OpenSim, with the table that it names.

    Parameters
    ----------
    path : str or path
        An .xml file with ExternalLoads; its table is named from its folder.

    Returns
    -------
    ExternalLoads

    Raises
    ------
    BadFile
        If it is something else, or the table is missing.
    """
    node = _loads_node(path)
    found = node.objects("objects") or [f for f in node.children() if f.tag == "ExternalForce"]
    for other in (f for f in found if f.tag != "ExternalForce"):
        other.fail("condyle reads objects of class ExternalForce in ExternalLoads")
    forces = [_force(f) for f in found if f.turned_on("appliesForce")]
    return ExternalLoads(tuple(_told_apart(forces)), read_table(loads_table(path)))


def _told_apart(forces: list[ExternalForce]) -> Iterator[ExternalForce]:
    """Forces with names of their own, so that plots and tables have each of them."""
    taken: set[str] = set()
    for force in forces:
        name, number = force.name, 2
        while name in taken:
            name, number = f"{force.name}_{number}", number + 1
        taken.add(name)
        yield replace(force, name=name)


def loads_table(path: PathLike) -> Path:
    """The table that a file of external loads names."""
    source = Path(path).resolve()
    return beside(_needed(_loads_node(path), source, "datafile"), source)


def _loads_node(path: PathLike) -> Node:
    node = root_of(existing(path))
    if node.tag != "ExternalLoads":
        node.fail("expected ExternalLoads")
    return node


def _force(node: Node) -> ExternalForce:
    body = _word(node, "applied_to_body")
    node.require(body, "applied_to_body must name a body")
    return ExternalForce(
        node.name or body, body, _word(node, "force_identifier"), _word(node, "point_identifier"),
        _word(node, "torque_identifier"), _word(node, "force_expressed_in_body") or GROUND,
        _word(node, "point_expressed_in_body") or GROUND,
    )  # fmt: skip


def _word(node: Node, tag: str) -> str:
    text = node.text(tag)
    return "" if text.lower() in NOTHING else text.rstrip("/").rpartition("/")[2]


def _path(node: Node, source: Path, *tags: str) -> Path | None:
    """A file that a property names, from the folder of the setup."""
    text = node.text(*tags)
    return None if text.lower() in NOTHING else file_path(source.parent / text.replace("\\", "/"), source)


def _needed(node: Node, source: Path, tag: str) -> Path:
    path = _path(node, source, tag)
    if path is None:
        node.fail(f"{tag} must name a file")
    return path


def beside(path: Path, source: Path) -> Path:
    """The file that a setup names; one of that name beside the setup, and told, where it is not at its place."""
    other = source.parent / path.name
    if path.exists() or not other.is_file():
        return path
    warn(f"{source}: there is no {path}; the file of that name beside the setup is used")
    return other


def _input(node: Node, source: Path, tag: str) -> Path | None:
    """A file that a tool reads and no other makes."""
    path = _path(node, source, tag)
    return None if path is None else beside(path, source)


def _span(node: Node) -> Span | None:
    """A span of time, which may reach from or to infinity; −1 to −1, which programs write for none, is the whole."""
    ends = node.numbers("time_range", largest=float("inf"))
    if ends is None:
        return None
    node.require(len(ends) == 2, f"time_range must be two numbers; got {len(ends)}")
    return None if tuple(ends) == UNSET else (float(ends[0]), float(ends[1]))


def _measured_span(node: Node, source: Path) -> Span:
    """The span in which distances are measured; without one the first frame, as in OpenSim."""
    span = _span(node)
    if span is None:
        warn(f"{source}: ModelScaler has no time_range: the first frame of its markers counts alone, as in OpenSim")
    return FIRST_FRAME if span is None else span


def _objects(node: Node, source: Path, tag: str) -> list[Node]:
    """The objects of a set, which may be in a file of its own."""
    inner = node.child(tag)
    file = "" if inner is None else inner.element.get("file", "").strip().replace("\\", "/")
    if not file:
        return [] if inner is None else inner.objects_here()
    other = root_of(existing(beside((source.parent / file).resolve(), source)))
    other.require(other.tag == tag, f"expected {tag}, which {source.name} looks for in this file")
    return other.objects_here()


def _tasks(node: Node, source: Path) -> Tasks:
    """Marker and coordinate tasks of a tool; a set may be in a file of its own."""
    other = _input(node, source, "task_set_file")
    tasks = root_of(existing(other)).objects_here() if other else _objects(node, source, "IKTaskSet")
    applied = _first_of_each(t for t in tasks if t.flag("apply", True))
    weights = {(t.tag, t.name): t.number("weight", 0.0) for t in applied}  # without a weight: nothing, as in OpenSim
    if silent := [t.name for t in applied if t.numbers("weight") is None]:
        warn(f"{source}: tasks without a weight count for nothing, as in OpenSim: {', '.join(silent[:12])}")
    markers = {name: weight for (tag, name), weight in weights.items() if tag == "IKMarkerTask"}
    if not markers and any(t.tag == "IKMarkerTask" for t in tasks):
        warn(f"{source}: no task of a marker applies, so that all markers weigh alike, as in OpenSim")
    kept = [t for t in applied if t.tag == "IKCoordinateTask"]
    kinds = {t.name: t.text("value_type") or DEFAULT_VALUE for t in kept}
    values = {t.name: (weights[t.tag, t.name], t.number("value", 0.0) if kinds[t.name] == MANUAL_VALUE else None)
              for t in kept}  # fmt: skip
    for task in kept:
        known = (DEFAULT_VALUE, MANUAL_VALUE, FROM_FILE)
        task.require(kinds[task.name] in known, f"value_type must be one of {', '.join(known)}")
    from_file = tuple(name for name, kind in kinds.items() if kind == FROM_FILE)
    return Tasks(markers or None, values, from_file, _input(node, source, "coordinate_file"))


def _first_of_each(tasks: Iterable[Node]) -> list[Node]:
    """Tasks by name; of several for one marker the first counts, as in OpenSim, and is told."""
    found: dict[tuple[str, str], Node] = {}
    for task in tasks:
        first = found.setdefault((task.tag, task.name), task)
        if first is task:
            continue
        task.require(task.tag == "IKMarkerTask", "there is already a task of this coordinate")
        warn(f"{task.document.path}: several tasks of marker {task.name!r}; the first counts, as in OpenSim")
    return list(found.values())


def _scale(node: Node, source: Path) -> ScaleStep:
    maker, scaler, placer = (node.child(t) for t in ("GenericModelMaker", "ModelScaler", "MarkerPlacer"))
    if maker is None:
        node.fail("it has no GenericModelMaker, which names the model")
    common = {
        "name": node.name or source.stem, "source": source,
        "model": beside(_needed(maker, source, "model_file"), source),
        "marker_set": _input(maker, source, "marker_set_file"), "placement": _placement(placer, source),
    }  # fmt: skip
    if scaler is None or not scaler.flag("apply", True):
        return ScaleStep(**common)
    mass = node.number("mass", -1.0)
    order = tuple(scaler.words("scaling_order"))
    scaler.require(set(order) <= set(ORDER), f"scaling_order must be of {' and '.join(ORDER)}")
    if not order:
        warn(f"{source}: no scaling_order, so no body is scaled, as in OpenSim; it is of {' and '.join(ORDER)}")
    return ScaleStep(
        **common,
        mass=mass if mass > 0.0 else None,
        static=_input(scaler, source, "marker_file"),
        measurements=tuple(
            _measurement(m) for m in _objects(scaler, source, "MeasurementSet") if m.flag("apply", True)
        ),
        factors={
            _word(s, "segment"): tuple(s.vector("scales", 3, np.ones(3)).tolist())
            for s in _objects(scaler, source, "ScaleSet")
            if s.flag("apply", True)
        },
        order=order,
        keep_mass_distribution=scaler.flag("preserve_mass_distribution", False),
        span=_measured_span(scaler, source) if "measurements" in order else None,
        output=_path(scaler, source, "output_model_file"),
    )


def _measurement(node: Node) -> Measurement:
    pairs = [tuple(p.words("markers")) for p in node.objects("MarkerPairSet")]
    node.require(all(len(p) == 2 for p in pairs), "a pair names two markers")
    bodies = {b.name: b.text("axes") for b in node.objects("BodyScaleSet")}
    if without := [name for name, axes in bodies.items() if not axes]:
        warn(
            f"{node.document.path}: measurement {node.name!r} scales {', '.join(without)} along no axes, as in OpenSim"
        )
    if joined := [name for name, axes in bodies.items() if any(len(word) > 1 for word in axes.split())]:
        warn(
            f"{node.document.path}: measurement {node.name!r} writes the axes of {', '.join(joined)} without spaces: "
            "they are used, where OpenSim would scale along none"
        )
    bodies = {name: axes for name, axes in bodies.items() if axes}
    return Measurement(node.name, tuple(pairs), bodies)  # type: ignore[arg-type]


def _placement(node: Node | None, source: Path) -> PlacementStep | None:
    if node is None or not node.flag("apply", True):
        return None
    static, output = beside(_needed(node, source, "marker_file"), source), _path(node, source, "output_model_file")
    return PlacementStep(static, _tasks(node, source), _span(node), output)


def _kinematics(node: Node, source: Path) -> KinematicsStep:
    output = _path(node, source, "output_motion_file")
    name = output.stem if output is not None else node.name or source.stem
    return KinematicsStep(
        name, source, _needed(node, source, "model_file"), beside(_needed(node, source, "marker_file"), source),
        _tasks(node, source), _span(node), _in_results(node, source, output), None, _is_soft(node),
    )  # fmt: skip


def _is_soft(node: Node) -> bool:
    """Whether a tool is to hold constraints by a finite weight only."""
    weight = node.numbers("constraint_weight", largest=float("inf"))
    return weight is not None and bool(np.isfinite(weight).all())


def _in_results(node: Node, source: Path, output: Path | None) -> Path | None:
    """Where a tool puts a file: in its folder of results if the file is named without one."""
    folder = node.text("results_directory").replace("\\", "/")
    if output is None or folder.lower() in NOTHING or output.parent != source.parent:
        return output
    return (source.parent / folder / output.name).resolve()


def _dynamics(node: Node, source: Path) -> DynamicsStep:
    cutoff = node.number("lowpass_cutoff_frequency_for_coordinates", -1.0)
    node.require(cutoff != 0.0, "lowpass_cutoff_frequency_for_coordinates must be positive, or negative for no filter")
    excluded = node.text("forces_to_exclude").replace(",", " ").split()
    groups = {word.lower() for word in excluded} & GROUPS
    named = tuple(word for word in excluded if word.lower() not in GROUPS)
    output = _path(node, source, "output_gen_force_file")
    name = output.stem if output is not None else node.name or source.stem
    return DynamicsStep(
        name, source, _needed(node, source, "model_file"), _needed(node, source, "coordinates_file"),
        _input(node, source, "external_loads_file"), cutoff if cutoff > 0.0 else None, _span(node), output,
        "all" in groups, named, not groups,
    )  # fmt: skip


TOOLS = {"ScaleTool": _scale, "InverseKinematicsTool": _kinematics, "InverseDynamicsTool": _dynamics}
