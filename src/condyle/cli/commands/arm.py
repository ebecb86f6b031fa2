"""`condyle arm`: a person's reach, from measurements to postures."""

from __future__ import annotations

import warnings
from pathlib import Path
from shlex import quote

import click
import numpy as np

from ...errors import BadFile, BadValue, OutOfReach, require
from ...formats.safe_files import require_writable
from ...io.save import require_savable
from ...progress import bars
from ..common import file_name, opened, seed
from ..json_output import as_json, print_json
from ..rescue import save_somewhere

force = click.option("--force", is_flag=True, help="Replace files that exist.")
AXES = {sign + name: (1 - 2 * (sign == "-")) * row for name, row in zip("xyz", np.eye(3), strict=True)
        for sign in ("", "-")}  # fmt: skip


@click.group(name="arm", help="A person's reach: fit an arm to measurements, pose it, look at it.")
def command() -> None:
    """The commands of an arm."""


@command.command(help="Write samples of an invented SUBJECT (male or female), to try the other commands with.")
@click.argument("subject", default="male")
@click.option("-o", "--output", default="samples.csv", show_default=True, help="The positions, a .csv file.")
@click.option("--count", default=150, show_default=True, type=click.IntRange(1, 10**5), help="How many samples.")
@click.option("--noise", default=0.004, show_default=True, type=click.FloatRange(0.0), help="Sensor noise [m].")
@seed
@force
def synthetic(subject: str, output: str, count: int, noise: float, seed: int, force: bool) -> None:
    """Make them up and say so."""
    from ...design import require_new
    from ...workspace import synthetic_subject, write_samples

    files = (Path(output), trials_of(output))
    for path in files:
        require_new(require_writable(path), force)
    write_samples(synthetic_subject(subject, count=count, noise=noise, seed=seed), *files)
    click.echo(f"{count} invented samples (no measured person) in {files[0]} and {files[1]}")


@command.command(
    help="Fit an arm to SAMPLES: a .csv of clavicle, shoulder and elbow positions with its twist trials in another, or "
    "the .bvh of a motion capture."
)
@click.argument("samples", type=click.Path(exists=True, dir_okay=False))
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False), help="The arm, a .toml file.")
@click.option("--trials", help="Twist trials, a .csv file; default: SAMPLES_trials.csv beside it.")
@click.option("--unit", default=None, help="m, cm, mm, inch or metres a unit; default: m for .csv, cm for .bvh.")
@click.option("--axes", default="x,y,z", show_default=True, help="The axes that point right, forward, up: x,-z,y.")
@click.option("--left", is_flag=True, help="The samples are of a left arm, and so is the arm.")
@click.option("--joints", help="Joints of a .bvh: clavicle,shoulder,elbow,wrist by their names there.")
@click.option("--chest", help="Joint of a .bvh whose axes count; default: the parent of the clavicle.")
@click.option("--spacing", type=float, help="Leave out samples nearer than this to a kept one [m].")
@click.option("--degree", default=3, show_default=True, type=click.IntRange(3, 5), help="Of the patches.")
@click.option("--extra-patch", is_flag=True, help="A seventh patch behind the hexagon.")
@click.option("--split", default=0, show_default=True, type=click.IntRange(0, 2), help="Split patches in four.")
@click.option("--method", default="least-squares", show_default=True, help="least-squares or interpolation.")
@click.option("--smooth", type=float, help="Weight of bending; default: cross-validated.")
@click.option("--loss", default="huber", show_default=True, help="squares, huber or tukey.")
@click.option("--record-to", default=None, type=file_name, help="Folder that keeps what a long fit has found so far.")
@click.option("--resume", is_flag=True, help="Go on with the fit that was begun in --record-to.")
@force
@as_json
def fit(samples, output, force, as_json, **options) -> None:
    """Read, fit, save, say how good it is."""
    from ...design import require_new
    from ...workspace import fit_arm

    require_new(require_savable("arm", output), force)
    with bars(quiet=as_json) as watch:
        watch("reading", 0, 1)
        measured = read(samples, options)
        watch(f"fitting {len(measured)} samples", 0, 1)
        with warnings.catch_warnings():  # thin regions are said in the summary
            warnings.simplefilter("ignore", UserWarning)
            arm = fit_arm(
                measured, degree=options["degree"], extra=options["extra_patch"], split=options["split"],
                method=options["method"], smoothing=options["smooth"], loss=options["loss"],
                side="left" if options["left"] else "right", record_to=options["record_to"], resume=options["resume"],
            )  # fmt: skip
        save_somewhere(arm, Path(output), ".toml")
    told(arm, measured, output, as_json)


