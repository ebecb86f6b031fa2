"""`condyle export`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from ...errors import BadValue, require, unknown_name
from ...formats.safe_files import require_writable
from ...io import save
from ...io.motions.skeleton_file import is_motion
from ...io.tables.trajectory_table import SUFFIXES as TABLES
from ...simulation import Trajectory
from ...view import export
from ...view.export import FILMS, SUFFIXES
from ...view.files.kept_pictures import Keeping
from ..common import file_name, model_option, opened
from ..drawable import drawable, markers_option, measured, without_arm
from ..json_output import as_json, print_json
from ..robots import robot_options, truncated_option
from ..spoken_warnings import warnings_in_words

MODELS = (".osim", ".urdf", ".xml", ".mjcf")  # for other programs
FILES = (".toml", ".npz", ".bvh", *MODELS, *TABLES)


@click.command(
    help="Write what a FILE holds as OUT: .html (plays offline), .glb (animated glTF), .png, .gif, .mp4, .toml, .npz, "
    ".csv, .sto, .mot, .bvh; for other programs .osim, .urdf, .xml or .mjcf (with a certificate of what is exact)."
)
@click.argument("file", type=file_name)
@click.argument("out", type=file_name)
@model_option
@click.option("--member", default=0, show_default=True, help="Which run of a batch.")
@click.option("--time", default=None, type=float, help="Time of a picture [s]; default: the end.")
@markers_option
@click.option("--camera", default=None, type=(float, float), help="Height over the horizon and direction [degrees].")
@click.option("--follow", default=None, help="A body that the camera goes along with.")
@click.option("--labels", is_flag=True, help="Show the names of bodies.")
@click.option("--record-to", default=None, type=file_name, help="Folder that keeps the pictures of a film.")
@click.option("--resume", is_flag=True, help="Go on with the film that was begun in --record-to.")
@click.option("--exact", is_flag=True, help="Refuse what another program's format can only approximate or cannot have.")
@robot_options
@truncated_option
@as_json
def command(
    file: str, out: str, model: str | None, member: int, time: float | None, markers: str | None,
    camera: tuple[float, float] | None, follow: str | None, labels: bool, record_to: str | None, resume: bool,
    exact: bool, as_json: bool,
) -> None:  # fmt: skip
    """Write it."""
    path = Path(out)
    require(time is None or np.isfinite(time), "--time must be a finite number", BadValue, got=time)
    if path.suffix not in SUFFIXES + FILES:
        raise unknown_name("export", path.suffix, SUFFIXES + FILES, "condyle")
    Keeping(record_to, resume).checked(path.suffix in FILMS)
    thing = opened(file, model)
    require_writable(path)
    with warnings_in_words():
        if path.suffix in TABLES:
            save(one_of(tabled(drawable(thing, file, model)), member), path)
        elif path.suffix in FILES:
            save(one_of(thing, member) if path.suffix == ".bvh" else thing, path, approximate=not exact)
        else:
            seen = without_arm(drawable(thing, file, model))
            how = {"camera": camera, "follow": follow, "labels": labels, "record_to": record_to, "resume": resume}
            how |= {"member": member, "time": time, "progress": not as_json}
            export(seen, path, folder=Path(file).parent, markers=measured(markers), **how)
    if as_json:
        print_json({"file": path, "bytes": path.stat().st_size})
    else:
        click.echo(f"{path} ({path.stat().st_size / 1e3:.0f} kB)")


def tabled(thing: Any) -> Any:
    """The motion of a skeleton as one of bodies that float, which a table can hold."""
    return thing.as_trajectory() if is_motion(thing) else thing


def one_of(run: Any, member: int) -> Any:
    """One run of a batch."""
    if not isinstance(run, Trajectory):
        return run
    q, v = (x.reshape(-1, *x.shape[-2:]) for x in (run.q, run.v))
    require(0 <= member < len(q), f"--member is 0 … {len(q) - 1}", BadValue, member=member)
    return replace(run, q=q[member], v=v[member], stopped=None, outside=())
