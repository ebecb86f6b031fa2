"""`condyle fit`: measured poses to a joint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console

from .. import design
from ..formats.files import existing, require_writable
from ..io import save
from .common import as_json, file_name, print_json

__all__ = ["command"]


@click.command(
    help="Fit a joint to the POSES of a table (.csv) or of two clusters of markers (.trc, .c3d); exit code 1 if the "
    "fit did not converge or its joint loses rank."
)
@click.argument("poses", type=file_name)
@click.option("-o", "--output", required=True, type=file_name, help="The joint, a .toml file.")
@click.option("--frames", default="12", help="How many control frames, or 'interpolate'.", show_default=True)
@click.option("--order", default=4, show_default=True, help="Spline order; 4 is cubic.")
@click.option("--smooth", default="0", show_default=True, help="Smoothing weight, or 'auto' (cross-validation).")
@click.option("--loss", default="squares", show_default=True, help="squares, huber, cauchy or geman.")
@click.option("--metric", default=1.0, show_default=True, help="Metres that count like one radian.")
@click.option("--surface", nargs=2, type=int, default=None, metavar="N M", help="A surface of N × M control points.")
@click.option("--coordinate", "coordinates", multiple=True, help="Column of a coordinate (twice for a surface).")
@click.option("--angles", default=None, help="Columns of the angles: a,b,c.")
@click.option("--sequence", default=None, help="Their axes: ZXY body-fixed, zxy space-fixed.")
@click.option("--units", default="rad", type=click.Choice(["rad", "deg"]), show_default=True, help="Of the angles.")
@click.option("--position", default=None, help="Columns of the position [m]: x,y,z.")
@click.option("--parent", default=None, help="Markers of the parent (TRC, C3D): a,b,c.")
@click.option("--child", default=None, help="Markers of the child.")
@click.option("--report", default=None, type=file_name, help="An HTML page about the fit.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
@as_json
def command(poses, output, report, force, as_json, **options) -> int:
    """Read, fit, save, report."""
    for path in filter(None, (output, report)):
        design.require_new(require_writable(path), force)
    with Console(stderr=True).status("reading") as status:
        measured = read(existing(poses), options)
        status.update(f"fitting {len(measured.poses)} poses")
        found = fitted(measured, options)
        save(found.joint, output)
        if report:
            status.update("drawing the report")
            design.report(found, report, title=f"{Path(poses).name} as a joint", force=force)
    return tell(found, [Path(p) for p in (output, report) if p], as_json)


def tell(found, files: list[Path], as_json: bool) -> int:
    """Say what came out; 1 if it should be looked at before it is used."""
    good = bool(found.converged and found.rank.ok)
    if as_json:
        keys = ("converged", "iterations", "cost", "angle_errors", "distance_errors")
        data: dict[str, Any] = {key: getattr(found, key) for key in keys}
        print_json(data | {"rank": {"ok": found.rank.ok, "said": str(found.rank)}, "files": files})
    else:
        click.echo(f"{found.summary()}\nwritten: {', '.join(map(str, files))}")
    if not good:
        click.echo("Look at the fit before you use this joint: it did not converge or loses rank.", err=True)
    return 0 if good else 1


def read(poses: Path, options: dict):
    """Measured poses of a table or of markers."""
    if poses.suffix.lower() == ".csv":
        wanted = options["coordinates"]
        return design.read_poses(
            poses,
            angles=names(options["angles"]),
            sequence=options["sequence"],
            units=options["units"],
            position=names(options["position"]),
            coordinates=None if not wanted else wanted[0] if len(wanted) == 1 else list(wanted),
        )
    markers = design.read_markers(poses)
    if not (options["parent"] and options["child"]):
        raise click.UsageError("a marker file needs --parent and --child with the names of their markers")
    return design.poses_from_markers(*(markers.pick(names(options[key])) for key in ("parent", "child")))


def names(text: str | None) -> list[str] | None:
    """'a,b,c' as a list."""
    return None if text is None else [part.strip() for part in text.split(",")]


def fitted(measured: design.Measured, options: dict):
    """A curve, or a surface if its shape is given."""
    weight, frames, named = options["smooth"], options["frames"], options["coordinates"]
    if options["surface"]:
        if measured.coordinates is None or np.ndim(measured.coordinates) != 2:
            raise click.UsageError("a surface needs --coordinate twice")
        return design.fit_surface(
            measured.poses, measured.coordinates, tuple(options["surface"]), options["order"],
            number(weight, "--smooth"), metric=options["metric"], names=list(named),
        )  # fmt: skip
    return design.fit_curve(
        measured.poses, measured.coordinates, frames if frames == "interpolate" else int(number(frames, "--frames")),
        options["order"], weight if weight == "auto" else number(weight, "--smooth"),
        metric=options["metric"], loss=options["loss"], name=(named or ("q",))[0],
    )  # fmt: skip


def number(text: str, option: str) -> float:
    """A number, or what was expected instead."""
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number", param_hint=option) from None
