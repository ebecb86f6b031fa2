"""`condyle fit`: measured poses to a joint."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from rich.console import Console

__all__ = ["fit"]


@click.command()
@click.argument("poses", type=click.Path(exists=True, dir_okay=False))
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False), help="The joint, a .toml file.")
@click.option("--frames", default="12", help="How many control frames, or 'interpolate'.", show_default=True)
@click.option("--order", default=4, show_default=True, help="Spline order; 4 is cubic.")
@click.option("--smooth", default="0", show_default=True, help="Smoothing weight, or 'auto' (cross-validation).")
@click.option("--loss", default="squares", show_default=True, help="squares, huber, cauchy or geman.")
@click.option("--metric", default=1.0, show_default=True, help="Metres that count like one radian.")
@click.option("--surface", nargs=2, type=int, default=None, metavar="N M", help="A surface of N × M control points.")
@click.option("--coordinate", "coordinates", multiple=True, help="Column of a coordinate (twice for a surface).")
@click.option("--angles", default=None, help="Columns of the angles: a,b,c.")
@click.option("--sequence", default=None, help="Their axes: ZXY body-fixed, zxy space-fixed.")
@click.option(
    "--units", default="rad", type=click.Choice(["rad", "deg"]), show_default=True, help="Unit of the angles."
)
@click.option("--position", default=None, help="Columns of the position [m]: x,y,z.")
@click.option("--parent", default=None, help="Markers of the parent (TRC, C3D): a,b,c.")
@click.option("--child", default=None, help="Markers of the child.")
@click.option("--report", default=None, type=click.Path(dir_okay=False), help="An HTML page about the fit.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
def fit(poses, output, report, force, **options) -> None:
    """Fit a joint to the POSES of a table (.csv) or of two clusters of markers (.trc, .c3d)."""
    from ..errors import CondyleError

    try:
        run(poses, output, report, force, options)
    except CondyleError as trouble:
        raise click.ClickException(str(trouble)) from None


def run(poses, output, report, force: bool, options: dict) -> None:
    """Read, fit, save, report."""
    import condyle as cd

    for path in filter(None, (output, report)):
        cd.design.require_new(path, force)
    console = Console(stderr=True)
    with console.status("reading") as status:
        measured = read(poses, options)
        status.update(f"fitting {len(measured.poses)} poses")
        found = fitted(measured, options)
        cd.save(found.joint, output)  # pyright: ignore[reportCallIssue]
        if report:
            status.update("drawing the report")
            cd.design.report(found, report, title=f"{Path(poses).name} as a joint", force=force)
    click.echo(found.summary())
    click.echo(f"joint in {output}" + (f", report in {report}" if report else ""))
    if not (found.converged and found.rank.ok):
        click.echo("Look at the report before you use this joint: it did not converge or loses rank.", err=True)


def read(poses, options: dict):
    """Measured poses of a table or of markers."""
    from .. import design

    if Path(poses).suffix.lower() == ".csv":
        wanted = options["coordinates"]
        return design.read_poses(
            poses,
            angles=names(options["angles"]),
            sequence=options["sequence"],
            units=options["units"],
            position=names(options["position"]),
            coordinates=None if not wanted else wanted[0] if len(wanted) == 1 else list(wanted),
        )
    if not (options["parent"] and options["child"]):
        raise click.UsageError("a marker file needs --parent and --child with the names of their markers")
    markers = design.read_markers(poses)
    return design.poses_from_markers(*(markers.pick(names(options[key])) for key in ("parent", "child")))


def names(text: str | None) -> list[str] | None:
    """'a,b,c' as a list."""
    return None if text is None else [part.strip() for part in text.split(",")]


def fitted(measured, options: dict):
    """A curve, or a surface if its shape is given."""
    from .. import design

    weight = options["smooth"]
    if options["surface"]:
        if measured.coordinates is None or np.ndim(measured.coordinates) != 2:
            raise click.UsageError("a surface needs --coordinate twice")
        smoothing, named = number(weight, "--smooth"), list(options["coordinates"])
        shape, metric = tuple(options["surface"]), options["metric"]
        return design.fit_surface(
            measured.poses, measured.coordinates, shape, options["order"], smoothing, metric=metric, names=named
        )
    frames = options["frames"]
    return design.fit_curve(
        measured.poses,
        measured.coordinates,
        frames if frames == "interpolate" else int(number(frames, "--frames")),
        options["order"],
        weight if weight == "auto" else number(weight, "--smooth"),
        metric=options["metric"],
        loss=options["loss"],
        name=(options["coordinates"] or ("q",))[0],
    )


def number(text: str, option: str) -> float:
    """A number, or what was expected instead."""
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number", param_hint=option) from None
