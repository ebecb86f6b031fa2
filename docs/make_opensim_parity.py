"""The page opensim-parity.md: `make peers` prints its table anew and fails if the page does not hold any more.

`python docs/make_opensim_parity.py --write` writes the page. Needs the opensim wheel and .osim files: in
shared/data/opensim beside or above the repository, and in the folders of CONDYLE_OSIM_FILES. CONDYLE_OSIM_STATES says
at how many random states (20).
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
FAR, ROUND_OFF = 100.0, 1e-12  # a difference so many times the page's, and above this, is not what the page says
THREE = 3  # rotations of one coordinate, whose accelerations OpenSim 4.6 has wrong
PAGE = """# Beside OpenSim, model by model

Written by `python docs/make_opensim_parity.py --write`; `make peers` computes it anew and fails where it does not hold.
condyle beside OpenSim {version} at {states} random states of each model, coordinates in their ranges, constraints and
forces other than gravity off. Largest differences: of poses [m, -] and velocities [m/s, rad/s]
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


def named(path: Path) -> str:
    """A model's name in the table."""
    return f"{path.parent.name}/{path.stem}"


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
    return f"| {named(path)} | {in_condyle(path).nq} | {numbers} | {last}{mark} |"


def figures(rows: list[str]) -> dict[str, list[float]]:
    """The numbers of rows by model; a dash is no number."""
    cells = [[cell.strip(" *") for cell in line.strip().strip("|").split("|")] for line in rows]
    return {name: [float(x) if x != "–" else float("nan") for x in numbers] for name, *numbers in cells}


def misfits(paths: list[Path], rows: list[str]) -> list[str]:
    """What the page says of these files and the rows do not."""
    page = figures([line for line in OUT.read_text().splitlines() if re.match(r"\| [^|]+/[^|]+ \|", line)])
    found, here = figures(rows), {named(path) for path in paths}
    lost = [f"{name} is on the page and could not be compared" for name in page if name in here - found.keys()]
    return lost + [f"{name}: {found[name]}, on the page {page[name]}" for name in found if worse(name, found, page)]


def worse(name: str, found: dict[str, list[float]], page: dict[str, list[float]]) -> bool:
    """Whether a number of a model is not there any more, or far above the page's."""
    pairs = zip(found[name], page.get(name, found[name]), strict=True)
    return any(y == y and not x <= max(FAR * y, ROUND_OFF) for x, y in pairs)


def write(rows: list[str], count: int, version: str) -> None:
    """Write the page, whole at any time: the documentation may be built meanwhile."""
    counts = {"count": count, "opened": len(rows), "refused": count - len(rows)}
    part = OUT.with_suffix(".part")
    part.write_text(PAGE.format(version=version, states=STATES, rows="\n".join(rows), **counts))
    part.replace(OUT)
    print(f"{OUT}: {len(rows)} models")


def main() -> int:
    """Compare with the page, or write it, if there is what it needs."""
    try:
        import opensim
    except ImportError:
        print("no opensim wheel: nothing to hold against opensim-parity.md")
        return 0
    paths = files()
    if not paths:
        print("no .osim files: nothing to hold against opensim-parity.md")
        return 0
    rows = [found for path in paths if (found := row(path))]
    print(*rows, sep="\n")
    if "--write" in sys.argv[1:]:
        write(rows, len(paths), opensim.GetVersion().split("-")[0])
        return 0
    wrong = misfits(paths, rows)
    print(*wrong or [f"opensim-parity.md holds: {len(rows)} models at {STATES} states"], sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
