"""``boardkeeper undo`` and ``boardkeeper fork``, for somebody who holds a seat."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.client.conftest import PROGRAM, Ran
from tests.client.terminal import Terminal

from boardkeeper.client import Client, NewGame, Seat, bot, person
from boardkeeper.service.process.server import running_service
from boardkeeper.terminal.saved_seats import SavedSeat, SeatFile
from boardkeeper.titles.orleans.commands import FinishPlanning, Pass, PlaceFollower

Run = Callable[..., Ran]

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]

FARMER = PlaceFollower("own_farmer", "ship", "farmer")
BOATMAN = PlaceFollower("own_boatman", "ship", "boatman")
OPERATOR = "an operator's token of thirty-two characters"


@pytest.fixture
def homes(tmp_path: Path, address: str) -> Callable[..., dict[str, str]]:
    """The settings of somebody who holds these seats."""

    def home(name: str, *seats: Seat, server: str = address) -> dict[str, str]:
        for seat in seats:
            SeatFile(tmp_path / name).add(SavedSeat(seat.game_id, seat.number, seat.token, server, ""))
        return {"BOARDKEEPER_HOME": str(tmp_path / name)}

    return home


@pytest.fixture
def seats(client: Client) -> tuple[Seat, ...]:
    return client.create_game("orleans", [person("Anna"), person("Ben")]).seats


Homes = Callable[..., dict[str, str]]


def test_a_free_undo_is_done_at_once(boardkeeper: Run, homes: Homes, seats: tuple[Seat, ...]) -> None:
    anna = seats[0]
    anna.submit(FARMER)
    version = anna.submit(BOATMAN).version
    home = homes("anna", anna)
    ran = boardkeeper("undo", anna.game_id[:8], **home)
    assert ran.status == 0
    assert ran.out.startswith(f"Anna undoes event {version}. No vote was needed.\n")
    assert "Anna places their own boatman" in ran.out
    (record,) = boardkeeper("undo", anna.game_id, "--json", **home).records
    assert (record["outcome"], record["free"], record["seat"]) == ("taken_back", True, 1)
    assert [event["name"] for event in record["taken_back"]] == ["FollowerPlaced"]
    assert anna.board().board.orleans.seats[0].market["own_farmer"] == 1
    ran = boardkeeper("undo", anna.game_id, **home)
    assert ran.status == 1
    assert "You have no move to undo" in ran.err


def test_bots_consent_to_what_is_not_free(boardkeeper: Run, homes: Homes, client: Client) -> None:
    (anna,) = client.create_game("orleans", [person("Anna"), bot("random", "Otto")]).seats
    for command in (FinishPlanning(), Pass()):  # the second hands the turn to the bot
        until_all_wait_for(anna)
        anna.submit(command)
    until_all_wait_for(anna)
    ran = boardkeeper("undo", anna.game_id, "--language", "de", **homes("anna", anna))
    assert ran.status == 0
    assert "Anna nimmt die Ereignisse" in ran.out
    assert "nur Bots" in ran.out
    assert "Anna passt." in ran.out


def until_all_wait_for(seat: Seat) -> None:
    """Watch a game until nobody but that seat can do anything: what a bot does meanwhile may be over already."""
    for _ in seat.watch():
        if seat.game().deciding == [seat.number]:
            return


def test_people_are_asked_and_answer(boardkeeper: Run, homes: Homes, seats: tuple[Seat, ...]) -> None:
    anna, ben = seats
    first = anna.submit(FARMER).version
    ben.submit(FARMER)
    at_annas, at_bens = homes("anna", anna), homes("ben", ben)

    def asked() -> None:
        ran = boardkeeper("undo", anna.game_id, **at_annas)
        assert ran.status == 0
        assert ran.out.startswith("Anna asks to undo:\n")
        assert "Ben places their own farmer" in ran.out
        assert "Waiting for the answer of: Ben." in ran.out
        assert ran.out.endswith(f"boardkeeper undo {anna.game_id} --answer no\n")

    asked()
    asked()  # a second time it shows the open vote
    assert "your own request" in boardkeeper("undo", anna.game_id, "--answer", "yes", **at_annas).err
    shown = boardkeeper("undo", anna.game_id, "--language", "de", **at_bens)
    assert shown.out.startswith("Anna möchte zurücknehmen:\n")
    assert shown.out.endswith(f"boardkeeper undo {anna.game_id} --answer yes|no\n")
    (record,) = boardkeeper("undo", anna.game_id, "--json", **at_bens).records
    assert record["outcome"] == "asked"
    assert record["undo_vote"]["waiting"] == [2]

    declined = boardkeeper("undo", anna.game_id, "--answer", "no", **at_bens)
    assert declined.out == "Ben declines the undo.\n"
    ran = boardkeeper("undo", anna.game_id, "--answer", "no", **at_bens)
    assert ran.status == 1
    assert "there is no request to undo" in ran.err

    asked()
    agreed = boardkeeper("undo", anna.game_id, "--answer", "yes", **at_bens)
    assert agreed.status == 0
    assert agreed.out.startswith(f"Anna undoes events {first} to")
    assert "Everyone agreed." in agreed.out
    assert anna.board().board.orleans.seats[1].market["own_farmer"] == 1


def test_an_undo_waits_for_a_person_for_whom_a_bot_plays(
    boardkeeper: Run, homes: Homes, seats: tuple[Seat, ...]
) -> None:
    anna, ben = seats
    anna.submit(FARMER)
    ben.submit(FARMER)
    ben.hand_to_bot()
    at_annas, at_bens = homes("anna", anna), homes("ben", ben)
    asked = boardkeeper("undo", anna.game_id, **at_annas)
    assert "Waiting for the answer of: Ben.\nA bot plays for Ben and cannot agree" in asked.out
    refused = boardkeeper("undo", anna.game_id, "--answer", "yes", **at_bens)
    assert refused.status == 1
    assert "take your seat back first" in refused.err
    ben.take_back()
    agreed = boardkeeper("undo", anna.game_id, "--answer", "yes", **at_bens)
    assert "Everyone agreed." in agreed.out


def test_an_undo_is_for_who_holds_a_seat(
    boardkeeper: Run, homes: Homes, seats: tuple[Seat, ...], ended: NewGame, client: Client
) -> None:
    anna, ben = seats
    ran = boardkeeper("undo", anna.game_id)
    assert ran.status == 1
    assert "you hold no seat in game" in ran.err
    both = homes("both", anna, ben)
    ran = boardkeeper("undo", anna.game_id, **both)
    assert ran.status == 1
    assert "you hold the seats 1 and 2" in ran.err
    assert "nothing" not in boardkeeper("undo", anna.game_id, "--seat", "3", **both).err
    anna.submit(FARMER)
    assert boardkeeper("undo", anna.game_id, "--seat", "1", **both).status == 0
    over = homes("over", client.seat(ended.game.game_id, 1, anna.token))
    ran = boardkeeper("undo", ended.game.game_id, **over)
    assert ran.status == 1
    assert ran.err.count("\n") == 1
    assert "Continue your last game with" in ran.err


def test_a_fork_goes_on_from_any_version(
    boardkeeper: Run, homes: Homes, seats: tuple[Seat, ...], environment: dict[str, str], address: str
) -> None:
    anna, _ = seats
    version = anna.submit(FARMER).version
    anna.submit(BOATMAN)
    home = homes("anna", anna)
    ran = boardkeeper("fork", anna.game_id[:8], "--at", str(version), "--name", "Anna", **home)
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert (
        f"from version {version} of game {anna.game_id}: what Anna cannot know was shuffled and dealt again."
        in lines[1]
    )
    assert lines[2] == "  1  Anna (you)"
    assert "(sensible bot)" in lines[3]
    assert lines[-1] == f"  boardkeeper play {lines[0]} --server {address}"
    assert anna.token not in ran.out
    with Terminal([*PROGRAM, *lines[-1].split()[1:]], {**environment, **home}) as terminal:
        screen = terminal.wait_for(r"Anna, your move \(.*\): $", seconds=100)
    assert "■ Own Farmer" in screen
    assert "□ Boatman" in screen


def test_a_fork_as_json_and_with_open_seats(boardkeeper: Run, homes: Homes, seats: tuple[Seat, ...]) -> None:
    anna, ben = seats
    home = homes("ben", ben)
    (record,) = boardkeeper("fork", anna.game_id, "--open", "1", "--json", **home).records
    assert record["seat"] == 2
    assert record["status"] == "GAME_STATUS_OPEN"
    assert record["forked_from"]["game_id"] == anna.game_id
    assert "token" not in json.dumps(record)
    ran = boardkeeper("fork", anna.game_id, "--open", "1", "--language", "de", **home)
    assert "was Ben nicht wissen kann, ist neu ausgeteilt" in ran.out
    assert "(frei)" in ran.out
    assert ran.out.endswith("--join\n")


def test_a_bot_is_called_alike_everywhere(boardkeeper: Run, client: Client, address: str) -> None:
    """A bot without a name is "Bot 2" in the list of games, as in sentences."""
    game = client.create_game("orleans", [person("Anna"), bot("sensible")]).game.game_id
    (line,) = (line for line in boardkeeper("games", "--server", address).out.splitlines() if game in line)
    assert "Anna, Bot 2" in line
    ran = boardkeeper("fork", game, "--server", address, "--language", "de")
    assert "(Bot: sensible)" in ran.out


@pytest.mark.parametrize(("language", "called"), [("en", "Opponent"), ("de", "Gegner")])
def test_a_seat_of_the_rules_is_called_alike_everywhere(
    boardkeeper: Run, address: str, language: str, called: str
) -> None:
    """As its title says, in the language of whoever looks."""
    with Client(address, language=language) as client:
        game = client.create_game("paladins", [person("Anna")]).game
        told = [event.sentence for event in client.events(game.game_id)]
    assert any(sentence.startswith(f"{called} ") for sentence in told)
    arguments = ("--server", address, "--language", language)
    (line,) = (line for line in boardkeeper("games", *arguments).out.splitlines() if game.game_id[:8] in line)
    assert f"Anna, {called}" in line
    assert re.search(rf"^ *{called}\s", boardkeeper("show", game.game_id, *arguments).out, re.MULTILINE)


def test_a_spectator_forks_what_a_spectator_knows(boardkeeper: Run, address: str, ended: NewGame) -> None:
    ran = boardkeeper("fork", ended.game.game_id, "--at", "100", "--seat", "2", "--server", address)
    assert ran.status == 0
    assert "what spectators cannot know was shuffled and dealt again" in ran.out
    assert "  1  Anna (sensible bot)" in ran.out
    assert "(you)" in ran.out.splitlines()[3]


def test_a_game_that_is_over_is_forked_from_before(boardkeeper: Run, address: str, ended: NewGame) -> None:
    ran = boardkeeper("fork", ended.game.game_id, "--server", address)
    assert ran.status == 1
    assert f"over after {ended.game.version} events: choose an earlier version with --at" in ran.err


def test_an_exact_fork_is_for_the_operator(boardkeeper: Run, tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db", operator_token=OPERATOR) as address:
        with Client(address) as client:
            game = client.create_game("orleans", [person("Anna"), person("Ben")]).game.game_id
        arguments = ("fork", game, "--operator", "--server", address)
        ran = boardkeeper(*arguments, BOARDKEEPER_OPERATOR_TOKEN="")
        assert ran.status == 1
        assert "BOARDKEEPER_OPERATOR_TOKEN" in ran.err
        ran = boardkeeper(*arguments, BOARDKEEPER_OPERATOR_TOKEN="x" * 32)
        assert ran.status == 1
        assert "is not the operator token" in ran.err
        ran = boardkeeper(*arguments, BOARDKEEPER_OPERATOR_TOKEN=OPERATOR)
        assert ran.status == 0
        assert "the position is exact" in ran.out


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--at", "99999"), "99999"),
        (("--at", "0"), "0"),
        (("--seat", "9"), "its seats are 1 to 2"),
        (("--open", "2"), "--open 2 is too many"),
        (("--open", "-1"), "--open"),
    ],
)
def test_a_fork_that_cannot_be_is_one_clear_line(
    boardkeeper: Run, address: str, seats: tuple[Seat, ...], arguments: tuple[str, ...], hint: str
) -> None:
    ran = boardkeeper("fork", seats[0].game_id, "--server", address, *arguments)
    assert ran.status in (1, 2)
    assert hint in ran.err
    assert not ran.out
