"""`condyle muscles`."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from ...errors import BadShape, require
from ..common import assignment, file_name, load_model
from ..json_output import as_json, print_json
from ..robots import truncated_option
from ..spoken_warnings import warnings_in_words

HELP = """What the muscles of a MODEL do in a MOTION (.mot, .sto or .csv): lengths, moment arms and, by static
optimisation, activations and forces.

Writes tables (.sto) by OpenSim's names and report.html with their curves. No OpenSim is needed.

\b
  condyle muscles arm26.osim arm26_motion.mot --cutoff 6
  condyle muscles leg.osim walk.mot --loads walk_grf.xml --reserve 1 --reserve pelvis_ty=1000

Exit code 1 if muscles and reserves cannot give the moments of the motion."""


@click.command(help=HELP)
@click.argument("model", type=file_name)
@click.argument("motion", type=file_name)
@click.option("--out", default=None, type=file_name, help="Folder of results; default: `muscles` beside the motion.")
@click.option("--cutoff", default=None, type=float, help="Of the low-pass filter of coordinates [Hz].")
@click.option("--loads", default=None, type=file_name, help="ExternalLoads (.xml): ground reactions.")
@click.option(
    "--reserve", "reserves", multiple=True, metavar="[COORDINATE=]FORCE",
    help="Optimal force of a reserve actuator [N m, N], on one coordinate or on all others; may be repeated.",
)  # fmt: skip
@click.option("--power", default=2.0, show_default=True, help="To which activations are raised in the sum.")
@click.option("--no-optimization", is_flag=True, help="Lengths and moment arms only.")
@truncated_option
@as_json
def command(model, motion, out, cutoff, loads, reserves, power, no_optimization, as_json) -> int:
    """Analyse, write and say what came out."""
    from ...trial import analyze_muscles, read_external_loads

    folder = Path(motion).parent / "muscles" if out is None else Path(out)
    with warnings_in_words():
        loaded = load_model(model)
        outer = None if loads is None else read_external_loads(loads)
        found = analyze_muscles(
            loaded, motion, cutoff=cutoff, loads=outer, power=power, optimize=not no_optimization,
            reserves=reserves_of(reserves, loaded.coordinates),
        )  # fmt: skip
        files = found.write(folder, Path(motion).stem)
    so = found.optimization
    missing = 0.0 if so is None else float(np.abs(so.missing).max(initial=0.0))
    size = float(np.abs(found.forces).max(initial=0.0))
    if as_json:
        print_json({"folder": folder, "files": files, "muscles": len(loaded.muscles), "missing": missing})
    else:
        click.echo(str(found))
        if so is not None:
            click.echo(f"  largest activation {so.activation.max():.3g}, largest moment that is missing {missing:.3g}")
        click.echo(f"  report: {files[-1]}")
    return 1 if missing > 1e-4 * size else 0


def reserves_of(texts: tuple[str, ...], coordinates: tuple[str, ...]) -> dict[str, float] | None:
    """Optimal forces by coordinate, from COORDINATE=FORCE and from FORCE for all others."""
    if not texts:
        return None
    named = dict(assignment(text) for text in texts if "=" in text)
    rest = [assignment(f"all={text}")[1] for text in texts if "=" not in text]
    require(len(rest) <= 1, "give one FORCE for all coordinates", BadShape, got=[x.tolist() for x in rest])
    found = dict.fromkeys(coordinates, rest[0]) if rest else {}
    found |= named
    require(all(len(x) == 1 for x in found.values()), "a reserve takes one number", BadShape, got=texts)
    return {name: float(x[0]) for name, x in found.items()}
