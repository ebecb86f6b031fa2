"""What Windows lacks is hidden in a process, and the package works there all the same.

It shows that nothing needs what is POSIX alone. It does not show that condyle runs on Windows.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HIDE = """
import asyncio, concurrent.futures, ctypes, json, logging, multiprocessing.connection, multiprocessing.spawn, os
import random, shutil, signal, subprocess, sys, tempfile, threading, uuid, zipfile  # may use what is hidden below
import numba, numpy, scipy.optimize, scipy.spatial.transform, click.testing, pydantic, rich.progress

for name in ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "syslog", "readline"):
    sys.modules[name] = None
LACKING = ("getuid", "geteuid", "getgid", "getpgid", "fchown", "fchmod", "chown", "lchown", "fork", "forkpty", "killpg",
           "setsid", "mkfifo", "nice", "uname", "statvfs", "sched_getaffinity", "register_at_fork", "getloadavg",
           "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY", "O_CLOEXEC", "O_SYNC", "WNOHANG", "sysconf")
for name in LACKING:
    if hasattr(os, name):
        delattr(os, name)
for name in [x for x in dir(signal) if x.startswith("SIG") and x not in
             ("SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN", "Signals")]:
    delattr(signal, name)
"""
WORK = """
import condyle as cd

model = cd.gallery.leg()
cd.save(model, "leg.toml")
cd.save(model, "leg.toml")  # replaces a file
again = cd.load("leg.toml")
run = cd.simulate(again, (0.9, -1.4, 0.0), duration=0.02, record=0.01)
cd.save(run, "leg.npz")
recorded = cd.simulate(again, (0.9, -1.4, 0.0), duration=0.02, record=0.01, record_to="records")
numpy.testing.assert_allclose(recorded.q[-1], run.q[-1], rtol=0, atol=1e-12)
for path, begin in (("leg.html", b"<!doctype"), ("leg.png", bytes([137]) + b"PNG")):
    assert cd.view.export(run, path).read_bytes().startswith(begin)

from condyle.cli.main import condyle as command

runner = click.testing.CliRunner()
for arguments in (["info", "leg.toml"], ["simulate", "leg.toml", "--duration", "0.02", "--out", "out.npz"], ["--help"]):
    done = runner.invoke(command, arguments)
    assert done.exit_code == 0, (arguments, done.output, done.exception)
assert os.path.getsize("out.npz") > 100
assert not [name for name in os.listdir() if name.endswith(".part")], os.listdir()
"""
IMPORT_ALL = """
import importlib, pkgutil
import condyle

optional = ("condyle.interop", "condyle.view.live", "condyle.formats.tables.c3d_process")
found = pkgutil.walk_packages(condyle.__path__, "condyle.")
for name in [x.name for x in found if not x.name.startswith(optional) and "__main__" not in x.name]:
    importlib.import_module(name)
"""


def run(code, folder, **environment):
    """Run code in a process of its own."""
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=600,
                          env={**os.environ, **environment}, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]


def test_models_are_loaded_simulated_recorded_saved_and_shown(tmp_path):
    """Oracle: the process ends well; records of a folder are those of the memory."""
    run(HIDE + WORK, tmp_path)


def test_every_module_is_imported(tmp_path):
    """Oracle: no import error."""
    run(HIDE + IMPORT_ALL, tmp_path)


@pytest.mark.slow
def test_plain_python_does_the_same(tmp_path):
    """Oracle: the same, without a compiler."""
    run(HIDE + WORK, tmp_path, CONDYLE_KERNELS="plain")


def test_no_module_names_what_is_posix_alone_where_it_is_loaded():
    """Oracle: the text of the sources: such modules are imported within `try` only."""
    root = Path(__file__).parents[1] / "src" / "condyle"
    wrong = []
    for path in root.rglob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for above, line in zip(["", *lines], lines, strict=False):
            posix = line.strip() in {f"import {name}" for name in ("fcntl", "resource", "termios", "pwd", "grp", "pty")}
            wrong += [f"{path.name}: {line}"] if posix and above.strip() != "try:" else []
    assert wrong == []
