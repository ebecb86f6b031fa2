"""Base class of the live viewers: loopback server, 60 Hz tick, shutdown."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from typing import Any

from .loopback_server import loopback_server, quiet

RATE = 60.0  # ticks a second


class LiveViewer:
    """A server at `address`; hold its `lock` while you change what is shown. Close it with `stop()`.

    Parameters
    ----------
    port : int
        The port of 127.0.0.1 to listen on; 0 chooses a free one.
    """

    def __init__(self, port: int) -> None:
        self.server: Any
        self.server, access = loopback_server(port)
        self.address = access.address
        self.lock, self._ended = threading.RLock(), threading.Event()
        self._thread: threading.Thread | None = None
        self.server.gui.configure_theme(control_width="small", show_share_button=False, show_logo=False)
        self.server.gui.main_panel.dock_right()  # beside the picture, not over it

    def __repr__(self) -> str:
        return f"{type(self).__name__}({'closed' if self._ended.is_set() else self.address})"

    def tick(self, seconds: float) -> None:
        """Advance what runs by itself."""

    def pause(self) -> None:
        """Stop what runs by itself."""

    def start(self) -> None:
        """Run beside the program."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._loop, daemon=True)
            self._thread.start()

    def run(self) -> None:
        """Run until interrupted or stopped."""
        self.start()
        try:
            self._ended.wait()
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()

    def _loop(self) -> None:
        before = time.perf_counter()
        while not self._ended.wait(1.0 / RATE):
            now = time.perf_counter()
            try:
                self.tick(now - before)
            except Exception:  # whatever it was: the page must stay usable, and the cause be seen
                traceback.print_exc(file=sys.stderr)
                self.pause()
            before = now

    def stop(self) -> None:
        """End the server; a second time does nothing."""
        if self._ended.is_set():
            return
        self._ended.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=5.0)
        with quiet():
            self.server.stop()
