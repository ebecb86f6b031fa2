"""The page about the fitted knee, drawn by another process while this one draws pictures.

To draw charts is Python's own work, which does one thing at a time. Nothing depends on that process: a page that it
does not hand over is drawn here. Nothing is loaded here, so that it can begin first of all.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from subprocess import DEVNULL, PIPE

LONGEST = 60.0  # seconds that the other process is waited for
DRAW = """
import os, sys
from condyle.gallery.bones.fitted_knee import knee_report
sys.stdout.buffer.write(knee_report().encode())
sys.stdout.buffer.flush()
os._exit(0)  # to take apart what was loaded would last a while, and somebody waits
"""

_begun: list[subprocess.Popen] = []


@cache
def begin_page() -> None:
    """Begin a process that draws the page, once, if this program is Python; it does not outlive this one."""
    if Path(sys.executable or "").name.startswith("python"):
        command, environment = [sys.executable, "-c", DRAW], {**os.environ, "CONDYLE_THREADS": "1"}
        with suppress(OSError):
            _begun.append(subprocess.Popen(command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, env=environment))
            atexit.register(_end)


def page_apart() -> str:
    """The page of the process that was begun; nothing if there is none, or if it failed or hangs."""
    if not _begun:
        return ""
    process = _begun[-1]
    try:
        page = process.communicate(timeout=LONGEST)[0]
    except subprocess.TimeoutExpired:
        page = b""
    _end()
    return page.decode() if process.returncode == 0 else ""


def _end() -> None:
    """End the process if it still runs: nobody waits for its page."""
    while _begun:
        process = _begun.pop()
        process.kill()
        process.communicate()
