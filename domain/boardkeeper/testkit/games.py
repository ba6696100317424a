"""Games of a title without a service: give commands, undo, and write and audit their records."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from boardkeeper.game.audit import Report, audit
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.game.record import canonical, commitment, first_link, next_link, sealer, write_record
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titlekit.title import Title

ID = UUID(int=1)
SECRET = bytes(range(32))


def give(game: Game, seat: int, *commands: Struct, id: str = "", time: int = 3) -> list[GameEvent]:
    """Give commands, which must be accepted, and commit their events."""
    decided = game.decide(seat, commands, id or f"command at {game.version}", time)
    assert not isinstance(decided, Rejection), decided
    game.commit(decided)
    return decided


def finish_game(game: Game, random: Random) -> list[GameEvent]:
    """Play a game to its end with random legal commands."""
    events: list[GameEvent] = []
    while game.status == "running":
        seat = random.choice(game.table.deciding())
        events += give(game, seat, random.choice(game.legal(seat)))
    return events


def undo(game: Game, history: list[GameEvent], seat: int, id: str) -> None:
    """Request an undo, which must be accepted, and let all seats consent."""
    first = game.first_undo_version(seat)
    assert isinstance(first, int)
    _commit(game, history, game.request_undo(seat, history[first - 1 :], id, 9))
    while game.undo.vote is not None:
        voter = game.undo.vote.waiting[0]
        past = history[game.undo.vote.first_version - 1 :]
        _commit(game, history, game.answer_undo(voter, game.undo.vote.version, True, past, f"{id} {voter}", 9))


def _commit(game: Game, history: list[GameEvent], decided: list[GameEvent] | Rejection) -> None:
    assert not isinstance(decided, Rejection), decided
    game.commit(decided)
    history += decided


class Signer:
    """A fake signature scheme without cryptography: the public key is enough to sign."""

    def __init__(self, name: str = "test") -> None:
        self.public_key = hashlib.sha256(name.encode()).digest()

    def sign(self, message: bytes) -> bytes:
        return hashlib.sha512(self.public_key + message).digest()


def verify_signature(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Verify a signature of :class:`Signer`."""
    return signature == hashlib.sha512(public_key + message).digest()


def record(events: Sequence[GameEvent], viewer: int = OPERATOR, secret: bytes = SECRET) -> list[bytes]:
    """Return the lines of a game record."""
    return list(write_record(ID, events, secret, sealer(Signer()), viewer))


def check(title: Title, lines: Sequence[bytes]) -> Report:
    """Audit a record of a title's game."""
    return audit(lines, {title.meta.id: title}.__getitem__, verify_signature)


def statuses(report: Report) -> dict[str, str]:
    """Return the status of each level of an audit."""
    return {level.name: level.status for level in report.levels}


def rewrite_event(lines: Sequence[bytes], version: int, change: Any) -> list[bytes]:
    """Return a record with a changed event, and with a valid chain and seal, as the owner of the key could."""
    plain = [msgspec.json.decode(line) for line in lines]
    change(plain[version])
    link = first_link(plain[0]["game"])
    for line in plain[1:-1]:
        shown = commitment(bytes.fromhex(line["salt"]), canonical(line["event"]))
        commands = line["given"]
        if commands is not None:
            commands = commitment(bytes.fromhex(commands["salt"]), canonical([commands["seat"], commands["commands"]]))
        parts = [part or shown for part in line["parts"]]
        head = (line["version"], line["seat"], line["command_id"], line["time"])
        link = line["link"] = next_link(link, *head, commands, parts)
    count = len(plain) - 2
    return [canonical(line) + b"\n" for line in [*plain[:-1], sealer(Signer())(plain[0]["game"], count, link)]]
