"""Bots per title, choices per number of players, and automata, over real sockets."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.databases.database_access import db_argument, key_path
from tests.service.api_server import Api, bearer, grpc_error, run_server
from tests.service.keys import OPERATOR_TOKEN
from tests.service.rival_services import install_rival_title, load_title
from tests.service.tiny_title import DrawPearl, PassCoin
from tests.service.twin_services import command_message

from boardkeeper.service.storage.projection_rebuild import rebuild
from boardkeeper.titlekit.bots import LEVEL_BOTS
from boardkeeper.v1 import catalog_pb2, game_pb2, games_pb2, history_pb2

pytestmark = pytest.mark.socket

BAD = grpc.StatusCode.INVALID_ARGUMENT
SEAT = games_pb2.SeatRequest
ADA = SEAT(name="Ada")
AUTOMA = SEAT(bot="automa")
MEEK = {"rival": "meek"}


@pytest.fixture(autouse=True)
def rivals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every server the small title with a rival."""
    install_rival_title(monkeypatch)


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with run_server(tmp_path / "games.db", operator_token=OPERATOR_TOKEN) as api:
        yield api


async def create(api: Api, *seats: games_pb2.SeatRequest, **more: Any) -> tuple[game_pb2.Game, dict[int, str]]:
    answer = await api.games.CreateGame(games_pb2.CreateGameRequest(title="tiny", seats=seats, **more))
    return answer.game, {it.seat: it.token for it in answer.seat_tokens}


async def play_to_end(api: Api, game: game_pb2.Game, tokens: dict[int, str], seed: int = 1) -> game_pb2.Game:
    """Play the seats of people until the game ends."""
    chance = random.Random(seed)
    while await api.play_turn(game.game_id, tokens, chance):
        pass
    ended = await api.game(game.game_id)
    assert ended.status == game_pb2.GAME_STATUS_ENDED
    return ended


async def wait_for_end(api: Api, game: game_pb2.Game) -> game_pb2.Game:
    """Watch a game to its end and return it."""
    async for _ in api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id)):
        pass
    return await api.game(game.game_id)


def bots(game: game_pb2.Game) -> list[str]:
    return [seat.bot for seat in game.seats]


# --- the catalogue -------------------------------------------------------------------------------------------------


async def test_the_catalogue_has_bots_and_choices_per_number_of_players(api: Api) -> None:
    (listed,) = (await api.catalog.ListTitles(catalog_pb2.ListTitlesRequest())).titles
    title = (await api.catalog.GetTitle(catalog_pb2.GetTitleRequest(title="tiny"))).title
    assert title == listed
    own = [("eager", "The first command"), ("random", "Any command")]
    assert [(bot.id, bot.text) for bot in title.bots] == [*own, *((it.id, it.text["en"]) for it in LEVEL_BOTS)]
    assert dict(title.alone) == {"rival": "keen"}
    (edition,) = title.editions
    assert (edition.players_min, edition.players_max) == (1, 4)
    (rival,) = (option for option in title.options if option.id == "rival")
    assert {choice.id: tuple(choice.players) for choice in rival.choices} == {"off": (), "meek": (2,), "keen": (2,)}


async def test_the_catalogue_of_a_title_without_solo_play(api: Api) -> None:
    title = (await api.catalog.GetTitle(catalog_pb2.GetTitleRequest(title="orleans"))).title
    assert not title.alone
    assert {edition.players_min for edition in title.editions} == {2}
    assert [bot.id for bot in title.bots] == ["sensible", "random", "easy", "medium", "hard"]


# --- bots and choices ----------------------------------------------------------------------------------------------


async def test_each_title_has_its_own_bots(api: Api) -> None:
    game, _ = await create(api, ADA, SEAT(bot="eager"))
    assert bots(game) == ["", "eager"]
    async with grpc_error(BAD, "BAD_REQUEST") as problems:
        await create(api, ADA, SEAT(bot="sensible"), SEAT(bot="rash"))
    assert problems[0].violations == {
        "seats[1].bot": "must be empty or one of: eager, random, easy, medium, hard",
        "seats[2].bot": "must be empty or one of: eager, random, easy, medium, hard",
    }
    async with grpc_error(BAD, "BAD_REQUEST") as problems:
        await api.create(SEAT(bot="eager"), SEAT(bot="random"))
    assert problems[0].violations == {"seats[0].bot": "must be empty or one of: sensible, random, easy, medium, hard"}


async def test_a_choice_for_another_number_of_players_is_rejected(api: Api) -> None:
    async with grpc_error(BAD, "BAD_REQUEST") as problems:
        await create(api, ADA, SEAT(bot="random"), SEAT(bot="random"), options=MEEK)
    assert problems[0].violations == {"options.rival": "can be 'meek' only with 2 players, not with 3"}


