"""``boardkeeper undo`` and ``boardkeeper fork``."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.client.conftest import PROGRAM, Homes, RunCommand
from tests.client.terminal import PROMPT, Terminal

from boardkeeper.client import Client, NewGame, Seat, bot, person
from boardkeeper.service.process.server import running_service
from boardkeeper.titles.orleans.commands import FinishPlanning, Pass, PlaceFollower

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]

FARMER = PlaceFollower("own_farmer", "ship", "farmer")
BOATMAN = PlaceFollower("own_boatman", "ship", "boatman")
OPERATOR = "an operator's token of thirty-two characters"


@pytest.fixture
def seats(client: Client) -> tuple[Seat, ...]:
    return client.create_game("orleans", [person("Anna"), person("Ben")]).seats


def test_an_undo_without_a_vote_is_immediate(run_program: RunCommand, homes: Homes, seats: tuple[Seat, ...]) -> None:
    anna = seats[0]
    anna.submit(FARMER)
    version = anna.submit(BOATMAN).version
    home = homes("anna", anna)
    result = run_program("undo", anna.game_id[:8], **home)
    assert result.status == 0
    assert result.out.startswith(f"Anna undoes event {version}. No vote was needed.\n")
    assert "Anna places their own boatman" in result.out
    (record,) = run_program("undo", anna.game_id, "--json", **home).records
    assert (record["outcome"], record["free"], record["seat"]) == ("taken_back", True, 1)
    assert [event["name"] for event in record["taken_back"]] == ["FollowerPlaced"]
    assert anna.board().board.orleans.seats[0].market["own_farmer"] == 1
    result = run_program("undo", anna.game_id, **home)
    assert result.status == 1
    assert "You have no move to undo" in result.err


def test_bots_consent_to_an_undo(run_program: RunCommand, homes: Homes, client: Client) -> None:
    (anna,) = client.create_game("orleans", [person("Anna"), bot("random", "Otto")]).seats
    for command in (FinishPlanning(), Pass()):  # after the second command, the bot has its turn
        wait_for_turn(anna)
        anna.submit(command)
    wait_for_turn(anna)
    result = run_program("undo", anna.game_id, "--language", "de", **homes("anna", anna))
    assert result.status == 0
    assert "Anna nimmt die Ereignisse" in result.out
    assert "nur Bots" in result.out
    assert "Anna passt." in result.out


def wait_for_turn(seat: Seat) -> None:
    """Watch a game until only this seat has to decide."""
    for _ in seat.watch():
        if seat.game().deciding == [seat.number]:
            return


def test_a_vote_on_an_undo(run_program: RunCommand, homes: Homes, seats: tuple[Seat, ...]) -> None:
    anna, ben = seats
    first = anna.submit(FARMER).version
    ben.submit(FARMER)
    annas_home, bens_home = homes("anna", anna), homes("ben", ben)

    def request_undo() -> None:
        result = run_program("undo", anna.game_id, **annas_home)
        assert result.status == 0
        assert result.out.startswith("Anna asks to undo:\n")
        assert "Ben places their own farmer" in result.out
        assert "Waiting for the answer of: Ben." in result.out
        assert result.out.endswith(f"boardkeeper undo {anna.game_id} --answer no\n")

    request_undo()
    request_undo()  # the second time, it shows the open vote
    assert "your own request" in run_program("undo", anna.game_id, "--answer", "yes", **annas_home).err
    shown = run_program("undo", anna.game_id, "--language", "de", **bens_home)
    assert shown.out.startswith("Anna möchte zurücknehmen:\n")
    assert shown.out.endswith(f"boardkeeper undo {anna.game_id} --answer yes|no\n")
    (record,) = run_program("undo", anna.game_id, "--json", **bens_home).records
    assert record["outcome"] == "asked"
    assert record["undo_vote"]["waiting"] == [2]

    declined = run_program("undo", anna.game_id, "--answer", "no", **bens_home)
    assert declined.out == "Ben declines the undo.\n"
    result = run_program("undo", anna.game_id, "--answer", "no", **bens_home)
    assert result.status == 1
    assert "there is no request to undo" in result.err

    request_undo()
    agreed = run_program("undo", anna.game_id, "--answer", "yes", **bens_home)
    assert agreed.status == 0
    assert agreed.out.startswith(f"Anna undoes events {first} to")
    assert "Everyone agreed." in agreed.out
    assert anna.board().board.orleans.seats[1].market["own_farmer"] == 1


def test_an_undo_waits_for_a_person_whose_seat_a_bot_plays(
    run_program: RunCommand, homes: Homes, seats: tuple[Seat, ...]
) -> None:
    anna, ben = seats
    anna.submit(FARMER)
    ben.submit(FARMER)
    ben.hand_to_bot()
    annas_home, bens_home = homes("anna", anna), homes("ben", ben)
    requested = run_program("undo", anna.game_id, **annas_home)
    assert "Waiting for the answer of: Ben.\nA bot plays for Ben and cannot agree" in requested.out
    failed = run_program("undo", anna.game_id, "--answer", "yes", **bens_home)
    assert failed.status == 1
    assert "take your seat back first" in failed.err
    ben.take_back()
    agreed = run_program("undo", anna.game_id, "--answer", "yes", **bens_home)
    assert "Everyone agreed." in agreed.out


def test_an_undo_needs_a_seat(
    run_program: RunCommand, homes: Homes, seats: tuple[Seat, ...], finished_game: NewGame, client: Client
) -> None:
    anna, ben = seats
    result = run_program("undo", anna.game_id)
    assert result.status == 1
    assert "you hold no seat in game" in result.err
    both = homes("both", anna, ben)
    result = run_program("undo", anna.game_id, **both)
    assert result.status == 1
    assert "you hold the seats 1 and 2" in result.err
    assert "nothing" not in run_program("undo", anna.game_id, "--seat", "3", **both).err
    anna.submit(FARMER)
    assert run_program("undo", anna.game_id, "--seat", "1", **both).status == 0
    over = homes("over", client.seat(finished_game.game.game_id, 1, anna.token))
    result = run_program("undo", finished_game.game.game_id, **over)
    assert result.status == 1
    assert result.err.count("\n") == 1
    assert "Continue your last game with" in result.err


def test_a_fork_starts_from_any_version(
    run_program: RunCommand, homes: Homes, seats: tuple[Seat, ...], environment: dict[str, str], address: str
) -> None:
    anna, _ = seats
    version = anna.submit(FARMER).version
    anna.submit(BOATMAN)
    home = homes("anna", anna)
    result = run_program("fork", anna.game_id[:8], "--at", str(version), "--name", "Anna", **home)
    assert result.status == 0
    lines = result.out.splitlines()
    assert (
        f"from version {version} of game {anna.game_id}: what Anna cannot know was shuffled and dealt again."
        in lines[1]
    )
    assert lines[2] == "  1  Anna (you)"
    assert "(sensible bot)" in lines[3]
    assert lines[-1] == f"  boardkeeper play {lines[0]} --server {address}"
    assert anna.token not in result.out
    with Terminal([*PROGRAM, *lines[-1].split()[1:]], {**environment, **home}) as terminal:
        screen = terminal.wait_for(PROMPT, seconds=100)
    assert "■ Own Farmer" in screen
    assert "□ Boatman" in screen


def test_a_fork_as_json_and_with_open_seats(run_program: RunCommand, homes: Homes, seats: tuple[Seat, ...]) -> None:
    anna, ben = seats
    home = homes("ben", ben)
    (record,) = run_program("fork", anna.game_id, "--open", "1", "--json", **home).records
    assert record["seat"] == 2
    assert record["status"] == "GAME_STATUS_OPEN"
    assert record["forked_from"]["game_id"] == anna.game_id
    assert "token" not in json.dumps(record)
    result = run_program("fork", anna.game_id, "--open", "1", "--language", "de", **home)
    assert "was Ben nicht wissen kann, ist neu ausgeteilt" in result.out
    assert "(frei)" in result.out
    assert result.out.endswith("--join\n")


def test_a_bot_without_a_name_has_the_same_name_everywhere(
    run_program: RunCommand, client: Client, address: str
) -> None:
    game = client.create_game("orleans", [person("Anna"), bot("sensible")]).game.game_id
    (line,) = (line for line in run_program("games", "--server", address).out.splitlines() if game in line)
    assert "Anna, Bot 2" in line
    result = run_program("fork", game, "--server", address, "--language", "de")
    assert "(Bot: sensible)" in result.out


@pytest.mark.parametrize(("language", "name"), [("en", "Opponent"), ("de", "Gegner")])
def test_a_seat_of_the_rules_has_the_same_name_everywhere(
    run_program: RunCommand, address: str, language: str, name: str
) -> None:
    """The name is from the title, in the language of the viewer."""
    with Client(address, language=language) as client:
        game = client.create_game("paladins", [person("Anna")]).game
        sentences = [event.sentence for event in client.events(game.game_id)]
    assert any(sentence.startswith(f"{name} ") for sentence in sentences)
    arguments = ("--server", address, "--language", language)
    (line,) = (line for line in run_program("games", *arguments).out.splitlines() if game.game_id[:8] in line)
    assert f"Anna, {name}" in line
    assert re.search(rf"^ *{name}\s", run_program("show", game.game_id, *arguments).out, re.MULTILINE)


def test_a_fork_by_a_spectator(run_program: RunCommand, address: str, finished_game: NewGame) -> None:
    result = run_program("fork", finished_game.game.game_id, "--at", "100", "--seat", "2", "--server", address)
    assert result.status == 0
    assert "what spectators cannot know was shuffled and dealt again" in result.out
    assert "  1  Anna (sensible bot)" in result.out
    assert "(you)" in result.out.splitlines()[3]


def test_a_finished_game_needs_a_version_to_fork(run_program: RunCommand, address: str, finished_game: NewGame) -> None:
    result = run_program("fork", finished_game.game.game_id, "--server", address)
    assert result.status == 1
    assert f"over after {finished_game.game.version} events: choose an earlier version with --at" in result.err


def test_an_exact_fork_needs_the_operator_token(run_program: RunCommand, tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db", operator_token=OPERATOR) as address:
        with Client(address) as client:
            game = client.create_game("orleans", [person("Anna"), person("Ben")]).game.game_id
        arguments = ("fork", game, "--operator", "--server", address)
        result = run_program(*arguments, BOARDKEEPER_OPERATOR_TOKEN="")
        assert result.status == 1
        assert "BOARDKEEPER_OPERATOR_TOKEN" in result.err
        result = run_program(*arguments, BOARDKEEPER_OPERATOR_TOKEN="x" * 32)
        assert result.status == 1
        assert "is not the operator token" in result.err
        result = run_program(*arguments, BOARDKEEPER_OPERATOR_TOKEN=OPERATOR)
        assert result.status == 0
        assert "the position is exact" in result.out


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
def test_an_impossible_fork_is_one_clear_line(
    run_program: RunCommand, address: str, seats: tuple[Seat, ...], arguments: tuple[str, ...], hint: str
) -> None:
    result = run_program("fork", seats[0].game_id, "--server", address, *arguments)
    assert result.status in (1, 2)
    assert hint in result.err
    assert not result.out
