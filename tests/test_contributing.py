"""The worked example of CONTRIBUTING.md does what it says."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), flags=re.DOTALL)


@pytest.fixture
def example(monkeypatch):
    """The names that the example defines: its file run as part of condyle.joints, then its tests."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "tests" / "joints"), *sys.path])
    names = {"__name__": "condyle.joints.rolling", "__package__": "condyle.joints"}
    for block in BLOCKS:
        exec(compile(block, "CONTRIBUTING.md", "exec"), names)
    return names


def test_the_worked_example_passes_its_own_tests(example):
    """Oracle: the example's tests, which name theirs."""
    tests = [f for name, f in example.items() if name.startswith("test_")]
    assert len(BLOCKS) == 2 and len(tests) == 2
    for test in tests:
        test()


def test_the_worked_example_refuses_bad_input(example):
    """Oracle: the words."""
    with pytest.raises(ValueError, match=r"rolling: the radius must be positive; got radius = -1\.0"):
        example["rolling"](-1)
