"""Which requests a live viewer answers: those of its own page, opened by someone who knows its token."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from typing import Any

HOST = "127.0.0.1"


@dataclass(frozen=True)
class Access:
    """The rules for one server: its port, and the token that the path of every request must begin with."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Accepted values of the header Host. Any other name may have been pointed at this machine by a stranger."""
        return tuple(f"{name}:{self.port}" for name in (HOST, "localhost"))

    @property
    def origins(self) -> tuple[str, ...]:
        """Accepted values of the header Origin."""
        return tuple(f"http://{host}" for host in self.hosts)

    @property
    def address(self) -> str:
        """Where the page is; the page opens its WebSocket at the same path."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    @property
    def headers(self) -> dict[str, str]:
        """Headers of every answer: the page loads nothing, connects to nothing else and is shown in no frame."""
        sockets = " ".join(f"ws://{host}" for host in self.hosts)
        policy = (
            "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob: data:; "
            f"style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src data: blob: {sockets}; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        return {
            "Content-Security-Policy": policy,
            "X-Frame-Options": "DENY",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cache-Control": "no-store",
        }

    def refusal(self, path: str, headers: Any) -> str | None:
        """Why a request is refused, or None.

        Parameters
        ----------
        path : str
            The path of the request, with its query.
        headers : websockets.datastructures.Headers
            Anything with `get_all(name)`.
        """
        host, origin = headers.get_all("Host"), headers.get_all("Origin")
        if len(host) != 1 or host[0] not in self.hosts:
            return f"This viewer answers at {self.hosts[0]} only."
        if (origin or headers.get_all("Upgrade")) and (len(origin) != 1 or origin[0] not in self.origins):
            return "This viewer answers to its own page only."
        if self._inner(path) is None:
            return "Open the whole address of the viewer, as it was printed, with its token."
        return None

    def inner_path(self, path: str) -> str:
        """The path of an accepted request after the token."""
        return self._inner(path) or "/"

    def _inner(self, path: str) -> str | None:
        first, _, rest = path.partition("?")[0].lstrip("/").partition("/")
        known = hmac.compare_digest(first.encode(errors="surrogateescape"), self.token.encode())
        return f"/{rest}" if known else None
