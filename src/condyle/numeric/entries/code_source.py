"""Where machine code comes from: CONDYLE_KERNELS says `aot`, `jit` or `plain`.

`aot`, the default, takes it from a library that the installed package carries, if there is one for this processor, and
from the compiler for what it lacks; `jit` from the compiler alone; `plain` leaves all functions plain: same results,
for coverage and debugging. CONDYLE_COMPILE=0 and NUMBA_DISABLE_JIT=1 mean `plain` too.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

SOURCES = ("aot", "jit", "plain")


def _source() -> str:
    """Where machine code comes from; Numba is loaded only to ask for settings that a file of it may hold."""
    disabled = os.environ.get("NUMBA_DISABLE_JIT", "").strip()
    if os.environ.get("CONDYLE_COMPILE", "1") == "0" or (disabled.isdecimal() and int(disabled)):
        return "plain"
    if "numba" in sys.modules or Path(".numba_config.yaml").exists():
        from numba import config

        if getattr(config, "DISABLE_JIT", 0):
            return "plain"
    wanted = os.environ.get("CONDYLE_KERNELS", "").strip().lower() or "aot"
    if wanted not in SOURCES:
        from ...errors import BadValue, require

        require(False, f"CONDYLE_KERNELS must be one of {', '.join(SOURCES)}", BadValue, CONDYLE_KERNELS=wanted)
    return wanted


SOURCE = _source()
COMPILED = SOURCE != "plain"
