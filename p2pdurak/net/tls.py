"""The TLS side of a link: TLS 1.3 only, a throw-away certificate for the listener, none for the dialler.

The certificate authenticates nobody; the signatures of the hello do, over its hash.  It is made anew at each start and
holds neither names nor true dates, so it tells nothing about the player or the machine.
"""

from __future__ import annotations

import datetime
import hashlib
import secrets
import ssl
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat

if TYPE_CHECKING:
    from cryptography import x509

_VALID_FROM = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_VALID_UNTIL = datetime.datetime(2999, 12, 31, tzinfo=datetime.UTC)


class ListenerTLS(NamedTuple):
    """A listener's TLS context, and the SHA-256 (32 bytes) of the certificate (DER) that it shows."""

    context: ssl.SSLContext
    certificate_hash: bytes


def listener_tls() -> ListenerTLS:
    """Make a fresh Ed25519 certificate and a context that shows it."""
    from cryptography import x509  # only when something listens: the first screen is there before it
    from cryptography.x509.oid import NameOID

    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "p2pdurak")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_VALID_FROM)
        .not_valid_after(_VALID_UNTIL)
        .sign(key, algorithm=None)
    )
    context = _context(ssl.PROTOCOL_TLS_SERVER)
    # Resumption would let a connection start without the certificate that the hello signs.
    context.num_tickets = 0
    _load(context, certificate, key)
    return ListenerTLS(context, hashlib.sha256(certificate.public_bytes(Encoding.DER)).digest())


def dialler_context() -> ssl.SSLContext:
    """Return a context that takes any certificate: who is behind it, the hello tells."""
    context = _context(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _context(side: int) -> ssl.SSLContext:
    context = ssl.SSLContext(side)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


def _load(context: ssl.SSLContext, certificate: x509.Certificate, key: Ed25519PrivateKey) -> None:
    # The ssl module reads keys from files only.  The file lives for a moment in a private folder, and encrypted under
    # a password that never leaves this call.
    password = secrets.token_bytes(32).hex().encode()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password))
    with tempfile.TemporaryDirectory(prefix="p2pdurak-") as folder:
        path = Path(folder, "certificate.pem")
        path.write_bytes(private + certificate.public_bytes(Encoding.PEM))
        context.load_cert_chain(path, password=password)
