"""Settings for all tests: the same examples each time, no time limits, and nothing leaves this machine."""

import fcntl
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from p2pdurak.net.addresses import LOOPBACK_VARIABLE

settings.register_profile("everyday", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("everyday")


@pytest.fixture(autouse=True)
def _alone(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run tests that look for tables on the loopback interface one at a time, in whatever process they run."""
    if request.node.get_closest_marker("xdist_group") is None:
        yield
        return
    with (Path(tempfile.gettempdir()) / "p2pdurak-discovery.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(autouse=True)
def _loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LOOPBACK_VARIABLE, "1")
