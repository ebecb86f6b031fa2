"""`view`: open the live viewer."""

from __future__ import annotations

from ..errors import NotSupported
from ..io.arm_file import is_arm

__all__ = ["view"]


def view(thing, *, port: int = 8080, block: bool = True, open_browser: bool = False, folder=None, drawn=None):
    """Show a model, a skeleton, a motion or an arm in the browser at http://127.0.0.1:port.

    Only this machine can reach it.
    `drawn` are lines, sheets and frames to show beside the bodies (default: the paths of the joints).
    With `block` it runs until interrupted; else the viewer is returned and runs beside your program.
    """
    try:
        import viser  # noqa: F401
    except ImportError:
        raise NotSupported("the viewer needs viser: pip install 'condyle[view]'") from None
    viewer = _viewer(thing, port, folder, drawn)
    if open_browser:
        import webbrowser

        webbrowser.open(viewer.address)
    if block:
        viewer.run()
    else:
        viewer.start()
    return viewer


def _viewer(thing, port: int, folder, drawn):
    """The viewer that knows such a thing."""
    if is_arm(thing):
        from .arm_viewer import ArmViewer

        return ArmViewer(thing, port=port)
    from .skeletons import drawable
    from .viewer import Viewer

    thing, drawn = drawable(thing, drawn)
    return Viewer(thing, port=port, folder=folder, drawn=drawn)
