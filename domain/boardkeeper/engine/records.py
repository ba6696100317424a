"""Records of games: written, and checked by what they say themselves."""

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

if TYPE_CHECKING:  # an audit decides whole games again: who has no records does not load it
    from boardkeeper.game.audit import Report, VerifySignature

_NO_KEY = bytes(32)
_NO_SIGNATURE = bytes(64)


def make_record(
    id: UUID, history: Sequence[GameEvent], secret: bytes, viewer: int, signer: Signer | None, seal: Seal | None
) -> bytes:
    """The bytes of a game's record in the form for a viewer; with the ``seal`` that it came with, if it did."""

    def make_seal(game: str, events: int, head: str) -> Seal:
        if seal is not None:
            if (seal.events, seal.head) != (events, head):
                raise BadRecordError("the game is not as its record had it")
            return seal
        if signer is not None:
            return sealer(signer)(game, events, head)
        return Seal(events, head, _NO_KEY.hex(), key_id(_NO_KEY), _NO_SIGNATURE.hex())

    return b"".join(write_record(id, history, secret, make_seal, viewer, imported=seal is not None))


def verify(record: arguments.BytesLike, verify_signature: VerifySignature | None = None) -> Report:
    """What an audit of a record finds, level by level; raises nothing whatever the bytes are.

    ``verify_signature`` tells of a public key, a signature and a message whether they belong together (Ed25519);
    without it the level ``signed`` is left ``not checked``, and so :attr:`Report.holds` is false. :attr:`Report.fails`
    is what tells a forgery.

    >>> from boardkeeper import engine
    >>> report = engine.verify(b"no record")
    >>> report.fails, report.problems[0].level
    (True, 'well-formed')
    """
    from boardkeeper.game.audit import NOT_CHECKED, SIGNED, Level, audit  # noqa: PLC0415
    from boardkeeper.game.record_reading import split_lines  # noqa: PLC0415

    arguments.check_callable("verify_signature", verify_signature)
    report = audit(split_lines([arguments.check_bytes("a record", record)]), load_title, verify_signature or _believe)
    if verify_signature is not None:
        return report
    unchecked = Level(SIGNED, NOT_CHECKED, "no function to check signatures was given")
    levels = tuple(unchecked if level.name == SIGNED and level.status == "holds" else level for level in report.levels)
    return replace(report, levels=levels)


def _believe(_key: bytes, _signature: bytes, _message: bytes) -> bool:
    return True
