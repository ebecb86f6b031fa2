"""Pictures and films without a screen."""

import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from test_player import swing  # noqa: F401

import condyle as cd
from condyle.errors import BadValue, NotSupported, UnknownName
from condyle.view import export

SCRIPT = """
import condyle as cd
from condyle.gallery import leg
from condyle.view import export
run = cd.simulate(leg(), (0.9, -1.4, 0.0), duration=0.1, record=0.05)
for end in {ends}:
    print(export(run, "a" + end).stat().st_size)
"""


@pytest.mark.slow
def test_pictures_are_made_without_a_display(tmp_path):
    """Oracle: a process of its own without DISPLAY writes them and says nothing on its error stream."""
    ends = [".html", ".glb", ".png", ".gif"] + ([".mp4"] if encoder_is_there() else [])
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    args = [sys.executable, "-c", SCRIPT.format(ends=ends)]
    ran = subprocess.run(args, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=240)
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.split()) == len(ends) and all(int(x) > 1000 for x in ran.stdout.split())
    assert "X server" not in ran.stderr


def encoder_is_there():
    try:
        import imageio_ffmpeg  # noqa: F401
    except ImportError:
        return False
    return True


@pytest.mark.skipif(not encoder_is_there(), reason="the extra film is not installed: no film was made")
@pytest.mark.slow
def test_a_film_has_its_pictures_and_they_differ(swing, tmp_path):  # noqa: F811
    """Oracle: ffmpeg decodes it again."""
    import imageio_ffmpeg

    short = cd.Trajectory(swing.model, swing.t[:13], swing.q[:13], swing.v[:13])
    path = export(short, tmp_path / "a.mp4")
    reader = imageio_ffmpeg.read_frames(str(path))
    width, height = next(reader)["size"]
    frames = [np.frombuffer(f, np.uint8).reshape(height, width, 3).astype(int) for f in reader]
    assert len(frames) == 7
    assert all(np.abs(a - b).max() > 50 for a, b in pairwise(frames))


def test_a_picture_shows_bodies_lines_and_sheets(swing, tmp_path):  # noqa: F811
    """Oracle: colours of what was drawn are among the pixels."""
    from PIL import Image

    from condyle.view import Line, Sheet

    line = Line(None, [(-1, 0, 0), (1, 0, 0)], color=(1, 0, 1))
    grid = np.stack(np.meshgrid([-1.0, 1.0], [-0.2, 0.2], [0.0], indexing="ij"), axis=-1)[:, :, 0]
    path = export(swing, tmp_path / "a.png", drawn=[line, Sheet(None, grid - (0, 1, 0), (0, 1, 1), 1.0)])
    r, g, b = np.moveaxis(np.asarray(Image.open(path).convert("RGB")).astype(int), -1, 0)
    assert ((r > g + 60) & (b > g + 60)).sum() > 50
    assert ((g > r + 60) & (b > r + 60)).sum() > 500


def test_what_is_missing_is_said_in_words(swing, tmp_path, monkeypatch):  # noqa: F811
    """Oracle: the words, where no encoder is installed, and for a camera or a body that cannot be."""
    from condyle.view.files import film

    monkeypatch.setattr(film, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotSupported, match="imageio-ffmpeg"):
        export(swing, tmp_path / "a.mp4")
    with pytest.raises(BadValue, match="a camera is two angles"):
        export(swing, tmp_path / "a.png", camera=(1, 2, 3))
    with pytest.raises(UnknownName, match=r"'fot'.*'foot'"):
        export(swing, tmp_path / "a.png", follow="fot")


SCRIPTED = """#!/bin/sh
case "$*" in *-encoders*) echo " V..... {codec}   a codec"; exit 0;; esac
echo "$@" > {seen}
{act}
"""


def scripted(folder, codec, act):
    """A stand-in for ffmpeg that knows one codec; the file of what it was called with."""
    seen, program = folder / "seen", folder / "ffmpeg"
    program.write_text(SCRIPTED.format(codec=codec, seen=seen, act=act))
    program.chmod(0o755)
    return seen


def pictures(count=3):
    return iter(np.zeros((count, 4, 6, 3), dtype=np.uint8))


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
@pytest.mark.parametrize("codec", ["libx264", "libopenh264", "mpeg4"])
def test_an_installed_ffmpeg_is_used_with_a_codec_that_it_knows(tmp_path, monkeypatch, codec):
    """Oracle: a stand-in first in the path, which writes how many bytes it was sent into the file it was asked for."""
    from condyle.view.files import film

    seen = scripted(tmp_path, codec, 'for last in "$@"; do :; done; wc -c > "$last"')
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert film._program() == str(tmp_path / "ffmpeg")
    assert int(film.encoded(pictures(), 30, film._program())) == 3 * 4 * 6 * 3
    assert f"-c:v {codec} " in seen.read_text() and "-s 6x4 " in seen.read_text()


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
def test_an_ffmpeg_that_fails_is_quoted(tmp_path):
    """Oracle: the words of a stand-in; one without any codec that is known here."""
    from condyle.view.files import film

    scripted(tmp_path, "mpeg4", "echo no space left >&2; exit 1")
    with pytest.raises(NotSupported, match="no space left"):
        film.encoded(pictures(2000), 30, str(tmp_path / "ffmpeg"))
    scripted(tmp_path, "gif", "exit 0")
    with pytest.raises(NotSupported, match="libx264, libopenh264, mpeg4"):
        film.encoded(pictures(), 30, str(tmp_path / "ffmpeg"))


@pytest.mark.slow
def test_what_moved_away_from_its_start_is_in_the_picture(tmp_path):
    """Oracle: the colours of all eight letters, the last of which swung far from where the camera was set up."""
    from PIL import Image

    from condyle.gallery.scene import PALETTE
    from condyle.gallery.scenes.letters import letters

    scene = letters(1)
    run = scene.run(1.2, step=1e-3, record=0.2)
    path = export(run, tmp_path / "letters.png", drawn=scene.drawn)
    pixels = np.asarray(Image.open(path).convert("RGB"), dtype=float).reshape(-1, 3)
    hues = pixels / np.linalg.norm(pixels, axis=1, keepdims=True)
    for color in PALETTE:
        assert (hues @ (color / np.linalg.norm(color)) > 0.98).sum() > 50
