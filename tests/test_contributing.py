"""The worked examples of CONTRIBUTING.md do what they say."""

import re
import sys
import zlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import twins.kinds
from condyle.numeric import LANES

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), flags=re.DOTALL)


@pytest.fixture
def example():
    """The names that the example defines: its file run as part of condyle.joints.kinds, then its tests."""
    names = {"__name__": "condyle.joints.kinds.rolling", "__package__": "condyle.joints.kinds"}
    names |= {"d": twins.kinds.d, "pair": twins.kinds.pair}
    for block in BLOCKS[:3]:
        exec(compile(block, "CONTRIBUTING.md", "exec"), names)
    return names


def test_the_worked_example_passes_its_own_tests(example):
    """Oracle: the example's tests, which name theirs."""
    tests = [f for name, f in example.items() if name.startswith("test_")]
    assert len(BLOCKS) == 4 and len(tests) == 2
    for test in tests:
        test()


def test_the_worked_entry_is_the_joint_and_its_definition(example):
    """Oracle: the definition of the entry, by scipy's expm."""
    rng = np.random.default_rng(0)
    pair = example["rolling_wheel"](rng)
    q = pair.sample(rng)
    expected = pair.oracle.path(q, np.zeros(1), 0)
    assert np.abs(pair.joint.pose(q) - expected).max() < 1e-14


def test_the_worked_example_refuses_bad_input(example):
    """Oracle: the words."""
    with pytest.raises(ValueError, match=r"rolling: the radius must be positive; got radius = -1\.0"):
        example["rolling"](-1)


@pytest.mark.parametrize("z", [0.0, LANES])
def test_the_worked_kernel_scales(z, monkeypatch):
    """Oracle: numpy's product. (The module's name keeps a changed example out of the compiler's cache.)"""
    module = ModuleType(f"worked_{zlib.crc32(BLOCKS[3].encode())}")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # where the compiler's cache looks for its classes
    exec(compile(BLOCKS[3], "CONTRIBUTING.md", "exec"), vars(module))
    X, gains = np.arange(33.0).reshape(11, 3), np.array([7.0, 2.0, 3.0, 4.0])
    out = np.empty_like(X)
    module.scaled_states(z, (np.array([3, 1]), gains), X, out, 0, 11)
    assert np.array_equal(out, X * gains[1:])
