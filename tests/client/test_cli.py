"""The command line, started as a person starts it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from rich.cells import cell_len
from rich.text import Text
from tests.client.conftest import PROGRAM, Ran
from tests.client.terminal import Terminal

from boardkeeper.client import Client, NewGame, bot, open_seat, person
from boardkeeper.service.process.server import running_service
from boardkeeper.terminal.game_options import choose_options
from boardkeeper.terminal.main import parse
from boardkeeper.terminal.output import Output
from boardkeeper.titles.registry import TITLES, load_meta

Run = Callable[..., Ran]

# A busy machine may take a minute for what takes a second, and some of these play whole games: it finds what hangs.
pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]

COMMANDS = (
    "serve",
    "config",
    "demo",
    "play",
    "watch",
    "show",
    "undo",
    "seat",
    "fork",
    "games",
    "titles",
    "export",
    "import",
    "verify",
    "keys",
    "check",
    "rebuild",
    "migrate",
    "erase",
    "health",
)


# --- help and wrong usage ----------------------------------------------------------------------------------


def test_help_lists_the_commands_with_examples_and_exit_statuses(boardkeeper: Run) -> None:
    ran = boardkeeper("--help")
    assert ran.status == 0
    assert all(f"\n  {command} " in ran.out for command in COMMANDS)
    assert "examples:" in ran.out
    assert "exit status:" in ran.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_whose_examples_can_be_parsed(inside: Run, command: str) -> None:
    ran = inside(command, "--help")
    assert ran.status == 0
    examples = re.findall(rf"^  boardkeeper ({command}\b[^|\n]*?)(?:   .*|\|.*)?$", ran.out, re.MULTILINE)
    assert examples
    for example in examples:
        parsed = parse(example.replace("'", "").split("  ")[0].split())
        assert parsed.command == command


def test_help_names_files_that_there_are(inside: Run, repository: Path) -> None:
    """Those of this project, that is; what is to be made, or is elsewhere, is the reader's."""
    commands = re.findall(r"^  ([a-z]+)  ", inside("--help").out, re.MULTILINE)
    assert set(commands) > set(COMMANDS)
    named = {
        file
        for command in commands
        for file in re.findall(r"(?<![\w/])(?:clients|docs|packaging|proto)/[\w./-]*\w", inside(command, "--help").out)
    }
    assert {file for file in named if not (repository / file).exists()} == set()
    assert "clients/examples/python/play_with_stubs.py" in named


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_narrow_terminal(inside: Run, command: str) -> None:
    ran = inside(command, "--help", COLUMNS="60")
    said, _, _ = ran.out.partition("examples:")
    assert max(map(len, said.splitlines())) <= 60


def test_help_needs_no_grpc_and_is_quick() -> None:
    code = "import sys; from boardkeeper.terminal.main import main; main(['games', '--help'])"
    code = f"{code}; print('grpc' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")


def test_without_the_client_extra_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['rich'] = None; from boardkeeper.terminal.main import main; sys.exit(main(['games']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "boardkeeper[client]" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_the_service_extra_serve_says_what_to_install() -> None:
    run = "from boardkeeper.terminal.main import main; sys.exit(main(['serve']))"
    code = f"import sys; sys.modules['structlog'] = None; {run}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "boardkeeper[service]" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_title_that_is_not_installed_here_is_drawn_all_the_same(address: str, ended: NewGame) -> None:
    """The server may have titles that this program does not."""
    without = "import sys; from boardkeeper.titles import registry; registry.TITLES = {'chess': 'nowhere'}"
    code = f"{without}; from boardkeeper.terminal.main import main; sys.exit(main(sys.argv[1:]))"
    for arguments, seen in ((("show", "--map"), "Guildhall"), (("show", "--json"), "board"), (("watch",), "Round 18")):
        program = [sys.executable, "-c", code, *arguments, ended.game.game_id, "--server", address]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert seen in done.stdout


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ((), "COMMAND"),
        (("sing",), "No such command 'sing'"),
        (("serve", "--prot", "1"), "No such option '--prot'"),
        (("serve", "--listen", "50051"), "write HOST:PORT"),
        (("serve", "--listen", "localhost:http"), "write HOST:PORT"),
        (("serve", "--listen", "localhost:70000"), "write HOST:PORT"),
        (("demo", "--players", "many"), "'many' must be a whole number of at least 1"),
        (("demo", "--bots", "psychic"), "orleans has no bot 'psychic'"),
        (("demo", "--language", "fr"), "'fr' is not one of 'en', 'de'"),
        (("show",), "GAME"),
        (("show", "x", "--at", "-3"), "'-3' must be a version"),
        (("show", "x", "--at", "0"), "'0' must be a version: 1 for the first event"),
        (("fork", "x", "--at", "0"), "'0' must be a version: 1 for the first event"),
        (("watch", "x", "--after", "-3"), "'-3' must be a version"),
        (("watch", "x", "--after", "soon"), "'soon' must be a version"),
    ],
)
def test_wrong_usage_is_status_2_with_a_hint(inside: Run, arguments: tuple[str, ...], hint: str) -> None:
    ran = inside(*arguments)
    assert ran.status == 2
    assert hint in ran.err
    assert not ran.out


