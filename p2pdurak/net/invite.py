"""A table in one line to paste, or in a QR code: where to dial, whose key to expect, and the code if there is one.

``p2pdurak:`` and base32 (RFC 4648, lower case, unpadded) of an array and its checksum.  Base32, because chat programs
take ``_`` and ``*`` for markup, some change capitals, and a QR code holds capitals and digits in two thirds of the
space; base64 would be a sixth shorter as text.  The array is that of the wire, with exactly one form for each value.
The checksum only catches slips of the hand: an invite is as good as the way it came.
Normative text: ``protocol/invite.md``.

QR codes are drawn by ``segno`` (pure Python, typed, no dependencies); ``qrcode`` would do too, but wants another
package on Windows, and prints instead of returning lines.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from p2pdurak.crypto.identity import check_public_key
from p2pdurak.errors import InvalidEncoding, MalformedMessage, NotationError, Sentence
from p2pdurak.net.addresses import Address, reachable_addresses
from p2pdurak.net.code import clean_code
from p2pdurak.wire.codec import Value, decode, encode
from p2pdurak.wire.names import clean_table_name

if TYPE_CHECKING:
    from collections.abc import Iterable

PREFIX: Final = "p2pdurak:"
VERSION: Final = 1
MAX_ADDRESSES: Final = 8
MAX_INVITE_CHARACTERS: Final = 1024
QUIET_MODULES: Final = 2
"""Light border of a QR code.  The standard wants 4, but readers manage with 2, and a terminal has few lines."""

_CHECKSUM_BYTES = 4
_BASE32_CHARACTERS = 8
_MAX_PORT = 0xFFFF


@dataclass(frozen=True, slots=True)
class Invite:
    """An open table: 1 to 8 literal IP ``addresses``, TCP ``port``, the opener's 32-byte key, its cleaned ``name``.

    ``code`` is the table's cleaned code, or None if it has none.  Raises NotationError if a field is out of bounds.
    """

    addresses: tuple[str, ...]
    port: int
    public: bytes
    code: str | None
    name: str

    def __post_init__(self) -> None:
        if not 1 <= len(self.addresses) <= MAX_ADDRESSES or self.addresses != invitable(self.addresses):
            raise NotationError(
                "An invite names 1 to {most} IP addresses that mean the same everywhere.", most=MAX_ADDRESSES
            )
        if not 1 <= self.port <= _MAX_PORT:
            raise NotationError("The port of an invite is a number from 1 to {most}.", most=_MAX_PORT)
        try:
            check_public_key(self.public)
        except InvalidEncoding as error:
            raise NotationError("The key in an invite is none: {error}", error=error) from error
        if self.name != clean_table_name(self.name):
            raise NotationError("The name of the table in an invite is not in its cleaned form.")
        if self.code is not None and self.code != clean_code(self.code):
            raise NotationError("The code of the table in an invite is not in its cleaned form.")

    @property
    def candidates(self) -> tuple[Address, ...]:
        """Where to dial."""
        return tuple(Address(address, self.port) for address in self.addresses)

    def __str__(self) -> str:
        packed = tuple(ipaddress.ip_address(address).packed for address in self.addresses)
        data = encode((VERSION, self.public, self.port, packed, self.code, self.name))
        return PREFIX + base64.b32encode(data + _checksum(data)).decode().rstrip("=").lower()


def invitable(addresses: Iterable[str]) -> tuple[str, ...]:
    """Return those of this machine's ``addresses`` that an invite can name, at most 8, in their canonical form.

    Left out are what no other machine can dial, and link-local IPv6: its scope is another one on every machine.  The
    loopback address stays if there is no other.
    """
    literal = dict.fromkeys(str(ip) for address in addresses if (ip := _invitable(address)) is not None)
    return reachable_addresses(tuple(literal))[:MAX_ADDRESSES]


def _invitable(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    local = ip.version == 6 and ip.is_link_local
    return None if local or ip.is_multicast or ip.is_unspecified else ip


def is_invite(text: str) -> bool:
    """Tell whether ``text`` is meant as an invite, well-formed or not."""
    return text.strip()[: len(PREFIX)].lower() == PREFIX


def parse_invite(text: str) -> Invite:
    """Return the invite that is written in ``text``; raise NotationError, with what to do, if there is none.

    Capitals make no difference, nor do blanks and line ends where a chat program has broken the line.
    """
    if len(text) > 2 * MAX_INVITE_CHARACTERS or not is_invite(text):
        raise NotationError("This is not an invite: an invite is one line that begins with {prefix}", prefix=PREFIX)
    digits = "".join(text.split())[len(PREFIX) :].upper()
    if len(digits) > MAX_INVITE_CHARACTERS - len(PREFIX):
        raise NotationError("This invite is too long: copy only the one line.")
    try:
        whole = base64.b32decode(digits + "=" * (-len(digits) % _BASE32_CHARACTERS))
    except (binascii.Error, ValueError):
        raise _mistyped() from None
    data, checksum = whole[:-_CHECKSUM_BYTES], whole[-_CHECKSUM_BYTES:]
    if checksum != _checksum(data):
        raise _mistyped()
    invite = _invite(data)
    if str(invite) != PREFIX + digits.lower():  # the last digit has bits that no byte needs
        raise _mistyped()
    return invite


def _mistyped() -> NotationError:
    return NotationError("This invite is not complete, or a character of it is wrong: copy the whole line once more.")


def _invite(data: bytes) -> Invite:
    try:
        value = decode(data, limit=MAX_INVITE_CHARACTERS)
    except MalformedMessage:
        value = None
    match value:
        case (int(version), *_) if type(version) is int and version != VERSION:
            who = (
                Sentence("update this p2pdurak")
                if version > VERSION
                else Sentence("its maker needs to update p2pdurak")
            )
            raise NotationError(
                "This invite is of version {theirs}, and version {ours} is understood here: {who}.",
                theirs=version,
                ours=VERSION,
                who=who,
            )
        case (int(), bytes(public), int(port), tuple(packed), None | str() as code, str(name)):
            return Invite(tuple(_address(part) for part in packed), port, public, code, name)
    raise NotationError("This invite does not have the right fields: its maker's p2pdurak has a fault.")


def _address(packed: Value) -> str:
    if not isinstance(packed, bytes) or len(packed) not in (4, 16):
        raise NotationError("An address in this invite is none.")
    return str(ipaddress.ip_address(packed))


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(PREFIX.encode() + data).digest()[:_CHECKSUM_BYTES]


def qr_lines(text: str, *, ascii_only: bool = False, dark_on_light: bool = False) -> list[str]:
    """Return an invite (or anything else whose capitals do not matter) as a QR code, in lines of equal length.

    A character is one module wide and two high, made of half blocks; with ``ascii_only`` a module is two characters
    wide and one high.  What is drawn is the light part, for terminals that write light on dark; ``dark_on_light`` says
    that this one does not.
    """
    import segno  # hardly ever wanted, and it takes a while

    code = segno.make_qr(text.upper(), error="l", boost_error=False)
    rows = [[(module == 0) != dark_on_light for module in row] for row in code.matrix_iter(border=QUIET_MODULES)]
    if ascii_only:
        return ["".join("##" if drawn else "  " for drawn in row) for row in rows]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    return ["".join(map(_half_block, upper, lower)) for upper, lower in zip(rows[::2], rows[1::2], strict=True)]


def _half_block(upper: bool, lower: bool) -> str:
    return " ▄▀█"[2 * upper + lower]