def read(path: str, options: dict):
    """The samples of a file, in metres."""
    from ...workspace import read_bvh_arm, read_samples

    frame = axes(options["axes"])
    if Path(path).suffix.lower() == ".bvh":
        names = (options["joints"] or "").split(",")
        require(len(names) == 4, "a .bvh needs --joints clavicle,shoulder,elbow,wrist", BadValue, got=options["joints"])
        named = dict(zip(("clavicle", "shoulder", "elbow", "wrist"), (n.strip() for n in names), strict=True))
        found = read_bvh_arm(path, **named, chest=options["chest"], unit=unit(options["unit"], "cm"), frame=frame)
        click.echo("motion capture has no twist trials: the ranges of twist are lower bounds", err=True)
    else:
        trials = Path(options["trials"]) if options["trials"] else trials_of(path)
        require(trials.is_file(), f"{trials}: there is no such file; name the twist trials with --trials", BadFile)
        found = read_samples(path, trials, unit=unit(options["unit"], "m"), frame=frame)
    return found.decimated(options["spacing"]) if options["spacing"] else found


def unit(text: str | None, default: str) -> str | float:
    """A unit by name, or metres as a number."""
    try:
        return default if text is None else float(text)
    except ValueError:
        return str(text)


def axes(text: str) -> np.ndarray:
    """'x,-z,y' as the matrix that turns the file's axes into right, forward, up."""
    names = [name.strip() for name in text.lower().split(",")]
    good = len(names) == 3 and all(n in AXES for n in names) and len({n[-1] for n in names}) == 3
    require(good, "--axes names three different axes, like x,-z,y", BadValue, got=text)
    return np.array([AXES[name] for name in names])


def told(arm, samples, output: str, as_json: bool) -> None:
    """What a person needs to know before using the arm."""
    from dataclasses import asdict

    thin = np.degrees(samples.thin_regions())
    if as_json:
        print_json({"file": output, "errors_cm": asdict(arm.report), "lengths_m": arm.lengths._asdict(),
                    "thin_regions_deg": thin})  # fmt: skip
        return
    report, cm = arm.report, [f"{100 * x:.1f}" for x in arm.lengths]
    click.echo(f"{report}\nclavicle {cm[0]} cm, upper arm {cm[1]} cm, forearm {cm[2]} cm; "
               f"rigid links cost {report.upper_arm_gap:.2f} cm on average")  # fmt: skip
    for elevation, abduction in thin:
        click.echo(f"thin: no sample near elevation {elevation:.0f}°, abduction {abduction:.0f}°; measure more there")
    if report.rim_count and report.rim_mean > 2 * report.inside_mean:
        click.echo(f"less sure at the rim: {report.rim_count} samples are {report.rim_mean:.2f} cm off on average")
    name = quote(str(output))
    click.echo(f"arm in {output}. Next: condyle arm solve {name} --goal 0.35 0.35 0, or condyle view {name}")


