"""Every RPC over a real socket, on a real database."""

from __future__ import annotations

import asyncio
import random
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tests.service.api_server import Api, bearer, grpc_error, read_pages, run_server

from boardkeeper.orleans.v1 import commands_pb2 as orleans
from boardkeeper.service.api.catalog import CatalogServicer
from boardkeeper.service.process import front
from boardkeeper.v1 import catalog_pb2, command_pb2, effect_pb2, event_pb2, game_pb2, games_pb2, history_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

INVALID = grpc.StatusCode.INVALID_ARGUMENT
SEAT = games_pb2.SeatRequest


def draw(count: int) -> command_pb2.Command:
    return command_pb2.Command(orleans=orleans.Command(draw_followers=orleans.DrawFollowers(count=count)))


# --- the catalogue -------------------------------------------------------------------------------------------


async def test_the_catalogue_lists_titles_components_and_rules(api: Api) -> None:
    titles = (await api.catalog.ListTitles(catalog_pb2.ListTitlesRequest())).titles
    assert [title.id for title in titles] == sorted(title.id for title in titles)
    (entry,) = (title for title in titles if title.id == "orleans")
    assert entry.default_edition in [edition.id for edition in entry.editions]
    answer = await api.catalog.GetTitle(catalog_pb2.GetTitleRequest(title="orleans"))
    assert answer.title == entry
    assert answer.edition == entry.default_edition
    assert all(component.provenance for component in answer.components)
    assert "orleans.technology.never_monk" in [rule.id for rule in answer.rules]
    german = await api.catalog.GetTitle(
        catalog_pb2.GetTitleRequest(title="orleans"), metadata=(("accept-language", "fr, de-AT;q=0.9, en;q=0.1"),)
    )
    assert [rule.id for rule in german.rules] == [rule.id for rule in answer.rules]
    assert [rule.text for rule in german.rules] != [rule.text for rule in answer.rules]


async def test_the_catalogue_of_every_edition_is_typed(api: Api) -> None:
    """Numbers are numbers and lists are lists, so clients need not parse texts."""
    entry = (await api.catalog.GetTitle(catalog_pb2.GetTitleRequest(title="orleans"))).title
    for edition in entry.editions:
        answer = await api.catalog.GetTitle(catalog_pb2.GetTitleRequest(title="orleans", edition=edition.id))
        components = {component.id: component for component in answer.components}
        spaces = components["traders"].values["place_tiles"]
        assert [list(space) for space in spaces] == [["1"], *[["1", "2"]] * 4]
        assert components["market"].values["spaces"] == 8
        assert components["monk"].in_box == edition.supplies[-1].common["monk"]
        assert [color.seat for color in edition.seat_colors] == list(range(1, edition.players_max + 1))
        players = [supply.players for supply in edition.supplies]
        assert players == list(range(edition.players_min, edition.players_max + 1))
        assert all(supply.each_seat["coins"] == 5 and supply.provenance for supply in edition.supplies)


async def test_the_catalogue_describes_the_table_of_a_setup(api: Api) -> None:
    def request(**fields: Any) -> catalog_pb2.GetTitleRequest:
        return catalog_pb2.GetTitleRequest(title="orleans", **fields)

    most = await api.catalog.GetTitle(request())
    assert (most.players, {it.seat for it in most.zones}) == (5, {0, 1, 2, 3, 4, 5})
    assert {it.id: it.text for it in most.zones}["seat.5.bag"] == "Bag"
    merchant = next(it for it in most.markers if it.id == "seat.1.merchant")
    assert {(word.id, word.text) for word in merchant.words} >= {("orleans", "Orléans"), ("tours", "Tours")}
    assert {it.text for it in most.decisions} >= {"Place followers"}
    assert len(most.map.towns) == 23
    two = await api.catalog.GetTitle(request(players=2, options={"hour_glass": "ungraded"}))
    assert (two.players, {it.seat for it in two.zones}) == (2, {0, 1, 2})
    assert "hour_glass.U" in {it.id for it in two.zones}
    assert "income.U" in {it.id for it in two.components}
    german = await api.catalog.GetTitle(request(players=2), metadata=(("accept-language", "de"),))
    assert {it.id: it.text for it in german.zones}["seat.1.bag"] == "Beutel"
    for wrong, field in (({"players": 9}, "players"), ({"options": {"no": "such"}}, "options.no")):
        async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
            await api.catalog.GetTitle(request(**wrong))
        assert list(problems[0].violations) == [field]


