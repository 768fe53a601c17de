"""Answers and plays as cheats make them: with the prover's own code, over a false statement or against the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.cards import pack
from p2pdurak.crypto.elgamal import mask, share
from p2pdurak.crypto.group import CARD_POINTS, Element
from p2pdurak.crypto.proofs import prove_none_of, prove_shares
from p2pdurak.errors import IllegalAction
from p2pdurak.game.actions import Action, Cover, Lead, Show, ThrowIn, Transfer
from p2pdurak.game.rules import check
from p2pdurak.session.playing import form_of
from p2pdurak.wire.messages import Answer, Kind, Move, Play
from tests.helpers import Dishonest, SendTo, Tamper, replacing
from tests.session.forged_decks import JOKER, MASK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from p2pdurak.game.state import Decision
    from p2pdurak.session.events import Send


def hide_the_called_card(session: Dishonest, body: Answer) -> Sequence[Send | SendTo] | None:
    """Pass although the called card is there, proving the pass for a hand in which a joker lies in its place."""
    if body.position is None:
        return None
    me, hand = session.me, list(session.state.cards.hands[session.me.seat])
    hand[body.position] = mask(JOKER, me.key, MASK)
    points = [CARD_POINTS[card] for card in pack(52) if session.state.calls[0] >> card & 1]
    proof = prove_none_of(session.state.proof(me.seat, Kind.CALL), me.x, me.key, hand, points, me.secret)
    return session.instead(Kind.CALL, Answer(None, b"", proof))


def pretend_to_hold(session: Dishonest, body: Answer) -> Sequence[Send | SendTo] | None:
    """Open the first card as if it were the called one."""
    if body.position is not None:
        return None
    called = next(card for card in pack(52) if session.state.calls[0] >> card & 1)
    false = session.state.cards.hands[session.me.seat][0].b - CARD_POINTS[called]
    return session.instead(Kind.CALL, opened_in_call(session, 0, false))


def open_another_card(session: Dishonest, body: Answer) -> Sequence[Send | SendTo] | None:
    """Open truly a card that was not called."""
    if body.position is not None:
        return None
    true = share(session.me.x, session.state.cards.hands[session.me.seat][0])
    return session.instead(Kind.CALL, opened_in_call(session, 0, true))


def opened_in_call(session: Dishonest, position: int, element: Element) -> Answer:
    me, card = session.me, session.state.cards.hands[session.me.seat][position]
    proof = prove_shares(session.state.proof(me.seat, Kind.CALL), me.x, me.key, [card], [element], me.secret)
    return Answer(position, element.encode(), proof)


def passing(change: Callable[[Answer], Answer]) -> Tamper:
    return replacing(
        Kind.CALL,
        lambda session, body: None if body.position is not None else session.instead(Kind.CALL, change(body)),
    )


def play(session: Dishonest, action: Action) -> Play:
    """Return the message for an action with cards of the hand, whatever the rules say."""
    me, deck = session.me, session.state.cards
    own, hand = me.hand(deck), deck.hands[session.me.seat]
    move, cards, target = form_of(action)
    places = sorted(own.index(card) for card in cards)
    return opened_as(session, move, places, [share(me.x, hand[at]) for at in places], target)


def opened_as(
    session: Dishonest, move: str, places: Iterable[int], shares: Sequence[Element], target: int | None = None
) -> Play:
    """Return a play with these shares and the proof that the prover's code makes for them."""
    me, places = session.me, tuple(places)
    if not places:
        return Play(move, (), b"", b"", target)
    cards = [session.state.cards.hands[me.seat][at] for at in places]
    proof = prove_shares(session.state.proof(me.seat, Kind.PLAY), me.x, me.key, cards, shares, me.secret)
    return Play(move, places, b"".join(element.encode() for element in shares), proof, target)


def illegal(rule: str, propose: Callable[[Dishonest], Iterable[Action]]) -> Tamper:
    """Do the first of the proposed actions that that very rule forbids, as soon as there is one."""

    def sends(session: Dishonest, body: Play) -> Sequence[Send | SendTo] | None:
        for action in propose(session):
            try:
                check(session.state.play, action)
            except IllegalAction as error:
                if error.rule == rule:
                    return session.instead(Kind.PLAY, play(session, action))
        return None

    return replacing(Kind.PLAY, sends)


def deciding(*decisions: Decision) -> Callable[[Dishonest], bool]:
    return lambda session: session.state.play.decision in decisions


def whenever(
    wanted: Callable[[Dishonest], bool], actions: Callable[[Dishonest], Iterable[Action]]
) -> Callable[[Dishonest], Iterable[Action]]:
    return lambda session: actions(session) if wanted(session) else ()


def lower_covers(session: Dishonest) -> list[Action]:
    return [Cover(attack, card) for attack in session.state.play.unbeaten for card in session.hand()]


def covers_of_nothing(session: Dishonest) -> list[Action]:
    return [Cover(card, session.hand()[0]) for card in pack(36)]


def mixed_leads(session: Dishonest) -> list[Action]:
    return [Lead((first, second)) for first in session.hand() for second in session.hand() if first != second]


def throws(session: Dishonest) -> list[Action]:
    return [ThrowIn((card,)) for card in session.hand()]


def transfers(session: Dishonest) -> list[Action]:
    return [Transfer(card) for card in session.hand()]


def shows(session: Dishonest) -> list[Action]:
    return [Show(card) for card in session.hand()]


def ace_from_the_sleeve(session: Dishonest, body: Play) -> Sequence[Send | SendTo] | None:
    """Open the first card of a lead as a card that nobody has shown yet: the proof cannot be right."""
    if body.move != Move.LEAD:
        return None
    hand = session.state.cards.hands[session.me.seat]
    wished = next(card for card in pack(36) if card not in session.hand() and card != session.state.face_up)
    return session.instead(Kind.PLAY, opened_as(session, Move.LEAD, [0], [hand[0].b - CARD_POINTS[wished]]))


def lead_with(change: Callable[[Dishonest, Play], Play]) -> Tamper:
    def sends(session: Dishonest, body: Play) -> Sequence[Send | SendTo] | None:
        return session.instead(Kind.PLAY, change(session, body)) if body.move == Move.LEAD else None

    return replacing(Kind.PLAY, sends)


def the_same_card_again() -> Tamper:
    """Say the message of the lead again in the next own decision, adapted to round and head but with its old proof."""
    said: list[Play] = []

    def sends(session: Dishonest, body: Play) -> Sequence[Send | SendTo] | None:
        if said:
            return session.instead(Kind.PLAY, said[0])
        if body.positions:
            said.append(body)
        return None

    return replacing(Kind.PLAY, sends)