# --- serve ------------------------------------------------------------------------------------------------


def test_serve_serves_until_it_is_told_to_stop(tmp_path: Path, environment: dict[str, str]) -> None:
    command = [*PROGRAM, "serve", "--db", "games.db", "--listen", "127.0.0.1:0", "--log-format", "json"]
    with subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True
    ) as service:
        assert service.stderr is not None
        begun = [service.stderr.readline()]
        while '"listening"' not in begun[-1]:
            assert begun[-1], begun
            begun.append(service.stderr.readline())
        with Client(json.loads(begun[-1])["address"]) as client:
            game = client.create_game("orleans", [person("Anna"), bot()]).game
            assert [found.game_id for found in client.games()] == [game.game_id]
        service.send_signal(signal.SIGTERM)
        _, log = service.communicate(timeout=100)
    assert service.returncode == 0
    assert all(json.loads(line)["event"] for line in [*begun, *log.splitlines()])
    assert (tmp_path / "games.db").exists()


def test_a_busy_port_is_one_clear_line(boardkeeper: Run, address: str) -> None:
    ran = boardkeeper("serve", "--db", "other.db", "--listen", address)
    assert ran.status == 1
    assert ran.err.count("\n") == 1
    assert f"cannot listen on {address}" in ran.err
    assert "--listen" in ran.err


def test_a_file_that_is_served_already_is_one_clear_line(boardkeeper: Run, tmp_path: Path) -> None:
    with running_service(tmp_path / "mine.db") as address:
        with Client(address) as client:
            game = client.create_game("orleans", [person("Anna"), open_seat()]).game.game_id
        ran = boardkeeper("serve", "--db", "mine.db", "--listen", "127.0.0.1:0")
        assert ran.status == 1
        assert ran.err.count("\n") == 1
        assert "is in use by process" in ran.err
        with Client(address) as client:
            assert client.game(game).game_id == game  # nothing is lost