async def test_the_catalogue_caches_a_limited_number_of_answers(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    make = CatalogServicer._make_entry

    def count_calls(servicer: CatalogServicer, *arguments: Any) -> bytes:
        calls.append(arguments)
        return make(servicer, *arguments)

    monkeypatch.setattr(CatalogServicer, "_make_entry", count_calls)
    monkeypatch.setattr("boardkeeper.service.api.catalog.MAX_CACHED", 2)
    for players in (2, 3, 2, 4, 2, 3):
        await api.catalog.GetTitle(catalog_pb2.GetTitleRequest(title="orleans", players=players))
    assert [arguments[2] for arguments in calls] == [2, 3, 4, 3]


async def test_the_catalogue_is_built_once_in_another_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []
    make = CatalogServicer._make_entry

    def count_calls(servicer: CatalogServicer, *arguments: Any) -> bytes:
        threads.append(threading.get_ident())
        return make(servicer, *arguments)

    monkeypatch.setattr(CatalogServicer, "_make_entry", count_calls)
    async with run_server(tmp_path / "other.db") as api:
        request = catalog_pb2.GetTitleRequest(title="orleans")
        await asyncio.gather(*(api.catalog.GetTitle(request) for _ in range(5)))
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()


async def test_a_cached_catalogue_does_not_wait_for_a_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, gate = threading.Event(), threading.Event()
    make = CatalogServicer._make_entry

    def wait_for_gate(servicer: CatalogServicer, *arguments: Any) -> bytes:
        begun.set()
        gate.wait(100)
        return make(servicer, *arguments)

    async with run_server(tmp_path / "other.db") as api:
        request = catalog_pb2.GetTitleRequest(title="orleans")
        ready = await api.catalog.GetTitle(request)
        monkeypatch.setattr(CatalogServicer, "_make_entry", wait_for_gate)
        other = asyncio.ensure_future(api.catalog.GetTitle(request, metadata=(("accept-language", "de"),)))
        try:
            await asyncio.to_thread(begun.wait, 100)
            assert await api.catalog.GetTitle(request, timeout=100) == ready
            assert not other.done()
        finally:
            gate.set()
        assert await other != ready


async def test_unknown_titles_and_editions(api: Api) -> None:
    async with grpc_error(grpc.StatusCode.NOT_FOUND, "TITLE_NOT_FOUND"):
        await api.catalog.GetTitle(catalog_pb2.GetTitleRequest(title="chess"))
    async with grpc_error(grpc.StatusCode.NOT_FOUND, "EDITION_NOT_FOUND"):
        await api.catalog.GetTitle(catalog_pb2.GetTitleRequest(title="orleans", edition="first"))


# --- games ---------------------------------------------------------------------------------------------------


async def test_creating_a_game(api: Api) -> None:
    game, tokens = await api.create(SEAT(name="Ada"), SEAT(bot="sensible"), SEAT(name="Bob", entropy=b"salt"))
    assert sorted(tokens) == [1, 3]
    assert len(set(tokens.values())) == 2
    assert game.status == game_pb2.GAME_STATUS_RUNNING
    assert [(seat.seat, seat.name, seat.bot, seat.taken) for seat in game.seats] == [
        (1, "Ada", "", True),
        (2, "", "sensible", True),
        (3, "Bob", "", True),
    ]
    assert game.deciding
    assert len(game.dice_commitment) == 64
    assert game.create_time.ToMilliseconds() > 1_700_000_000_000
    assert game.readings
    assert (await api.game(game.game_id)).game_id == game.game_id


async def test_joining_a_game(api: Api) -> None:
    game, tokens = await api.create(SEAT(name="Ada"), SEAT(open=True), SEAT(open=True))
    assert list(tokens) == [1]
    assert game.status == game_pb2.GAME_STATUS_OPEN
    board = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id))
    assert board.version == game.version
    assert not board.HasField("board")
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "GAME_NOT_STARTED"):
        await api.submit(game.game_id, 1, tokens[1], "a", draw(1))
    request = games_pb2.JoinGameRequest(game_id=game.game_id, seat=3, name="Cid", request_id=str(uuid4()))
    joined = await api.games.JoinGame(request)
    assert joined.seat_token.seat == 3
    assert (await api.games.JoinGame(request)).seat_token == joined.seat_token
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN"):
        await api.games.JoinGame(games_pb2.JoinGameRequest(game_id=game.game_id, seat=3))
    last = await api.games.JoinGame(games_pb2.JoinGameRequest(game_id=game.game_id, name="Bob"))
    assert last.seat_token.seat == 2
    assert last.game.status == game_pb2.GAME_STATUS_RUNNING
    assert (await api.legal(game.game_id, 3, joined.seat_token.token)).version >= last.game.version
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "NO_FREE_SEAT"):
        await api.games.JoinGame(games_pb2.JoinGameRequest(game_id=game.game_id))
    names = [event.sentence for event in await api.events(game.game_id) if event.name == "SeatJoined"]
    assert [name.split()[0] for name in names] == ["Ada", "Cid", "Bob"]


async def test_a_repeated_create_request_has_the_same_answer(api: Api) -> None:
    request_id = str(uuid4())
    first = await api.create(request_id=request_id)
    assert await api.create(request_id=request_id) == first
    async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED"):
        await api.create(SEAT(bot="random"), SEAT(name="Bob"), request_id=request_id)
    listed = await api.games.ListGames(games_pb2.ListGamesRequest())
    assert [game.game_id for game in listed.games] == [first[0].game_id]


