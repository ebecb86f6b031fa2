"""`condyle trial`."""

from __future__ import annotations

import click

from ...errors import amount
from ...formats.doubts import POLICIES
from ..common import file_name
from ..json_output import as_json, print_json
from ..spoken_warnings import warnings_in_words

HELP = """From markers and ground reactions to joint angles and moments.

SETUP is a setup file of OpenSim (ScaleTool, InverseKinematicsTool or InverseDynamicsTool), a .toml file that says the
same, or a folder that holds some. Files are named from the folder of their setup. A model that one setup scales, and a
motion that one computes, is used by the setups that name it. No OpenSim is needed.

Each trial gets a folder with report.html (open it first), the angles (.mot) and generalised forces (.sto) by OpenSim's
names, errors of markers, all numbers (.npz) and pictures.

\b
  condyle trial subject01/                       # all setups in a folder
  condyle trial Setup_Scale.xml Setup_IK.xml Setup_ID.xml --out results
  condyle trial walks.toml --jobs 2 --resume     # go on where it was interrupted
  condyle trial --compare results/walk fitted/walk --out changes   # two folders of results: what changed

A small .toml file:

\b
  model = "leg.osim"
  [scale]                                        # may be left out
  markers = "static.trc"
  mass = 72.6                                    # [kg]
  measurement = [{ name = "thigh", pairs = [["ASIS", "KNEE"]], bodies = { femur_r = "XYZ" } }]
  [[trial]]
  name = "walk"
  markers = "walk.trc"
  weights = { ASIS = 10.0, KNEE = 1.0 }          # all alike if left out
  cutoff = 6.0                                   # [Hz]
  loads = "walk_grf.xml"                         # ExternalLoads
  truncated = "warn"                             # read what is whole of tables that are cut off

Exit code 1 if a trial went wrong."""


@click.command(help=HELP)
@click.argument("setups", metavar="SETUP|FOLDER...", type=file_name, nargs=-1, required=True)
@click.option("--out", default=None, type=file_name, help="Folder of results; default: `results` beside the setup.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1, 256), help="Trials at once.")
@click.option(
    "--resume",
    is_flag=True,
    help="Leave out trials and steps that are complete, from the same inputs.",
)
@click.option("--no-report", is_flag=True, help="Leave out pictures and the page, which take longer than all else.")
@click.option("--compare", is_flag=True, help="Compare two folders of results of one trial each, and write a page.")
@click.option(
    "--truncated",
    type=click.Choice(POLICIES),
    help="Tables that are cut off: refuse them (error, the default), or read what is whole (warn).",
)
@as_json
def command(setups, out, jobs, resume, no_report, compare, truncated, as_json) -> int:
    """Run and say what came out."""
    from ...trial import run

    if compare:
        return say_changes(setups, out, as_json)
    with warnings_in_words():
        asked = {"resume": resume, "report": not no_report, "truncated": truncated}
        found = run(setups, out, jobs=jobs, progress=not as_json, **asked)
    if as_json:
        keys = ("name", "folder", "files", "notes", "said", "skipped", "error")
        print_json({"folder": found.folder, "trials": [{k: getattr(t, k) for k in keys} for t in found.trials]})
    else:
        tell(found)
    return 1 if found.failed else 0


def say_changes(folders, out, as_json: bool) -> int:
    """What changed between two runs of a trial."""
    from ...trial import compare

    if len(folders) != 2:
        raise click.UsageError("--compare takes two folders of results.")
    with warnings_in_words():
        found = compare(*folders)
        page = found.save(out or "comparison")
    if as_json:
        parts = {k: [c._asdict() for c in getattr(found, k)] for k in ("angles", "moments", "markers")}
        print_json({"page": page, **parts, "only": found.only})
    else:
        click.echo(f"{found}\npage: {page}")
    return 0


def tell(found) -> None:
    """What came out, in words."""
    for name, scaled in found.scaled.items():
        mass = sum(body.inertia.mass for body in scaled.model.bodies)
        click.echo(f"{name}: scaled to {mass:.4g} kg; {amount(len(scaled.model.markers), 'marker')}")
    for trial in found.trials:
        click.echo(f"{trial.name}: {trial.error or trial.said}")
        if not trial.error and (trial.folder / "report.html").exists():
            click.echo(f"  report: {trial.folder / 'report.html'}")
    click.echo(f"written to {found.folder}")
