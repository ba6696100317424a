"""The title-neutral table on the wire equals that of the kernel, for each version and viewer."""

from __future__ import annotations

import grpc
import pytest
from msgspec.structs import replace
from tests.service.api_server import Api, bearer, grpc_error

from boardkeeper.game.choices import complete
from boardkeeper.service.api.table_messages import encode_table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.table.visible_table import VisibleTable, visible_table
from boardkeeper.testkit.games import give
from boardkeeper.testkit.histories import start_game
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import TITLES, load_title
from boardkeeper.v1 import games_pb2, history_pb2
from boardkeeper.wire.convert import serialize
from boardkeeper.wire.tables import table_from_message, table_to_message


@pytest.mark.parametrize("title", TITLES)
def test_encoded_tables_equal_visible_tables(title: str) -> None:
    rules = load_title(title)
    game, _ = start_game(rules, complete(rules.meta, Setup("", rules.meta.editions[0].players[1])))
    for _ in range(10):
        seat = game.table.deciding()[0]
        give(game, seat, game.legal(seat)[0])
    for viewer in (OPERATOR, SPECTATOR, 1, 2):
        seen = visible_table(game.table, viewer)
        assert table_from_message(table_to_message(seen)) == seen
        assert encode_table(seen) == encode_table(seen) == serialize(table_to_message(seen))
        large = VisibleTable(viewer, (replace(seen.zones[0], contents={str(n): n for n in range(1, 40)}),), (), ())
        assert encode_table(large) == serialize(table_to_message(large))
        assert any(not zone.is_seen for zone in seen.zones) == (viewer != OPERATOR)


def test_the_order_of_components_does_not_reveal_their_moves() -> None:
    title = load_title("orleans")
    game, _ = start_game(title, complete(title.meta, Setup("", 2)))
    whole = visible_table(game.table, OPERATOR)
    assert all(list(zone.contents) == sorted(zone.contents) for zone in whole.zones)
    supply = next(iter(game.table.zones.values()))
    supply.items = dict(reversed(supply.items.items()))  # type: ignore[union-attr]
    assert table_to_message(visible_table(game.table, OPERATOR)) == table_to_message(whole)


@pytest.mark.socket
async def test_tables_of_past_versions(api: Api) -> None:
    game, tokens = await api.create()
    first = games_pb2.GetTableRequest(game_id=game.game_id, version=1)
    now = games_pb2.GetTableRequest(game_id=game.game_id)
    events = await api.history.ListEvents(history_pb2.ListEventsRequest(game_id=game.game_id, page_size=500))
    newest = events.events[-1].version
    for metadata, viewer in (((), "spectator"), (bearer(tokens[2]), "seat.2")):
        early = await api.games.GetTable(first, metadata=metadata)
        assert (early.version, early.table.viewer, list(early.table.decisions)) == (
            1,
            viewer,
            ["", ""],
        )
        shown = await api.games.GetTable(now, metadata=metadata)
        assert shown.version == newest
        assert [zone.id for zone in shown.table.zones] == [zone.id for zone in early.table.zones]
        assert shown.table != early.table
        past = games_pb2.GetTableRequest(game_id=game.game_id, version=newest)
        assert (await api.games.GetTable(past, metadata=metadata)).table == shown.table
    async with grpc_error(grpc.StatusCode.OUT_OF_RANGE, "VERSION_OUT_OF_RANGE"):
        await api.games.GetTable(games_pb2.GetTableRequest(game_id=game.game_id, version=newest + 1))
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT):
        await api.games.GetTable(games_pb2.GetTableRequest(game_id=game.game_id, version=1, min_version=1))


@pytest.mark.socket
async def test_an_open_game_has_a_table(api: Api) -> None:
    game, _ = await api.create(games_pb2.SeatRequest(name="Ada"), games_pb2.SeatRequest(open=True))
    board = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id))
    table = await api.games.GetTable(games_pb2.GetTableRequest(game_id=game.game_id))
    assert not board.HasField("board")
    assert table.table.zones
    assert table.version == board.version
