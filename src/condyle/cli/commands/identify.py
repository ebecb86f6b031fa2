"""`condyle identify`."""

from __future__ import annotations

import click

from ...errors import BadFile, BadShape, BadValue, require
from ...simulation import Trajectory
from ..common import assignment, file_name, load_model
from ..json_output import as_json, print_json
from ..robots import truncated_option
from ..spoken_warnings import warnings_in_words
from .fit import check_outputs

HELP = """Find what is unknown of a MODEL, together with the motion, from what was MEASURED.

\b
  condyle identify leg.toml walk.trc -o found.toml --unknown knee.frames --unknown foot.placement --sigma 0.001
  condyle identify leg.toml swing.sto -o found.toml --torques torques.sto --torque-sigma 0.2 --unknown shank.mass

MEASURED are markers (.trc or .c3d), or, with --torques, coordinates (.sto, .mot, .csv, .npz). NAME is knee.frames (the
control frames of a spline curve), foot.placement (where a joint sits on its parent) or thigh.scale (how much longer a
segment is); with --torques also shank.mass, shank.com, shank.moment or shank.inertia for all three,
springs[0].stiffness, knee.stiffness, knee.rest, knee.damping. Marker places are unknown too. With markers the motion
starts from inverse kinematics with the model as it is, or from --motion. Torques are in N m and N, at their own times.
Exit code 1 if the steps did not converge."""
SHOWN = ("names", "values", "deviations", "open", "fixed", "rms", "sigma", "rounds", "evaluations", "converged")
TABLES = (".sto", ".mot", ".csv", ".npz")


@click.command(help=HELP)
@click.argument("model", type=file_name)
@click.argument("measured", type=file_name)
@click.option("-o", "--output", required=True, type=file_name, help="Model file to write (.toml).")
@click.option("--unknown", multiple=True, required=True, metavar="NAME", help="What is unknown; may be repeated.")
@click.option("--motion", type=file_name, help="A trajectory (.npz) to start from, a state for each frame.")
@click.option("--sigma", type=float, help="Standard deviation of a measured number of markers [m].")
@click.option("--loss", default="squares", show_default=True, help="squares, or huber against wrong markers.")
@click.option("--prior", "priors", multiple=True, metavar="NAME=SIGMA",
              help="What is known beforehand: markers=0.01 [m], knee.frames=0.02, shank.mass=0.1 (10 %).")  # fmt: skip
@click.option("--hold-markers", is_flag=True, help="Leave markers where the model has them.")
@click.option(
    "--torques", type=file_name, help="A table of torques [N m] and forces [N] by coordinate, with times [s]."
)
@click.option("--torque-sigma", type=float, help="Standard deviation of a torque [N m, N].")
@click.option("--coordinate-sigma", type=float, help="Standard deviation of measured coordinates [rad, m]; else exact.")
@click.option("--ground", type=file_name, help="What plates measured: OpenSim's external loads (.xml).")
@click.option("--still", multiple=True, metavar="NAME", help="A coordinate that nothing drives: its force is 0.")
@click.option("--spacing", type=float, help="Time between knots of the motion [s]; by default four frames.")
@click.option("--report", type=file_name, help="A page with intervals, what is open, and errors over time (.html).")
@click.option("--force", is_flag=True, help="Write over files that exist.")
@truncated_option
@as_json
def command(model, measured, output, unknown, report, force, as_json, **asked) -> int:
    """Identify, save and print."""
    from ... import save

    check_outputs(output, report, force)
    loaded = load_model(model)
    _require_together(asked)
    asked["progress"] = not as_json
    with warnings_in_words():
        found = (_from_forces if asked["torques"] or asked["still"] else _from_markers)(
            loaded, measured, unknown, asked
        )
    save(found.model, output)
    if report:
        found.report(report, force=force)
    if as_json:
        _print(found)
    else:
        click.echo(str(found))
        click.echo(f"saved {output}")
    return 0 if found.converged else 1


def _require_together(asked: dict) -> None:
    """Options that mean nothing without torques."""
    alone = [k for k in ("torque_sigma", "coordinate_sigma", "ground", "spacing") if asked[k] is not None]
    words = "these options need --torques, or --still for what nothing drives"
    require(asked["torques"] or asked["still"] or not alone, words, BadValue, options=alone)


def _print(found) -> None:
    """As JSON; what has no bounds has no deviation."""
    shown = {k: getattr(found, k) for k in SHOWN}
    if hasattr(found, "quantities"):
        shown["quantities"] = [{"name": x.name, "value": x.value, "deviation": x.deviation if x.determined else None,
                                "determined": x.determined} for x in found.quantities]  # fmt: skip
        shown["base"] = [{"name": x.name, "value": x.value, "deviation": x.deviation} for x in found.base]
        shown["misfit"] = found.misfit
    print_json(shown)


def _picked(model, seen) -> dict:
    own = [m.name for m in model.markers if m.name in seen.names]
    words = "no marker of the file is one of the model"
    require(bool(own), words, BadFile, file=list(seen.names)[:6], model=[m.name for m in model.markers][:6])
    return dict(zip(own, seen.pick(own).swapaxes(0, 1), strict=True))


def _from_markers(model, measured, unknown, asked):
    """`cd.identify`."""
    from ... import identify, trial

    words = f"{measured}: coordinates alone say nothing; give --torques too, or markers (.trc, .c3d)"
    require(not str(measured).endswith(TABLES), words, BadFile)
    seen = trial.read_markers(measured)
    points, q = _picked(model, seen), _start(model, seen, asked["motion"])
    return identify(model, points, q, unknown=unknown, place_markers=not asked["hold_markers"],
                    priors=_priors(asked["priors"]), sigma=asked["sigma"], loss=asked["loss"],
                    progress=asked["progress"])  # fmt: skip


def _from_forces(model, measured, unknown, asked):
    """`cd.identify_dynamics`."""
    from ... import MeasuredMotion, identify_dynamics, trial

    times, q, points = _motion(model, measured, asked["motion"])
    torques = dict.fromkeys(asked["still"], 0.0)
    if asked["torques"]:
        torques |= trial.read_torques(asked["torques"], model, times)
    ground = {}
    if asked["ground"]:
        ground = trial.ground_pushes(trial.read_external_loads(asked["ground"]), model, times)
    noise = {"torques": asked["torque_sigma"], "markers": asked["sigma"], "coordinates": asked["coordinate_sigma"]}
    sigma = {kind: x for kind, x in noise.items() if x is not None}
    seen = MeasuredMotion(times, q, torques, points, ground, sigma)
    return identify_dynamics(model, seen, unknown=unknown, place_markers=not asked["hold_markers"],
                             priors=_priors(asked["priors"]), spacing=asked["spacing"], loss=asked["loss"],
                             progress=asked["progress"])  # fmt: skip


def _motion(model, measured, start):
    """Times, coordinates and markers of a file of either."""
    from ... import load, trial

    if not str(measured).endswith(TABLES):
        seen = trial.read_markers(measured)
        return seen.times, _start(model, seen, start), _picked(model, seen)
    motion = load(measured, model=model)
    words = f"{measured}: a motion of one member is needed"
    require(isinstance(motion, Trajectory) and motion.q.ndim == 2, words, BadFile)
    return motion.t, motion.q, {}


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
