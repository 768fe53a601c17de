"""What a table tells about itself in DNS-SD, and how much of a stranger's telling is believed.

Everything in a DNS record is untrusted: anybody on the network can announce anything.  So a record is either exactly
what this program would have written, within bounds, or it is ignored; and what it says is only a hint where to dial,
for the hello on the link proves the key.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2pdurak.errors import LinkError, NotationError
from p2pdurak.net.addresses import ROOM_VARIABLE, Address, room
from p2pdurak.net.hello import PUBLIC_KEY_BYTES
from p2pdurak.wire.codec import VERSION
from p2pdurak.wire.names import clean_table_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_ADDRESSES = 16
MIN_SEATS, MAX_SEATS = 2, 6

# A label of DNS has at most 63 bytes: 128 bits of the key are unique enough for a name, the whole key is in TXT.
_INSTANCE_DIGITS = 32
_RULES = re.compile(r"[a-z0-9][a-z0-9_=, -]{0,239}")
_NUMBER = re.compile(r"[1-9][0-9]{0,3}")
_KEY = re.compile(rf"[0-9a-f]{{{2 * PUBLIC_KEY_BYTES}}}")


def service_type() -> str:
    """Return the type of our DNS-SD service; raises LinkError if the environment names what cannot be a room.

    A name of a service has at most 15 characters (RFC 6763, section 7.2).
    """
    name = room()
    if name is None:
        raise LinkError(
            "Tables cannot be looked for: {variable} must be one to six of a-z and 0-9. Joining by address still "
            "works.",
            variable=ROOM_VARIABLE,
        )
    return f"_p2pdurak-{name}._tcp.local." if name else "_p2pdurak._tcp.local."


@dataclass(frozen=True, slots=True)
class Announcement:
    """An open table.

    ``name`` is the table's, ``public`` its opener's 32-byte key, ``rules`` the title of the ruleset in lower-case
    ASCII, ``pack`` the number of cards, ``seats`` how many there are, 2 to 6.  ``addresses`` are literal IP addresses,
    link-local IPv6 ones with scope; the announcing side leaves them empty.  ``version`` is the protocol's.
    Raises NotationError if a field is out of bounds.
    """

    name: str
    public: bytes
    rules: str
    pack: int
    seats: int
    port: int
    addresses: tuple[str, ...] = ()
    version: int = VERSION

    def __post_init__(self) -> None:
        if self.name != clean_table_name(self.name):
            raise NotationError("The table's name is not in its cleaned form.")
        if len(self.public) != PUBLIC_KEY_BYTES:
            raise NotationError("A public key has {right} bytes.", right=PUBLIC_KEY_BYTES)
        if not _RULES.fullmatch(self.rules):
            raise NotationError("The rules of a table are announced in at most 240 lower-case ASCII characters.")
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise NotationError("A table has {least} to {most} seats.", least=MIN_SEATS, most=MAX_SEATS)
        if not (1 <= self.pack <= 9999 and 1 <= self.version <= 9999 and 1 <= self.port <= 0xFFFF):
            raise NotationError("The pack, the version or the port of a table is out of bounds.")

    @property
    def instance(self) -> str:
        """The name of the DNS-SD instance, without the type: the same for the same key, so a restart replaces it."""
        return self.public.hex()[:_INSTANCE_DIGITS]

    @property
    def candidates(self) -> tuple[Address, ...]:
        """Where to dial."""
        return tuple(Address(address, self.port) for address in self.addresses)


def encode_properties(announcement: Announcement) -> dict[str, str]:
    """Return the key-value pairs of the TXT record."""
    return {
        "txtvers": "1",
        "v": str(announcement.version),
        "table": announcement.name,
        "rules": announcement.rules,
        "pack": str(announcement.pack),
        "seats": str(announcement.seats),
        "key": announcement.public.hex(),
    }


def decode_announcement(
    instance: str, properties: Mapping[bytes, bytes | None], addresses: Iterable[str], port: int | None
) -> Announcement:
    """Return the announcement that DNS-SD records of ``instance`` hold.

    Unknown TXT keys are ignored, for later versions.  Raises NotationError if anything is missing, out of bounds or
    malformed, if the name is not the key's, or if no address can be dialled.
    """
    announcement = Announcement(
        name=_text(properties, b"table"),
        public=bytes.fromhex(_matching(_KEY, properties, b"key")),
        rules=_text(properties, b"rules"),
        pack=_number(properties, b"pack"),
        seats=_number(properties, b"seats"),
        port=port or 0,
        addresses=tuple(address for address in addresses if _is_dialable(address))[:MAX_ADDRESSES],
        version=_number(properties, b"v"),
    )
    if announcement.instance != instance:
        raise NotationError("The name of the announcement does not belong to its key.")
    if not announcement.addresses:
        raise NotationError("The announcement has no address that can be dialled.")
    return announcement


def _text(properties: Mapping[bytes, bytes | None], key: bytes) -> str:
    value = properties.get(key)
    if value is None:
        raise NotationError("The announcement has no {key}.", key=key.decode())
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise NotationError("The announcement's {key} is not UTF-8.", key=key.decode()) from None


def _matching(pattern: re.Pattern[str], properties: Mapping[bytes, bytes | None], key: bytes) -> str:
    value = _text(properties, key)
    if not pattern.fullmatch(value):
        raise NotationError("The announcement's {key} is malformed.", key=key.decode())
    return value


def _number(properties: Mapping[bytes, bytes | None], key: bytes) -> int:
    return int(_matching(_NUMBER, properties, key))


def _is_dialable(address: str) -> bool:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if parsed.is_multicast or parsed.is_unspecified:
        return False
    # Without its scope, a link-local IPv6 address says on no machine which network is meant.
    return not (parsed.version == 6 and parsed.is_link_local and "%" not in address)
