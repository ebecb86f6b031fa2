"""Every demonstration ends and leaves files that open."""

import pytest

from condyle import demos
from condyle.errors import UnknownName
from support.thinning import slow_but

MAX_PLAYER = 5_000_000  # bytes


@pytest.mark.parametrize("name", slow_but(("leg", "elliptic"), demos.DEMOS))
def test_it_leaves_a_player_small_enough_to_send(name, tmp_path):
    """Oracle: the files themselves."""
    outcome = demos.run(name, tmp_path / "new folder")
    assert outcome.summary
    assert all(path.stat().st_size > 100 for path in outcome.files)
    for page in (path for path in outcome.files if path.suffix == ".html"):
        assert page.stat().st_size < MAX_PLAYER


def test_a_wrong_name_is_told_with_the_nearest():
    """Words."""
    with pytest.raises(UnknownName, match="Did you mean 'beads'"):
        demos.run("bead", "nowhere")