async def test_the_order_of_choices_does_not_change_a_request(api: Api) -> None:
    request_id = str(uuid4())
    create = api.channel.unary_unary(
        "/boardkeeper.v1.Games/CreateGame", lambda data: data, games_pb2.CreateGameResponse.FromString
    )
    request = games_pb2.CreateGameRequest(title="orleans", seats=(SEAT(), SEAT()), request_id=request_id)
    choices = [
        games_pb2.CreateGameRequest(readings={reading: choice}).SerializeToString()
        for reading, choice in (("first_technology", "first_placed"), ("draw_amount", "up_to"))
    ]
    first, second = [
        await create(request.SerializeToString() + b"".join(order)) for order in (choices, reversed(choices))
    ]
    assert first == second


async def test_lists_are_paged_and_filtered(api: Api) -> None:
    created = [(await api.create(SEAT(open=True), SEAT(open=True)))[0].game_id for _ in range(5)]
    running = (await api.create())[0].game_id
    request = games_pb2.ListGamesRequest(page_size=2, status=game_pb2.GAME_STATUS_OPEN, title="orleans")
    pages = await read_pages(api.games.ListGames, request)
    assert [game.game_id for page in pages for game in page.games] == created[::-1]
    assert len(pages) == 3
    everything = await api.games.ListGames(games_pb2.ListGamesRequest())
    assert everything.games[0].game_id == running
    first = await api.games.ListGames(games_pb2.ListGamesRequest(page_size=1))
    async with grpc_error(INVALID) as problems:
        await api.games.ListGames(
            games_pb2.ListGamesRequest(page_token=first.next_page_token, status=game_pb2.GAME_STATUS_OPEN)
        )
    assert list(problems[0].violations) == ["page_token"]


# --- playing -------------------------------------------------------------------------------------------------


async def test_people_play_a_whole_game(api: Api) -> None:
    game, tokens = await api.create()
    chance = random.Random(5)
    version = 0
    while reached := await api.play_turn(game.game_id, tokens, chance):
        version = reached
    over = await api.game(game.game_id)
    assert over.status == game_pb2.GAME_STATUS_ENDED
    assert over.version == version
    assert not over.deciding
    assert {standing.seat for standing in over.standings} == {1, 2}
    assert over.standings[0].rank == 1
    events = await api.events(game.game_id)
    assert [event.version for event in events] == list(range(1, version + 1))
    assert events[-1].name == "GameEnded"
    assert all(event.sentence for event in events if event.HasField("detail"))
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "GAME_OVER"):
        await api.submit(game.game_id, 1, tokens[1], "too-late", draw(1))
    assert not (await api.legal(game.game_id, 1, tokens[1])).commands


async def test_the_answer_to_a_command_contains_its_events(api: Api) -> None:
    game, tokens = await api.create()
    legal = await api.legal(game.game_id, 1, tokens[1])
    assert legal.decision
    assert all(it.sentence for it in legal.commands)
    answer = await api.submit(
        game.game_id, 1, tokens[1], "mine", legal.commands[-1].command, expected_version=legal.version
    )
    assert answer.first_version == legal.version + 1
    assert [event.version for event in answer.events] == list(range(answer.first_version, answer.version + 1))
    assert {event.command_id for event in answer.events} == {"mine"}
    assert list(answer.events) == await api.events(game.game_id, tokens[1], after_version=legal.version)
    again = await api.submit(game.game_id, 1, tokens[1], "mine", legal.commands[-1].command)
    assert again.repeated
    assert again.events == answer.events
    other = (await api.legal(game.game_id, 2, tokens[2])).commands[-1].command
    assert not (await api.submit(game.game_id, 2, tokens[2], "mine", other)).repeated


async def test_sentences_are_in_the_language_of_the_caller(api: Api) -> None:
    game, tokens = await api.create()
    request = games_pb2.ListLegalCommandsRequest(game_id=game.game_id, seat=1)
    english = await api.games.ListLegalCommands(request, metadata=bearer(tokens[1]))
    german = await api.games.ListLegalCommands(
        request, metadata=(*bearer(tokens[1]), ("accept-language", "de-DE,de;q=0.9"))
    )
    assert [it.command for it in german.commands] == [it.command for it in english.commands]
    assert german.commands[0].sentence != english.commands[0].sentence


