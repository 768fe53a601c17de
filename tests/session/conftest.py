"""Finished games that several tests look at; nobody changes them."""

from __future__ import annotations

import pytest

from tests.helpers import Table, eager, make_genesis


@pytest.fixture(scope="session")
def duel() -> Table:
    """A short finished game of two."""
    return Table(make_genesis(2, seed=10), seed=10, choose=lambda seat: eager).run()


@pytest.fixture(scope="session")
def trio() -> Table:
    """A short finished game of three, and a watcher."""
    return Table(make_genesis(3, seed=7), seed=7, choose=lambda seat: eager, watchers=1).run()
