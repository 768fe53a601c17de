"""All that these tests do stays on this machine."""

from __future__ import annotations

import pytest

from p2pdurak.net.addresses import LOOPBACK_VARIABLE


@pytest.fixture(autouse=True)
def _loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LOOPBACK_VARIABLE, "1")