async def test_a_rejection_has_a_reason_and_changes_nothing(api: Api) -> None:
    game, tokens = await api.create()
    before = await api.game(game.game_id)
    illegal = draw(99)
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION) as problems:
        await api.submit(game.game_id, 1, tokens[1], "a", illegal)
    rejection = problems[0].rejection()
    assert rejection is not None
    assert rejection.rule
    assert problems[0].text
    request = games_pb2.CheckCommandRequest(game_id=game.game_id, seat=1, commands=[illegal])
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION) as checked:
        await api.games.CheckCommand(request, metadata=bearer(tokens[1]))
    assert replace(checked[0], call_id="") == replace(problems[0], call_id="")
    assert checked[0].call_id != problems[0].call_id
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION) as german:
        await api.games.CheckCommand(request, metadata=(*bearer(tokens[1]), ("accept-language", "de")))
    assert german[0].text != problems[0].text
    assert await api.game(game.game_id) == before


async def test_a_check_changes_nothing(api: Api) -> None:
    game, tokens = await api.create()
    before = await api.game(game.game_id)
    legal = await api.legal(game.game_id, 1, tokens[1])
    for it in legal.commands:
        request = games_pb2.CheckCommandRequest(
            game_id=game.game_id, seat=1, commands=[it.command], expected_version=legal.version
        )
        assert (await api.games.CheckCommand(request, metadata=bearer(tokens[1]))).version == legal.version
    request.expected_version = 1
    async with grpc_error(grpc.StatusCode.ABORTED, "VERSION_CONFLICT"):
        await api.games.CheckCommand(request, metadata=bearer(tokens[1]))
    assert await api.game(game.game_id) == before
    assert await api.legal(game.game_id, 1, tokens[1]) == legal


async def test_a_command_with_an_old_version_is_aborted(api: Api) -> None:
    game, tokens = await api.create()
    command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
    async with grpc_error(grpc.StatusCode.ABORTED, "VERSION_CONFLICT") as problems:
        await api.submit(game.game_id, 1, tokens[1], "a", command, expected_version=1)
    assert problems[0].values["version"] == str(game.version)


async def test_a_token_is_valid_only_for_its_own_seat(api: Api) -> None:
    game, tokens = await api.create(SEAT(name="Ada"), SEAT(name="Bob"), SEAT(bot="random"))
    _, others = await api.create()
    command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
    submit = games_pb2.SubmitCommandsRequest(game_id=game.game_id, seat=1, commands=[command], command_id="a")
    wrong = grpc.StatusCode.PERMISSION_DENIED
    missing = grpc.StatusCode.UNAUTHENTICATED
    for metadata, code in (
        ((), missing),
        ((("authorization", tokens[1]),), missing),
        ((("authorization", "Basic YTpi"),), missing),
        ((("authorization", "Bearer " + "x" * 5000),), missing),
        (bearer(tokens[2]), wrong),
        (bearer(others[1]), wrong),
        (bearer("nonsense"), wrong),
    ):
        async with grpc_error(code):
            await api.games.SubmitCommands(submit, metadata=metadata)
        async with grpc_error(code):
            await api.games.ListLegalCommands(
                games_pb2.ListLegalCommandsRequest(game_id=game.game_id, seat=1), metadata=metadata
            )
    for seat, code in ((3, wrong), (4, INVALID), (0, INVALID), (-1, INVALID), (2**31 - 1, INVALID)):
        submit.seat = seat
        async with grpc_error(code):
            await api.games.SubmitCommands(submit, metadata=bearer(tokens[1]))
    async with grpc_error(wrong):
        await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id), metadata=bearer(others[1]))
    assert not [event for event in await api.events(game.game_id) if event.command_id == "a"]


# --- reading -------------------------------------------------------------------------------------------------


async def test_boards_of_past_versions(api: Api) -> None:
    game, tokens = await api.create()
    boards: dict[int, Message] = {}
    chance = random.Random(2)
    version = game.version
    for _ in range(40):
        request = games_pb2.GetBoardRequest(game_id=game.game_id, min_version=version)
        answer = await api.games.GetBoard(request, metadata=bearer(tokens[1]))
        boards[answer.version] = answer.board
        version = await api.play_turn(game.game_id, tokens, chance)
    for version, board in boards.items():
        request = games_pb2.GetBoardRequest(game_id=game.game_id, version=version)
        assert (await api.games.GetBoard(request, metadata=bearer(tokens[1]))).board == board
    created = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id, version=1))
    assert not created.HasField("board")
    for version in (0, -5, 100_000):
        async with grpc_error(grpc.StatusCode.OUT_OF_RANGE):
            await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id, version=version))
    async with grpc_error(INVALID):
        await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id, version=1, min_version=1))


