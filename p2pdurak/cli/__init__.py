"""The commands: the only place where net, bots and ui meet."""

from __future__ import annotations

from p2pdurak.cli.main import main

__all__ = ["main"]