@pytest.mark.parametrize(("database", "named"), [("file/games.db", "file"), ("folder", "folder")])
def test_a_place_where_no_file_can_be_written_is_one_clear_line(
    boardkeeper: Run, tmp_path: Path, database: str, named: str
) -> None:
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "folder").mkdir()
    ran = boardkeeper("serve", "--db", database, "--listen", "127.0.0.1:0")
    assert ran.status == 1
    assert ran.err.count("\n") == 1
    assert named in ran.err
    assert "--db" in ran.err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_folder_is_one_clear_line(boardkeeper: Run, tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    ran = boardkeeper("serve", "--db", "locked/games.db", "--listen", "127.0.0.1:0")
    assert ran.status == 1
    assert ran.err.count("\n") == 1
    assert "locked" in ran.err


def test_a_database_of_another_kind_is_one_clear_line(boardkeeper: Run) -> None:
    ran = boardkeeper("serve", "--db", "oracle://somewhere")
    assert ran.status == 1
    assert "'oracle'" in ran.err


# --- demo -------------------------------------------------------------------------------------------------


def test_the_demo_tells_eighteen_rounds_and_a_score_sheet(boardkeeper: Run) -> None:
    ran = boardkeeper("demo", "--players", "3", "--bots", "sensible,random", "--seed", "5")
    assert ran.status == 0
    rounds = [int(number) for number in re.findall(r"^Round (\d+)", ran.out, re.MULTILINE)]
    assert rounds == list(range(1, 19))
    assert "\x1b[" not in ran.out
    sheet = ran.out[ran.out.index("Score sheet") :]
    assert sorted(sheet.splitlines()[1].split()) == ["Anna", "Bruno", "Clara"]
    assert re.search(r"^Rank +1 +[12] +[123] *$", sheet, re.MULTILINE)


def test_a_demo_alone_says_who_plays_and_its_record_holds(inside: Run, tmp_path: Path) -> None:
    record = tmp_path / "alone.jsonl"
    ran = inside("demo", "--title", "paladins", "--players", "1", "--seed", "5", "--record", str(record))
    assert ran.status == 0, ran.err
    assert "Anna (sensible), Opponent (played by the rules) · seed 5" in ran.out
    assert ran.out.count("is the start player") == 7
    checked = inside("verify", str(record))
    assert checked.status == 0
    assert "Verified: the record passes every check." in checked.out


def test_the_demo_speaks_german_and_lets_the_service_move_the_bots(inside: Run) -> None:
    ran = inside("demo", "--players", "2", "--language", "de", "--in-service")
    assert ran.status == 0
    assert len(re.findall(r"^Runde \d+", ran.out, re.MULTILINE)) == 18
    assert "Schlusswertung" in ran.out


def test_the_demo_as_json_is_a_line_for_each_event_and_the_result(inside: Run) -> None:
    ran = inside("demo", "--players", "2", "--bots", "random", "--json")
    assert ran.status == 0
    *events, game = ran.records
    assert [int(event["version"]) for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["name"] == "GameEnded"
    assert {standing["seat"] for standing in game["standings"]} == {1, 2}


@pytest.mark.parametrize("where", [(), pytest.param(("--in-service",), marks=pytest.mark.soak)])
def test_a_demo_can_be_had_again(inside: Run, where: tuple[str, ...]) -> None:
    def events(seed: str) -> list[tuple[object, ...]]:
        ran = inside("demo", "--players", "2", "--bots", "random", "--seed", seed, "--json", *where)
        assert ran.status == 0
        return [
            (event["game_id"], event["name"], event.get("seat"), event.get("detail"), event.get("effects"))
            for event in ran.records[:-1]
        ]

    first = events("7")
    assert events("7") == first
    other = events("8")
    assert other[0][0] != first[0][0]
    assert [effects for *_, effects in other] != [effects for *_, effects in first]


def test_a_demo_without_a_seed_takes_a_new_one_and_shows_it(inside: Run) -> None:
    seeds = set()
    for _ in range(2):
        ran = inside("demo", "--players", "2", "--bots", "random")
        found = re.search(r"· seed (\d+)$", ran.out.splitlines()[0])
        assert found is not None
        seeds.add(found[1])
    assert len(seeds) == 2


def test_a_reading_is_chosen_for_a_demo(inside: Run) -> None:
    chosen = ("--choose", "first_technology=from_first_craftsmen_space", "--edition", "capstone-2021")
    ran = inside("demo", "--players", "2", "--bots", "random", "--json", *chosen)
    assert ran.status == 0
    assert ran.records[-1]["readings"]["first_technology"] == "from_first_craftsmen_space"


def test_the_demo_refuses_what_the_title_does_not_allow(inside: Run) -> None:
    ran = inside("demo", "--players", "6")
    assert ran.status == 1
    assert "2 to 5 players" in ran.err
    ran = inside("demo", "--edition", "pirated")
    assert ran.status == 1
    assert "capstone-2021" in ran.err
    ran = inside("demo", "--choose", "weather=rain")
    assert ran.status == 1
    assert "has no option or rules interpretation 'weather': see 'boardkeeper titles orleans'" in ran.err
    ran = inside("demo", "--choose", "first_technology=never")
    assert ran.status == 1
    assert "first_placed" in ran.err
    ran = inside("demo", "--title", "catan")
    assert ran.status == 1
    assert "boardkeeper titles" in ran.err


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, environment: dict[str, str]) -> None:
    command = f"{' '.join(PROGRAM)} demo --players 2 --bots random | head -n 3"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env={**os.environ, **environment}, capture_output=True, text=True,
        timeout=110, check=False,
    )  # fmt: skip
    assert done.stdout.count("\n") == 3
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


