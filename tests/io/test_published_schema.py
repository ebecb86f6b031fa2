"""The schema in the documentation is the one that files are checked by."""

import json
from pathlib import Path

import pytest

from condyle.io import json_schema


@pytest.mark.parametrize("kind", ["model", "joint", "arm"])
def test_the_published_schema_is_current(kind):
    """Oracle: the schema in use."""
    published = Path(__file__).parents[2] / "docs" / f"schema-{kind}.json"
    current = json.loads(published.read_text()) == json_schema(kind)
    assert current, f"run `condyle schema {kind} > docs/schema-{kind}.json`"
