"""What the tests on networks are given; the reason why there is none is told before a test begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.namespaces.network import network

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.namespaces.network import Network


@pytest.fixture
def net() -> Iterator[Network]:
    """An empty network."""
    with network() as made:
        yield made


@pytest.fixture
def firewalls(net: Network) -> None:
    """Nothing, where machines can have firewalls."""
    net.host("trial").drop()
