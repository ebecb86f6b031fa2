"""One module for each row of the table; each has `measure()`, which yields `Row`s."""

from importlib import import_module

__all__ = ["ALL", "measure"]

ALL = {
    "a": "forward_batched",
    "b": "forward_single",
    "c": "inverse_batched",
    "d": "simulation",
    "e": "long_chain",
    "f": "spline_chain",
    "g": "scratch",
    "h": "start_up",
    "i": "inverse_kinematics",
    "k": "derivatives",
    "l": "constrained",
    "m": "mechanisms",
    "n": "ensembles",
    "o": "opensim_models",
    "p": "python_calls",
    "q": "small_batches",
    "s": "skeleton",
    "t": "trial",
    "u": "muscles",
    "w": "reach",
}


def measure(key):
    """The rows of one module."""
    return import_module(f".{ALL[key]}", __name__).measure()
