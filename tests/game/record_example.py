"""The examples of ``docs/record.md``. Run this module to write the files and print the test vectors."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct
from msgspec.structs import replace
from tests.service.nations_title import NATIONS, SEATS, Declare, Look, Wait
from tests.service.tiny_title import TINY, DrawPearl, PassCoin, Peek

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameCreated, GameEvent
from boardkeeper.game.record import (
    GIVEN,
    canonical,
    commitment,
    derive_salt,
    first_link,
    sealer,
    signed_message,
    write_record,
)
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titlekit.title import Setup

GAME = UUID("0f8fad5b-d9cb-469f-a165-70867728950e")
SECRET = bytes(range(32))
PRIVATE_KEY = bytes(32)
KEY = ServiceKey(Ed25519PrivateKey.from_private_bytes(PRIVATE_KEY))
FILES = {OPERATOR: "record.example.jsonl", 2: "record.example.seat-2.jsonl"}
FILES_OF_FORMAT_2 = {OPERATOR: "record.example.format-2.jsonl", 2: "record.example.format-2.seat-2.jsonl"}
HIDDEN_EVENT = 6
"""The version of an event that is hidden from seat 2."""


def example() -> list[GameEvent]:
    """Return the events of a short game in which seats draw pearls into hidden hands and pass coins."""
    setup = Setup("", 2, {"pearls": "few"})
    game, events = create_game(GAME, TINY, setup, ["person"] * 2, SECRET, "boardkeeper 0.1.0", "", 1_800_000_000_000)
    created = events[0].detail
    assert isinstance(created, GameCreated)
    # The example was published with 0.1.0 and must not change.
    events[0] = replace(events[0], detail=replace(created, rules_version="1"))
    game.commit(events)
    for seat, entropy in ((1, b"\x00\xff"), (2, b"")):
        joined = game.join([seat], entropy, "", 1_800_000_000_000 + seat)
        game.commit(joined)
        events += joined
    turn = 0
    while game.status == "running":
        (seat,) = game.table.deciding()
        commands: Sequence[Struct] = ([DrawPearl()], [PassCoin(3 - seat)], [Peek()])[turn % 3]
        decided = game.decide(seat, commands, f"{seat}:turn-{turn}", 1_800_000_001_000 + turn)
        assert not isinstance(decided, Rejection), decided
        game.commit(decided)
        events += decided
        turn += 1
    return events


def example_of_format_2() -> list[GameEvent]:
    """Return the events of a short game in which seats look at each other's cards."""
    time = 1_800_000_000_000
    build = "boardkeeper 0.2.0"
    game, events = create_game(GAME, NATIONS, Setup("", 4), ["person"] * 4, SECRET, build, "", time)
    created = events[0].detail
    assert isinstance(created, GameCreated)
    # The example was published with format 2 and must not change.
    events[0] = replace(events[0], detail=replace(created, rules_version="2"))
    game.commit(events)
    for seat in SEATS:
        joined = game.join([seat], b"", "", time + seat)
        game.commit(joined)
        events += joined
    turns = (Wait(), Look(1), Wait(), Look(2), Declare(), Look(4), Look(2), *[Wait()] * 5)
    for turn, command in enumerate(turns):
        (seat,) = game.table.deciding()
        decided = game.decide(seat, [command], f"{seat}:turn-{turn}", time + 1000 + turn)
        assert not isinstance(decided, Rejection), decided
        game.commit(decided)
        events += decided
    return events


def lines(viewer: int) -> list[bytes]:
    """Return the record of format 1 for a viewer."""
    return list(write_record(GAME, example(), SECRET, sealer(KEY), viewer))


def lines_of_format_2(viewer: int) -> list[bytes]:
    """Return the record of format 2 for a viewer."""
    return list(write_record(GAME, example_of_format_2(), SECRET, sealer(KEY), viewer))


def vectors() -> dict[str, Any]:
    """Return the intermediate values from which the parts of the record are computed."""
    written = [msgspec.json.decode(line) for line in lines(OPERATOR)]
    event, seal = written[HIDDEN_EVENT], written[-1]
    salt = derive_salt(SECRET, HIDDEN_EVENT, 0)
    given_salt = derive_salt(SECRET, HIDDEN_EVENT, GIVEN)
    given = [event["given"]["seat"], event["given"]["commands"]]
    shown = commitment(salt, canonical(event["event"]))
    closed = commitment(given_salt, canonical(given))
    parts = [part or shown for part in event["parts"]]
    head = [event["version"], event["seat"], event["command_id"], event["time"], closed, parts]
    return {
        "secret": SECRET.hex(),
        "private_key": PRIVATE_KEY.hex(),
        "first_link": first_link(str(GAME)),
        "version": HIDDEN_EVENT,
        "salt": salt.hex(),
        "form": canonical(event["event"]).decode(),
        "part": shown,
        "given_salt": given_salt.hex(),
        "given": canonical(given).decode(),
        "given_commitment": closed,
        "link_before": written[HIDDEN_EVENT - 1]["link"],
        "link_content": canonical(head).decode(),
        "link": event["link"],
        "signed_message": signed_message(str(GAME), seal["events"], seal["head"], seal["key_id"]).decode(),
        "signature": seal["signature"],
        "key_id": seal["key_id"],
    }


if __name__ == "__main__":
    docs = Path(__file__).resolve().parents[2] / "docs"
    for viewer, name in FILES.items():
        (docs / name).write_bytes(b"".join(lines(viewer)))
    for viewer, name in FILES_OF_FORMAT_2.items():
        (docs / name).write_bytes(b"".join(lines_of_format_2(viewer)))
    sys.stdout.write(json.dumps(vectors(), indent=2, ensure_ascii=False) + "\n")
