"""The schema in the documentation is the one that files are checked by."""

import json
from pathlib import Path

import pytest

from condyle.io import json_schema


@pytest.mark.parametrize("kind", ["model", "joint", "arm"])
def test_the_published_schema_is_current(kind):
    """Oracle: the schema in use. After a change: `condyle schema KIND > docs/schema-KIND.json`."""
    published = Path(__file__).parents[2] / "docs" / f"schema-{kind}.json"
    assert json.loads(published.read_text()) == json_schema(kind)