async def test_hidden_information_is_in_no_answer(api: Api) -> None:
    """The history of a spectator equals that of a seat except for the seat's hidden events."""
    game, tokens = await api.create(options={"planning": "sealed"})
    chance = random.Random(11)
    for _ in range(150):
        await api.play_turn(game.game_id, tokens, chance)
    views = {viewer: await api.events(game.game_id, tokens.get(viewer, "")) for viewer in (0, 1, 2)}
    hidden = {viewer: sum(_is_redacted(event) for event in events) for viewer, events in views.items()}
    assert hidden[0] >= max(hidden[1], hidden[2]) > 0
    for public, own in zip(views[0], views[1], strict=True):
        assert (public.version, public.seat, public.time) == (own.version, own.seat, own.time)
        shows_something = public.HasField("detail") or public.effects
        assert public.name == (own.name if shows_something else ""), "the name of a hidden event is hidden too"
        if not _is_redacted(public):
            assert public == own
        assert public.HasField("detail") == bool(public.sentence)
    board = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id))
    own_board = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id), metadata=bearer(tokens[1]))
    first, second = own_board.board.orleans.seats
    assert sum(first.bag.values()) == first.bag_count
    assert not second.bag
    assert not any(seat.bag for seat in board.board.orleans.seats)


def _is_redacted(event: object) -> bool:
    """Return whether an event is redacted for its viewer."""
    effects: list[effect_pb2.Effect] = list(event.effects)  # type: ignore[attr-defined]
    return not event.HasField("detail") or any(  # type: ignore[attr-defined]
        effect.move.component == "?" or "?" in effect.draw.drawn or "?" in effect.shuffle.after for effect in effects
    )


async def test_reads_of_a_version_that_is_not_reached_fail(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", wait_seconds=0.05) as api:
        game, tokens = await api.create()
        legal = await api.legal(game.game_id, 1, tokens[1])
        fields: dict[str, Any] = {"game_id": game.game_id, "min_version": game.version + 1}
        of_seat: dict[str, Any] = {**fields, "seat": 1}
        calls: list[tuple[Any, Any]] = [
            (api.games.GetGame, games_pb2.GetGameRequest(**fields)),
            (api.games.GetBoard, games_pb2.GetBoardRequest(**fields)),
            (api.games.ListLegalCommands, games_pb2.ListLegalCommandsRequest(**of_seat)),
            (api.games.CheckCommand, games_pb2.CheckCommandRequest(**of_seat, commands=[legal.commands[0].command])),
            (api.history.ListEvents, history_pb2.ListEventsRequest(**fields)),
            (api.history.VerifyGame, history_pb2.VerifyGameRequest(**fields)),
        ]
        for call, request in calls:
            async with grpc_error(grpc.StatusCode.OUT_OF_RANGE, "VERSION_OUT_OF_RANGE"):
                await call(request, metadata=bearer(tokens[1]))
            request.min_version = game.version
            await call(request, metadata=bearer(tokens[1]))
        async with grpc_error(grpc.StatusCode.OUT_OF_RANGE, "VERSION_OUT_OF_RANGE"):
            await api.history.GetRecord(history_pb2.GetRecordRequest(**fields)).read()


async def test_events_are_paged(api: Api) -> None:
    game, tokens = await api.create()
    chance = random.Random(3)
    for _ in range(20):
        await api.play_turn(game.game_id, tokens, chance)
    events = await api.events(game.game_id)
    assert await api.events(game.game_id, after_version=7) == events[7:]
    assert await api.events(game.game_id, after_version=10_000) == []
    page = await api.history.ListEvents(history_pb2.ListEventsRequest(game_id=game.game_id, page_size=3))
    assert list(page.events) == events[:3]
    other, _ = await api.create()
    for token in (page.next_page_token, "nonsense", "AAAA", page.next_page_token[:-3], "x" * 5000, "é"):
        async with grpc_error(INVALID) as problems:
            await api.history.ListEvents(history_pb2.ListEventsRequest(game_id=other.game_id, page_token=token))
        assert list(problems[0].violations) == ["page_token"]


# --- watching ------------------------------------------------------------------------------------------------


async def test_a_watch_starts_at_any_version_and_continues_live(api: Api) -> None:
    game, tokens = await api.create()
    chance = random.Random(1)
    await api.play_turn(game.game_id, tokens, chance)
    watch = api.games.WatchGame(
        games_pb2.WatchGameRequest(game_id=game.game_id, after_version=2), metadata=bearer(tokens[2])
    )
    seen = []
    for _ in range(60):
        seen.append((await watch.read()).event)
        if seen[-1].version >= (await api.game(game.game_id)).version:
            await api.play_turn(game.game_id, tokens, chance)
    watch.cancel()
    everything = await api.events(game.game_id, tokens[2])
    assert seen == everything[2:62]


async def test_a_watch_ends_with_its_game(api: Api) -> None:
    game, _ = await api.create(SEAT(bot="random"), SEAT(bot="sensible"))
    request = games_pb2.WatchGameRequest(game_id=game.game_id)
    seen = [answer.event async for answer in api.games.WatchGame(request)]
    assert seen[-1].name == "GameEnded"
    everything = await api.events(game.game_id)
    assert [event.version for event in seen] == [event.version for event in everything]
    assert [answer.event async for answer in api.games.WatchGame(request)] == everything
    request.after_version = seen[-1].version
    assert [answer async for answer in api.games.WatchGame(request)] == []


async def test_a_watch_without_events_sends_heartbeats(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", heartbeat_seconds=0.05) as api:
        game, _ = await api.create()
        watch = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id, after_version=game.version))
        answer = await watch.read()
        assert (answer.heartbeat.game_id, answer.heartbeat.version) == (game.game_id, game.version)
        watch.cancel()


