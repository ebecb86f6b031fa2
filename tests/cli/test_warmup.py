"""`condyle warmup`: each group of calls works, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def warmed(*arguments: str) -> subprocess.CompletedProcess:
    """The command, with plain kernels: nothing waits for a compiler."""
    env = {**os.environ, "CONDYLE_KERNELS": "plain"}
    command = [sys.executable, "-m", "condyle", "warmup", *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True)


@pytest.mark.slow
def test_groups_are_run_and_named():
    """Oracle: its own list of what is ready."""
    groups = ["forward dynamics", "inverse dynamics", "kinematics", "mass matrix and energy", "closed loops", "joints"]
    done = warmed(*groups, "--processes", "2")
    assert done.returncode == 0, done.stderr
    assert all(name in done.stdout for name in groups)


@pytest.mark.slow
def test_the_longer_groups_are_run():
    """Oracle: its own list of what is ready."""
    groups = ["derivatives", "skeletons", "held models", "couplers", "members", "muscles", "reach"]
    done = warmed(*groups)
    assert done.returncode == 0, done.stderr
    assert all(name in done.stdout for name in groups)


def test_an_unknown_group_is_refused_with_the_list():
    done = warmed("cooking")
    assert done.returncode == 2 and "cooking" in done.stderr and "forward dynamics" in done.stderr


@pytest.mark.slow
def test_typical_uses_compile_nothing_after_it():
    """Oracle: the entries themselves, counted where they look for code of types that no group has asked for."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("typical_calls.py"))], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["missing:"]
