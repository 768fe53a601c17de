"""The last lines of the table screen: what is wanted now and which keys do it, and what was checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.cards import cards_in
from p2pdurak.game.actions import Action, Cover, Lead, Show, ThrowIn, Transfer
from p2pdurak.game.state import Decision
from p2pdurak.ui.console.canvas import shortened, width_of
from p2pdurak.ui.console.keys import CARD_KEYS
from p2pdurak.ui.console.paint_progress import trust
from p2pdurak.ui.console.saying import waited_for
from p2pdurak.ui.console.screen import SPINNER, key_row

if TYPE_CHECKING:
    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.table_screen import TableScreen

_PATIENCE_SECONDS = 2.0
"""Shorter waits are not counted."""

Keys = list[tuple[str, str, str]]


def paint_bar(canvas: Canvas, screen: TableScreen, now: float, row: int) -> None:
    """Paint what is wanted, the keys, and the line of trust."""
    text, keys = wanted(screen, now)
    mine = screen.chooser.view is not None or screen.over or screen.leaving or screen.voting
    canvas.put(1, row, shortened(text, canvas.columns - 2), "class:wanted" if mine else "")
    key_row(canvas, row + 1, keys)
    help_, leave = screen.say.gettext("help"), screen.say.gettext("leave")
    hints = f"? {help_}  {screen.cap('Q')} {leave} "
    line, style = trust(screen.say, screen.table, canvas.columns - width_of(hints) - 3)
    canvas.put(1, row + 2, shortened(line, canvas.columns - width_of(hints) - 3), style)
    canvas.right(row + 2, hints, "class:dim", "?")


def wanted(screen: TableScreen, now: float) -> tuple[str, Keys]:
    """Return what is wanted of the person now, and the keys for it."""
    gettext = screen.say.gettext
    if screen.leaving:
        if screen.may_resign:
            text = gettext("Leave? The game waits for you. Or give it up, as its fool.")
            if screen.safe:
                text = gettext("Leave? You are out already and safe; giving up makes you the fool.")
            return text, screen.leave_keys((screen.cap("R"), gettext("give up"), "r"))
        return gettext("Leave the table?"), screen.leave_keys()
    if screen.voting:
        text = gettext("End the game without {names}? All others have to agree.")
        keys = [("Enter", gettext("vote for it"), "enter"), ("Esc", gettext("go on waiting"), "escape")]
        return text.format(names=", ".join(screen.overdue())), keys
    if screen.over:
        return _after(screen)
    if screen.chooser.options:
        return _options(screen)
    if screen.chooser.view is not None:
        return _decision(screen)
    overdue = ", ".join(screen.overdue())
    end = gettext("end it without {names}").format(names=overdue)
    return _waiting(screen, now), [(screen.cap("V"), end, "v")] if overdue else []


def _after(screen: TableScreen) -> tuple[str, Keys]:
    gettext = screen.say.gettext
    chat: Keys = [] if screen.chat is None else [("Tab", screen.chat.label(screen.say), "tab")]
    if not screen.more:
        return gettext("The match is over."), [("Enter", gettext("leave the table"), "enter"), *chat]
    if screen.table.me is None:
        return gettext("The next game is shown when it begins."), [(screen.cap("Q"), gettext("leave"), "q"), *chat]
    if screen.ready:
        return gettext("You are ready for the next game; waiting for the others."), chat
    return gettext("Another game?"), [
        ("Enter", gettext("next game"), "enter"),
        (screen.cap("Q"), gettext("leave"), "q"),
        *chat,
    ]


def _options(screen: TableScreen) -> tuple[str, Keys]:
    gettext = screen.say.gettext
    keys: Keys = []
    for number, action in enumerate(screen.chooser.options, 1):
        match action:
            case Cover(attack, _):
                meaning = gettext("beat {card}").format(card=attack)
            case Transfer(_):
                meaning = gettext("transfer, laying it")
            case Show(_):
                meaning = gettext("transfer, showing it")
            case _:
                meaning = str(action)
        keys.append((str(number), meaning, str(number)))
    first = screen.chooser.options[0]
    card = first.card if isinstance(first, Cover | Transfer | Show) else ""
    return gettext("{card}: what with it?").format(card=card), [*keys, ("Esc", gettext("back"), "escape")]


def _decision(screen: TableScreen) -> tuple[str, Keys]:
    """Return the question of the rules, and each way to answer it with the keys of the cards for that."""
    gettext, chooser = screen.say.gettext, screen.chooser
    assert chooser.view is not None  # noqa: S101 - wanted has seen to it
    meanings: dict[type[Action], str] = {
        Lead: gettext("lead"),
        Cover: gettext("beat"),
        Transfer: gettext("transfer"),
        Show: gettext("show"),
        ThrowIn: gettext("throw in"),
    }
    keys: Keys = [
        (_card_keys(screen, kind), meaning, "") for kind, meaning in meanings.items() if chooser.playable(kind)
    ]
    if chooser.may_take:
        keys.append((screen.cap("T"), gettext("take"), "t"))
    elif chooser.view.decision in (Decision.THROW_IN, Decision.ADD):
        keys.append((screen.cap("P"), gettext("pass"), "p"))
    if chooser.marked:
        keys.insert(0, ("Enter", gettext("lay the marked"), "enter"))
    elif chooser.may_mark:
        keys.append((gettext("Space"), gettext("mark several"), " "))
    return _question(screen), keys


def _question(screen: TableScreen) -> str:
    gettext, chooser = screen.say.gettext, screen.chooser
    view = chooser.view
    assert view is not None  # noqa: S101 - wanted has seen to it
    defender = screen.table.names[view.defender]
    match view.decision:
        case Decision.LEAD:
            return gettext("Your lead, against {name}: lay a card.").format(name=defender)
        case Decision.DEFEND:
            cards = " ".join(map(str, view.unbeaten))
            return _attacked(screen).format(cards=cards)
        case Decision.ADD if not chooser.only_pass:
            return gettext("{name} takes: you may add cards.").format(name=defender)
        case _ if chooser.only_pass:
            if screen.settings.auto_pass:
                return gettext("You hold nothing to throw in: passing for you in a moment.")
            return gettext("You hold nothing to throw in: pass.")
        case _:
            return gettext("All is beaten: you may throw in.")


def _attacked(screen: TableScreen) -> str:
    """Return the sentence for whoever is attacked, with what is possible and nothing else."""
    gettext, chooser = screen.say.gettext, screen.chooser
    transfers = chooser.playable(Transfer) | chooser.playable(Show)
    match bool(chooser.playable(Cover)), bool(transfers):
        case True, True:
            return gettext("You are attacked: beat {cards}, transfer, or take.")
        case True, False:
            return gettext("You are attacked: beat {cards}, or take.")
        case False, True:
            return gettext("Nothing you hold beats {cards}: transfer, or take.")
        case _:
            return gettext("Nothing you hold beats {cards}: you can only take.")


def _card_keys(screen: TableScreen, kind: type[Action]) -> str:
    """Return the keys of the cards that can be laid in this way; a row of neighbours as its first and last."""
    hand = screen.chooser.hand
    numbers = sorted(hand.index(card) for card in cards_in(screen.chooser.playable(kind)) if card in hand)
    parts: list[str] = []
    while numbers:
        run = [numbers.pop(0)]
        while numbers and numbers[0] == run[-1] + 1:
            run.append(numbers.pop(0))
        keys = [CARD_KEYS[at] if at < len(CARD_KEYS) else "←→" for at in run]
        parts += keys if len(keys) < 3 else [f"{keys[0]}–{keys[-1]}"]
    return ", ".join(dict.fromkeys(parts))


def _waiting(screen: TableScreen, now: float) -> str:
    text = waited_for(screen.say, screen.table, begins=True)
    if not text:  # between what others do and a question to us, the last words stay, lest the line flashes
        return screen.waited or screen.say.gettext("One moment …")
    screen.waited = f"{text} …"
    seconds = int(now - screen.table.since)
    if seconds < _PATIENCE_SECONDS:
        return screen.waited
    count = screen.say.gettext("{seconds} s").format(seconds=seconds)
    return f"{SPINNER[seconds % len(SPINNER)]} {text} … {count}"
