"""What happens to a table, drawn from one integer: who plays what, and everything that goes wrong.

Trouble begins when all are in the game; that a table survives it from then on is what is claimed. Each trouble ends by
itself, rough weather with all links lost once more, so that whoever missed something hears of it. Some troubles come
with the last rounds of the game, where it is hardest for everybody to get everything before the first has left.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING, TypeAlias

import trio

from p2pdurak.game.ruleset import PRESETS
from p2pdurak.wire.terms import Terms
from tests.faults.machine import Crash
from tests.faults.network import Rough
from tests.faults.wire import Fate
from tests.helpers import NAMES

if TYPE_CHECKING:
    from tests.faults.network import Network

OPENER = 0
PLAYERS = (2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6)
"""The numbers of players to choose from; small tables are fast, and most of what can go wrong needs no more."""

TROUBLED_SECONDS = 25.0
"""How long troubles may begin after the start; about as long as a short game lasts."""

LAST_SECONDS = 0.5
"""How long they may begin after the first message of the last rounds."""


@dataclass(frozen=True, slots=True)
class When:
    """So many seconds after the start, or, ``late``, after the first message of the last rounds."""

    seconds: float
    late: bool

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s after the {'end has begun' if self.late else 'start'}"


@dataclass(frozen=True, slots=True)
class Lost:
    """A pair's links are lost, both ends knowing it or not; without a pair, all links."""

    when: When
    fate: Fate
    pair: tuple[int, int] | None

    async def happen(self, network: Network) -> None:
        network.lose(self.fate, self.pair)

    def __str__(self) -> str:
        who = "all" if self.pair is None else " and ".join(NAMES[seat] for seat in self.pair)
        return f"the links of {who} {'go dark' if self.fate is Fate.DARK else 'break'}"


@dataclass(frozen=True, slots=True)
class Blocked:
    """For some seconds nothing arrives on these ways, given as sender and receiver."""

    when: When
    ways: tuple[tuple[int, int], ...]
    seconds: float

    async def happen(self, network: Network) -> None:
        until = trio.current_time() + self.seconds
        network.conditions.blocked.update(
            {way: max(until, network.conditions.blocked.get(way, until)) for way in self.ways}
        )

    def __str__(self) -> str:
        ways = ", ".join(f"{NAMES[sender]} to {NAMES[receiver]}" for sender, receiver in self.ways)
        return f"for {self.seconds:.1f} s nothing arrives from {ways}"


@dataclass(frozen=True, slots=True)
class RoughWeather:
    """For some seconds messages are lost, doubled and reordered within the links that stay; then these are lost."""

    when: When
    rough: Rough
    seconds: float

    async def happen(self, network: Network) -> None:
        network.conditions.rough = self.rough
        await trio.sleep(self.seconds)
        network.conditions.rough = None
        network.lose(Fate.BROKEN)

    def __str__(self) -> str:
        rough = self.rough
        chances = f"{rough.lost:.2f} lost, {rough.doubled:.2f} doubled, {rough.late:.2f} late"
        return f"for {self.seconds:.1f} s messages are {chances}"


Trouble: TypeAlias = Lost | Blocked | RoughWeather


@dataclass(frozen=True, slots=True)
class Scenario:
    """One game and its troubles.

    ``identities`` are the numbers of the players' signing keys, by seat, ``closed`` the seats (caller, called) between
    which no call comes through, ``crashes`` what ends the first, second, … life of each seat. ``impatient`` players
    vote to end the game without whoever is waited for longer than a short grace time.
    """

    seed: int
    terms: Terms
    identities: tuple[int, ...]
    closed: frozenset[tuple[int, int]]
    crashes: tuple[tuple[Crash, ...], ...]
    troubles: tuple[Trouble, ...]
    impatient: bool = False

    @property
    def players(self) -> int:
        return len(self.identities)

    def describe(self) -> list[str]:
        terms = self.terms
        lines = [f"{self.players} players, {terms.rules.name}, {terms.pack_size} cards, {terms.grace} s of grace"]
        lines += [f"{NAMES[caller]} cannot dial {NAMES[called]}" for caller, called in sorted(self.closed)]
        for seat, crashes in enumerate(self.crashes):
            lines += [f"{NAMES[seat]}, life {life}: {crash}" for life, crash in enumerate(crashes)]
        return [*lines, *(f"{trouble.when}: {trouble}" for trouble in self.troubles)]


def draw_impatient(seed: int) -> Scenario:
    """Return the scenario of a seed with players who do not wait long for each other."""
    scenario = draw(seed)
    grace = random.Random(f"grace {seed}").randint(1, 6)
    terms = replace(scenario.terms, grace=grace)
    return replace(scenario, terms=terms, impatient=True)


def draw(seed: int) -> Scenario:
    """Return the scenario of a seed."""
    chance = random.Random(f"scenario {seed}")
    players = chance.choice(PLAYERS)
    terms = Terms(
        "kitchen",
        PRESETS[chance.choice(sorted(PRESETS))],
        52 if chance.random() < 0.05 else 36,
        players,
        open_books=chance.random() < 0.8,
        games=1,
        by_lot=chance.random() < 0.5,
    )
    return Scenario(
        seed,
        terms,
        tuple(chance.sample(range(1000), players)),
        frozenset(way for way in _ways(players) if way[1] != OPENER and chance.random() < 0.15),
        tuple(_crashes(chance) for _ in range(players)),
        tuple(_trouble(chance, players) for _ in range(chance.randint(0, 7))),
    )


def _ways(players: int) -> list[tuple[int, int]]:
    return list(permutations(range(players), 2))


def _crashes(chance: random.Random) -> tuple[Crash, ...]:
    number = chance.choices((0, 1, 2, 3), (5, 4, 2, 1))[0]
    return tuple(_crash(chance, life) for life in range(number))


def _crash(chance: random.Random, life: int) -> Crash:
    # A life that is not the first may also end before it has written anything.
    early = chance.randint(1, chance.choice((4, 60))) if not life else chance.randint(0, chance.choice((0, 20)))
    syncs = None if chance.random() < 0.2 else early
    steps = chance.choice((0, chance.randint(1, 30), chance.randint(1, 500)))
    down = chance.choice((chance.uniform(0, 1), chance.uniform(0, 10)))
    return Crash(syncs, steps, chance.random() < 0.5, down)


def _trouble(chance: random.Random, players: int) -> Trouble:
    late = chance.random() < 0.25
    when = When(chance.uniform(0, LAST_SECONDS if late else TROUBLED_SECONDS), late)
    pair = chance.choice(_ways(players))
    seconds = chance.choice((chance.uniform(0.1, 3), chance.uniform(3, 12)))
    match chance.randrange(6):
        case 0 | 1:
            return Lost(when, chance.choice((Fate.BROKEN, Fate.DARK)), pair)
        case 2:
            return Lost(when, chance.choice((Fate.BROKEN, Fate.DARK)), None)
        case 3:
            island = frozenset(chance.sample(range(players), chance.randint(1, players - 1)))
            across = tuple(way for way in _ways(players) if (way[0] in island) != (way[1] in island))
            return Blocked(when, across, seconds)
        case 4:
            return Blocked(when, (pair,), seconds)
        case _:
            return RoughWeather(when, Rough(*(chance.uniform(0, 0.3) for _ in range(3))), seconds)
