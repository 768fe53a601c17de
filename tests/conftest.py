"""Settings for all tests: the same examples each time, no time limits, work shared, and nothing leaves this machine."""

import pytest
from hypothesis import settings

from p2pdurak.net.addresses import LOOPBACK_VARIABLE
from tests.sharing import share_group_operations

settings.register_profile("everyday", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("everyday")

share_group_operations()


@pytest.fixture(autouse=True)
def _loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LOOPBACK_VARIABLE, "1")
