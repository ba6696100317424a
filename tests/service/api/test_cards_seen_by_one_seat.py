"""Seats that view each other's cards: what the streams show each viewer, and the records."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.game.games import start
from tests.game.records import load_title
from tests.service.nations_title import NATIONS, Declare, Look
from tests.service.twin_services import patch_messages_for_test_titles, twin_services

from boardkeeper.game.record import sealer, write_record
from boardkeeper.service.games.records import Records
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.testkit.games import ID as OTHER_ID
from boardkeeper.testkit.games import SECRET, finish_game, give
from boardkeeper.testkit.twin_games import ID, Step, Twins
from boardkeeper.titlekit.title import Setup
from boardkeeper.v1 import games_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]
GAME = str(ID)
KEY = ServiceKey(Ed25519PrivateKey.from_private_bytes(bytes(32)))


@pytest.fixture(autouse=True)
def encode_test_title(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the test title a wire encoding."""
    patch_messages_for_test_titles(monkeypatch)


def create_twins() -> Twins:
    """Return twins in which seats 1 and 2 view the card of seat 3, which seat 3 then reveals to all."""
    twins = Twins(NATIONS, Setup("first", 4), SPECTATOR, (b"1" * 32, b"2" * 32))
    twins.steps = [Step(1, (Look(3), Look(3))), Step(2, (Look(3), Look(3))), Step(3, (Declare(), Declare()))]
    return twins


async def test_streams_show_a_viewed_card_only_to_seats_that_know_it(tmp_path: Path) -> None:
    async with twin_services(tmp_path, create_twins()) as (service, _):
        events = {}
        for viewer in (SPECTATOR, 1, 2, 3, 4, OPERATOR):
            version = (await service.registry.get(ID)).game.version
            watch = games_pb2.WatchGameRequest(game_id=GAME)
            read = await service.read_stream("WatchGame", watch, service.token_of(viewer), most=version)
            events[viewer] = [games_pb2.WatchGameResponse.FromString(it).event for it in read]
        named = {it.name for it in events[OPERATOR]}
        assert {"NationSeen", "Looked", "NationDeclared"} <= named
        seen = {
            viewer: [it.sentence != "" for it in received if it.name == "NationSeen"]
            for viewer, received in events.items()
        }
        assert seen == {
            SPECTATOR: [False, False],
            1: [True, True],
            2: [False, True],
            3: [True, True],
            4: [False, False],
            OPERATOR: [True, True],
        }
        for viewer, received in events.items():
            shown = [it for it in received if it.name == "NationSeen"]
            assert [bool(it.HasField("detail")) for it in shown] == seen[viewer]
            moved = [[effect.move.component for effect in it.effects if effect.HasField("move")] for it in shown]
            assert [components != ["?"] for components in moved] == seen[viewer]
            reveals = [effect.reveal.after for it in shown for effect in it.effects if effect.HasField("reveal")]
            assert reveals == ["seats.1.3", "seats.1.2.3"]
            assert all(it.sentence for it in received if it.name in ("Looked", "NationDeclared"))


async def test_a_record_of_format_2_is_imported_and_exported_unchanged(tmp_path: Path) -> None:
    game, events = start(b"", b"", b"", b"", title=NATIONS)
    events += give(game, 1, Look(4))
    events += finish_game(game, Random(1))
    lines = list(write_record(OTHER_ID, events, SECRET, sealer(KEY)))
    async with twin_services(tmp_path, create_twins()) as (service, _):
        records = Records(service.handler, load_title, KEY)
        imported_id, report = await records.import_record(b"".join(lines))
        assert (imported_id, report.holds) == (OTHER_ID, True)
        live = await service.registry.get(imported_id)
        assert await records.lines(live, SPECTATOR) == lines
        assert (await records.check(live, OPERATOR)).holds
