"""What every live viewer is: a page on this machine, a loop that ticks, an end."""

from __future__ import annotations

import threading
import time
from typing import Any

from .origins import HOST, local_server

__all__ = ["Served"]

RATE = 60.0  # ticks a second


class Served:
    """A server at `address`; one who changes what is shown holds its `lock`. Close it with `stop()`."""

    def __init__(self, port: int) -> None:
        self.server: Any = local_server(port)
        self.address = f"http://{HOST}:{port}"
        self.lock, self._ended = threading.RLock(), threading.Event()
        self._thread: threading.Thread | None = None
        # sharing goes through others' servers
        self.server.gui.configure_theme(show_share_button=False, show_logo=False)

    def tick(self, seconds: float) -> None:
        """Advance what runs by itself."""

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
            self.tick(now - before)
            before = now

    def stop(self) -> None:
        """End the server; a second time does nothing."""
        if self._ended.is_set():
            return
        self._ended.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=5.0)
        self.server.stop()
