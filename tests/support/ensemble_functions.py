"""Functions that ensembles run, in a module that other processes can import."""

from __future__ import annotations

import os
import signal

PLAIN = {"bad": None}  # a member that fails while this says so


def square(p):
    if PLAIN["bad"] == p["x"]:
        raise ValueError("bad for now")
    return p["x"] ** 2


def noisy(p, rng):
    return {"noise": rng.normal(), "x": p["x"]}


def sometimes(p):
    return p["x"] ** 2 / (p["x"] not in (7.0, 23.0))


def poisoned(p):
    if p["x"] == 11.0:
        os.kill(os.getpid(), signal.SIGKILL)
    return p["x"] ** 2 / (p["x"] != 7.0)