# --- automata ------------------------------------------------------------------------------------------------------


async def test_a_whole_game_against_an_automaton(api: Api) -> None:
    game, tokens = await create(api, ADA)
    assert (game.status, tuple(game.deciding)) == (game_pb2.GAME_STATUS_RUNNING, (1,))
    assert [(seat.bot, seat.taken) for seat in game.seats] == [("", True), ("automa", True)]
    assert dict(game.options)["rival"] == "keen"
    assert list(tokens) == [1]
    over = await play_to_end(api, game, tokens)
    assert {standing.seat for standing in over.standings} == {1, 2}
    events = await api.events(game.game_id)
    turns = [event for event in events if event.name in ("CoinPassed", "PearlDrawn", "PileShown") and event.seat]
    assert [event.seat for event in turns] == [1, 2] * 6
    assert [event.command_id for event in turns[::2]] == [event.command_id for event in turns[1::2]]


async def test_other_options_apply_in_solo_games(api: Api) -> None:
    game, _ = await create(api, ADA, options=MEEK | {"pearls": "few"})
    assert dict(game.options) == {"rival": "meek", "pearls": "few"}


async def test_one_seat_without_an_automaton_is_rejected(api: Api) -> None:
    async with grpc_error(BAD, "NOBODY_TO_PLAY_AGAINST") as problems:
        await create(api, ADA, options={"rival": "off"})
    assert problems[0].values == {"options": "rival"}
    assert "this choice for rival" in problems[0].text
    game, _ = await create(api, ADA, SEAT(name="Ben"), options={"rival": "off"})
    assert bots(game) == ["", ""]


async def test_a_bot_plays_against_an_automaton(api: Api) -> None:
    for seats in ((SEAT(bot="random"),), (SEAT(bot="eager"), AUTOMA)):
        game, tokens = await create(api, *seats, options=MEEK)
        assert not tokens
        over = await wait_for_end(api, game)
        assert over.status == game_pb2.GAME_STATUS_ENDED


@pytest.mark.parametrize(
    "other", [SEAT(name="Bob"), SEAT(open=True), SEAT(bot="random")], ids=["person", "open", "bot"]
)
async def test_only_an_automaton_has_its_seat(api: Api, other: games_pb2.SeatRequest) -> None:
    async with grpc_error(BAD, "SEAT_PLAYED_BY_RULES") as problems:
        await create(api, ADA, other, options=MEEK)
    assert problems[0].values["seat"] == "2"
    game, _ = await create(api, ADA, SEAT(name="Rita", bot="automa"), options=MEEK)
    assert [seat.name for seat in game.seats] == ["Ada", "Rita"]


@pytest.mark.parametrize("seats", [(AUTOMA, ADA), (ADA, AUTOMA), (ADA, ADA, AUTOMA)])
async def test_an_automaton_has_no_other_seat(api: Api, seats: Iterable[games_pb2.SeatRequest]) -> None:
    named = [SEAT(name=f"P{at}" if not seat.bot else "", bot=seat.bot) for at, seat in enumerate(seats)]
    async with grpc_error(BAD, "SEAT_NOT_PLAYED_BY_RULES") as problems:
        await create(api, *named)
    assert problems[0].values["seat"] == str(1 + next(at for at, seat in enumerate(named) if seat.bot))
    async with grpc_error(BAD, "SEAT_NOT_PLAYED_BY_RULES"):
        await api.create(ADA, AUTOMA)


async def test_no_client_joins_or_acts_for_an_automaton(api: Api) -> None:
    game, _ = await create(api, SEAT(open=True), AUTOMA, options=MEEK)
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN"):
        await api.games.JoinGame(games_pb2.JoinGameRequest(game_id=game.game_id, seat=2, name="Bob"))
    joined = await api.games.JoinGame(games_pb2.JoinGameRequest(game_id=game.game_id, name="Ada"))
    assert joined.seat_token.seat == 1
    assert joined.game.status == game_pb2.GAME_STATUS_RUNNING
    for token in (joined.seat_token.token, OPERATOR_TOKEN):
        async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG"):
            await api.submit(game.game_id, 2, token, "theirs", command_message("tiny", PassCoin(1)))


async def test_a_repeated_request_creates_one_game(api: Api) -> None:
    id = "a-request-of-one-person"
    first, tokens = await create(api, ADA, request_id=id)
    again, same = await create(api, ADA, request_id=id)
    assert (again.game_id, same) == (first.game_id, tokens)


# --- undo, forks, records ------------------------------------------------------------------------------------------