# --- watch, show, games, titles ---------------------------------------------------------------------------


def test_watch_tells_a_game_from_any_version(boardkeeper: Run, address: str, ended: NewGame) -> None:
    game = ended.game
    ran = boardkeeper("watch", game.game_id, "--server", address)
    assert ran.status == 0
    assert "Round 18" in ran.out
    assert "FollowerPlaced" not in ran.out
    ran = boardkeeper("watch", game.game_id[:13], "--after", str(game.version - 5), "--json", "--server", address)
    assert [int(event["version"]) for event in ran.records] == list(range(game.version - 4, game.version + 1))


def test_watch_verbose_shows_every_event(inside: Run, address: str, ended: NewGame) -> None:
    ran = inside("watch", ended.game.game_id, "--verbose", "--server", address)
    numbers = [int(number) for number in re.findall(r"^ +(\d+)  ", ran.out, re.MULTILINE)]
    assert len(numbers) == ended.game.version - 18  # rounds are headings


def test_show_draws_now_and_then(inside: Run, address: str, ended: NewGame) -> None:
    game = ended.game.game_id
    now = inside("show", game, "--server", address)
    assert "Score sheet" in now.out
    then = inside("show", game, "--at", "100", "--server", address)
    assert "version 100 /" in then.out
    assert "Score sheet" not in then.out
    assert "Orléans" in inside("show", game, "--map", "--server", address).out
    (record,) = inside("show", game, "--at", "100", "--json", "--server", address).records
    assert record["version"] == "100"
    assert len(record["board"]["orleans"]["seats"]) == 2


def test_show_of_what_is_not_there_is_one_clear_line(inside: Run, address: str, ended: NewGame) -> None:
    for arguments, hint in (
        (("show", "00000000-0000-0000-0000-000000000000"), "boardkeeper games"),
        (("show", "zzz"), "no game id starts with 'zzz'"),
        (("show", ended.game.game_id, "--at", "99999"), "99999"),
        (("watch", ended.game.game_id, "--after", "99999"), "99999"),
        (("titles", "catan"), "boardkeeper titles"),
    ):
        ran = inside(*arguments, "--server", address)
        assert ran.status == 1
        assert ran.err.count("\n") == 1
        assert hint in ran.err


def test_a_game_that_waits_for_players_has_no_board(inside: Run, address: str, client: Client) -> None:
    game = client.create_game("orleans", [person("Anna"), open_seat()]).game.game_id
    ran = inside("show", game, "--server", address)
    assert ran.status == 1
    assert "it had not started" in ran.err


def test_games_and_titles_are_listed(inside: Run, address: str, ended: NewGame) -> None:
    assert ended.game.game_id in inside("games", "--server", address).out
    records = inside("games", "--json", "--server", address).records
    assert ended.game.game_id in {record["game_id"] for record in records}
    assert "Orléans" in inside("titles", "--server", address).out
    one = inside("titles", "orleans", "--server", address)
    assert "capstone-2021 (default)" in one.out
    (record,) = inside("titles", "orleans", "--json", "--server", address).records
    assert record["title"]["id"] == "orleans"


def test_a_title_shows_its_colors_and_supplies(inside: Run, address: str) -> None:
    """What lies out for each number of players, in the table and, typed, as JSON."""
    shown = inside("titles", "orleans", "--server", address).out
    assert "1 Red, 2 Blue, 3 Green, 4 Yellow, 5 White" in shown
    assert re.search(r"^Farmer +12 +14 +16 +18$", shown, re.MULTILINE)
    assert re.search(r"^Goods on the map +43 +48 +52 +52$", shown, re.MULTILINE)
    assert re.search(r"^Trading Station +10 +10 +10 +10$", shown, re.MULTILINE)
    paladins = inside("titles", "paladins", "--language", "de", "--server", address).out
    assert re.search(r"^Auftrag des Königs +3 +3 +3$", paladins, re.MULTILINE)
    assert re.search(r"^Paladin +12 +12 +12$", paladins, re.MULTILINE)
    german = inside("titles", "orleans", "--language", "de", "--server", address).out
    assert re.search(r"^Waren auf der Karte +43 +48 +52 +52$", german, re.MULTILINE)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("title", "edition"), [(id, it.id) for id in TITLES for it in load_meta(id).editions])
