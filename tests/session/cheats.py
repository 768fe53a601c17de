"""What cheats say in place of an honest message; each entry makes a fresh tamper.

A cheat happens in the first round of its kind in which it is possible.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from p2pdurak.crypto.elgamal import CIPHERTEXT_BYTES, encode_deck, share
from p2pdurak.crypto.group import CARD_POINTS, ELEMENT_BYTES, Element, G
from p2pdurak.crypto.scalars import ORDER
from p2pdurak.game.actions import Pass, Take
from p2pdurak.game.state import Decision
from p2pdurak.session.events import Send
from p2pdurak.wire.messages import Answer, Books, Kind, Move, Play, Shares
from tests.helpers import Dishonest, Tamper, entropy, forging, replacing
from tests.session.forged_decks import (
    JOKER,
    all_alike,
    cancel_out,
    cross,
    put,
    rearranged,
    repeat_first,
    set_at,
    share_wrongly,
    shuffled,
    swap_first,
    two_from_another_hand,
    with_another_key,
)
from tests.session.forged_moves import (
    ace_from_the_sleeve,
    covers_of_nothing,
    deciding,
    hide_the_called_card,
    illegal,
    lead_with,
    lower_covers,
    mixed_leads,
    open_another_card,
    opened_as,
    passing,
    pretend_to_hold,
    shows,
    the_same_card_again,
    throws,
    transfers,
    whenever,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pdurak.wire.codec import Value


def fields(kind: Kind, said: str, values: Value) -> Tamper:
    """Say something of kind ``said`` with any fields where ``kind`` is due."""
    return replacing(kind, lambda session, body: [Send(session.sealed_fields(said, values), own=True)])


def flipped(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


def unreduced(proof: bytes) -> bytes:
    """Return the proof with its last scalar larger by the order of the group: the same number, another encoding."""
    return proof[:-32] + (int.from_bytes(proof[-32:], "little") + ORDER).to_bytes(32, "little")


def shares_at(session: Dishonest, *places: int) -> Sequence[Element]:
    """Return the true shares of cards in the own hand."""
    hand = session.state.cards.hands[session.me.seat]
    return [share(session.me.x, hand[at]) for at in places]


IDENTITY = bytes(ELEMENT_BYTES)
NOT_CANONICAL = b"\xff" * ELEMENT_BYTES


def proofs_of(kind: Kind) -> dict[str, Callable[[], Tamper]]:
    """Return what can be done to the proof in any message that has one."""
    changes: dict[str, Callable[[bytes], bytes]] = {
        "changed": flipped,
        "empty": lambda proof: b"",
        "of zeros": lambda proof: bytes(len(proof)),
        "a scalar short": lambda proof: proof[:-32],
        "a scalar long": lambda proof: proof + bytes(32),
        "a byte long": lambda proof: proof + b"\0",
        "not reduced": unreduced,
        "enormous": lambda proof: proof + bytes(8000),
    }

    def changing(change: Callable[[bytes], bytes]) -> Callable[[], Tamper]:
        def cheat(session: Dishonest, body: Any) -> Sequence[Send] | None:
            return session.instead(kind, replace(body, proof=change(body.proof))) if body.proof else None

        return lambda: replacing(kind, cheat)

    return {f"{kind}: a proof {name}": changing(change) for name, change in changes.items()}


def deck_with(change: Callable[[bytes], bytes]) -> Tamper:
    return forging(Kind.SHUFFLE, lambda session, body: replace(body, deck=change(body.deck)))


def shares_with(change: Callable[[bytes], bytes]) -> Tamper:
    return forging(Kind.DEAL, lambda session, body: replace(body, shares=change(body.shares)))


CHEATS: dict[str, Callable[[], Tamper]] = {
    # Reveal
    "reveal: another lot seed": lambda: forging(
        Kind.REVEAL, lambda session, body: replace(body, lot_seed=entropy("luck"))
    ),
    "reveal: another key": lambda: forging(
        Kind.REVEAL, lambda session, body: replace(body, key=(session.me.key + G).encode())
    ),
    "reveal: the identity": lambda: forging(Kind.REVEAL, lambda session, body: replace(body, key=IDENTITY)),
    # Shuffles
    "shuffle: a card twice": lambda: forging(Kind.SHUFFLE, shuffled(set_at(5, 6))),
    "shuffle: all cards the same": lambda: forging(Kind.SHUFFLE, shuffled(all_alike)),
    "shuffle: a joker for a card": lambda: forging(Kind.SHUFFLE, shuffled(change=put(3, JOKER))),
    "shuffle: an ace for a card": lambda: forging(Kind.SHUFFLE, shuffled(change=put(3, CARD_POINTS[0]))),
    "shuffle: halves of cards swapped": lambda: forging(Kind.SHUFFLE, shuffled(change=cross)),
    "shuffle: of the pack as it was first": lambda: forging(Kind.SHUFFLE, shuffled(of_unshuffled=True)),
    "shuffle: not at all": lambda: forging(
        Kind.SHUFFLE, lambda session, body: replace(body, deck=encode_deck(session.state.cards.cards))
    ),
    "shuffle: a card short": lambda: deck_with(lambda deck: deck[:-CIPHERTEXT_BYTES]),
    "shuffle: a card too many": lambda: deck_with(lambda deck: deck + deck[:CIPHERTEXT_BYTES]),
    "shuffle: no cards": lambda: deck_with(lambda deck: b""),
    "shuffle: an identity": lambda: deck_with(lambda deck: IDENTITY + deck[32:]),
    "shuffle: a second identity": lambda: deck_with(lambda deck: deck[:32] + IDENTITY + deck[64:]),
    "shuffle: no group element": lambda: deck_with(lambda deck: NOT_CANONICAL + deck[32:]),
    **proofs_of(Kind.SHUFFLE),
    # The deal
    "deal: shares under another key": lambda: forging(Kind.DEAL, with_another_key),
    "deal: a wrong share": lambda: forging(Kind.DEAL, share_wrongly(lambda shares: shares.__setitem__(0, JOKER))),
    "deal: shares of two positions swapped": lambda: forging(Kind.DEAL, share_wrongly(swap_first)),
    "deal: the same share twice": lambda: forging(Kind.DEAL, share_wrongly(repeat_first)),
    "deal: two errors that cancel": lambda: forging(Kind.DEAL, share_wrongly(cancel_out)),
    "deal: a share short": lambda: shares_with(lambda shares: shares[:-32]),
    "deal: a share too many": lambda: shares_with(lambda shares: shares + shares[:32]),
    "deal: no shares": lambda: shares_with(lambda shares: b""),
    "deal: an identity": lambda: shares_with(lambda shares: IDENTITY + shares[32:]),
    "deal: no group element": lambda: shares_with(lambda shares: NOT_CANONICAL + shares[32:]),
    **proofs_of(Kind.DEAL),
    "draw: a wrong share": lambda: forging(Kind.DRAW, share_wrongly(lambda shares: shares.__setitem__(0, JOKER))),
    # Hands
    "rearrange: a card twice": lambda: forging(Kind.REARRANGE, rearranged(set_at(0, 1))),
    "rearrange: a joker": lambda: forging(Kind.REARRANGE, rearranged(change=put(0, JOKER))),
    "rearrange: an ace": lambda: forging(Kind.REARRANGE, rearranged(change=put(0, CARD_POINTS[1]))),
    "rearrange: halves of cards swapped": lambda: forging(Kind.REARRANGE, rearranged(change=cross)),
    "rearrange: cards of another hand": lambda: forging(Kind.REARRANGE, two_from_another_hand),
    "rearrange: a card short": lambda: forging(
        Kind.REARRANGE, lambda session, body: replace(body, hand=body.hand[CIPHERTEXT_BYTES:])
    ),
    **proofs_of(Kind.REARRANGE),
    # The first lead
    "call: the lowest trump hidden": lambda: replacing(Kind.CALL, hide_the_called_card),
    "call: a false opening": lambda: replacing(Kind.CALL, pretend_to_hold),
    "call: another card opened": lambda: replacing(Kind.CALL, open_another_card),
    "call: a place that is not there": lambda: passing(lambda body: Answer(6, G.encode(), body.proof[:64])),
    "call: a pass with a share": lambda: passing(lambda body: replace(body, share=G.encode())),
    "call: a pass with the proofs of fewer cards": lambda: passing(lambda body: replace(body, proof=body.proof[128:])),
    "call: a pass with identities": lambda: passing(lambda body: replace(body, proof=IDENTITY + body.proof[32:])),
    "call: a pass with the proofs turned round": lambda: passing(
        lambda body: replace(body, proof=body.proof[128:256] + body.proof[:128] + body.proof[256:])
    ),
    **proofs_of(Kind.CALL),
    # Play
    "play: a card not in hand": lambda: replacing(Kind.PLAY, ace_from_the_sleeve),
    "play: the same card again": the_same_card_again,
    "play: a cover that is too low": lambda: illegal("R17", lower_covers),
    "play: a cover of nothing": lambda: illegal("R18", whenever(deciding(Decision.DEFEND), covers_of_nothing)),
    "play: a lead of two ranks": lambda: illegal("R13", whenever(deciding(Decision.LEAD), mixed_leads)),
    "play: a rank that does not lie": lambda: illegal(
        "R21", whenever(deciding(Decision.THROW_IN, Decision.ADD), throws)
    ),
    "play: a transfer by another rank": lambda: illegal("R25", whenever(deciding(Decision.DEFEND), transfers)),
    "play: a trump shown where nobody shows": lambda: illegal("R28", whenever(deciding(Decision.DEFEND), shows)),
    "play: a pass for a lead": lambda: illegal("R11", whenever(deciding(Decision.LEAD), lambda _: [Pass()])),
    "play: a take for a lead": lambda: illegal("R11", whenever(deciding(Decision.LEAD), lambda _: [Take()])),
    "play: a throw for a defence": lambda: illegal("R11", whenever(deciding(Decision.DEFEND), throws)),
    "play: a lead of nothing": lambda: lead_with(lambda session, body: Play(Move.LEAD, (), b"", b"", None)),
    "play: a lead with a target": lambda: lead_with(lambda session, body: replace(body, target=5)),
    "play: a pass with a card": lambda: lead_with(lambda session, body: replace(body, move=Move.PASS)),
    "play: a take with a proof": lambda: lead_with(lambda session, body: Play(Move.TAKE, (), b"", body.proof, None)),
    "play: a place that is not there": lambda: lead_with(lambda session, body: replace(body, positions=(51,))),
    "play: the same place twice": lambda: lead_with(
        lambda session, body: opened_as(session, Move.LEAD, [0, 0], shares_at(session, 0, 0))
    ),
    "play: places out of order": lambda: lead_with(
        lambda session, body: opened_as(session, Move.LEAD, [1, 0], shares_at(session, 1, 0))
    ),
    "play: no shares": lambda: lead_with(lambda session, body: replace(body, shares=b"")),
    "play: a wrong move": lambda: fields(Kind.PLAY, "play", ("dance", (), b"", b"", None)),
    **proofs_of(Kind.PLAY),
    # The end
    "books: another secret": lambda: forging(Kind.BOOKS, lambda session, body: Books(entropy("another"))),
    # Forms
    "commit: no fields": lambda: fields(Kind.COMMIT, "commit", ()),
    "commit: three fields": lambda: fields(Kind.COMMIT, "commit", (bytes(32), bytes(32), bytes(32))),
    "commit: fields of a reveal": lambda: fields(Kind.COMMIT, "commit", (bytes(32), bytes(32), bytes(64))),
    "commit: nothing": lambda: fields(Kind.COMMIT, "commit", None),
    "commit: texts": lambda: fields(Kind.COMMIT, "commit", ("x" * 32, "y" * 32)),
    "commit: an unknown kind": lambda: fields(Kind.COMMIT, "dance", ()),
    "commit: a confirm": lambda: fields(Kind.COMMIT, "confirm", ()),
    "commit: a take": lambda: fields(Kind.COMMIT, "play", ("take", (), b"", b"", None)),
    "confirm: something in it": lambda: fields(Kind.CONFIRM, "confirm", (b"",)),
    "confirm: a deal at once": lambda: replacing(
        Kind.CONFIRM, lambda session, body: session.instead(Kind.DEAL, Shares(b"", bytes(64)))
    ),
    "result: something in it": lambda: fields(Kind.RESULT, "result", (None,)),
    "result: the books at once": lambda: replacing(
        Kind.RESULT, lambda session, body: session.instead(Kind.BOOKS, Books(session.me.game_secret))
    ),
}
