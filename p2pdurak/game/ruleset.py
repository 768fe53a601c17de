"""The options of the rules as one frozen value, and the presets that have a name.

Durak is a family of games. Every difference between its members that the engine knows is a field of ``Ruleset``;
``protocol/rules.md`` says what each means. A preset is a value: subclasses per variant were rejected, because people
mix the options freely. The text form is complete and in a fixed order, so that the players of a table can sign it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from p2pdurak.errors import NotationError, Sentence
from p2pdurak.game.phrases import either
from p2pdurak.game.preset_names import option_name, preset_name, value_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 6
HAND_CARDS: Final = 6
"""Cards that each player is dealt, and fills up to after a bout."""


class LeadCards(StrEnum):
    """How many cards open a bout (R13)."""

    ONE = "one"
    SAME_RANK = "same-rank"


class Throwers(StrEnum):
    """Who, besides the defender, may throw in (R20)."""

    ALL = "all"
    NEIGHBOURS = "neighbours"
    LEADER = "leader"
    NONE = "none"


class Transfers(StrEnum):
    """When the defender may pass the attack on to the next player (R24)."""

    NONE = "none"
    BEFORE_BEAT = "before-beat"
    ANY = "any"


class DrawOrder(StrEnum):
    """Who draws when, after the leader (R33)."""

    CLOCKWISE = "clockwise"
    DEFENDER_LAST = "defender-last"


class Draws(StrEnum):
    """What it means that nobody holds a card at the end (R39)."""

    TRUE = "true"
    DEFENDER_LOSES = "defender-loses"


class NoTrumpLead(StrEnum):
    """Who leads when a first lead is due and nobody holds a trump (R7)."""

    LOWEST_CARD = "lowest-card"
    LOT = "lot"


class NextLead(StrEnum):
    """Who leads the next game (R8)."""

    UNDER = "under"
    FROM_UNDER = "from-under"
    LOWEST_TRUMP = "lowest-trump"


_Value: TypeAlias = StrEnum | bool | int | None


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One game of the family.

    Caps count the attack cards of a bout; None is no cap. Raises NotationError when options contradict each other.
    """

    lead: LeadCards = LeadCards.ONE
    throwers: Throwers = Throwers.ALL
    throw_after_take: bool = False
    bout_cap: int | None = 6
    first_bout_cap: int | None = None
    transfer: Transfers = Transfers.NONE
    transfer_first_bout: bool = True
    transfer_by_showing: bool = False
    draw_order: DrawOrder = DrawOrder.CLOCKWISE
    draws: Draws = Draws.TRUE
    no_trump_lead: NoTrumpLead = NoTrumpLead.LOWEST_CARD
    next_lead: NextLead = NextLead.UNDER

    def __post_init__(self) -> None:
        for name in _CAPS:
            cap = getattr(self, name)
            if cap is not None and not 1 <= cap <= _MOST_CAP:
                raise NotationError(
                    "{option} must be {possible}, not {cap}.", option=name, possible=_possible(name), cap=cap
                )
        if self.throwers is Throwers.NONE and self.throw_after_take:
            raise NotationError(
                "With throwers=none nobody can throw in after a take: set throw_after_take=false, or choose who throws "
                "in."
            )
        if self.transfer is Transfers.NONE and self.transfer_by_showing:
            raise NotationError(
                "With transfer=none there is no transfer by showing: set transfer_by_showing=false, or choose a "
                "transfer."
            )
        if self.transfer is Transfers.NONE and not self.transfer_first_bout:
            raise NotationError(
                "With transfer=none the first bout is no exception: set transfer_first_bout=true, or choose a transfer."
            )
        if self.bout_cap is not None and self.first_bout_cap is not None and self.first_bout_cap > self.bout_cap:
            raise NotationError(
                "first_bout_cap={first} is above bout_cap={cap}: lower it, or set it to none.",
                first=self.first_bout_cap,
                cap=self.bout_cap,
            )

    @property
    def name(self) -> str:
        """The name of the preset that has these options, else ``custom``."""
        return next((name for name, preset in PRESETS.items() if preset == self), "custom")

    def nearest(self, named: str = "") -> tuple[str, Mapping[str, str]]:
        """Return the preset from which the fewest options differ, and the values of those in writing, in their order.

        Of several it is the one that the person has ``named``, else the first.
        """
        here = dict(_words(self))
        presets = ((name, {o: v for o, v in _words(preset) if here[o] != v}) for name, preset in PRESETS.items())
        name, others = min(presets, key=lambda found: (len(found[1]), found[0] != named))
        return name, {option: here[option] for option in others}

    @property
    def title(self) -> str:
        """What people read of these rules: ``podkidnoy, first_bout_cap=6``, the nearest preset and what differs.

        At most 240 ASCII characters.
        """
        name, changes = self.nearest()
        return ", ".join([name, *(f"{option}={value}" for option, value in changes.items())])

    def __str__(self) -> str:
        """All options in a fixed order, on one line; ``parse_ruleset`` reads it."""
        return " ".join(f"{option}={value}" for option, value in _words(self))


# More attack cards than the bigger pack holds cannot be laid.
_MOST_CAP: Final = 52