async def undo(api: Api, game: game_pb2.Game, token: str) -> list[str]:
    """Undo the last command of seat 1 and return the names of the events."""
    request = games_pb2.RequestUndoRequest(game_id=game.game_id, seat=1, command_id="undo")
    answer = await api.games.RequestUndo(request, metadata=bearer(token))
    return [event.name for event in answer.events]


@pytest.mark.parametrize(("rival", "names"), [("meek", ["Undone"]), ("keen", ["UndoRequested", "Undone"])])
async def test_an_undo_includes_the_turn_of_the_automaton(api: Api, rival: str, names: list[str]) -> None:
    game, tokens = await create(api, ADA, options={"rival": rival})
    before = await api.legal(game.game_id, 1, tokens[1])
    await api.submit(game.game_id, 1, tokens[1], "pass", command_message("tiny", PassCoin(2)))
    assert await undo(api, game, tokens[1]) == names
    after = await api.legal(game.game_id, 1, tokens[1])
    assert after.commands == before.commands
    assert not (await api.game(game.game_id)).HasField("undo_vote")


async def test_secret_draws_of_an_automaton_are_hidden_until_the_end(api: Api) -> None:
    game, tokens = await create(api, ADA)
    answer = await api.submit(game.game_id, 1, tokens[1], "pass", command_message("tiny", PassCoin(2)))
    passed, drawn = answer.events
    assert (passed.seat, passed.name, passed.command_id) == (1, "CoinPassed", "pass")
    assert (drawn.seat, drawn.name, drawn.command_id, drawn.sentence) == (2, "PearlDrawn", "pass", "")
    assert {effect.move.component for effect in drawn.effects if effect.HasField("move")} == {"?"}
    for viewer in ("", tokens[1]):
        *_, last = await api.events(game.game_id, viewer)
        assert last.sentence == ""
        assert {effect.move.component for effect in last.effects if effect.HasField("move")} == {"?"}
    *_, last = await api.events(game.game_id, OPERATOR_TOKEN)
    assert "PearlDrawn" in last.sentence


@pytest.mark.parametrize("exact", [True, False])
async def test_an_automaton_keeps_its_seat_in_a_fork(api: Api, exact: bool) -> None:
    game, tokens = await create(api, ADA)
    await api.submit(game.game_id, 1, tokens[1], "draw", command_message("tiny", DrawPearl()))
    token = OPERATOR_TOKEN if exact else tokens[1]

    async def fork(*seats: games_pb2.SeatRequest) -> Any:
        request = games_pb2.ForkGameRequest(game_id=game.game_id, seats=seats)
        return await api.games.ForkGame(request, metadata=bearer(token))

    async with grpc_error(BAD, "SEAT_PLAYED_BY_RULES"):
        await fork(ADA, SEAT(bot="random"))
    async with grpc_error(BAD, "BAD_REQUEST"):
        await fork(ADA, AUTOMA, SEAT(bot="random"))
    for seats in ((ADA,), (ADA, AUTOMA)):
        forked = await fork(*seats)
        assert bots(forked.game) == ["", "automa"]
        own = {it.seat: it.token for it in forked.seat_tokens}
        assert list(own) == [1]
        await play_to_end(api, forked.game, own)


async def test_a_record_with_an_automaton_verifies_and_is_imported(api: Api, tmp_path: Path) -> None:
    game, tokens = await create(api, ADA)
    await api.submit(game.game_id, 1, tokens[1], "pass", command_message("tiny", PassCoin(2)))
    await undo(api, game, tokens[1])
    await play_to_end(api, game, tokens)
    stream = api.history.GetRecord(history_pb2.GetRecordRequest(game_id=game.game_id))
    record = b"".join([answer.data async for answer in stream])
    (tmp_path / "elsewhere").mkdir()
    async with run_server(tmp_path / "elsewhere" / "games.db") as other:
        answer = await other.history.ImportRecord(iter([history_pb2.ImportRecordRequest(data=record)]))
        assert bots(await other.game(answer.game.game_id)) == ["", "automa"]
        verified = await other.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=game.game_id))
        statuses = {level.status for level in verified.verification.levels}
        assert statuses == {history_pb2.VERIFICATION_STATUS_HOLDS}


async def test_a_game_against_an_automaton_continues_after_a_restart(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await create(api, ADA)
        chance = random.Random(2)
        for _ in range(3):
            await api.play_turn(game.game_id, tokens, chance)
    async with run_server(tmp_path / "games.db") as api:
        assert bots(await api.game(game.game_id)) == ["", "automa"]
        await play_to_end(api, game, tokens)


async def test_a_rebuilt_lobby_contains_the_automaton(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        await create(api, ADA)
    path = tmp_path / "games.db"
    assert not rebuild(db_argument(path), load_title, key_file=key_path(path)).differences
