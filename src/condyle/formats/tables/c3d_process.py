"""`python -m condyle.formats.tables.c3d_process FILE OUT`: markers, channels and plates of a C3D file as .npz."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np

MEMORY = 2**30  # [bytes] that a small file may take to read
MEMORY_PER_BYTE = 60
SECONDS, SECONDS_PER_BYTE = 10.0, 1e-6  # of processor time


def main(path: str, out: str) -> None:
    """Read with ezc3d, write with numpy."""
    import ezc3d

    limit_resources(os.path.getsize(path))
    content = ezc3d.c3d(path)
    about = content["parameters"].get("POINT", {})
    arrays: dict[str, Any] = {
        "points": content["data"]["points"],
        "labels": np.array(said(about, "LABELS"), dtype=str),
        "unit": np.array((said(about, "UNITS") or ["mm"])[0]),
        "rate": np.array((said(about, "RATE") or [0.0])[0], dtype=float),
    }
    plates = plates_of(content["parameters"].get("FORCE_PLATFORM", {}))
    np.savez(out, **arrays, **channels_of(content), **plates)


def said(group, name: str) -> list:
    """The values of a parameter; none where it is not there."""
    return list(group.get(name, {}).get("value", []))


def channels_of(content) -> dict[str, Any]:
    """Analogue channels (channels, samples), scaled, with their rate and units."""
    about = content["parameters"].get("ANALOG", {})
    values = np.asarray(content["data"]["analogs"], dtype=float)
    rate = np.asarray(said(about, "RATE"), dtype=float).ravel()
    names = {f"analog_{name.lower()}": np.array(said(about, name), dtype=str) for name in ("UNITS", "LABELS")}
    return {"analog": values.reshape(values.shape[-2:]), "analog_rate": rate, **names}


PLATES = ("USED", "TYPE", "CORNERS", "ORIGIN", "CHANNEL", "CAL_MATRIX")


def plates_of(group) -> dict[str, Any]:
    """What the parameters say of force plates; what they do not say is left out."""
    return {f"plate_{name}": np.asarray(group[name]["value"], dtype=float) for name in PLATES if name in group}


def limit_resources(size: int) -> None:
    """Bound the memory and the processor time of this process, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    memory, seconds = MEMORY + MEMORY_PER_BYTE * size, int(SECONDS + SECONDS_PER_BYTE * size)
    for what, bound in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds)):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (bound if hard == resource.RLIM_INFINITY else min(bound, hard), hard))


if __name__ == "__main__":
    main(*sys.argv[1:])
