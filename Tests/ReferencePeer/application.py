"""The application that a peer belongs to. Its name is in the preface, in ALPN, in `hello` and in share links."""

from __future__ import annotations

import re
from dataclasses import dataclass

NAME = re.compile(r"(?=.{1,15}\Z)[a-z](-?[a-z0-9])*", re.ASCII)


@dataclass(frozen=True)
class Application:
    """An application by the name of its service type, without underscore and transport."""

    name: str
    default_port: int | None = None
    """The port that share links leave out; an application without one always writes the port."""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r:.40} is not the name of an application")

    @property
    def preface(self) -> bytes:
        """What each side sends first."""
        return self.name.upper().encode()[:7].ljust(7) + b"\n"

    @property
    def alpn(self) -> bytes:
        """What the two sides agree on in the TLS handshake."""
        return f"{self.name}/1".encode()

    @property
    def link_scheme(self) -> str:
        """How share links begin."""
        return f"{self.name.upper()}://"


# The only application of the project whose share links leave out a port.
HIKESHARE = Application("hikeshare", 64_453)
