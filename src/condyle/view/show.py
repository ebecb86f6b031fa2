"""`view`: open the live viewer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import NotSupported
from ..io.arm_file import is_arm
from ..typing import PathLike

if TYPE_CHECKING:
    from ..formats.tables.marker_frames import Markers
    from ..model import Model
    from ..model.look.overlays import Drawn
    from ..simulation import Trajectory
    from ..skeleton import Skeleton
    from ..skeleton import Trajectory as SkeletonMotion
    from ..workspace import Arm
    from .live.arm_viewer import ArmViewer
    from .live.model_viewer import Viewer

WITHOUT_VISER = (
    "the live viewer needs viser: pip install 'condyle[view]'. `condyle export FILE FILE.html` (condyle.view.export) "
    "writes a player that needs nothing"
)


def view(
    thing: Model | Trajectory | Skeleton | SkeletonMotion | Arm,
    *,
    port: int = 8080,
    block: bool = True,
    open_browser: bool = False,
    folder: PathLike | None = None,
    drawn: Sequence[Drawn] | None = None,
    markers: Markers | None = None,
    allow_save: bool = False,
) -> Viewer | ArmViewer:
    """Show a model, a skeleton, a motion or an arm in the browser.

    The page is at `http://127.0.0.1:port/token/`. Only this machine can reach it, and only with the token, which is new
    every time.

    Parameters
    ----------
    thing : Model, Trajectory, Skeleton, its motion, or Arm
        What to show.
    port : int
        The port to listen on; 0 chooses a free one.
    block : bool
        Print the address and run until interrupted; else return at once and run beside your program.
    open_browser : bool
        Open the page in the default browser.
    folder : path, optional
        Where mesh files are looked for and edited models are saved (default: the working folder).
    drawn : sequence of Line, Sheet or Frames, optional
        What to show beside the bodies (default: the paths of the joints, the markers and the muscles).
    markers : Markers, optional
        Measured markers in the axes of the world, shown as crosses with lines to the model's markers of their names.
    allow_save : bool
        Let the page write an edited model to a new file in `folder`.

    Returns
    -------
    Viewer or ArmViewer
        Its `address` is that of the page; `stop()` closes it.

    Raises
    ------
    NotSupported
        If viser is not installed.
    BadValue
        If the port is in use, or `thing` cannot be shown.
    UnsafeViewer
        If the installed version of viser cannot be guarded.
    """
    try:
        import viser  # noqa: F401
    except ImportError:
        raise NotSupported(WITHOUT_VISER) from None
    viewer = _viewer(thing, port, folder, drawn, allow_save, markers)
    if open_browser:
        import webbrowser

        webbrowser.open(viewer.address)
    if block:
        print(f"open {viewer.address} (Ctrl-C ends)", flush=True)
        viewer.run()
    else:
        viewer.start()
    return viewer


def _viewer(thing, port: int, folder, drawn, allow_save: bool, markers: Markers | None = None) -> Viewer | ArmViewer:
    """The viewer for this kind of object."""
    if is_arm(thing):
        from .live.arm_viewer import ArmViewer

        return ArmViewer(thing, port=port)
    from .live.model_viewer import Viewer
    from .skeleton_meshes import drawable

    thing, drawn = drawable(thing, drawn)
    return Viewer(thing, port=port, folder=folder, drawn=drawn, allow_save=allow_save, markers=markers)
