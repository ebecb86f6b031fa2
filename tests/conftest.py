"""What all tests share: the environment of this process and of those that it starts."""

import os

# Two workers on two cores: threads of BLAS would only wait for each other. Set before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Commands that tests start load what was compiled before, on machines that write no bytecode too.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Commands that tests start say by CONDYLE_COMPILE whether they compile; `plain`, said the other way, would overrule it.
if os.environ.get("CONDYLE_KERNELS") == "plain":
    del os.environ["CONDYLE_KERNELS"]
    os.environ["CONDYLE_COMPILE"] = "0"

from hypothesis import HealthCheck, settings

# Random cases are the same on every machine, and a slow machine is no failure.
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