@command.command(help="The best posture of ARM for a goal of the wrist [m]; exit code 1 if there is none.")
@click.argument("arm")
@click.option("--goal", nargs=3, type=float, required=True, metavar="X Y Z", help="Right, forward, up of the clavicle.")
@click.option("--orientation", nargs=4, type=float, metavar="W X Y Z", help="The hand's quaternion.")
@click.option("--hand-axis", nargs=3, type=float, metavar="X Y Z", help="Where the hand points, its spin free.")
@click.option("--nearest", is_flag=True, help="Out of reach, go as near as the arm can.")
@click.option("--all", "everything", is_flag=True, help="Every solution along the elbow curves too.")
@as_json
def solve(arm, goal, orientation, hand_axis, nearest, everything, as_json) -> int:
    """Solve and print."""
    loaded = load_arm(arm)
    turn = rotation(orientation)
    try:
        outside = "nearest" if nearest else "raise"
        best = loaded.solve(goal, orientation=turn, hand_axis=hand_axis or None, outside=outside)
    except OutOfReach as error:
        near = getattr(error.nearest, "point", None)
        print_json({"reached": False, "message": str(error), "nearest": near}) if as_json else click.echo(str(error))
        return 1
    others = loaded.solutions(goal, orientation=turn) if everything else None
    reached = bool(best.feasible) and bool(np.linalg.norm(best.wrist - goal) < 1e-9)
    if as_json:
        print_json(answer(best, reached) | ({} if others is None else {"solutions": listed(others)}))
    else:
        say(best, np.asarray(goal), others)
    return 0 if reached else 1


@command.command(help="Show an ARM in the browser with a goal to drag, on this machine only.")
@click.argument("arm")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(1, 65535))
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def view(arm: str, port: int, no_browser: bool) -> None:
    """Serve until interrupted."""
    from .view import serve

    serve(load_arm(arm), port, no_browser, Path(arm).parent)


def load_arm(path: str):
    """The arm of a file."""
    from ...workspace import Arm

    found = opened(path)
    require(isinstance(found, Arm), f"{path}: an arm is needed, this is a {type(found).__name__.lower()}", BadFile)
    return found


def rotation(wxyz) -> np.ndarray | None:
    """A quaternion as a matrix, refused when it is none."""
    from ...spatial import SE3

    return None if not wxyz else SE3(np.array(wxyz), np.zeros(3)).as_matrix()[:3, :3]


def answer(best, reached: bool) -> dict:
    """A posture for scripts."""
    return {"reached": reached} | one(best) | {"orientation_error": float(best.orientation_error)}


def one(posture) -> dict:
    return {
        "angles": posture.angles, "shoulder": posture.shoulder, "elbow": posture.elbow, "wrist": posture.wrist,
        "twist": float(posture.twist), "comfort": float(posture.comfort), "feasible": bool(posture.feasible),
    }  # fmt: skip


def listed(postures) -> list[dict]:
    return [one(postures[n]) for n in range(len(postures))]


def say(best, goal: np.ndarray, others) -> None:
    """A posture for a person: degrees and centimetres."""
    degrees = np.split(np.degrees(best.angles), (2, 5, 6))
    for name, part in zip(("clavicle", "shoulder", "elbow", "wrist"), degrees, strict=True):
        click.echo(f"{name:9}" + "".join(f"{x:9.2f}°" for x in part))
    away, left = 100 * np.linalg.norm(best.wrist - goal), np.degrees(best.orientation_error)
    click.echo(f"elbow at ({', '.join(f'{x:.4f}' for x in best.elbow)}) m, twist {100 * best.twist:.0f} % of its range")
    if away > 1e-6:
        click.echo(f"the wrist stays {away:.2f} cm away: the goal is out of reach")
    if left > 1e-6:
        click.echo(f"the hand stays {left:.2f}° short of the orientation, at the wrist's limits")
    if others is not None:
        curves, kept = len(np.unique(others.curve)), int(others.feasible.sum())
        click.echo(f"{len(others)} solutions along {curves} curve(s), {kept} within all limits")


def trials_of(path) -> Path:
    """Where the twist trials of positions are unless said: samples.csv and samples_trials.csv."""
    path = Path(path)
    return path.with_name(f"{path.stem}_trials{path.suffix}")
