"""The command line."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from rich.cells import cell_len
from rich.text import Text
from tests.client.conftest import PROGRAM, RunCommand
from tests.client.terminal import Terminal

from boardkeeper.client import Client, NewGame, bot, open_seat, person
from boardkeeper.service.process.server import running_service
from boardkeeper.terminal.game_options import choose_options
from boardkeeper.terminal.main import parse
from boardkeeper.terminal.output import Output
from boardkeeper.titles.registry import TITLES, load_meta

# Long enough for whole games on a busy machine.
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


def test_help_lists_the_commands_with_examples_and_exit_statuses(run_program: RunCommand) -> None:
    result = run_program("--help")
    assert result.status == 0
    assert all(f"\n  {command} " in result.out for command in COMMANDS)
    assert "examples:" in result.out
    assert "exit status:" in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_whose_examples_can_be_parsed(run_in_process: RunCommand, command: str) -> None:
    result = run_in_process(command, "--help")
    assert result.status == 0
    examples = re.findall(rf"^  boardkeeper ({command}\b[^|\n]*?)(?:   .*|\|.*)?$", result.out, re.MULTILINE)
    assert examples
    for example in examples:
        parsed = parse(example.replace("'", "").split("  ")[0].split())
        assert parsed.command == command


def test_files_named_in_help_exist(run_in_process: RunCommand, repository: Path) -> None:
    """Only files of this repository are checked."""
    commands = re.findall(r"^  ([a-z]+)  ", run_in_process("--help").out, re.MULTILINE)
    assert set(commands) > set(COMMANDS)
    named = {
        file
        for command in commands
        for file in re.findall(
            r"(?<![\w/])(?:clients|docs|packaging|proto)/[\w./-]*\w", run_in_process(command, "--help").out
        )
    }
    assert {file for file in named if not (repository / file).exists()} == set()
    assert "clients/examples/python/play_with_stubs.py" in named


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_narrow_terminal(run_in_process: RunCommand, command: str) -> None:
    result = run_in_process(command, "--help", COLUMNS="60")
    text, _, _ = result.out.partition("examples:")
    assert max(map(len, text.splitlines())) <= 60


def test_help_does_not_import_grpc() -> None:
    code = "import sys; from boardkeeper.terminal.main import main; main(['games', '--help'])"
    code = f"{code}; print('grpc' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")


def test_an_error_names_the_missing_client_extra() -> None:
    code = (
        "import sys; sys.modules['rich'] = None; from boardkeeper.terminal.main import main; sys.exit(main(['games']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "boardkeeper[client]" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_error_names_the_missing_service_extra() -> None:
    run = "from boardkeeper.terminal.main import main; sys.exit(main(['serve']))"
    code = f"import sys; sys.modules['structlog'] = None; {run}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "boardkeeper[service]" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_title_that_is_not_installed_is_drawn(address: str, finished_game: NewGame) -> None:
    """The server can have titles that this installation does not have."""
    without = "import sys; from boardkeeper.titles import registry; registry.TITLES = {'chess': 'nowhere'}"
    code = f"{without}; from boardkeeper.terminal.main import main; sys.exit(main(sys.argv[1:]))"
    for arguments, expected in (
        (("show", "--map"), "Guildhall"),
        (("show", "--json"), "board"),
        (("watch",), "Round 18"),
    ):
        program = [sys.executable, "-c", code, *arguments, finished_game.game.game_id, "--server", address]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert expected in done.stdout


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
def test_wrong_usage_is_status_2_with_a_hint(run_in_process: RunCommand, arguments: tuple[str, ...], hint: str) -> None:
    result = run_in_process(*arguments)
    assert result.status == 2
    assert hint in result.err
    assert not result.out


# --- serve ------------------------------------------------------------------------------------------------


def test_serve_runs_until_sigterm(tmp_path: Path, environment: dict[str, str]) -> None:
    command = [*PROGRAM, "serve", "--db", "games.db", "--listen", "127.0.0.1:0", "--log-format", "json"]
    with subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True
    ) as service:
        assert service.stderr is not None
        lines = [service.stderr.readline()]
        while '"listening"' not in lines[-1]:
            assert lines[-1], lines
            lines.append(service.stderr.readline())
        with Client(json.loads(lines[-1])["address"]) as client:
            game = client.create_game("orleans", [person("Anna"), bot()]).game
            assert [found.game_id for found in client.games()] == [game.game_id]
        service.send_signal(signal.SIGTERM)
        _, log = service.communicate(timeout=100)
    assert service.returncode == 0
    assert all(json.loads(line)["event"] for line in [*lines, *log.splitlines()])
    assert (tmp_path / "games.db").exists()


def test_a_busy_port_is_one_clear_line(run_program: RunCommand, address: str) -> None:
    result = run_program("serve", "--db", "other.db", "--listen", address)
    assert result.status == 1
    assert result.err.count("\n") == 1
    assert f"cannot listen on {address}" in result.err
    assert "--listen" in result.err


def test_a_file_in_use_is_one_clear_line(run_program: RunCommand, tmp_path: Path) -> None:
    with running_service(tmp_path / "mine.db") as address:
        with Client(address) as client:
            game = client.create_game("orleans", [person("Anna"), open_seat()]).game.game_id
        result = run_program("serve", "--db", "mine.db", "--listen", "127.0.0.1:0")
        assert result.status == 1
        assert result.err.count("\n") == 1
        assert "is in use by process" in result.err
        with Client(address) as client:
            assert client.game(game).game_id == game  # the running server is not affected


@pytest.mark.parametrize(("database", "named"), [("file/games.db", "file"), ("folder", "folder")])
def test_an_unusable_database_path_is_one_clear_line(
    run_program: RunCommand, tmp_path: Path, database: str, named: str
) -> None:
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "folder").mkdir()
    result = run_program("serve", "--db", database, "--listen", "127.0.0.1:0")
    assert result.status == 1
    assert result.err.count("\n") == 1
    assert named in result.err
    assert "--db" in result.err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_folder_is_one_clear_line(run_program: RunCommand, tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    result = run_program("serve", "--db", "locked/games.db", "--listen", "127.0.0.1:0")
    assert result.status == 1
    assert result.err.count("\n") == 1
    assert "locked" in result.err


def test_an_unknown_kind_of_database_is_one_clear_line(run_program: RunCommand) -> None:
    result = run_program("serve", "--db", "oracle://somewhere")
    assert result.status == 1
    assert "'oracle'" in result.err


# --- demo -------------------------------------------------------------------------------------------------


def test_the_demo_shows_eighteen_rounds_and_a_score_sheet(run_program: RunCommand) -> None:
    result = run_program("demo", "--players", "3", "--bots", "sensible,random", "--seed", "5")
    assert result.status == 0
    rounds = [int(number) for number in re.findall(r"^Round (\d+)", result.out, re.MULTILINE)]
    assert rounds == list(range(1, 19))
    assert "\x1b[" not in result.out
    sheet = result.out[result.out.index("Score sheet") :]
    assert sorted(sheet.splitlines()[1].split()) == ["Anna", "Bruno", "Clara"]
    assert re.search(r"^Rank +1 +[12] +[123] *$", sheet, re.MULTILINE)


def test_a_solo_demo_names_its_players_and_its_record_is_valid(run_in_process: RunCommand, tmp_path: Path) -> None:
    record = tmp_path / "alone.jsonl"
    result = run_in_process("demo", "--title", "paladins", "--players", "1", "--seed", "5", "--record", str(record))
    assert result.status == 0, result.err
    assert "Anna (sensible), Opponent (played by the rules) · seed 5" in result.out
    assert result.out.count("is the start player") == 7
    checked = run_in_process("verify", str(record))
    assert checked.status == 0
    assert "Verified: the record passes every check." in checked.out


def test_a_german_demo_with_bots_on_the_server(run_in_process: RunCommand) -> None:
    result = run_in_process("demo", "--players", "2", "--language", "de", "--in-service")
    assert result.status == 0
    assert len(re.findall(r"^Runde \d+", result.out, re.MULTILINE)) == 18
    assert "Schlusswertung" in result.out


def test_the_demo_as_json_has_a_line_for_each_event_and_the_result(run_in_process: RunCommand) -> None:
    result = run_in_process("demo", "--players", "2", "--bots", "random", "--json")
    assert result.status == 0
    *events, game = result.records
    assert [int(event["version"]) for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["name"] == "GameEnded"
    assert {standing["seat"] for standing in game["standings"]} == {1, 2}


@pytest.mark.parametrize("where", [(), pytest.param(("--in-service",), marks=pytest.mark.soak)])
def test_a_demo_with_a_seed_is_reproducible(run_in_process: RunCommand, where: tuple[str, ...]) -> None:
    def events(seed: str) -> list[tuple[object, ...]]:
        result = run_in_process("demo", "--players", "2", "--bots", "random", "--seed", seed, "--json", *where)
        assert result.status == 0
        return [
            (event["game_id"], event["name"], event.get("seat"), event.get("detail"), event.get("effects"))
            for event in result.records[:-1]
        ]

    first = events("7")
    assert events("7") == first
    other = events("8")
    assert other[0][0] != first[0][0]
    assert [effects for *_, effects in other] != [effects for *_, effects in first]


def test_a_demo_without_a_seed_shows_a_new_one(run_in_process: RunCommand) -> None:
    seeds = set()
    for _ in range(2):
        result = run_in_process("demo", "--players", "2", "--bots", "random")
        found = re.search(r"· seed (\d+)$", result.out.splitlines()[0])
        assert found is not None
        seeds.add(found[1])
    assert len(seeds) == 2


def test_a_demo_with_a_chosen_reading(run_in_process: RunCommand) -> None:
    chosen = ("--choose", "first_technology=from_first_craftsmen_space", "--edition", "capstone-2021")
    result = run_in_process("demo", "--players", "2", "--bots", "random", "--json", *chosen)
    assert result.status == 0
    assert result.records[-1]["readings"]["first_technology"] == "from_first_craftsmen_space"


def test_the_demo_rejects_invalid_choices(run_in_process: RunCommand) -> None:
    result = run_in_process("demo", "--players", "6")
    assert result.status == 1
    assert "2 to 5 players" in result.err
    result = run_in_process("demo", "--edition", "pirated")
    assert result.status == 1
    assert "capstone-2021" in result.err
    result = run_in_process("demo", "--choose", "weather=rain")
    assert result.status == 1
    assert "has no option or rules interpretation 'weather': see 'boardkeeper titles orleans'" in result.err
    result = run_in_process("demo", "--choose", "first_technology=never")
    assert result.status == 1
    assert "first_placed" in result.err
    result = run_in_process("demo", "--title", "catan")
    assert result.status == 1
    assert "boardkeeper titles" in result.err


def test_a_closed_output_pipe_is_no_error(tmp_path: Path, environment: dict[str, str]) -> None:
    command = f"{' '.join(PROGRAM)} demo --players 2 --bots random | head -n 3"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env={**os.environ, **environment}, capture_output=True, text=True,
        timeout=110, check=False,
    )  # fmt: skip
    assert done.stdout.count("\n") == 3
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


# --- watch, show, games, titles ---------------------------------------------------------------------------


def test_watch_starts_at_any_version(run_program: RunCommand, address: str, finished_game: NewGame) -> None:
    game = finished_game.game
    result = run_program("watch", game.game_id, "--server", address)
    assert result.status == 0
    assert "Round 18" in result.out
    assert "FollowerPlaced" not in result.out
    result = run_program("watch", game.game_id[:13], "--after", str(game.version - 5), "--json", "--server", address)
    assert [int(event["version"]) for event in result.records] == list(range(game.version - 4, game.version + 1))


def test_watch_verbose_shows_every_event(run_in_process: RunCommand, address: str, finished_game: NewGame) -> None:
    result = run_in_process("watch", finished_game.game.game_id, "--verbose", "--server", address)
    numbers = [int(number) for number in re.findall(r"^ +(\d+)  ", result.out, re.MULTILINE)]
    assert len(numbers) == finished_game.game.version - 18  # rounds are headings


def test_show_draws_the_present_and_past_versions(
    run_in_process: RunCommand, address: str, finished_game: NewGame
) -> None:
    game = finished_game.game.game_id
    present = run_in_process("show", game, "--server", address)
    assert "Score sheet" in present.out
    past = run_in_process("show", game, "--at", "100", "--server", address)
    assert "version 100 /" in past.out
    assert "Score sheet" not in past.out
    assert "Orléans" in run_in_process("show", game, "--map", "--server", address).out
    (record,) = run_in_process("show", game, "--at", "100", "--json", "--server", address).records
    assert record["version"] == "100"
    assert len(record["board"]["orleans"]["seats"]) == 2


def test_an_unknown_game_version_or_title_is_one_clear_line(
    run_in_process: RunCommand, address: str, finished_game: NewGame
) -> None:
    for arguments, hint in (
        (("show", "00000000-0000-0000-0000-000000000000"), "boardkeeper games"),
        (("show", "zzz"), "no game id starts with 'zzz'"),
        (("show", finished_game.game.game_id, "--at", "99999"), "99999"),
        (("watch", finished_game.game.game_id, "--after", "99999"), "99999"),
        (("titles", "catan"), "boardkeeper titles"),
    ):
        result = run_in_process(*arguments, "--server", address)
        assert result.status == 1
        assert result.err.count("\n") == 1
        assert hint in result.err


def test_a_game_that_waits_for_players_has_no_board(run_in_process: RunCommand, address: str, client: Client) -> None:
    game = client.create_game("orleans", [person("Anna"), open_seat()]).game.game_id
    result = run_in_process("show", game, "--server", address)
    assert result.status == 1
    assert "it had not started" in result.err


def test_games_and_titles_are_listed(run_in_process: RunCommand, address: str, finished_game: NewGame) -> None:
    assert finished_game.game.game_id in run_in_process("games", "--server", address).out
    records = run_in_process("games", "--json", "--server", address).records
    assert finished_game.game.game_id in {record["game_id"] for record in records}
    assert "Orléans" in run_in_process("titles", "--server", address).out
    one = run_in_process("titles", "orleans", "--server", address)
    assert "capstone-2021 (default)" in one.out
    (record,) = run_in_process("titles", "orleans", "--json", "--server", address).records
    assert record["title"]["id"] == "orleans"


def test_a_title_shows_its_colors_and_supplies(run_in_process: RunCommand, address: str) -> None:
    """The supplies for each number of players."""
    shown = run_in_process("titles", "orleans", "--server", address).out
    assert "1 Red, 2 Blue, 3 Green, 4 Yellow, 5 White" in shown
    assert re.search(r"^Farmer +12 +14 +16 +18$", shown, re.MULTILINE)
    assert re.search(r"^Goods on the map +43 +48 +52 +52$", shown, re.MULTILINE)
    assert re.search(r"^Trading Station +10 +10 +10 +10$", shown, re.MULTILINE)
    paladins = run_in_process("titles", "paladins", "--language", "de", "--server", address).out
    assert re.search(r"^Auftrag des Königs +3 +3 +3$", paladins, re.MULTILINE)
    assert re.search(r"^Paladin +12 +12 +12$", paladins, re.MULTILINE)
    german = run_in_process("titles", "orleans", "--language", "de", "--server", address).out
    assert re.search(r"^Waren auf der Karte +43 +48 +52 +52$", german, re.MULTILINE)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("title", "edition"), [(id, it.id) for id in TITLES for it in load_meta(id).editions])
def test_all_supplies_of_an_edition_have_a_name(
    run_in_process: RunCommand, address: str, title: str, edition: str, language: str
) -> None:
    """No row begins with an id."""
    output = run_in_process("titles", title, "--edition", edition, "--language", language, "--server", address).out
    supplies = next(it for it in load_meta(title).editions if it.id == edition).supplies
    rows = set(re.findall(r"^(\S.*?)(?:  +\d+)+$", output, re.MULTILINE))
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
def test_the_default_number_of_players_fits_the_edition(client: Client, arguments: str, players: int) -> None:
    assert choose_options(client, parse(arguments.split())).players == players


def test_an_edition_needs_its_title(run_in_process: RunCommand, address: str) -> None:
    alone = run_in_process("titles", "--edition", "settlers", "--server", address)
    assert alone.status == 2
    assert "boardkeeper titles TITLE --edition settlers" in alone.err
    unknown = run_in_process("titles", "stories", "--edition", "chess", "--server", address)
    assert unknown.status == 1
    assert "boardkeeper titles stories" in unknown.err
    (record,) = run_in_process("titles", "orleans", "--json", "--server", address).records
    components = {component["id"]: component for component in record["components"]}
    assert components["traders"]["values"]["place_tiles"] == [["1"], *[["1", "2"]] * 4]
    assert components["market"]["values"] == {"spaces": 8}
    assert components["farmer"]["in_box"] == 18
    assert set(record["title"]["sources"]) >= {"JER", "STI", "NEO"}


def test_lists_in_german(run_in_process: RunCommand, address: str, finished_game: NewGame) -> None:
    listed = run_in_process("games", "--language", "de", "--server", address).out
    assert re.search(rf"{finished_game.game.game_id} +orleans +beendet", listed)
    assert "2–5 Spieler" in run_in_process("titles", "--language", "de", "--server", address).out
    one = run_in_process("titles", "orleans", "--language", "de", "--server", address).out
    assert "capstone-2021 (Vorgabe)" in one
    assert "Lesart: first_technology" in one


def test_a_narrow_terminal_shows_the_important_columns(
    address: str, finished_game: NewGame, environment: dict[str, str], client: Client
) -> None:
    game = finished_game.game.game_id
    command = [*PROGRAM, "games", "--server", address]
    with Terminal(command, environment, columns=60) as terminal:
        assert re.search(rf"{game[:8]} +finished +\d+ +Anna \d+", terminal.wait_for(rf"{game[:8]}.*\n"))
    with Terminal(
        [*PROGRAM, "show", game[:8], "--at", "100", "--server", address], environment, columns=60
    ) as terminal:
        screen = "".join(map(terminal.wait_for, (r"Round \d+/18 ·", "Guildhall", "Conclave", "Past events")))
    assert "…" not in screen


def test_a_missing_server_is_status_3_with_advice(run_program: RunCommand) -> None:
    result = run_program("games", BOARDKEEPER_SERVER="127.0.0.1:1")
    assert result.status == 3
    assert result.err.count("\n") == 1
    assert "127.0.0.1:1" in result.err
    assert "boardkeeper serve" in result.err


# --- colours ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "variables", "colored"),
    [((), {}, True), (("--no-color",), {}, False), ((), {"NO_COLOR": "1"}, False)],
)
def test_colours_are_shown_on_terminals_unless_switched_off(
    address: str,
    finished_game: NewGame,
    environment: dict[str, str],
    arguments: tuple[str, ...],
    variables: dict[str, str],
    colored: bool,
) -> None:
    command = [*PROGRAM, "show", finished_game.game.game_id, "--server", address, *arguments]
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
def test_numbers_above_the_limits_of_requests_are_rejected(arguments: tuple[str, ...]) -> None:
    with pytest.raises(click.UsageError, match="is too large"):
        parse(arguments)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless file")
@pytest.mark.parametrize("arguments", [("import", "/dev/zero"), ("play", "--position", "/dev/zero")])
def test_an_endless_file_is_rejected(run_in_process: RunCommand, arguments: tuple[str, ...]) -> None:
    result = run_in_process(*arguments)
    assert result.status == 1
    assert "/dev/zero is not a" in result.err


# --- lines that are too long ---------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [60, 80])
def test_event_lines_are_wrapped_between_words_and_indented(
    address: str, finished_game: NewGame, environment: dict[str, str], columns: int
) -> None:
    whole = subprocess.run(
        [*PROGRAM, "watch", finished_game.game.game_id, "--server", address],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=110, check=True,
    ).stdout  # fmt: skip
    with Terminal(
        [*PROGRAM, "watch", finished_game.game.game_id, "--server", address], environment, columns
    ) as terminal:
        terminal.wait_for(rf"(?s)\n +{finished_game.game.version}  .*{re.escape(whole.split()[-1])}")
    lines = terminal.screen.splitlines()
    assert max(map(len, lines)) <= columns
    indented = [line for line in lines if re.match(r" {7}\S", line)]
    assert len(indented) > 20
    assert re.sub(r"\n {7}(?=\S)", " ", terminal.screen).split() == whole.split()  # no word is broken
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


# --- interruptions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["rich.console", "grpc", "boardkeeper.terminal.game_list"])
def test_ctrl_c_is_quiet_also_while_a_command_is_imported(module: str) -> None:
    code = f"""
import os, signal, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
from boardkeeper.terminal.main import main
sys.meta_path.insert(0, Interrupt())
sys.exit(main(["games", "--server", "127.0.0.1:1"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_ctrl_c_ends_a_waiting_command(address: str, client: Client, environment: dict[str, str]) -> None:
    game = client.create_game("orleans", [person("Anna"), person("Ben")]).game.game_id
    with Terminal([*PROGRAM, "watch", game, "--server", address], environment) as terminal:
        terminal.wait_for("Round 1")
        terminal.press(b"\x03")
        terminal.wait_for("interrupted")
        assert terminal.process.wait(timeout=100) == 130


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", [("show",), ("show", "--json"), ("export",), ("watch",)])
def test_output_that_cannot_be_written_is_one_clear_line(
    address: str, finished_game: NewGame, environment: dict[str, str], command: tuple[str, ...]
) -> None:
    name, *options = command
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, name, finished_game.game.game_id, "--server", address, *options],
            env={**os.environ, **environment}, stdout=full, stderr=subprocess.PIPE, text=True, timeout=100, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "boardkeeper: cannot write: No space left on device.\n")