def test_all_that_an_edition_lays_out_has_a_name(
    inside: Run, address: str, title: str, edition: str, language: str
) -> None:
    """No row is headed by a bare id."""
    told = inside("titles", title, "--edition", edition, "--language", language, "--server", address).out
    supplies = next(it for it in load_meta(title).editions if it.id == edition).supplies
    rows = set(re.findall(r"^(\S.*?)(?:  +\d+)+$", told, re.MULTILINE))
    assert len(rows) >= len(supplies[0].common)
    assert not rows & {id for supply in supplies for id in (*supply.common, *supply.each_seat)}


@pytest.mark.parametrize(
    ("arguments", "players"),
    [
        ("play", 3),
        ("demo", 4),
        ("play --title stories", 3),
        ("play --title stories --edition england-vs-france", 4),
        ("demo --players 2", 2),
    ],
)
def test_who_names_no_number_of_players_gets_one_that_the_edition_has(
    client: Client, arguments: str, players: int
) -> None:
    assert choose_options(client, parse(arguments.split())).players == players


def test_an_edition_is_one_of_a_title(inside: Run, address: str) -> None:
    alone = inside("titles", "--edition", "settlers", "--server", address)
    assert alone.status == 2
    assert "boardkeeper titles TITLE --edition settlers" in alone.err
    unknown = inside("titles", "stories", "--edition", "chess", "--server", address)
    assert unknown.status == 1
    assert "boardkeeper titles stories" in unknown.err
    (record,) = inside("titles", "orleans", "--json", "--server", address).records
    components = {component["id"]: component for component in record["components"]}
    assert components["traders"]["values"]["place_tiles"] == [["1"], *[["1", "2"]] * 4]
    assert components["market"]["values"] == {"spaces": 8}
    assert components["farmer"]["in_box"] == 18
    assert set(record["title"]["sources"]) >= {"JER", "STI", "NEO"}


def test_lists_speak_german(inside: Run, address: str, ended: NewGame) -> None:
    listed = inside("games", "--language", "de", "--server", address).out
    assert re.search(rf"{ended.game.game_id} +orleans +beendet", listed)
    assert "2–5 Spieler" in inside("titles", "--language", "de", "--server", address).out
    one = inside("titles", "orleans", "--language", "de", "--server", address).out
    assert "capstone-2021 (Vorgabe)" in one
    assert "Lesart: first_technology" in one


def test_a_narrow_terminal_shows_what_is_needed(
    address: str, ended: NewGame, environment: dict[str, str], client: Client
) -> None:
    game = ended.game.game_id
    command = [*PROGRAM, "games", "--server", address]
    with Terminal(command, environment, columns=60) as terminal:
        assert re.search(rf"{game[:8]} +finished +\d+ +Anna \d+", terminal.wait_for(rf"{game[:8]}.*\n"))
    with Terminal(
        [*PROGRAM, "show", game[:8], "--at", "100", "--server", address], environment, columns=60
    ) as terminal:
        screen = "".join(map(terminal.wait_for, (r"Round \d+/18 ·", "Guildhall", "Conclave", "Past events")))
    assert "…" not in screen


def test_no_service_is_status_3_and_says_how_to_start_one(boardkeeper: Run) -> None:
    ran = boardkeeper("games", BOARDKEEPER_SERVER="127.0.0.1:1")
    assert ran.status == 3
    assert ran.err.count("\n") == 1
    assert "127.0.0.1:1" in ran.err
    assert "boardkeeper serve" in ran.err


# --- colours ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "variables", "colored"),
    [((), {}, True), (("--no-color",), {}, False), ((), {"NO_COLOR": "1"}, False)],
)
def test_colours_are_for_terminals_whose_owner_wants_them(
    address: str,
    ended: NewGame,
    environment: dict[str, str],
    arguments: tuple[str, ...],
    variables: dict[str, str],
    colored: bool,
) -> None:
    command = [*PROGRAM, "show", ended.game.game_id, "--server", address, *arguments]
    with Terminal(command, {**environment, **variables}) as terminal:
        terminal.wait_for("Place tiles 2")
    assert bool(re.search(r"\x1b\[[0-9;]*3\dm", terminal.raw)) is colored


