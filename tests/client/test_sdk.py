"""The client with a real server over a real socket."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.relay import relay
from tests.service.keys import create_key_in
from tests.waiting import wait_until

from boardkeeper.client import (
    BadRequest,
    Client,
    NewGame,
    NotFound,
    PermissionDenied,
    Rejected,
    Seat,
    Unauthenticated,
    VersionConflict,
    bot,
    bots,
    open_seat,
    person,
)
from boardkeeper.client.aio import AsyncClient
from boardkeeper.service.process.server import running_service
from boardkeeper.titles.orleans.commands import FinishPlanning, PlaceFollower, UsePlace
from boardkeeper.v1 import game_pb2

pytestmark = pytest.mark.socket


@pytest.fixture
def seats(client: Client) -> tuple[Seat, ...]:
    """Two seats of a new game, which both have to plan."""
    return client.create_game("orleans", [person("Anna"), person("Bruno")]).seats


def test_the_catalogue_has_every_title(client: Client) -> None:
    assert [title.id for title in client.titles()] == ["orleans", "paladins", "stories"]
    answer = client.title("orleans")
    assert {"capstone-2021"} <= {edition.id for edition in answer.title.editions}
    assert {"ship", "farmer", "canalization"} <= {component.id for component in answer.components}


def test_names_are_in_the_clients_language(address: str) -> None:
    with Client(address, language="de") as client:
        names = {component.id: component.text for component in client.title("orleans").components}
    assert names["ship"] == "Schiff"


async def test_a_seat_reads_its_game_where_keys_are_required(tmp_path: Path) -> None:
    key = create_key_in(tmp_path / "games.db", "lobby", "create").secret
    with running_service(tmp_path / "games.db", need_keys=True) as address:
        with Client(address, key=key) as platform:
            seat = platform.create_game("orleans", [person("Anna"), person("Bruno")]).seats[0]
        with Client(address) as client:
            assert client.seat(seat.game_id, 1, seat.token).game().title == "orleans"
            with pytest.raises(Unauthenticated):
                client.game(seat.game_id)
        async with AsyncClient(address) as aio:
            assert (await aio.seat(seat.game_id, 1, seat.token).game()).title == "orleans"


def test_a_seat_submits_a_struct_and_reads_the_result(seats: tuple[Seat, ...]) -> None:
    anna = seats[0]
    legal = anna.legal_commands()
    assert legal.decision == "plan"
    assert all(command.sentence for command in legal.commands)
    outcome = anna.submit(PlaceFollower("own_farmer", "ship", "farmer"))
    assert [event.name for event in outcome.events] == ["FollowerPlaced"]
    assert "Anna" in outcome.events[0].sentence
    after = anna.legal_commands(min_version=outcome.version)
    assert after.version >= outcome.version
    assert PlaceFollower("own_farmer", "ship", "farmer") not in after.commands
    assert anna.board(min_version=outcome.version).board.orleans.seats[0].places[0].spaces[0].occupant == "own_farmer"


def test_a_seat_can_be_restored_from_its_token(address: str, seats: tuple[Seat, ...]) -> None:
    """Also for a command of several titles: the client reads the title of the game."""
    with Client(address) as client:
        anna = client.seat(seats[0].game_id, seats[0].number, seats[0].token)
        for place in ("ship", "wagon"):
            anna.check(PlaceFollower("own_farmer", place, "farmer"))
        assert [event.name for event in anna.submit(PlaceFollower("own_farmer", "ship", "farmer")).events] == [
            "FollowerPlaced"
        ]


def test_a_batch_is_carried_out_completely_or_not_at_all(seats: tuple[Seat, ...]) -> None:
    anna = seats[0]
    twice = [PlaceFollower("own_farmer", "ship", "farmer"), PlaceFollower("own_farmer", "wagon", "farmer")]
    with pytest.raises(Rejected) as caught:
        anna.submit(*twice)
    assert caught.value.values["index"] == "1"
    assert anna.board().board.orleans.seats[0].market["own_farmer"] == 1


def test_a_repeated_command_counts_once(seats: tuple[Seat, ...]) -> None:
    command = PlaceFollower("own_farmer", "ship", "farmer")
    first = seats[0].submit(command, command_id="once")
    again = seats[0].submit(command, command_id="once")
    assert not first.repeated
    assert again.repeated
    assert (again.first_version, again.version) == (first.first_version, first.version)
    assert list(again.events) == list(first.events)


def test_a_rejection_explains_itself_and_changes_nothing(seats: tuple[Seat, ...]) -> None:
    anna = seats[0]
    version = anna.game().version
    rejected = anna.check(UsePlace("ship"))
    assert rejected is not None
    with pytest.raises(Rejected) as caught:
        anna.submit(UsePlace("ship"))
    assert caught.value.code == rejected.code
    assert caught.value.rule.startswith(("orleans.", "table."))
    assert caught.value.rule == rejected.rule
    assert str(caught.value)
    assert anna.game().version == version
    assert anna.check(FinishPlanning()) is None
    assert anna.game().version == version


def test_a_command_for_an_old_version_is_rejected(seats: tuple[Seat, ...]) -> None:
    anna, bruno = seats
    version = bruno.legal_commands().version
    now = anna.submit(FinishPlanning()).version
    with pytest.raises(VersionConflict) as caught:
        bruno.submit(FinishPlanning(), expected_version=version)
    assert caught.value.version == now
    bruno.submit(FinishPlanning(), expected_version=now)


def test_errors_have_their_exceptions(client: Client, seats: tuple[Seat, ...]) -> None:
    anna, bruno = seats
    with pytest.raises(NotFound):
        client.game("00000000-0000-0000-0000-000000000000")
    with pytest.raises(BadRequest) as caught:
        client.create_game("orleans", [person("Anna"), bot("psychic")])
    assert caught.value.violations[0].field == "seats[1].bot"
    with pytest.raises(PermissionDenied):
        client.seat(bruno.game_id, bruno.number, anna.token).submit(FinishPlanning())
    with pytest.raises(Unauthenticated):
        client.seat(bruno.game_id, bruno.number, "").submit(FinishPlanning())


def test_a_game_with_an_open_seat_waits_for_a_player(client: Client) -> None:
    new = client.create_game("orleans", [person("Anna"), open_seat()])
    assert new.game.status == game_pb2.GAME_STATUS_OPEN
    assert not new.seats[0].legal_commands().commands
    bruno = client.join(new.game.game_id, "Bruno", entropy=b"something of mine")
    assert bruno.entropy == b"something of mine"
    assert bruno.number == 2
    assert bruno.legal_commands().commands
    assert client.game(new.game.game_id).status == game_pb2.GAME_STATUS_RUNNING


def test_each_player_adds_entropy_to_the_dice(client: Client) -> None:
    new = client.create_game("orleans", [person("Anna"), person("Ben", b""), person("Clara", b"mine"), open_seat()])
    dora = client.join(new.game.game_id, "Dora")
    sent = {seat.number: seat.entropy for seat in (*new.seats, dora)}
    stored = {
        event.seat: bytes.fromhex(event.detail.seat_joined.entropy)
        for event in client.events(new.game.game_id)
        if event.name == "SeatJoined"
    }
    assert stored == sent
    assert (sent[2], sent[3]) == (b"", b"mine")
    assert len(sent[1]) == len(sent[4]) == 32
    assert sent[1] != sent[4]


def test_listed_and_streamed_events_are_equal(client: Client, finished_game: NewGame) -> None:
    game = finished_game.game.game_id
    listed = list(client.events(game))
    assert [event.version for event in listed] == list(range(1, finished_game.game.version + 1))
    assert list(client.watch(game)) == listed
    assert list(client.watch(game, after_version=finished_game.game.version - 3)) == listed[-3:]
    assert list(client.events(game, after_version=finished_game.game.version - 3)) == listed[-3:]


def test_watching_after_the_last_event_ends_immediately(client: Client, finished_game: NewGame) -> None:
    assert list(client.watch(finished_game.game.game_id, after_version=finished_game.game.version)) == []


def test_games_are_listed(client: Client, finished_game: NewGame) -> None:
    assert finished_game.game.game_id in {game.game_id for game in client.games()}


def test_past_boards(client: Client, finished_game: NewGame) -> None:
    rounds = [
        board.board.orleans.round
        for board in (client.board(finished_game.game.game_id, version=at) for at in (30, 200))
    ]
    assert rounds == sorted(rounds)
    assert rounds[0] < rounds[1] < 18


@pytest.mark.parametrize("kinds", [("sensible", "random"), ("random", "random", "random")])
def test_bots_as_clients_play_a_whole_game(client: Client, kinds: tuple[str, ...]) -> None:
    new = client.create_game("orleans", [person(f"{kind} {at}") for at, kind in enumerate(kinds, 1)])
    bots.play({seat: bots.policy(kind, 1) for seat, kind in zip(new.seats, kinds, strict=True)})
    game = client.game(new.game.game_id)
    assert game.status == game_pb2.GAME_STATUS_ENDED
    totals = {score.seat: score.total for score in client.board(game.game_id).board.orleans.scores}
    assert {standing.seat: standing.points for standing in game.standings} == totals
    sheet = new.seats[0].scores()
    assert sheet is not None
    assert list(sheet.totals) == [totals[seat] for seat in sorted(totals)]
    before = new.seats[0].scores(version=game.version // 2)
    assert before is not None
    assert before.running
    assert new.seats[0].scores(version=1) is None


def test_bots_in_threads_and_on_the_server_play_together(client: Client, address: str) -> None:
    new = client.create_game("orleans", [person("Anna"), bot("random"), person("Clara")])
    own = [Client(address) for _ in new.seats]
    threads = [
        threading.Thread(target=bots.play, args=({one.seat(seat.game_id, seat.number, seat.token): bots.Random(7)},))
        for one, seat in zip(own, new.seats, strict=True)
    ]
    for thread in threads:
        thread.start()
    versions = [event.version for event in client.watch(new.game.game_id)]
    for thread in threads:
        thread.join(timeout=100)
    for one in own:
        one.close()
    assert not any(thread.is_alive() for thread in threads)
    assert versions == list(range(1, len(versions) + 1))
    assert client.game(new.game.game_id).status == game_pb2.GAME_STATUS_ENDED


def test_a_client_and_its_watcher_survive_a_restart_of_the_server(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    versions: list[int] = []

    def follow(seat: Seat, until: threading.Event) -> None:
        for event in seat.watch():
            versions.append(event.version)
            if until.is_set():
                return

    done = threading.Event()
    with ExitStack() as stack:
        proxy = stack.enter_context(relay())
        with running_service(file) as address:
            proxy.target = address
            client = stack.enter_context(Client(proxy.address, retry_timeout=100.0))
            seat, _ = client.create_game("orleans", [person("Anna"), person("Bruno")]).seats
            watcher = threading.Thread(target=follow, args=(seat, done))
            watcher.start()
            farmer = seat.submit(PlaceFollower("own_farmer", "ship", "farmer")).version
            wait_until(lambda: versions and versions[-1] >= farmer)  # the rest arrives after the restart
        with running_service(file) as address:
            proxy.target = address
            seat.submit(PlaceFollower("own_boatman", "ship", "boatman"))
            done.set()
            last = seat.submit(FinishPlanning()).version
            watcher.join(timeout=100)
    assert not watcher.is_alive()
    assert versions[-1] in (last - 1, last)
    assert versions == list(range(1, len(versions) + 1))


async def test_the_asyncio_client_plays(address: str) -> None:
    async with AsyncClient(address) as client:
        new = await client.create_game("orleans", [person("Anna"), bot("random")])
        (seat,) = new.seats
        legal = await seat.legal_commands()
        outcome = await seat.submit(legal.commands[0])
        async for event in seat.watch(after_version=outcome.version - 1):
            assert event == outcome.events[-1]
            break
        assert (await seat.check(FinishPlanning())) is None
        assert (await seat.board(min_version=outcome.version)).version >= outcome.version
