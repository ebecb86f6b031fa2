"""`condyle fit`: measured poses to a joint."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from ... import design
from ...design.bones.joint_from_bones import bone_of, joint_of_fit
from ...design.measured_poses import MARKERS, TABLES
from ...errors import BadFile, BadValue, require
from ...formats.safe_files import existing, plain_suffix, require_writable
from ...formats.tables.table_files import write_table
from ...io import save
from ...joints import Mesh
from ...progress import bars
from ..common import file_name
from ..json_output import as_json, print_json
from ..robots import truncated_option
from ..spoken_warnings import warnings_in_words


@click.command(
    help="Fit a joint to POSES: those of a table (.csv, .sto, .mot: rotation matrices, quaternions or angles), or "
    "those of one cluster of markers in another (.trc, .c3d). Exit code 1 if the fit did not converge or its joint "
    "loses rank."
)
@click.argument("poses", type=file_name)
@click.option("-o", "--output", required=True, type=file_name, help="The joint, a .toml file.")
@click.option("--frames", default="12", help="How many control frames, or 'interpolate'.", show_default=True)
@click.option("--order", default=4, show_default=True, help="Spline order; 4 is cubic.")
@click.option("--smooth", default="0", show_default=True, help="Smoothing weight, or 'auto' (leave-one-out).")
@click.option("--loss", default="squares", show_default=True, help="squares, huber, cauchy or geman.")
@click.option("--metric", default="1.0", show_default=True, help="Metres that count like one radian, or 'noise'.")
@click.option("--surface", nargs=2, type=int, default=None, metavar="N M", help="A surface of N × M control points.")
@click.option(
    "--coordinate", "coordinates", multiple=True, help="Column of a coordinate (twice for a surface); else estimated."
)
@click.option("--coordinate-units", default=None, type=click.Choice(["as-is", "deg"]), help="Default: as the angles.")
@click.option("--angles", default=None, help="Columns of the angles: a,b,c.")
@click.option("--sequence", default=None, help="Their axes: ZXY body-fixed, zxy space-fixed.")
@click.option("--units", default=None, type=click.Choice(["rad", "deg"]), help="Of the angles; else the header's.")
@click.option("--quaternion", default=None, help="Columns of the quaternion: w,x,y,z, or one column.")
@click.option("--position", default=None, help="Columns of the position: x,y,z, or one column.")
@click.option(
    "--position-units", default=None, type=click.Choice(["m", "cm", "mm"]), help="Default: the header's, or m."
)
@click.option("--parent", default=None, help="Markers of the parent: a,b,c.")
@click.option("--child", default=None, help="Markers of the child.")
@click.option("--report", default=None, type=file_name, help="An HTML page about the fit.")
@click.option("--bones", nargs=2, type=file_name, default=None, metavar="PARENT CHILD", help="Meshes of both bones "
              "(.stl, .obj, .ply, .vtp): contact paths and axodes, as a table and a picture.")  # fmt: skip
@click.option("--bone-scale", default=1.0, show_default=True, help="Metres per unit of the meshes: 0.001 for mm.")
@click.option("--through", default="poses", show_default=True, type=click.Choice(["poses", "contact"]),
              help="What a joint of bones goes through.")  # fmt: skip
@click.option("--record-to", default=None, type=file_name, help="Folder that keeps what a long fit has found so far.")
@click.option("--resume", is_flag=True, help="Go on with the fit in that folder, bit by bit as if undisturbed.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
@truncated_option
@as_json
def command(poses, output, report, force, as_json, **options) -> int:
    """Read, fit, save, report."""
    check_outputs(output, report, force)
    with bars(quiet=as_json) as watch, warnings_in_words():
        bones = read_bones(output, options, force)
        found = fitted(read(existing(poses), options), options, watch)
        made = joint_of_fit(bones, found, options["through"]) if bones else None
        save(found.joint if made is None else made.joint, output)
        if report:
            watch("drawing the report", 0, 1)
            design.report(found, report, title=f"{Path(poses).name} as a joint", force=force)
        beside = [] if made is None else write_beside(made, output)
    return tell(found, [path for path in (output, report, *beside) if path], as_json, made)


def tell(found: design.Fit, files: list[str], as_json: bool, made: design.BoneJoint | None = None) -> int:
    """Say what came out; 1 if it should be looked at before it is used."""
    if as_json:
        rank = {"ok": found.rank.ok, "said": str(found.rank)}
        errors = {key: getattr(found, key) for key in ("angle_errors", "distance_errors")}
        bones = {} if made is None else {"bones": made.numbers()}
        print_json({**found.numbers(), **errors, **bones, "rank": rank, "advice": found.advice, "files": files})
    else:
        click.echo(f"{(made or found).summary()}\nwritten: {', '.join(files)}")
    return 0 if found.converged and found.rank.ok else 1


def check_outputs(output: str, report: str | None, force: bool) -> None:
    """Before any work: what would be written can be."""
    for path in filter(None, (output, report)):
        design.require_new(require_writable(path), force)
    require(Path(output).suffix == ".toml", f"{output}: a joint is saved as a .toml file", BadFile)
    require(output != report, f"{output}: the joint and the report need two files", BadFile)


def read_bones(output: str, options: dict, force: bool) -> list[Mesh]:
    """The meshes of --bones, if any; what would be written beside the joint can be."""
    if not options["bones"]:
        require(options["through"] == "poses", "--through contact needs --bones PARENT CHILD", BadValue)
        return []
    for path in beside_names(output):
        design.require_new(require_writable(path), force)
    return [bone_of(existing(path), options["bone_scale"]) for path in options["bones"]]


def beside_names(output: str) -> list[str]:
    """The table and the picture of contact, beside the joint."""
    return [str(Path(output).with_name(f"{Path(output).stem}-contact{suffix}")) for suffix in (".csv", ".png")]


def write_beside(made: design.BoneJoint, output: str) -> list[str]:
    """Write the table and the picture of contact."""
    table, picture = beside_names(output)
    write_table(made.table(), table)
    made.draw(picture)
    return [table, picture]


def read(poses: Path, options: dict) -> design.Measured:
    """Measured poses of a table or of markers, in metres and radians."""
    suffix, named = plain_suffix(poses), options["parent"] or options["child"]
    if suffix in MARKERS or (suffix == ".sto" and named):
        return read_clusters(poses, options)
    expected = f"{poses}: --parent and --child name markers, and {suffix} files have none"
    require(not named or suffix not in TABLES, expected, BadValue)
    return read_table(poses, options)


def read_table(poses: Path, options: dict) -> design.Measured:
    """Poses of a table."""
    wanted = options["coordinates"]
    columns = {key: names(options[key]) for key in ("angles", "quaternion", "position")}
    units = {key: options[key] for key in ("sequence", "units", "position_units", "coordinate_units")}
    coordinates = None if not wanted else wanted[0] if len(wanted) == 1 else list(wanted)
    return design.read_poses(poses, coordinates=coordinates, **columns, **units)


def read_clusters(poses: Path, options: dict) -> design.Measured:
    """Poses of one cluster of markers in another."""
    parent, child = names(options["parent"]), names(options["child"])
    markers = design.read_markers(poses)
    if parent is None or child is None:
        raise BadValue(f"{poses}: name the markers of both bodies (--parent a,b,c --child d,e,f); "
                       f"it has {', '.join(markers.names)}.")  # fmt: skip
    expected = f"{poses}: markers have no column of coordinates; leave --coordinate out to have them estimated"
    require(not options["coordinates"], expected, coordinate=options["coordinates"])
    return design.poses_from_markers(markers.pick(parent), markers.pick(child))


def names(text: str | None) -> list[str] | None:
    """'a,b,c' as a list."""
    return None if text is None else [part.strip() for part in text.split(",")]


def fitted(measured: design.Measured, options: dict, watch) -> design.CurveFit | design.SurfaceFit:
    """A curve, or a surface if its shape is given."""
    weight, named = options["smooth"], options["coordinates"]
    common = {
        "order": options["order"],
        "smoothing": weight if weight == "auto" else number(weight, "--smooth"),
        "metric": length if (length := options["metric"]) == "noise" else number(length, "--metric"),
        "loss": options["loss"],
        "progress": watch,
        "record_to": options["record_to"],
        "resume": options["resume"],
    }
    if options["surface"]:
        expected = "--surface takes two coordinates (--coordinate COLUMN --coordinate COLUMN), or none to estimate them"
        require(len(named) in (0, 2), expected, coordinate=named)
        given = {"names": named} if named else {}
        return design.fit_surface(measured.poses, measured.coordinates, options["surface"], **given, **common)
    if len(named) > 1:
        raise BadValue("a curve has one coordinate; for a surface say its shape (--surface N M)")
    frames = options["frames"]
    frames = frames if frames == "interpolate" else whole(frames, "--frames")
    return design.fit_curve(measured.poses, measured.coordinates, frames, name=named[0] if named else "q", **common)


def whole(text: str, option: str) -> int:
    """A whole number."""
    x = number(text, option)
    require(np.isfinite(x) and x == int(x), f"{option}: {text!r} is not a whole number")
    return int(x)


def number(text: str, option: str) -> float:
    """A number, or what was expected instead."""
    try:
        return float(text)
    except ValueError:
        raise BadValue(f"{option}: {text!r} is not a number") from None