@pytest.mark.parametrize(
    "arguments",
    [
        ("watch", "4f1c", "--after", "9" * 19),
        ("watch", "4f1c", "--after", "9" * 5000),
        ("show", "4f1c", "--at", str(1 << 63)),
        ("fork", "4f1c", "--at", str(1 << 64)),
        ("fork", "4f1c", "--open", str(1 << 31)),
        ("undo", "4f1c", "--seat", str(1 << 31)),
        ("games", "--limit", str(1 << 31)),
        ("play", "--players", "9" * 5000),
        ("demo", "--players", str(1 << 31)),
        ("erase", "--game", "4f1c", "--seat", str(1 << 32)),
    ],
    ids=lambda arguments: f"{arguments[0]} {arguments[-2]} of {len(arguments[-1])} digits",
)
def test_numbers_that_no_request_can_carry(arguments: tuple[str, ...]) -> None:
    with pytest.raises(click.UsageError, match="is too large"):
        parse(arguments)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless file")
@pytest.mark.parametrize("arguments", [("import", "/dev/zero"), ("play", "--position", "/dev/zero")])
def test_a_file_without_an_end(inside: Run, arguments: tuple[str, ...]) -> None:
    ran = inside(*arguments)
    assert ran.status == 1
    assert "/dev/zero is not a" in ran.err


# --- lines that are too long ---------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [60, 80])
def test_event_lines_are_broken_between_words_and_indented(
    address: str, ended: NewGame, environment: dict[str, str], columns: int
) -> None:
    whole = subprocess.run(
        [*PROGRAM, "watch", ended.game.game_id, "--server", address],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=110, check=True,
    ).stdout  # fmt: skip
    with Terminal([*PROGRAM, "watch", ended.game.game_id, "--server", address], environment, columns) as terminal:
        terminal.wait_for(rf"(?s)\n +{ended.game.version}  .*{re.escape(whole.split()[-1])}")
    lines = terminal.screen.splitlines()
    assert max(map(len, lines)) <= columns
    indented = [line for line in lines if re.match(r" {7}\S", line)]
    assert len(indented) > 20
    assert re.sub(r"\n {7}(?=\S)", " ", terminal.screen).split() == whole.split()  # no word was broken
    assert [line for line in lines if line.strip() and not re.match(r" {7}| *\d+  |Round|Score", line)] == []


def test_wide_characters_take_two_columns(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    output = Output(color=False)
    output.text(Text("   12  " + "棋盤遊戲 " * 12), 7)
    lines = capsys.readouterr().out.splitlines()
    assert [cell_len(line.rstrip()) <= 60 for line in lines] == [True, True]
    assert lines[0].startswith("   12  棋")
    assert lines[1].startswith("       棋")


# --- leaving in the middle -------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["rich.console", "grpc", "boardkeeper.terminal.game_list"])
def test_ctrl_c_is_quiet_also_while_a_command_is_imported(module: str) -> None:
    code = f"""
import os, signal, sys
class Impatient:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
from boardkeeper.terminal.main import main
sys.meta_path.insert(0, Impatient())
sys.exit(main(["games", "--server", "127.0.0.1:1"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_ctrl_c_ends_what_waits(address: str, client: Client, environment: dict[str, str]) -> None:
    game = client.create_game("orleans", [person("Anna"), person("Ben")]).game.game_id
    with Terminal([*PROGRAM, "watch", game, "--server", address], environment) as terminal:
        terminal.wait_for("Round 1")
        terminal.press(b"\x03")
        terminal.wait_for("interrupted")
        assert terminal.process.wait(timeout=100) == 130


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", [("show",), ("show", "--json"), ("export",), ("watch",)])
def test_output_that_cannot_be_written_is_one_clear_line(
    address: str, ended: NewGame, environment: dict[str, str], command: tuple[str, ...]
) -> None:
    name, *options = command
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, name, ended.game.game_id, "--server", address, *options],
            env={**os.environ, **environment}, stdout=full, stderr=subprocess.PIPE, text=True, timeout=100, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "boardkeeper: cannot write: No space left on device.\n")
