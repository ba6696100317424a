"""Ed25519 as records use it: what services sign with, and anybody checks."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ALGORITHM = "ed25519"


def verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a signature is that of the key over the message; false for what is no key or no signature."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
