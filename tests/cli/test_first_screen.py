"""What a person waits for before the first screen: a start imports what that screen needs, and the rest later."""

from __future__ import annotations

import subprocess
import sys


def test_the_first_screen_does_not_wait_for_what_is_only_needed_at_a_table() -> None:
    """Each of these takes more than a tenth of the time that a person waits."""
    imported = "import sys, p2pdurak.cli.main, p2pdurak.cli.starting; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", imported], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert {"trio", "prompt_toolkit.application"} <= modules
    assert not modules & {
        "rbcl",
        "zeroconf",
        "importlib.metadata",
        "p2pdurak.session.session",
        "p2pdurak.cli.sitting",
        "p2pdurak.wire.messages",
    }
