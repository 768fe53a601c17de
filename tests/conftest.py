"""Settings for all tests: the same examples each time, no time limits, work shared, and nothing leaves this machine."""

import os

import pytest
from hypothesis import settings

from p2pdurak.net.addresses import LOOPBACK_VARIABLE
from p2pdurak.net.announcement import ROOM_VARIABLE
from tests.sharing import share_group_operations

settings.register_profile("everyday", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("everyday")

share_group_operations()
# Whoever joins any table there is, must find no other test's: each process of tests has a room for itself.
os.environ[ROOM_VARIABLE] = f"{os.getpid() % 10**6}"


@pytest.fixture(autouse=True)
def _loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LOOPBACK_VARIABLE, "1")
