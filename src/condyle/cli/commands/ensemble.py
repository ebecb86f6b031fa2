"""`condyle ensemble`."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import click

from ...errors import BadFile, amount, require
from ...formats.safe_files import write_text
from ..common import file_name
from ..json_output import as_json, print_json
from ..spoken_warnings import warnings_in_words

EXAMPLE = """\
model = "leg.toml"                 # or function = "module:name", with the module beside the study
design = "latin hypercube"         # grid, sobol, sensitivity (for Sobol indices), samples
members = 64
outputs = ["knee"]                 # coordinates over time
[vary]                             # parameters, or coordinates where members start
"shank.mass" = [3.0, 4.0]          # [kg]
knee = [-0.8, -0.2]                # [rad]
[simulate]
duration = 1.0                     # [s]
record = 0.01
"""
HELP = f"""Run a model or a function for many sets of parameters.

STUDY is a .toml file. Results go to a folder, chunk by chunk: what is finished is never lost, and --resume goes on
after a crash. report.html in it has statistics, bands and sensitivities.

\b
  condyle ensemble legs.toml --example                         # write a study to start from, and its model
  condyle ensemble legs.toml --workers 2
  condyle ensemble legs.toml --resume                          # go on where it was interrupted
  condyle ensemble legs.toml --scheduler tcp://10.0.0.1:8786   # on a cluster of dask

The study that --example writes:

\b
{indent(EXAMPLE, "  ")}
Exit code 1 if members failed."""


@click.command(help=HELP)
@click.argument("study", type=file_name)
@click.option("--out", default=None, type=file_name, help="Folder of results; default: the study's name without .toml.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 256), help="Processes on this machine.")
@click.option("--scheduler", default=None, help="Address of a dask scheduler, whose workers run the members.")
@click.option("--resume", is_flag=True, help="Go on with the folder; failed members are tried again.")
@click.option("--example", is_flag=True, help="Write a small study to STUDY, its model beside it, and run nothing.")
@as_json
def command(study, out, workers, scheduler, resume, example, as_json) -> int:
    """Run and say what came out."""
    from ...ensembles import AllMembersFailed, run_study

    if example:
        return write_example(Path(study))
    folder = Path(study).with_suffix("") if out is None else Path(out)
    given = {"workers": workers, "scheduler": scheduler, "record_to": folder, "resume": resume}
    try:
        with warnings_in_words():
            found = run_study(study, progress=not as_json, **given)
    except AllMembersFailed as error:
        error.trajectory.report(folder / "report.html", title=Path(study).stem)
        raise
    found.report(folder / "report.html", title=Path(study).stem)
    if as_json:
        means = {name: found.summary(name).mean for name in found.outputs} if found.good.any() else {}
        print_json({"folder": folder, "members": len(found), "failed": found.failed, "means": means})
    else:
        click.echo(f"{amount(len(found), 'member')}, {len(found.failed)} failed; outputs: {', '.join(found.outputs)}")
        click.echo(f"report: {folder / 'report.html'}")
    return 1 if found.failed else 0


def write_example(study: Path) -> int:
    """The study of the help, and a leg for it; files that are there stay."""
    from ...gallery import leg
    from ...io import save

    model = study.with_name("leg.toml")
    require(study != model, f"{study}: this is the name of its model; choose another", BadFile)
    for path in (study, model):
        require(not path.exists(), f"{path}: there is such a file already", BadFile)
    save(leg(), model)
    write_text(study, EXAMPLE)
    click.echo(f"{study} and {model.name}; run it: condyle ensemble {study}")
    return 0
