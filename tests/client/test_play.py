"""``boardkeeper play`` in a terminal."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import pytest
from tests.client.conftest import PROGRAM, RunCommand
from tests.client.terminal import PROMPT, Terminal, play_as_anna

from boardkeeper.client import Client

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]  # for a busy machine

MORE = r"|or type a command: $"
"""The prompt below a page of a long output."""
CTRL_C, CTRL_D = b"\x03", b"\x04"


@pytest.fixture
def home(environment: dict[str, str]) -> Path:
    return Path(environment["BOARDKEEPER_HOME"])


def number_of(screen: str, label: str) -> str:
    """Return the number of the last menu entry with a label."""
    found = re.findall(rf"(\d+) {label}", screen)
    assert found, screen
    return str(found[-1])


def test_a_game_is_played_left_and_resumed(environment: dict[str, str], home: Path) -> None:
    with play_as_anna(environment, "--players", "2") as terminal:
        screen = terminal.wait_for(PROMPT)
        assert "Round 1/18 · Planning · Start player: " in screen
        assert "Event of the round  Pilgrimage" in screen
        assert "Farm House  □ Boatman  □ Craftsman  (recruit Farmer)" in screen
        assert "Merchant: Orléans" in screen

        terminal.type("farm house")
        screen = terminal.wait_for(PROMPT)
        assert "2 of 19 moves contain 'farm house'" in screen
        boatman, craftsman = number_of(screen, r"Own Boatman"), number_of(screen, r"Own Craftsman")
        terminal.type(f"{boatman} {craftsman}")
        screen = terminal.wait_for(PROMPT)
        assert "Anna places their own boatman on the boatman space of the Farm House." in screen
        assert "Anna places their own craftsman on the craftsman space of the Farm House." in screen

        terminal.type("u")
        screen = terminal.wait_for(PROMPT)
        assert "Anna puts back their own craftsman" in screen
        terminal.type(number_of(screen, r"Own Craftsman"))  # on the last place with a craftsman space, the University
        terminal.wait_for(PROMPT)
        terminal.type("finish planning")
        assert "Press Enter to do it." in terminal.wait_for(PROMPT)
        terminal.type("")
        screen = terminal.wait_for(PROMPT)
        assert "Anna finishes planning." in screen
        assert "Round 1/18 · Actions" in screen

        terminal.type("q")
        screen = terminal.wait_for(r"boardkeeper play \S+\n")
        game = re.search(r"boardkeeper play (\S+)", screen)
        assert game is not None
        assert terminal.process.wait(timeout=100) == 0

    with play_as_anna(environment, "--resume") as terminal:
        screen = terminal.wait_for(PROMPT)
        assert "Anna finishes planning." in screen  # the log so far
        assert "■ Own Boatman" in screen
        terminal.type("pass")
        terminal.wait_for(PROMPT)
        terminal.type("")
        assert "Anna passes." in terminal.wait_for(PROMPT)
        terminal.press(CTRL_C)
        assert f"boardkeeper play {game[1]}" in terminal.wait_for(r"boardkeeper play \S+\n")

    with play_as_anna(environment, game[1][:8]) as terminal:
        terminal.wait_for(PROMPT)
        terminal.press(CTRL_D)
        terminal.wait_for(r"boardkeeper play \S+\n")

    seat_file = home / "seats.jsonl"
    assert len(bytes.fromhex(json.loads(seat_file.read_text())["entropy"])) == 32  # random, and stored as it was sent
    assert stat.S_IMODE(seat_file.stat().st_mode) == 0o600
    assert len(seat_file.read_text().splitlines()) == 1


def choose(screen: str, label: str, terminal: Terminal) -> str:
    """Type the number of the last menu entry with a label, and read up to the next prompt."""
    terminal.type(number_of(screen, label))
    return terminal.wait_for(PROMPT)


def test_u_undoes_a_finished_decision(environment: dict[str, str]) -> None:
    with play_as_anna(
        environment, "--players", "2", "--no-auto-pass"
    ) as terminal:  # an automatic pass would be undone first
        screen = terminal.wait_for(PROMPT)
        choose(screen, "Finish planning", terminal)
        terminal.type("u")  # the bot has planned, so the undo needs its consent
        terminal.wait_for(r"everything that came after them\? \(y/n\): $")
        terminal.type("n")
        terminal.wait_for(PROMPT)
        terminal.type("u")
        terminal.wait_for(r"\(y/n\): $")
        terminal.type("y")
        screen = terminal.wait_for(PROMPT)
        assert "Anna undoes" in screen
        assert "Round 1/18 · Planning" in screen
        assert number_of(screen, "Finish planning") == "19"


def test_other_players_are_asked_and_answer_in_their_terminals(
    environment: dict[str, str], address: str, tmp_path: Path
) -> None:
    with play_as_anna(environment, "--players", "2", "--open", "1", "--server", address) as anna:
        invitation = re.search(r"play (\S+) --server (\S+) --join", anna.wait_for(r"--join\n"))
        assert invitation is not None
        friend = {**environment, "BOARDKEEPER_HOME": str(tmp_path / "friend"), "BOARDKEEPER_LANGUAGE": "de"}
        command = [*PROGRAM, "play", "--name", "Bert", "--game", invitation[1], "--server", address, "--join"]
        with Terminal(command, friend) as bert:
            berts_prompt = r"Bert, wähle \(.*\): $"
            bert.wait_for(berts_prompt)
            choose(anna.wait_for(PROMPT), r"Own Farmer", anna)
            bert.type("1")
            bert.wait_for("Bert setzt den eigenen")
            bert.wait_for(berts_prompt)
            anna.type("finish planning")
            anna.wait_for(PROMPT)
            anna.type("")
            anna.wait_for("waiting for Bert")
            anna.type("u")  # still without a vote, because Bert has not acted since
            anna.wait_for(PROMPT)

            anna.type("finish planning")
            anna.wait_for(PROMPT)
            anna.type("")
            anna.wait_for("waiting for Bert")
            bert.type("1")
            bert.wait_for("Bert setzt den eigenen")
            bert.wait_for(berts_prompt)
            anna.type("u")
            anna.wait_for(r"\(y/n\): $")
            anna.type("y")
            anna.wait_for("Waiting for the answer of Bert")
            screen = bert.wait_for(r"Bert, darf Anna das zurücknehmen\? \(j/n\): $")
            assert "Anna hat die Planung beendet." in screen
            bert.type("vielleicht")
            bert.wait_for(r"\(j/n\): $")
            bert.type("n")
            assert "Bert lehnt die Rücknahme ab." in bert.wait_for(berts_prompt)
            anna.wait_for("Bert declines the undo.")

            anna.type("u")
            anna.wait_for(r"\(y/n\): $")
            anna.type("y")
            bert.wait_for(r"\(j/n\): $")
            bert.type("j")
            assert "Bert stimmt der Rücknahme zu." in bert.wait_for(berts_prompt)
            assert "Anna undoes events" in anna.wait_for(PROMPT)


def test_two_terminals_of_the_same_seat_are_kept_up_to_date(environment: dict[str, str], address: str) -> None:
    with play_as_anna(environment, "--players", "2", "--server", address) as first:
        screen = first.wait_for(PROMPT)
        with play_as_anna(environment, "--resume") as second:
            second.wait_for(PROMPT)
            second.type(number_of(screen, r"Own Farmer"))
            assert "Anna places their own farmer" in second.wait_for(PROMPT)
            assert "Anna places their own farmer" in first.wait_for(PROMPT)
            first.type("finish planning")
            assert "Press Enter to do it." in first.wait_for(PROMPT)
            first.type("")
            assert "Round 1/18 · Actions" in first.wait_for(PROMPT)
            assert "Round 1/18 · Actions" in second.wait_for(PROMPT)


def test_keys_show_everything_on_the_table(environment: dict[str, str]) -> None:
    with play_as_anna(environment, "--players", "3") as terminal:
        terminal.wait_for(PROMPT)
        for key, expected in {
            "?": "undo what you placed last",
            "b": "Merchant: Orléans",
            "m": "Châteauroux",
            "o": "Clara",
            "o 3": "Scriptorium",
            "z": "Gunpowder Tower",
            "t": r"Craftsmen Track +\[\*",
            "s": "Score sheet",
            "?canal": r"Canalization: needs Farmer 3, Boatman 3",
            "h 5": "finishes planning",
        }.items():
            terminal.type(key)
            assert re.search(expected, terminal.wait_for(PROMPT + MORE)), key


def test_impossible_input_is_explained_and_the_prompt_repeated(environment: dict[str, str]) -> None:
    with play_as_anna(environment, "--players", "2", "--bots", "random") as terminal:
        screen = terminal.wait_for(PROMPT)
        terminal.type("99")
        assert "There is no number 99: choose 1 to 19." in terminal.wait_for(PROMPT)
        terminal.type("zebra")
        assert "No move contains 'zebra'." in terminal.wait_for(PROMPT)
        terminal.type("u")
        assert "There is nothing to undo." in terminal.wait_for(PROMPT)
        farmers = re.findall(r"(\d+) Own Farmer", screen)
        terminal.type(f"{farmers[-2]} {farmers[-1]}")  # the same follower in two places
        screen = terminal.wait_for(PROMPT)
        assert f"{farmers[-1]} is not possible, so none of the moves was made:" in screen
        assert "(rule orleans." in " ".join(screen.split())  # lines are wrapped between words
        terminal.type("")
        assert number_of(terminal.wait_for(PROMPT), "Finish planning") == "19"  # nothing has changed


def test_a_second_player_joins_on_a_server(environment: dict[str, str], address: str, tmp_path: Path) -> None:
    with play_as_anna(environment, "--players", "2", "--open", "1", "--server", address) as anna:
        invitation = re.search(r"play (\S+) --server (\S+) --join", anna.wait_for(r"--join\n"))
        assert invitation is not None
        friend = {**environment, "BOARDKEEPER_HOME": str(tmp_path / "friend"), "BOARDKEEPER_LANGUAGE": "de"}
        command = [*PROGRAM, "play", "--name", "Bert", "--game", invitation[1], "--server", address, "--join"]
        with Terminal(command, friend) as bert:
            assert "Bert nimmt Platz." in bert.wait_for(r"Bert, wähle \(.*\): $")
            screen = anna.wait_for(PROMPT)
            assert "Bert joined." in screen
            assert re.search(r"► +Bert +Coins 5", screen)  # by name, for the player who joined before


def test_errors_of_play_say_what_to_do(environment: dict[str, str], address: str) -> None:
    for arguments, problem in (
        (("--resume",), "boardkeeper play"),
        (("--game", "00000000"), "--join"),
        (("--join",), "add GAME"),
        (("--game", "00000000-0000-0000-0000-000000000000", "--join", "--server", address), "boardkeeper games"),
        (("--players", "9"), "2 to 5 players"),
        (("--players", "3", "--open", "3"), "only 2 seats can be left open"),
        (("--server", "127.0.0.1:1"), "no server is running at 127.0.0.1:1"),
    ):
        with play_as_anna(environment, *arguments) as terminal:
            screen = terminal.wait_for(problem)
            assert terminal.process.wait(timeout=100) in (1, 2, 3)
            assert "Traceback" not in screen


def test_a_whole_game_can_be_played_with_the_last_menu_entry(environment: dict[str, str], home: Path) -> None:
    """The last entry of a menu always ends something, so this choice leads to the end of the game."""
    with play_as_anna(environment, "--players", "3", "--bots", "sensible,random") as terminal:
        for _ in range(400):
            screen = terminal.wait_for(PROMPT + "|The game is over")
            if "The game is over" in screen:
                break
            terminal.type(max(re.findall(r"^ *(\d+) \S", screen, re.MULTILINE), key=int, default=""))
        assert re.search(r"Score sheet\n(?:.*\n)+Total +\d", terminal.wait_for(r"What next\? $"))
        terminal.type("")
        assert terminal.process.wait(timeout=100) == 0
    assert len(list((home / "games").glob("*.db"))) == 1


def test_a_player_can_choose_the_entropy(environment: dict[str, str], address: str, client: Client) -> None:
    arguments = ("--players", "2", "--open", "1", "--server", address, "--entropy")
    with play_as_anna(environment, *arguments, "00FF") as terminal:
        found = re.search(r"play (\S+)", terminal.wait_for(r"--join\n"))
    assert found is not None
    (joined,) = (event for event in client.events(found[1]) if event.name == "SeatJoined")
    assert joined.detail.seat_joined.entropy == "00ff"
    for wrong, problem in (("xyz", "must be hexadecimal"), ("00" * 65, "the maximum is 64")):
        with play_as_anna(environment, *arguments, wrong) as terminal:
            terminal.wait_for(problem)
            assert terminal.process.wait(timeout=100) == 2


def test_an_unusable_home_folder_ends_play(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    environment["BOARDKEEPER_HOME"] = str(tmp_path / "file")
    with play_as_anna(environment) as terminal:
        screen = terminal.wait_for("file")
        assert terminal.process.wait(timeout=100) == 1
        assert "Traceback" not in screen


def test_a_seat_of_another_game_is_not_used(environment: dict[str, str], address: str, client: Client) -> None:
    assert client.titles()
    with play_as_anna(environment, "--players", "2", "--server", address) as terminal:
        terminal.wait_for(PROMPT)
        terminal.press(CTRL_D)
        terminal.wait_for(r"boardkeeper play \S+ --server \S+\n")
    with play_as_anna(environment, "--game", "ffffffff", "--server", address) as terminal:
        terminal.wait_for("you hold no seat in game ffffffff")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--players", "9"), "is for 2 to 5 players"),
        (("--players", "3", "--open", "7"), "--open 7 is too many"),
        (("--edition", "nonsense"), "nonsense"),
        (("--title", "chess"), "chess"),
        (("--position", "nowhere.json"), "nowhere.json"),
    ],
)
def test_a_rejected_game_leaves_no_files(
    run_program: RunCommand, home: Path, arguments: tuple[str, ...], problem: str
) -> None:
    result = run_program("play", *arguments)
    assert result.status != 0
    assert problem in result.err
    assert [file for file in home.rglob("*") if file.is_file()] == []
