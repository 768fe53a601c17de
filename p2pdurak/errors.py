"""Every exception of the package, one tree, and sentences that are told without being raised.

``str(error)`` is always one sentence for a person, with what to do next where there is something to do.
Errors of the caller are raised; the fault of another peer is raised once, at the door of ``session``, and
becomes an event for everybody else.

A sentence with something to fill in is given as a template with the values as keywords, so that a person can be told
it in another language: ``NotationError("There is no ruleset {name}.", name=name)``. Sentences composed where they are
raised were rejected, since nobody could translate them any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, init=False)
class Sentence:
    """Words for a person that are no error: a warning, or a part of an error's sentence.

    ``sentence`` is English, with the names of ``values`` in braces where there are any; a value may be a ``Said``.
    """

    sentence: str
    values: Mapping[str, object]

    def __init__(self, sentence: str, /, **values: object) -> None:
        object.__setattr__(self, "sentence", sentence)
        object.__setattr__(self, "values", values)

    def __str__(self) -> str:
        return self.sentence.format_map(self.values) if self.values else self.sentence


class DurakError(Exception):
    """Root of all errors that the package raises on purpose.

    ``sentence`` is English, with the names of ``values`` in braces where there are any; a value may be a ``Said``.
    """

    def __init__(self, sentence: str, /, **values: object) -> None:
        super().__init__(sentence.format_map(values) if values else sentence)
        self.sentence = sentence
        self.values = values


Said: TypeAlias = Sentence | DurakError
"""What a person can be told in any language: see ``ui.language.told``."""


class NotationError(DurakError, ValueError):
    """A text is not a card, an action, a ruleset or a game."""


class IllegalAction(DurakError, ValueError):
    """The rules do not allow this action now.

    ``rule`` is the number of the rule in ``protocol/rules.md``, such as ``"R12"``.
    """

    def __init__(self, rule: str, reason: str, /, **values: object) -> None:
        super().__init__(reason, **values)
        self.rule = rule


class CryptoError(DurakError, ValueError):
    """A value or a proof of the mental-poker protocol is not acceptable."""


class InvalidEncoding(CryptoError):
    """Bytes are not a canonical scalar, group element, key or proof."""


class VerificationError(CryptoError):
    """A proof or a signature does not verify."""


class ProtocolError(DurakError):
    """Something in the exchange of messages is not as ``protocol/`` prescribes."""


class LocalProtocolError(ProtocolError):
    """Our own code used the session in a way that it does not allow."""


class RemoteProtocolError(ProtocolError):
    """Somebody else sent what the protocol does not allow.

    ``seat`` is the seat at fault, or None when only the deliverer can be blamed; ``code`` is a short stable
    word for programs; ``evidence`` holds the signed messages, as received, that prove it.
    """

    def __init__(
        self, code: str, reason: str, /, *, seat: int | None = None, evidence: tuple[bytes, ...] = (), **values: object
    ) -> None:
        super().__init__(reason, **values)
        self.code = code
        self.seat = seat
        self.evidence = evidence


class MalformedMessage(RemoteProtocolError):
    """Bytes that are not a message of this game: they blame whoever delivered them."""


class FailedVerification(RemoteProtocolError):
    """A message whose proof, opening or commitment does not hold."""


class ProtocolViolation(RemoteProtocolError):
    """A message that its seat may not send now: out of turn, illegal, or a second one."""


class LinkError(DurakError, OSError):
    """A link to another peer cannot be used."""


class LinkClosed(LinkError):
    """We closed the link ourselves."""


class LinkBroken(LinkError):
    """The other side or the network ended the link."""


class StorageError(DurakError, OSError):
    """A file or folder that the program needs cannot be read or written."""
