"""The page opensim-parity.md: `python docs/make_opensim_parity.py`, which `make peers` runs.

Needs the opensim wheel and .osim files: in shared/data/opensim beside or above the repository, and in the folders of
CONDYLE_OSIM_FILES. CONDYLE_OSIM_STATES says at how many random states (20).
"""

import os
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from support.laboratory import FOLDER  # noqa: E402

OUT = HERE / "opensim-parity.md"
STATES = int(os.environ.get("CONDYLE_OSIM_STATES", "20"))
COLUMNS = ("pose", "velocity", "mass matrix", "inverse dynamics")
THREE = 3  # rotations of one coordinate, whose accelerations OpenSim 4.6 has wrong
PAGE = """# Beside OpenSim, model by model

Written by `make peers`: condyle beside OpenSim {version} at {states} random states of each model, coordinates in their
ranges, constraints and forces other than gravity off. Largest differences: of poses [m, -] and velocities [m/s, rad/s]
of all bodies, and of mass matrices, inverse dynamics at rest and accelerations relative to the largest entry.

| model | coordinates | poses | velocities | mass matrix | inverse dynamics | accelerations |
|---|---|---|---|---|---|---|
{rows}

{count} files: {opened} compared, {refused} not opened by OpenSim or by condyle. A dash: without its constraints a body
without mass has no acceleration, in OpenSim neither. An asterisk: one coordinate drives three rotations, where
[OpenSim 4.6 loses a term of the acceleration](opensim.md#what-differs) and condyle keeps the energy.
"""


def files() -> list[Path]:
    """All .osim files at hand."""
    named = map(Path, filter(None, os.environ.get("CONDYLE_OSIM_FILES", "").split(os.pathsep)))
    return sorted({path for folder in (FOLDER / "opensim", *named) for path in folder.glob("**/*.osim")})


def drives_three(path: Path) -> bool:
    """Whether a coordinate drives three rotations of a joint by functions that are not constant."""
    text = re.sub(r"<!--.*?-->", "", path.read_text(errors="replace"), flags=re.S)
    for joint in re.findall(r"<SpatialTransform.*?</SpatialTransform>", text, flags=re.S):
        axes = re.findall(r'name="rotation\d".*?</TransformAxis>', joint, flags=re.S)
        names = [re.search(r"<coordinates>\s*(\S*)\s*</coordinates>", a) for a in axes if "<Constant" not in a]
        moved = [m[1] for m in names if m and m[1]]
        if any(moved.count(name) >= THREE for name in moved):
            return True
    return False


def row(path: Path) -> str | None:
    """A row of the table; None if one of the two does not open the model."""
    from support.osim_twin import acceleration_error, errors, in_condyle

    with tempfile.TemporaryDirectory() as folder:
        try:
            found = errors(path, Path(folder), STATES)
        except Exception as error:
            print(f"{path.name}: {str(error).splitlines()[0][:100]}")
            return None
        try:
            last = f"{acceleration_error(path, Path(folder), STATES):.1e}"
        except Exception as error:  # bodies without mass, which only a constraint moves
            print(f"{path.name}, accelerations: {str(error).splitlines()[0][:100]}")
            last = "–"
    numbers = " | ".join(f"{found[name]:.1e}" for name in COLUMNS)
    mark = " *" if drives_three(path) else ""
    return f"| {path.parent.name}/{path.stem} | {in_condyle(path).nq} | {numbers} | {last}{mark} |"


def main() -> None:
    """Write the page, if there is what it needs."""
    try:
        import opensim
    except ImportError:
        print("no opensim wheel: opensim-parity.md stays as it is")
        return
    paths = files()
    if not paths:
        print("no .osim files: opensim-parity.md stays as it is")
        return
    rows = [row(path) for path in paths]
    good = [r for r in rows if r]
    version = opensim.GetVersion().split("-")[0]
    counts = {"count": len(rows), "opened": len(good), "refused": len(rows) - len(good)}
    part = OUT.with_suffix(".part")  # whole at any time: the documentation may be built meanwhile
    part.write_text(PAGE.format(version=version, states=STATES, rows="\n".join(good), **counts))
    part.replace(OUT)
    print(f"{OUT}: {len(good)} models")


if __name__ == "__main__":
    main()