OPTIONS: Final[tuple[str, ...]] = tuple(field.name for field in fields(Ruleset))
"""The names of all options, in the order of the text form."""

_CAPS: Final = ("bout_cap", "first_bout_cap")
_SWITCHES: Final = ("throw_after_take", "transfer_first_bout", "transfer_by_showing")
_KINDS: Final[Mapping[str, type[StrEnum]]] = {
    "lead": LeadCards,
    "throwers": Throwers,
    "transfer": Transfers,
    "draw_order": DrawOrder,
    "draws": Draws,
    "no_trump_lead": NoTrumpLead,
    "next_lead": NextLead,
}
_CHOICES: Final[Mapping[str, Mapping[str, _Value]]] = {
    **{name: {member.value: member for member in kind} for name, kind in _KINDS.items()},
    **{name: {"true": True, "false": False} for name in _SWITCHES},
    **{name: {"none": None} | {str(cap): cap for cap in range(1, _MOST_CAP + 1)} for name in _CAPS},
}

_PODKIDNOY: Final[Mapping[str, Any]] = {
    "lead": LeadCards.SAME_RANK,
    "throw_after_take": True,
    "first_bout_cap": 5,
    "draw_order": DrawOrder.DEFENDER_LAST,
}

PRESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(
    {
        "prostoy": Ruleset(throwers=Throwers.NONE),
        "albanian": Ruleset(),
        "perevodnoy": Ruleset(transfer=Transfers.BEFORE_BEAT),
        "perevodnoy-2": Ruleset(transfer=Transfers.ANY),
        "podkidnoy": Ruleset(**_PODKIDNOY),
        "perevodnoy-apps": Ruleset(**_PODKIDNOY, transfer=Transfers.BEFORE_BEAT),
    }
)
"""The rulesets that have a name."""

DEFAULT: Final = PRESETS["perevodnoy-2"]


def max_players(pack_size: int) -> int:
    """Return how many can play with a pack of that size: six, for each pack."""
    return min(MAX_PLAYERS, pack_size // HAND_CARDS)


def ruleset(name: str, settings: Mapping[str, str] | None = None) -> Ruleset:
    """Return the preset ``name`` with single options set otherwise, each given as text.

    Names and values may be written as people do: ``preset_names`` tells how.
    Raises NotationError for an unknown name, option or value, and for contradictions.
    """
    preset = PRESETS.get(preset_name(name))
    if preset is None:
        names = ", ".join(PRESETS)
        raise NotationError("There are no rules called {name!r}: choose one of {names}.", name=name[:40], names=names)
    options = {_option(name): value_name(value) for name, value in (settings or {}).items()}
    return replace(preset, **{option: _read(option, value) for option, value in options.items()})


def read_settings(texts: Iterable[str]) -> Mapping[str, str]:
    """Return what each ``option=value`` sets, for ``ruleset``; of several for one option, the last.

    Raises NotationError where there is no equals sign.
    """
    settings = {}
    for text in texts:
        option, equals, value = map(str.strip, text.partition("="))
        if not equals:
            # The example is of the option that was named, so that only a value is left to choose.
            option = option_name(option)
            option = option if option in OPTIONS else OPTIONS[0]
            example = f"{option}={_written(getattr(PRESETS['podkidnoy'], option))}"
            raise NotationError(
                "An option is set as OPTION=VALUE, for example {example}: {text!r} has no value.",
                example=example,
                text=text[:40],
            )
        settings[option_name(option)] = value
    return settings


def parse_ruleset(text: str) -> Ruleset:
    """Return the ruleset whose ``str()`` this is: every option once, in order, single spaces.

    Raises NotationError for anything else, so that equal rulesets have equal texts.
    """
    words = [word.partition("=") for word in text.split(" ")]
    if tuple(option for option, _, _ in words) != OPTIONS:
        raise NotationError(
            "A ruleset in writing gives all options in this order: {options}.", options=", ".join(OPTIONS)
        )
    return Ruleset(**{option: _read(option, value) for option, _, value in words})


def _option(text: str) -> str:
    """Return the option that is meant; raises NotationError if there is none."""
    option = option_name(text)
    if option not in OPTIONS:
        options = ", ".join(OPTIONS)
        raise NotationError(
            "There is no option {option!r}: choose one of {options}.", option=text[:40], options=options
        )
    return option


def _read(option: str, text: str) -> Any:
    """Return the value that is meant by ``text``; raises NotationError if there is none."""
    if text not in _CHOICES[option]:
        raise NotationError(
            "{option} cannot be {text!r}: choose {possible}.",
            option=option,
            text=text[:40],
            possible=_possible(option),
        )
    return _CHOICES[option][text]


def _words(rules: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield all options and their values in writing, in the order of the text form."""
    for option in OPTIONS:
        yield option, _written(getattr(rules, option))


def _written(value: _Value) -> str:
    return "none" if value is None else str(value).lower()


def _possible(option: str) -> object:
    if option in _CAPS:
        return Sentence("a number from 1 to {most}, or none", most=_MOST_CAP)
    return either(_CHOICES[option])