async def test_only_a_slow_reader_is_disconnected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "_STALL_FACTOR", 1e9)  # otherwise its stream is reset before it reads again
    # The timeout is short, so every write that waits for this reader exceeds it.
    async with run_server(tmp_path / "games.db", slow_reader_seconds=0.001) as api:
        game, _ = await api.create(SEAT(bot="random"), SEAT(bot="random"), SEAT(bot="random"))
        request = games_pb2.WatchGameRequest(game_id=game.game_id)
        while (await api.game(game.game_id)).status != game_pb2.GAME_STATUS_ENDED:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        options = [("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0)]
        async with grpc.aio.insecure_channel(api.address, options=options) as slow:
            watch = Api(slow).games.WatchGame(request)
            first = (await watch.read()).event
            assert first.version == 1
            # The game is larger than the flow control window, so a write of the server waits until the client reads.
            # The timeout is not visible from outside: the status comes after the events that are already written.
            await asyncio.sleep(1)
            version = 1
            async with grpc_error(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_SLOW") as problems:
                while (answer := await watch.read()) is not grpc.aio.EOF:
                    version = answer.event.version
        assert int(problems[0].values["version"]) == version
        rest = games_pb2.WatchGameRequest(game_id=game.game_id, after_version=version)
        assert (await api.games.WatchGame(rest).read()).event.version == version + 1


# --- play streams --------------------------------------------------------------------------------------------


async def test_commands_and_events_on_one_play_stream(api: Api) -> None:
    game, tokens = await api.create(SEAT(name="Ada"), SEAT(bot="random"))
    play = api.games.Play()
    await play.write(
        games_pb2.PlayRequest(
            subscription=games_pb2.PlaySubscription(game_id=game.game_id, token=tokens[1], after_version=0)
        )
    )
    commands = (await api.legal(game.game_id, 1, tokens[1])).commands
    for command_id in ("a", "a"):
        await play.write(
            games_pb2.PlayRequest(
                commands=games_pb2.PlayCommands(
                    game_id=game.game_id,
                    seat=1,
                    token=tokens[1],
                    commands=[commands[0].command],
                    command_id=command_id,
                )
            )
        )
    await play.write(games_pb2.PlayRequest())
    for wrong in (
        games_pb2.PlayCommands(game_id=game.game_id, seat=1, token="x", command_id="b"),
        games_pb2.PlayCommands(game_id="x" * 1000, seat=1, command_id="c"),
        games_pb2.PlayCommands(
            game_id=game.game_id,
            seat=1,
            token=tokens[1],
            command_id="d",
            expected_version=1,
            commands=[commands[0].command],
        ),
    ):
        await play.write(games_pb2.PlayRequest(commands=wrong))
    await play.write(games_pb2.PlayRequest(subscription=games_pb2.PlaySubscription(game_id=str(uuid4()))))
    outcomes: list[games_pb2.PlayOutcome] = []
    rejections: list[games_pb2.PlayRejection] = []
    events: list[event_pb2.Event] = []
    while len(outcomes) + len(rejections) < 7:
        answer = await play.read()
        match answer.WhichOneof("response"):
            case "outcome":
                outcomes.append(answer.outcome)
            case "rejection":
                rejections.append(answer.rejection)
            case "event":
                events.append(answer.event)
    assert [(it.command_id, it.repeated) for it in outcomes] == [("a", False), ("a", True)]
    assert outcomes[0].first_version == outcomes[1].first_version
    codes = [
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.NOT_FOUND,
    ]
    assert [it.status.code for it in rejections] == [code.value[0] for code in codes]
    assert [it.command_id for it in rejections] == ["", "b", "c", "d", ""]
    while len(events) < outcomes[0].version:
        events.append((await play.read()).event)
    assert events == (await api.events(game.game_id, tokens[1]))[: len(events)]
    play.cancel()


async def test_a_new_subscription_replaces_one_that_waits_for_its_reader(api: Api) -> None:
    game, tokens = await api.create()
    chance = random.Random(2)
    for _ in range(60):
        version = await api.play_turn(game.game_id, tokens, chance)
    subscription = games_pb2.PlayRequest(subscription=games_pb2.PlaySubscription(game_id=game.game_id))
    without_token = games_pb2.PlayRequest(commands=games_pb2.PlayCommands(game_id=game.game_id, seat=1, command_id="a"))
    options = (("grpc.http2.bdp_probe", 0), ("grpc.use_local_subchannel_pool", 1))
    async with grpc.aio.insecure_channel(api.address, options=options) as channel:
        play = Api(channel).games.Play()
        for _ in range(10):  # more than the flow control window, so that the server cannot write all
            await play.write(subscription)
            await asyncio.sleep(0.05)  # the server must have started to write, which is not visible from outside
        await play.write(without_token)
        versions: list[int] = []
        rejections = 0
        while not (rejections and versions[-version:] == list(range(1, version + 1))):
            answer = await play.read()
            rejections += answer.HasField("rejection")
            versions += [answer.event.version] if answer.HasField("event") else []
        assert rejections == 1
        assert versions.count(version) <= 10, "each subscription sends the game at most once"
        play.cancel()


async def test_a_play_stream_without_subscriptions_ends_with_its_requests(api: Api) -> None:
    play = api.games.Play()
    await play.write(games_pb2.PlayRequest())
    await play.done_writing()
    answers = [answer async for answer in play]
    assert [answer.WhichOneof("response") for answer in answers] == ["rejection"]


# --- invalid requests ----------------------------------------------------------------------------------------

_GAME = "00000000-0000-0000-0000-000000000000"
_MALFORMED: list[tuple[str, str, Message, str]] = [
    ("Games", "CreateGame", games_pb2.CreateGameRequest(title="orleans"), "seats"),
    ("Games", "CreateGame", games_pb2.CreateGameRequest(title="orleans", seats=[SEAT()]), "seats"),
    ("Games", "CreateGame", games_pb2.CreateGameRequest(title="orleans", seats=[SEAT()] * 100), "seats"),
    ("Games", "CreateGame", games_pb2.CreateGameRequest(title="x" * 1000, seats=[SEAT()] * 2), "title"),
    (
        "Games",
        "CreateGame",
        games_pb2.CreateGameRequest(title="orleans", edition="first", seats=[SEAT()] * 2),
        "edition",
    ),
    (
        "Games",
        "CreateGame",
        games_pb2.CreateGameRequest(title="orleans", options={"a": "b"}, seats=[SEAT()] * 2),
        "options.a",
    ),
    (
        "Games",
        "CreateGame",
        games_pb2.CreateGameRequest(title="orleans", readings={"a": "x" * 999}, seats=[SEAT()] * 2),
        "readings",
    ),
    (
        "Games",
        "CreateGame",
        games_pb2.CreateGameRequest(title="orleans", seats=[SEAT(), SEAT(bot="genius")]),
        "seats[1].bot",
    ),
    (
        "Games",
        "CreateGame",
        games_pb2.CreateGameRequest(title="orleans", seats=[SEAT(), SEAT(bot="random", open=True)]),
        "seats[1].open",
    ),
    (
        "Games",
        "CreateGame",
        games_pb2.CreateGameRequest(title="orleans", seats=[SEAT(name="\n"), SEAT()]),
        "seats[0].name",
    ),
    (
        "Games",
        "CreateGame",
        games_pb2.CreateGameRequest(title="orleans", seats=[SEAT(), SEAT(entropy=b"x" * 65)]),
        "seats[1].entropy",
    ),
    (
        "Games",
        "CreateGame",
        games_pb2.CreateGameRequest(title="orleans", seats=[SEAT(), SEAT(bot="random", entropy=b"salt")]),
        "seats[1].entropy",
    ),
    (
        "Games",
        "CreateGame",
        games_pb2.CreateGameRequest(title="orleans", seats=[SEAT()] * 2, request_id="short"),
        "request_id",
    ),
    ("Games", "GetGame", games_pb2.GetGameRequest(game_id="nonsense"), "game_id"),
    ("Games", "GetGame", games_pb2.GetGameRequest(game_id=_GAME.upper().replace("0", "A")), "game_id"),
    ("Games", "JoinGame", games_pb2.JoinGameRequest(game_id=_GAME, seat=-1), "seat"),
    ("Games", "ListGames", games_pb2.ListGamesRequest(page_size=-1), "page_size"),
    ("Games", "ListGames", games_pb2.ListGamesRequest(status=77), "status"),  # type: ignore[arg-type]
    ("Games", "SubmitCommands", games_pb2.SubmitCommandsRequest(game_id=_GAME), "command_id"),
    ("Games", "SubmitCommands", games_pb2.SubmitCommandsRequest(game_id=_GAME, command_id="a b"), "command_id"),
    ("Games", "SubmitCommands", games_pb2.SubmitCommandsRequest(game_id=_GAME, command_id="x" * 65), "command_id"),
    ("Games", "WatchGame", games_pb2.WatchGameRequest(game_id=_GAME, after_version=-1), "after_version"),
    ("History", "ListEvents", history_pb2.ListEventsRequest(game_id=_GAME, after_version=-1), "after_version"),
]


@pytest.mark.parametrize(("service", "rpc", "request_message", "field"), _MALFORMED)
async def test_a_malformed_request_names_its_field(
    api: Api, service: str, rpc: str, request_message: Message, field: str
) -> None:
    stub = api.games if service == "Games" else api.history
    async with grpc_error(INVALID, "BAD_REQUEST") as problems:
        answer = getattr(stub, rpc)(request_message)
        await (answer.read() if rpc == "WatchGame" else answer)
    assert list(problems[0].violations) == [field]


async def test_malformed_commands_name_their_field(api: Api) -> None:
    game, tokens = await api.create()
    foreign = command_pb2.Command.FromString(b"\x9a\x06\x00")  # field 99, which no title has
    for commands, field in (
        ([], "commands"),
        ([command_pb2.Command()], "commands[0].title"),
        ([foreign], "commands[0].title"),
        ([draw(1), command_pb2.Command(orleans=orleans.Command())], "commands[1].orleans.command"),
        ([draw(0)] * 65, "commands"),
    ):
        async with grpc_error(INVALID) as problems:
            await api.submit(game.game_id, 1, tokens[1], "a", *commands)
        assert list(problems[0].violations) == [field]


async def test_commands_with_nonsense_values_are_rejected(api: Api) -> None:
    """All fields of every command of the title contain nonsense."""
    game, tokens = await api.create()
    before = await api.game(game.game_id)
    for field in orleans.Command.DESCRIPTOR.fields:
        kind = field.message_type
        if kind is None or not kind.fields:
            continue
        for text, number in (("nonsense", -7), ("", 2**31 - 1), ("x" * 1000, 0)):
            command = command_pb2.Command()
            inner = getattr(command.orleans, field.name)
            inner.SetInParent()
            for part in kind.fields:
                value = text if part.type == part.TYPE_STRING else number
                setattr(inner, part.name, bool(value) if part.type == part.TYPE_BOOL else value)
            async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION):
                await api.submit(game.game_id, 1, tokens[1], f"{field.name}-{number}", command)
    assert await api.game(game.game_id) == before


@pytest.mark.parametrize(
    "path",
    [
        "/boardkeeper.v1.Games/CreateGame",
        "/boardkeeper.v1.Games/SubmitCommands",
        "/boardkeeper.v1.Catalog/GetTitle",
        "/boardkeeper.v1.History/ListEvents",
        "/grpc.health.v1.Health/Check",
    ],
)
async def test_undecodable_requests_are_rejected(api: Api, path: str) -> None:
    call: Any = api.channel.unary_unary(path)
    for data in (b"\xff", b"\x0a\xff", b"\x0a\x02\xff\xfe", b"\x0a\x7f"):
        async with grpc_error(INVALID, "BAD_REQUEST"):
            await call(data)


async def test_undecodable_requests_on_streams_are_rejected(api: Api) -> None:
    channel: Any = api.channel
    watch = channel.unary_stream("/boardkeeper.v1.Games/WatchGame")(b"\xff")
    async with grpc_error(INVALID):
        await watch.read()
    play = channel.stream_stream("/boardkeeper.v1.Games/Play")()
    await play.write(b"\xff")
    async with grpc_error(INVALID):
        await play.read()


async def test_a_request_that_is_too_large_is_rejected(api: Api) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await api.catalog.GetTitle(catalog_pb2.GetTitleRequest(title="x" * 1_000_000))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_unknown_games_and_rpcs_are_rejected(api: Api) -> None:
    unknown = str(uuid4())
    for call in (
        api.games.GetGame(games_pb2.GetGameRequest(game_id=unknown)),
        api.games.GetBoard(games_pb2.GetBoardRequest(game_id=unknown)),
        api.games.JoinGame(games_pb2.JoinGameRequest(game_id=unknown)),
        api.games.WatchGame(games_pb2.WatchGameRequest(game_id=unknown)).read(),
        api.history.ListEvents(history_pb2.ListEventsRequest(game_id=unknown)),
    ):
        async with grpc_error(grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND"):
            await call
    channel: Any = api.channel
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await channel.unary_unary("/boardkeeper.v1.Games/StealGame")(b"")
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_burst_of_calls_is_answered(api: Api) -> None:
    game = (await api.create())[0].game_id
    async with grpc.aio.insecure_channel(
        api.address, options=(("grpc.use_local_subchannel_pool", 1),)
    ) as second:  # a connection carries a thousand calls at once
        channels = (api, Api(second))
        answers = await asyncio.gather(*(channels[at % 2].game(game) for at in range(1800)))
    assert {answer.game_id for answer in answers} == {game}


# --- health -----------------------------------------------------------------------------------------------


async def test_health_of_every_service(api: Api) -> None:
    stub: Any = health_pb2_grpc.HealthStub(api.channel)
    for service in ("", "boardkeeper.v1.Catalog", "boardkeeper.v1.Games", "boardkeeper.v1.History"):
        answer = await stub.Check(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.Check(health_pb2.HealthCheckRequest(service="nonsense"))
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
