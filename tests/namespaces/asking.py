"""One question in multicast DNS, asked and read by hand, as a stock tool would: a program for a machine of a network.

Run as ``python asking.py ADDRESS``; prints one JSON object: the records that came, by type, with names and contents.
It asks like a simple resolver (RFC 6762, section 5.1): from a port of its own, and is answered there.  Nothing of the
library that makes the announcements is used here, so that both sides cannot be wrong alike.
"""

from __future__ import annotations

import json
import socket
import struct
import sys

SERVICE = "_p2pdurak._tcp.local"
GROUP = ("224.0.0.251", 5353)
ADDRESS, POINTER, TEXT, SERVER = 1, 12, 16, 33
PATIENCE_SECONDS = 10.0


def question(name: str) -> bytes:
    """Return a query for who offers the service ``name``."""
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    return struct.pack(">6H", 0, 0, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">2H", POINTER, 1)


def read_name(packet: bytes, at: int) -> tuple[str, int]:
    """Return the name that begins there and where it ends; a pointer leads to the rest of it (RFC 1035, 4.1.4)."""
    labels: list[str] = []
    while (length := packet[at]) != 0:
        if length >= 0xC0:
            rest, _ = read_name(packet, int.from_bytes(packet[at : at + 2], "big") & 0x3FFF)
            return ".".join([*labels, rest]), at + 2
        labels.append(packet[at + 1 : at + 1 + length].decode())
        at += 1 + length
    return ".".join(labels), at + 1


def read_strings(data: bytes) -> list[str]:
    """Return the strings of a TXT record."""
    strings = []
    while data:
        strings.append(data[1 : 1 + data[0]].decode())
        data = data[1 + data[0] :]
    return strings


def records(packet: bytes) -> dict[str, object]:
    """Return what an answer says, by the type of the records."""
    _, _, questions, *counts = struct.unpack(">6H", packet[:12])
    at, said = 12, {}
    for _ in range(questions):
        at = read_name(packet, at)[1] + 4
    for _ in range(sum(counts)):
        name, at = read_name(packet, at)
        kind, _, _, length = struct.unpack(">2HIH", packet[at : at + 10])
        at += 10
        if kind == POINTER:
            said["PTR"] = [name, read_name(packet, at)[0]]
        elif kind == SERVER:
            said["SRV"] = [name, str(int.from_bytes(packet[at + 4 : at + 6], "big")), read_name(packet, at + 6)[0]]
        elif kind == TEXT:
            said["TXT"] = [name, *read_strings(packet[at : at + length])]
        elif kind == ADDRESS:
            said["A"] = [name, socket.inet_ntoa(packet[at : at + 4])]
        at += length
    return dict(said)


def ask(interface: str) -> dict[str, object]:
    """Ask on the interface with this address, and return what the first answer says."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(interface))
        line.settimeout(PATIENCE_SECONDS)
        line.sendto(question(SERVICE), GROUP)
        return records(line.recv(9000))


if __name__ == "__main__":
    print(json.dumps(ask(sys.argv[1])))
