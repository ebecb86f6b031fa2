"""Films: pictures piped to the program ffmpeg.

ffmpeg is a program of its own, under its own licence; condyle holds none of it. One that is installed on the machine is
taken first. The extra `film` brings another, of the package imageio-ffmpeg, which is built under the GPL.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import IO

import numpy as np

from ...errors import NotSupported
from ...progress import Report, counted, silent
from ..render_scene import Stage
from ..setting import Shot
from .kept_pictures import NOT_KEPT, Keeping
from .still_pictures import frames

SIZE, RATE = (1280, 720), 30  # pixels, pictures a second
CODECS = {  # the first that the program knows, with a quality at which no edge is seen to blur
    "libx264": ("-crf", "17"),
    "libopenh264": ("-b:v", "8M"),
    "mpeg4": ("-q:v", "3"),
}
WAY_OUT = (
    "install ffmpeg, or pip install 'condyle[film]' (imageio-ffmpeg, a build under the GPL); .gif and .html need "
    "nothing"
)


def mp4(stage: Stage, shot: Shot, report: Report = silent, keeping: Keeping = NOT_KEPT) -> bytes:
    """A film of `RATE` pictures a second."""
    program, moments = _program(), stage.moments(RATE)  # the program is known before any picture is drawn
    drawn = counted(frames(stage, moments, SIZE, shot, keeping), "drawing", len(moments), report)
    return encoded(drawn, RATE, program)


def _program() -> str:
    """The ffmpeg of the machine, else that of imageio-ffmpeg."""
    found = shutil.which("ffmpeg")
    if found is not None:
        return found
    if find_spec("imageio_ffmpeg") is None:
        raise NotSupported(f"an .mp4 needs the program ffmpeg: {WAY_OUT}")
    import imageio_ffmpeg

    return imageio_ffmpeg.get_ffmpeg_exe()


def encoded(pictures: Iterable[np.ndarray], rate: int, program: str) -> bytes:
    """Pictures (height, width, 3) of bytes as an MP4 file.

    Parameters
    ----------
    pictures : iterable of uint8 arrays
        All of one size.
    rate : int
        Pictures a second.
    program : str
        The path of ffmpeg.

    Raises
    ------
    NotSupported
        If ffmpeg knows no codec for it, or fails; with its words.
    """
    pictures = iter(pictures)
    first = next(pictures)
    with tempfile.TemporaryDirectory() as folder:
        path, log = Path(folder, "film.mp4"), Path(folder, "log")
        with log.open("wb") as words, _started(program, first.shape[1::-1], rate, path, words) as process:
            _send(process, chain([first], pictures))
        if process.returncode != 0:
            raise NotSupported(f"{program} failed: {log.read_text(errors='replace').strip()[-500:]}; {WAY_OUT}")
        return path.read_bytes()


def _started(program: str, size: tuple[int, ...], rate: int, path: Path, words: IO[bytes]) -> subprocess.Popen:
    """ffmpeg, which waits for pictures of a size (width, height)."""
    codec = _codec(program)
    come = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", str(rate), "-i", "-"]
    even = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"]  # codecs take pairs of pixels
    go = ["-c:v", codec, *CODECS[codec], "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path)]
    command = [program, "-nostdin", "-loglevel", "error", "-y", *come, *even, *go]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=words, stderr=words)


def _codec(program: str) -> str:
    listed = subprocess.run([program, "-hide_banner", "-encoders"], capture_output=True, text=True, check=False).stdout
    known = {line.split()[1] for line in listed.splitlines() if len(line.split()) > 1}
    for codec in CODECS:
        if codec in known:
            return codec
    raise NotSupported(f"{program} has none of the codecs {', '.join(CODECS)}: {WAY_OUT}")


def _send(process: subprocess.Popen, pictures: Iterable[np.ndarray]) -> None:
    """Pipe all pictures; an ffmpeg that has failed takes no more, and its exit code tells."""
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        for picture in pictures:
            process.stdin.write(np.ascontiguousarray(picture, dtype=np.uint8).tobytes())
    with suppress(BrokenPipeError):
        process.stdin.close()
