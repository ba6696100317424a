"""Verification of the Ed25519 signatures of game records."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ALGORITHM = "ed25519"


def verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Return whether a signature of a message is valid; false for malformed keys and signatures."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
