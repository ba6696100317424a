"""Game records: writing and verification."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from msgspec.structs import replace

from boardkeeper.engine import arguments
from boardkeeper.engine.errors import BadRecordError
from boardkeeper.game.events import GameEvent
from boardkeeper.game.record import Seal, Signer, key_id, sealer, write_record
from boardkeeper.titles.registry import load_title

if TYPE_CHECKING:  # the audit is large, so it is only imported when a record is verified
    from boardkeeper.game.audit import Report, VerifySignature

_NO_KEY = bytes(32)
_NO_SIGNATURE = bytes(64)


def make_record(
    id: UUID, history: Sequence[GameEvent], secret: bytes, viewer: int, signer: Signer | None, seal: Seal | None
) -> bytes:
    """Return a game's record for a viewer. A game that was loaded from a record keeps its ``seal``."""

    def make_seal(game: str, events: int, head: str) -> Seal:
        if seal is not None:
            if (seal.events, seal.head) != (events, head):
                raise BadRecordError("the game differs from the record that it was loaded from")
            return seal
        if signer is not None:
            return sealer(signer)(game, events, head)
        return Seal(events, head, _NO_KEY.hex(), key_id(_NO_KEY), _NO_SIGNATURE.hex())

    return b"".join(write_record(id, history, secret, make_seal, viewer, imported=seal is not None))


def verify(record: arguments.BytesLike, verify_signature: VerifySignature | None = None) -> Report:
    """Verify a record on all levels and return the report. No content of the record makes it raise an exception.

    ``verify_signature`` takes a public key, a signature and a message, and returns whether the Ed25519 signature is
    valid. Without it the level ``signed`` is ``not checked``, so :attr:`Report.holds` is false. For a
    forged record :attr:`Report.fails` is true.

    >>> from boardkeeper import engine
    >>> report = engine.verify(b"no record")
    >>> report.fails, report.problems[0].level
    (True, 'well-formed')
    """
    from boardkeeper.game.audit import NOT_CHECKED, SIGNED, Level, audit  # noqa: PLC0415
    from boardkeeper.game.record_reading import split_lines  # noqa: PLC0415

    arguments.check_callable("verify_signature", verify_signature)
    verify_or_accept = verify_signature or _accept_signature
    report = audit(split_lines([arguments.check_bytes("a record", record)]), load_title, verify_or_accept)
    if verify_signature is not None:
        return report
    unchecked = Level(SIGNED, NOT_CHECKED, "no function to check signatures was given")
    levels = tuple(unchecked if level.name == SIGNED and level.status == "holds" else level for level in report.levels)
    return replace(report, levels=levels)


def _accept_signature(_key: bytes, _signature: bytes, _message: bytes) -> bool:
    return True
