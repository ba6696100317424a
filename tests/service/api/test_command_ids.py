"""Command ids of clients can reveal hidden commands, so only viewers who see the whole command get its id."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.game.old_undos import PLACE, busy_game
from tests.game.records import check
from tests.service.api.test_undo import request_undo
from tests.service.api_server import Api, bearer, run_server
from tests.service.keys import OPERATOR_TOKEN

from boardkeeper.game.game import Game
from boardkeeper.game.record import public_command_id, sealer, write_record
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.testkit.games import SECRET, Signer, give
from boardkeeper.titles.orleans.commands import FinishPlanning
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import games_pb2, history_pb2
from boardkeeper.wire.messages import command_to_message

pytestmark = [pytest.mark.socket, pytest.mark.databases]

PLACED = "plan-boatman-on-ship"


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with run_server(tmp_path / "games.db", operator_token=OPERATOR_TOKEN) as api:
        yield api


async def plan(api: Api, planning: str) -> tuple[str, dict[int, str], int]:
    """Create a game in which seat 1 has placed a follower and seat 2 has not; return its id, tokens and version."""
    game, tokens = await api.create(options={"planning": planning})
    outcome = await api.submit(game.game_id, 1, tokens[1], PLACED, command_to_message("orleans", PLACE))
    assert outcome.events[0].command_id == PLACED, "the seat gets its own id"
    again = await api.submit(game.game_id, 1, tokens[1], PLACED, command_to_message("orleans", PLACE))
    assert again.repeated
    assert list(again.events) == list(outcome.events)
    return game.game_id, tokens, outcome.version


async def read_all(api: Api, game: str, token: str) -> str:
    """Return all that every RPC sends about a game's events, as text."""
    metadata = bearer(token) if token else ()
    version = (await api.game(game)).version
    answers: list[Any] = await api.events(game, token)
    for size in (1, 2, 3):
        request = history_pb2.ListEventsRequest(game_id=game, page_size=size, after_version=version - 3)
        answers.append(await api.history.ListEvents(request, metadata=metadata))
    watch = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game), metadata=metadata)
    answers += [await watch.read() for _ in range(version)]
    watch.cancel()
    play = api.games.Play(metadata=metadata)
    subscription = games_pb2.PlaySubscription(game_id=game)
    await play.write(games_pb2.PlayRequest(subscription=subscription))
    answers += [await play.read() for _ in range(version)]
    play.cancel()
    record = api.history.GetRecord(history_pb2.GetRecordRequest(game_id=game), metadata=metadata)
    answers += [it.data.decode() async for it in record]
    return "\n".join(map(str, answers))


async def test_other_viewers_do_not_see_ids_of_sealed_commands(api: Api) -> None:
    game, tokens, version = await plan(api, "sealed")
    await request_undo(api, game, 1, tokens[1], "take-boatman-off")
    for token in ("", tokens[2]):
        text = await read_all(api, game, token)
        assert PLACED not in text
        assert "take-boatman-off" not in text
    own_events = await api.events(game, tokens[1])
    assert [own_events[version - 1].command_id, own_events[version].command_id] == [PLACED, "take-boatman-off"]
    all_events = await api.events(game, OPERATOR_TOKEN)
    assert all_events[version - 1].command_id == PLACED


async def test_every_viewer_sees_ids_of_open_commands(api: Api) -> None:
    game, tokens, version = await plan(api, "open")
    for token in ("", tokens[1], tokens[2]):
        assert (await api.events(game, token))[version - 1].command_id == PLACED


async def test_one_hidden_event_hides_the_id_in_all_events_of_its_command(api: Api) -> None:
    """Also if a page or a stream starts inside the command."""
    game, tokens, _ = await plan(api, "sealed")
    finish = command_to_message("orleans", FinishPlanning())
    legal = await api.legal(game, 2, tokens[2])
    place = next(it.command for it in legal.commands if it.command.orleans.HasField("place_follower"))
    await api.submit(game, 1, tokens[1], "done", finish)
    last = await api.submit(game, 2, tokens[2], "boatman-and-done", place, finish)
    assert last.version - last.first_version > 2
    received = await api.events(game, tokens[1])
    assert not received[last.first_version - 1].HasField("detail")
    assert any(event.HasField("detail") for event in received[last.first_version : last.version])
    assert "boatman-and-done" not in await read_all(api, game, tokens[1])
    for at in range(last.first_version - 1, last.version):
        request = history_pb2.ListEventsRequest(game_id=game, page_size=1, after_version=at)
        page = await api.history.ListEvents(request, metadata=bearer(tokens[1]))
        assert page.events[0] == received[at]
        own = await api.history.ListEvents(request, metadata=bearer(tokens[2]))
        assert own.events[0].command_id == "boatman-and-done"


async def test_a_page_that_ends_inside_a_command_does_not_reveal_its_id(api: Api) -> None:
    game, tokens, _ = await plan(api, "sealed")
    with pytest.raises(grpc.aio.AioRpcError):
        await api.legal(game, 2, tokens[1])
    for size in range(1, 8):
        request = history_pb2.ListEventsRequest(game_id=game, page_size=size)
        page = await api.history.ListEvents(request, metadata=bearer(tokens[2]))
        assert PLACED not in str(page)


# --- records ---------------------------------------------------------------------------------------------------


def test_records_replace_command_ids_by_hashes() -> None:
    game, events = busy_game(3, rules="2", planning="sealed")
    for viewer in (OPERATOR, 0, 1, 2):
        lines = [json.loads(line) for line in write_record(game.id, events, SECRET, sealer(Signer()), viewer)][1:-1]
        for line, event in zip(lines, events, strict=True):
            assert line["command_id"] == public_command_id(SECRET, event.command_id)
            assert "busy" not in json.dumps(line)
    public_ids = [public_command_id(SECRET, event.command_id) for event in events]
    assert len(set(public_ids[-3:])) == 3
    assert all(it.startswith("1:") and len(it) == 34 for it in public_ids[-3:])
    assert public_command_id(SECRET, "") == ""
    assert public_command_id(bytes(32), "1:busy-0") != public_ids[-3], "a guess cannot be verified without the secret"


def test_records_of_old_and_imported_games_keep_command_ids() -> None:
    for rules in ("1", "2"):
        game, events = busy_game(2, rules=rules)
        imported = rules == "2"
        lines = list(write_record(game.id, events, SECRET, sealer(Signer()), imported=imported))
        assert [json.loads(line)["command_id"] for line in lines[-3:-1]] == ["1:busy-0", "1:busy-1"]


def test_a_record_with_hashed_command_ids_verifies() -> None:
    from random import Random

    from boardkeeper.testkit.games import finish_game

    game, events = busy_game(4, rules="2", planning="sealed")
    events += finish_game(game, Random(2))
    report = check(list(write_record(game.id, events, SECRET, sealer(Signer()))))
    assert report.holds, report.problems


def test_stored_games_contain_the_ids_of_clients() -> None:
    """A command that a client sends again after a restart is recognized."""
    game, events = busy_game(0, rules="2")
    events += give(game, 1, PLACE, id="1:again")
    again = Game.load(load_title("orleans"), SECRET, events)
    assert again.seen.find("1:again") == [len(events)]
