"""The public interface is the one that is stored: whoever changes it says so, and a review sees the difference."""

import condyle as cd
from public_api import COMMAND, STORED, api_lines


def test_the_public_interface_is_the_stored_one():
    """Oracle: public_api.txt, which people read; the message has the names and the command that renews it."""
    stored, found = set(STORED.read_text().splitlines()), set(api_lines())
    gone, new = sorted(stored - found), sorted(found - stored)
    assert not gone and not new, f"gone: {gone}; new: {new}; if this is meant: {COMMAND}"


def test_a_name_that_goes_is_seen(monkeypatch):
    """Oracle: one function taken from `__all__`; nothing else is missing."""
    before = set(api_lines())
    monkeypatch.setattr(cd.ik, "__all__", [name for name in cd.ik.__all__ if name != "solve"])
    (missing,) = before - set(api_lines())
    assert missing.startswith("condyle.ik.solve(model, ")
