"""Records of games for tests, and a signature that needs no cryptography: whoever knows the public key can sign."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
from tests.game.games import ID, SECRET, give, play_on, started
from tests.service.nations_title import NATIONS
from tests.service.tiny_title import TINY

from boardkeeper.game.audit import Report, audit
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.game.record import canonical, commitment, first_link, key_id, next_link, seal_with, write
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.title import Setup, Title
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titles.registry import load_title as load_registered

ORLEANS = load_registered("orleans")


class Signer:
    """Signs so that the public key is enough to do the same."""

    def __init__(self, name: str = "test") -> None:
        self.public_key = hashlib.sha256(name.encode()).digest()

    def sign(self, message: bytes) -> bytes:
        return hashlib.sha512(self.public_key + message).digest()


def verify_signature(public_key: bytes, signature: bytes, message: bytes) -> bool:
    return signature == hashlib.sha512(public_key + message).digest()


def load_title(id: str) -> Title:
    own: dict[str, Title] = {"tiny": TINY, "nations": NATIONS}  # they are in no registry
    return own[id] if id in own else load_registered(id)


def record(events: Sequence[GameEvent], viewer: int = OPERATOR, secret: bytes = SECRET) -> list[bytes]:
    """The lines of a record."""
    return list(write(ID, events, secret, seal_with(Signer()), viewer))


def check(lines: Sequence[bytes]) -> Report:
    """What an audit says."""
    return audit(lines, load_title, verify_signature)


def statuses(report: Report) -> dict[str, str]:
    return {level.name: level.status for level in report.levels}


def finished(seed: int = 1, title: Title = TINY, seats: int = 2, setup: Setup | None = None) -> list[GameEvent]:
    """The events of a game that was played to its end."""
    if setup is None:
        game, events = started(*[b"mine", b"", b"yours", b""][:seats], title=title)
    else:
        game, events = Game.create(ID, title, setup, ["person"] * setup.players, SECRET, "test", "", 1)
        game.commit(events)
        for seat in range(1, setup.players + 1):
            joined = game.join([seat], b"", "", 1)
            game.commit(joined)
            events += joined
    return events + play_on(game, Random(seed))


def undo(game: Game, history: list[GameEvent], seat: int, id: str) -> None:
    """Request an undo that is not refused, and let everybody consent."""
    first = game.undo_from(seat)
    assert isinstance(first, int)
    _keep(game, history, game.request_undo(seat, history[first - 1 :], id, 9))
    while game.vote is not None:
        voter = game.vote.waiting[0]
        past = history[game.vote.first_version - 1 :]
        _keep(game, history, game.answer_undo(voter, game.vote.version, True, past, f"{id} {voter}", 9))


def _keep(game: Game, history: list[GameEvent], decided: list[GameEvent] | Rejection) -> None:
    assert not isinstance(decided, Rejection), decided
    game.commit(decided)
    history += decided


def with_undos(seed: int, title: Title = TINY) -> list[GameEvent]:
    """A finished game in which commands were taken back, freely and by vote."""
    game, events = started(b"a", b"b", title=title)
    random = Random(seed)
    undos = 0
    while game.status == "running":
        seat = random.choice(game.table.deciding())
        events += give(game, seat, random.choice(game.legal(seat)))
        if game.status == "running" and undos < 6 and random.random() < 0.3:
            first = game.undo_from(seat)
            if isinstance(first, int):
                undos += 1
                undo(game, events, seat, f"undo {undos}")
    return events


def rewritten(lines: Sequence[bytes], version: int, change: Any) -> list[bytes]:
    """The record with one event changed by whoever has the server's key: chained and sealed anew."""
    plain = [msgspec.json.decode(line) for line in lines]
    change(plain[version])
    link = first_link(plain[0]["game"])
    for line in plain[1:-1]:
        shown = commitment(bytes.fromhex(line["salt"]), canonical(line["event"]))
        given = line["given"]
        if given is not None:
            given = commitment(bytes.fromhex(given["salt"]), canonical([given["seat"], given["commands"]]))
        parts = [part or shown for part in line["parts"]]
        head = (line["version"], line["seat"], line["command_id"], line["time"])
        link = line["link"] = next_link(link, *head, given, parts)
    count = len(plain) - 2
    return [canonical(line) + b"\n" for line in [*plain[:-1], seal_with(Signer())(plain[0]["game"], count, link)]]


KEY_ID = key_id(Signer().public_key)
