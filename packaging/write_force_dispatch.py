"""Write `src/condyle/forces/kernels/dispatch.py` from the registry of laws: what chooses a law by its code.

A written file, and not closures made when the package is imported, so that the cache, the wheel, plain Python and
readers see every branch. `python packaging/write_force_dispatch.py` renews it; a test compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.forces.kernels.declaration import COORDINATE, GAP, LINE, TURNS, Law
from condyle.forces.registry import CODES, laws_on

FILE = Path(__file__).parent.parent / "src" / "condyle" / "forces" / "kernels" / "dispatch.py"
HEAD = '''"""The law of an element by its code: force, energy and slopes of every reading. Written by a script.

`python packaging/write_force_dispatch.py` renews this file from the laws in `laws/` and the registry.
"""

from typing import Any, NamedTuple

from ...numeric import inlined{slopes}
'''
ARGUMENTS = {
    COORDINATE: ("x", "rate"),
    LINE: ("length", "rate"),
    TURNS: ("turns", "shifts", "turn_rates", "shift_rates"),
    GAP: ("radius", "depth", "rate", "slip"),
}
STORING = {COORDINATE: 1, LINE: 1, TURNS: 2, GAP: 2}  # how many of these the energy takes
WORDS = {
    COORDINATE: "a law on a coordinate",
    LINE: "a law between two points",
    TURNS: "a law between two frames",
    GAP: "a law between two surfaces",
}


def class_name(law: Law) -> str:
    """The class of a law's constants."""
    return "".join(part.capitalize() for part in law.name.split("_"))


def module_name(law: Law) -> str:
    """The file of a law."""
    return law.force.__module__.rsplit(".", 1)[1]


def imports(law: Law) -> str:
    """What the dispatcher calls of a law."""
    names = [x for x in ("energy", "force", "slopes") if getattr(law, x) is not None]
    names = [x for x in names if x != "slopes" or law.reading in (COORDINATE, LINE)]
    return "\n".join(f"from .laws.{module_name(law)} import {x} as {law.name}_{x}" for x in names)


def constants_class(law: Law) -> str:
    """The constants of a law by name, in the order in which they are packed."""
    fields = "".join(f"    {name}: Any\n" for name in law.constants)
    return f'class {class_name(law)}(NamedTuple):\n    """Constants of the law {law.name!r}."""\n\n{fields}\n\n'


def reader(law: Law) -> str:
    """The kernel that reads a law's constants."""
    places = [f"n[at + {k}]" if k else "n[at]" for k in range(len(law.constants))]
    made = f"    return {class_name(law)}({', '.join(places)})\n"
    if len(made) > 121:
        made = f"    return {class_name(law)}(\n" + "".join(f"        {x},\n" for x in places) + "    )\n"
    return f'@inlined\ndef {law.name}_constants(n, at):\n    """The constants of the law {law.name!r}."""\n{made}\n\n'


def chosen(reading: str, what: str, doc: str, arguments: tuple[str, ...], branch) -> str:
    """A kernel that chooses by the code of a law; the last law is the one that is left."""
    listed = ", ".join(arguments)
    out = f'@inlined\ndef {reading}_{what}(z, law, n, at, {listed}):\n    """{doc}"""\n'
    laws = list(laws_on(reading))
    for law in laws[:-1]:
        lines = branch(law, listed)
        out += f"    if law == {CODES[law.name]}:  # {law.name}\n" + "".join(f"        {x}\n" for x in lines)
    return out + "".join(f"    {x}\n" for x in branch(laws[-1], listed)) + "\n\n"


def force_branch(law: Law, listed: str) -> list[str]:
    """The force of one law."""
    return [f"return {law.name}_force(z, {law.name}_constants(n, at), {listed})"]


def energy_branch(law: Law, listed: str) -> list[str]:
    """The energy of one law; zero where it has none."""
    return [f"return {law.name}_energy(z, {law.name}_constants(n, at), {listed})" if law.energy else "return z"]


def slopes_branch(law: Law, listed: str) -> list[str]:
    """The slopes of one law, those that are written or those of its force."""
    x = listed.split(", ")[0]
    if law.slopes:
        return [f"return {law.name}_slopes(z, {law.name}_constants(n, at), {listed})"]
    call = f"{law.name}_force(with_slope(z, z), c, "
    return [
        f"c, one = {law.name}_constants(n, at), z + 1.0",
        f"by_x = {call}with_slope({x}, one), with_slope(rate, z))",
        f"by_rate = {call}with_slope({x}, z), with_slope(rate, one))",
        "return slope_part(by_x), slope_part(by_rate)",
    ]


def text() -> str:
    """The whole file."""
    laws = [law for reading in ARGUMENTS for law in laws_on(reading)]
    own = all(law.slopes for reading in (COORDINATE, LINE) for law in laws_on(reading))
    out = HEAD.format(slopes="" if own else ", slope_part, with_slope")
    out += "\n".join(imports(law) for law in sorted(laws, key=module_name)) + "\n\n\n"
    out += "".join(constants_class(law) for law in laws) + "".join(reader(law) for law in laws)
    for reading, arguments in ARGUMENTS.items():
        out += chosen(reading, "force", f"The force of {WORDS[reading]}.", arguments, force_branch)
        storing = arguments[: STORING[reading]]
        out += chosen(reading, "energy", f"What {WORDS[reading]} stores.", storing, energy_branch)
        if reading in (COORDINATE, LINE):
            out += chosen(reading, "slopes", f"Slopes of the force of {WORDS[reading]}.", arguments, slopes_branch)
    return out.rstrip() + "\n"


if __name__ == "__main__":
    FILE.write_text(text())
    sys.exit(0)
