"""`condyle identify`."""

from __future__ import annotations

import click

from ...errors import BadShape, require
from ..common import assignment, file_name, load_model
from ..json_output import as_json, print_json
from ..spoken_warnings import warnings_in_words
from .fit import check_outputs

HELP = """Find what is unknown of a MODEL, together with the motion, from MARKERS (.trc or .c3d).

\b
  condyle identify leg.toml walk.trc -o found.toml --unknown knee.frames --unknown foot.placement --sigma 0.001

NAME is knee.frames (the control frames of a spline curve), foot.placement (where a joint sits on its parent) or
thigh.scale (how much longer a segment is). Marker places are unknown too. The motion starts from inverse kinematics
with the model as it is, or from --motion. Exit code 1 if the steps did not converge."""


@click.command(help=HELP)
@click.argument("model", type=file_name)
@click.argument("markers", type=file_name)
@click.option("-o", "--output", required=True, type=file_name, help="Model file to write (.toml).")
@click.option("--unknown", multiple=True, required=True, metavar="NAME", help="What is unknown; may be repeated.")
@click.option("--motion", type=file_name, help="A trajectory (.npz) to start from, a state for each frame.")
@click.option("--sigma", type=float, help="Standard deviation of a measured number [m].")
@click.option("--loss", default="squares", show_default=True, help="squares, or huber against wrong markers.")
@click.option("--prior", "priors", multiple=True, metavar="NAME=SIGMA",
              help="What is known beforehand: markers=0.01 [m], knee.frames=0.02.")  # fmt: skip
@click.option("--hold-markers", is_flag=True, help="Leave markers where the model has them.")
@click.option("--report", type=file_name, help="A page with intervals, what is open, and errors of markers (.html).")
@click.option("--force", is_flag=True, help="Write over files that exist.")
@as_json
def command(model, markers, output, unknown, motion, sigma, loss, priors, hold_markers, report, force, as_json) -> int:
    """Identify, save and print."""
    from ... import identify, save, trial

    check_outputs(output, report, force)
    loaded, seen = load_model(model), trial.read_markers(markers)
    own = [m.name for m in loaded.markers if m.name in seen.names]
    points = dict(zip(own, seen.pick(own).swapaxes(0, 1), strict=True))
    with warnings_in_words():
        q = _start(loaded, seen, motion)
        found = identify(loaded, points, q, unknown=unknown, place_markers=not hold_markers, priors=_priors(priors),
                         sigma=sigma, loss=loss)  # fmt: skip
    save(found.model, output)
    if report:
        found.report(report, force=force)
    if as_json:
        print_json({k: getattr(found, k) for k in ("names", "values", "deviations", "open", "fixed", "rms", "sigma",
                                                   "rounds", "evaluations", "converged")})  # fmt: skip
    else:
        click.echo(str(found))
        click.echo(f"saved {output}")
    return 0 if found.converged else 1


def _start(model, seen, motion):
    """The motion to start from."""
    from ... import load, trial

    if motion is None:
        return trial.inverse_kinematics(model, seen).q
    q = load(motion).q
    good = q.ndim == 2 and len(q) == len(seen.times)
    require(
        good,
        f"{motion}: a motion to start from has a state for each frame",
        BadShape,
        got=q.shape,
        frames=len(seen.times),
    )
    return q


def _priors(texts) -> dict[str, float]:
    """NAME=SIGMA."""
    out = {}
    for text in texts:
        name, numbers = assignment(text)
        require(len(numbers) == 1, "a prior is NAME=SIGMA", BadShape, got=text)
        out[name] = float(numbers[0])
    return out
