"""Films whose pictures are kept in a folder."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, BadValue
from condyle.view.files import still_pictures


def swing(start=0.5):
    bob = cd.Inertia.point(2.0, (0, 0, -1))
    model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    return cd.simulate(model, [start], duration=0.5, record=0.05)


class Painter:
    """Draws noise that depends on the record; counts, and is cut off where it is told to."""

    drawn, most = 0, 1000

    def __init__(self, *given):
        pass

    def picture(self, k):
        if Painter.drawn == Painter.most:
            raise KeyboardInterrupt
        Painter.drawn += 1
        return np.random.default_rng(k).integers(0, 255, (40, 48, 3), dtype=np.uint8)


@pytest.fixture(autouse=True)
def painter(monkeypatch):
    Painter.drawn, Painter.most = 0, 1000
    monkeypatch.setattr(still_pictures, "Renderer", Painter)


def test_a_film_that_is_cut_off_draws_the_rest_only(tmp_path):
    """Oracle: the film of an undisturbed export, byte by byte; each picture is drawn once."""
    run, folder = swing(), tmp_path / "pictures"
    whole, total = cd.view.export(run, tmp_path / "whole.gif").read_bytes(), Painter.drawn
    for most in (total + 1, total + 4):
        Painter.most = most
        with pytest.raises(KeyboardInterrupt):
            cd.view.export(run, tmp_path / "film.gif", record_to=folder, resume=True)
        assert not (tmp_path / "film.gif").exists()
    Painter.most = 1000
    again = cd.view.export(run, tmp_path / "film.gif", record_to=folder, resume=True)
    assert again.read_bytes() == whole and Painter.drawn == 2 * total
    assert len(list(folder.glob("picture-*.png"))) == total


def test_another_film_is_refused(tmp_path):
    """Oracle: what differs is named: the motion, or how it is seen; a motion of which only the overlays differ too."""
    folder, line = tmp_path / "pictures", cd.view.Line(None, [[0, 0, 0], [0, 0, 1]])
    cd.view.export(swing(), tmp_path / "a.gif", record_to=folder)
    for words, run, how in (("motion", swing(0.6), {}), ("view", swing(), {"labels": True}),
                            ("motion", swing(), {"drawn": [line]})):  # fmt: skip
        with pytest.raises(BadFile, match=f"another {words}"):
            cd.view.export(run, tmp_path / "b.gif", record_to=folder, resume=True, **how)
    with pytest.raises(BadFile, match="resume=True"):
        cd.view.export(swing(), tmp_path / "b.gif", record_to=folder)


def test_a_damaged_picture_is_named(tmp_path):
    """Oracle: its name."""
    cd.view.export(swing(), tmp_path / "a.gif", record_to=tmp_path / "pictures")
    (tmp_path / "pictures" / "picture-000003.png").write_bytes(b"nothing")
    with pytest.raises(BadFile, match=r"picture-000003\.png"):
        cd.view.export(swing(), tmp_path / "a.gif", record_to=tmp_path / "pictures", resume=True)


def test_only_films_have_pictures(tmp_path):
    """Oracle: the option's name."""
    with pytest.raises(BadValue, match="films"):
        cd.view.export(swing(), tmp_path / "a.png", record_to=tmp_path / "pictures")
    with pytest.raises(BadValue, match="record_to"):
        cd.view.export(swing(), tmp_path / "a.gif", resume=True)
