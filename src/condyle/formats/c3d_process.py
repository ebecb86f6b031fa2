"""`python -m condyle.formats.c3d_process FILE OUT`: markers of a C3D file as arrays in an .npz file."""

from __future__ import annotations

import sys

import numpy as np


def main(path: str, out: str) -> None:
    """Read with ezc3d, write with numpy."""
    import ezc3d

    content = ezc3d.c3d(path)
    about = content["parameters"]["POINT"]
    np.savez(
        out,
        points=content["data"]["points"],
        labels=np.array(about["LABELS"]["value"], dtype=str),
        unit=np.array((about["UNITS"]["value"] or ["mm"])[0]),
        rate=np.array(about["RATE"]["value"][0], dtype=float),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
