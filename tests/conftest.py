"""What all tests share: the environment of this process and of those that it starts."""

import gc
import os
import signal
from contextlib import contextmanager

# Two workers on two cores: threads of BLAS would only wait for each other. Set before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Commands that tests start load what was compiled before, on machines that write no bytecode too.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Commands that tests start say by CONDYLE_COMPILE whether they compile; `plain`, said the other way, would overrule it.
if os.environ.get("CONDYLE_KERNELS") == "plain":
    del os.environ["CONDYLE_KERNELS"]
    os.environ["CONDYLE_COMPILE"] = "0"

import pytest
from hypothesis import HealthCheck, settings

# Random cases are the same on every machine, and a slow machine is no failure.
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


def pytest_addoption(parser):
    parser.addoption(
        "--plain-seconds", type=float, default=5.0, help="skip a test that takes longer as plain Python (CPU seconds)"
    )


@contextmanager
def limited_as_plain_python(config):
    """Skip what takes too long where kernels are plain Python: the compiled run has it."""
    from condyle.numeric import COMPILED

    if COMPILED:
        yield
        return
    seconds = config.getoption("--plain-seconds")

    def late(*_):
        pytest.skip(f"needs more than {seconds:g} s as plain Python")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    with limited_as_plain_python(item.config):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    with limited_as_plain_python(item.config):
        return (yield)


def pytest_configure():
    """What is made while tests are collected stays: the search for garbage would go through it again and again."""
    gc.disable()


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


@contextmanager
def held(path):
    """While no other process holds this file."""
    import fcntl

    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # let go by closing it, whatever happens
        yield


@pytest.fixture(scope="session", autouse=True)
def workers_share_what_they_compile(tmp_path_factory, request):
    """Workers side by side do not compile the same entry at once, and start no others to help: all cores are busy."""
    from condyle.numeric import COMPILED

    if not COMPILED or not hasattr(request.config, "workerinput") or os.name != "posix":
        yield
        return
    from condyle.numeric import jit
    from condyle.numeric.cache import parallel_compilation

    compiled, folder = jit.compiled, tmp_path_factory.getbasetemp().parent

    def one_at_a_time(dispatcher, *others):
        with held(folder / f"{jit.entry_name(dispatcher)[-120:]}.lock"):
            return compiled(dispatcher, *others)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit, "compiled", one_at_a_time)
        patch.setattr(parallel_compilation, "_may_start", lambda: False)
        yield
