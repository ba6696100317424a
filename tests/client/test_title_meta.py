"""Data of titles in the command line and the SDK: bots, choices by number of players, seats of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.client.conftest import RunCommand
from tests.service import rival_services
from tests.service.rival_title import RIVAL_TITLE, RivalTitle

from boardkeeper.client import BadRequest, Client, automa, bot, bots, person
from boardkeeper.service.process.server import running_service
from boardkeeper.terminal import demo_game, game_options, play_game
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.errors import CommandError
from boardkeeper.terminal.main import parse
from boardkeeper.titlekit.title import ChoiceMeta, OptionMeta
from boardkeeper.titles.registry import TITLES, load_meta
from boardkeeper.v1 import catalog_pb2, game_pb2, games_pb2
from boardkeeper.wire import bots as wire_bots

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]


@pytest.fixture
def rival_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server with the small title that has a rival; it is also installed locally."""
    rival_services.install_rival_title(monkeypatch)
    monkeypatch.setattr(game_options, "load_title", rival_services.load_title)
    monkeypatch.setattr(game_options, "load_meta", rival_services.load_meta)
    monkeypatch.setattr(wire_bots, "load_meta", rival_services.load_meta)
    with running_service(tmp_path / "rivals.db", heartbeat_seconds=0.2) as address:
        yield address


@pytest.fixture
def rival_client(rival_server: str) -> Iterator[Client]:
    with Client(rival_server, retry_timeout=5.0) as client:
        yield client


def parse_tiny(*arguments: str) -> Arguments:
    """Parse the arguments of a command for the small title."""
    return parse([*arguments, "--title", "tiny"])


def bot_kinds(game: game_pb2.Game) -> list[str]:
    return [seat.bot for seat in game.seats]


# --- the catalogue -------------------------------------------------------------------------------------------------


def test_titles_shows_bots_choices_and_solo_games(run_program: RunCommand, rival_server: str) -> None:
    assert "1–4 players" in run_program("titles", "--server", rival_server).out
    shown = [line.strip() for line in run_program("titles", "tiny", "--server", rival_server).out.splitlines()]
    for line in (
        "off (default)",
        "meek (with 2 players)",
        "For a solo game, choose: rival=keen",
        "eager (default)  The first command",
        "random  Any command",
    ):
        assert line in shown
    german = run_program("titles", "tiny", "--server", rival_server, "--language", "de").out
    assert "Für ein Solospiel wählen: rival=keen" in german


@pytest.mark.parametrize("title", TITLES)
def test_bots_of_every_title_have_texts_in_two_languages(title: str) -> None:
    assert bots.kinds(title)
    assert all(set(bot.text) >= {"en", "de"} for bot in load_meta(title).bots)


# --- bots ----------------------------------------------------------------------------------------------------------


def test_the_best_bot_is_the_default(rival_client: Client) -> None:
    assert game_options.choose_options(rival_client, parse_tiny("play", "--players", "3")).bots == ("eager",)
    assert game_options.choose_options(rival_client, parse_tiny("play", "--bots", "random,eager")).bots == (
        "random",
        "eager",
    )
    with pytest.raises(CommandError, match=r"Tiny has no bot 'sensible'\. It has: eager, random") as rejected:
        game_options.choose_options(rival_client, parse_tiny("play", "--bots", "random,sensible"))
    assert rejected.value.status == 2


def test_the_bots_of_an_old_server_are_the_installed_ones() -> None:
    for title in TITLES:
        old = catalog_pb2.Title(id=title)
        assert game_options.bots_of(old, ()) == (bots.kinds(title)[0],)


def test_a_policy_is_a_bot_of_its_title() -> None:
    assert isinstance(bots.policy("sensible", 1, "orleans"), bots.TitleBot)
    assert isinstance(bots.policy("random", 1, "orleans"), bots.Random)
    with pytest.raises(ValueError, match=r"orleans has no bot 'eager'\. It has: sensible, random"):
        bots.policy("eager", 1, "orleans")


# --- choices -------------------------------------------------------------------------------------------------------


def test_a_choice_needs_its_number_of_players(rival_client: Client) -> None:
    for players in ("1", "2"):
        chosen = game_options.choose_options(
            rival_client, parse_tiny("play", "--players", players, "--choose", "rival=meek")
        )
        assert chosen.options == {"rival": "meek"}
    with pytest.raises(CommandError, match="rival=meek needs 2 players"):
        game_options.choose_options(rival_client, parse_tiny("play", "--players", "3", "--choose", "rival=meek"))


def test_choices_of_some_editions_are_shown_and_rejected_in_others(
    run_program: RunCommand, rival_server: str, rival_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = OptionMeta("tide", {"en": "tide"}, (ChoiceMeta("low", {}),), "low", editions=("second", "third"))
    meta = replace(RIVAL_TITLE.meta, readings=(reading,), maturity_text={"en": "It is a test."})
    monkeypatch.setattr(RivalTitle, "meta", meta)
    shown = [line.strip() for line in run_program("titles", "tiny", "--server", rival_server).out.splitlines()]
    assert "Rules interpretation: tide (only in second, third)  tide" in shown
    assert "It is a test." in shown
    german = run_program("titles", "tiny", "--server", rival_server, "--language", "de").out
    assert "Lesart: tide (nur in second, third)" in german
    with pytest.raises(CommandError, match="tide can only be set in second and third, not in first"):
        game_options.choose_options(rival_client, parse_tiny("play", "--choose", "tide=low"))


# --- seats of the rules --------------------------------------------------------------------------------------------


def test_a_solo_game(rival_client: Client) -> None:
    seat = play_game._take_seat(parse_tiny("play", "--players", "1", "--name", "Ada"), rival_client)
    game = seat.game()
    assert bot_kinds(game) == ["", "automa"]
    assert game.options["rival"] == "keen"
    bots.play({seat: bots.Random(1)})
    assert seat.game().status == game_pb2.GAME_STATUS_ENDED


def test_a_solo_game_needs_an_opponent(rival_client: Client) -> None:
    with pytest.raises(CommandError, match=r"with --choose rival=off you have no opponent: .* --players 2"):
        game_options.choose_options(rival_client, parse_tiny("play", "--players", "1", "--choose", "rival=off"))
    assert not game_options.choose_options(
        rival_client, parse_tiny("play", "--players", "2", "--choose", "rival=off")
    ).automata


def test_seats_of_the_rules_with_bots_and_open_seats(rival_client: Client) -> None:
    seat = play_game._take_seat(
        parse_tiny("play", "--players", "2", "--choose", "rival=meek", "--name", "Ada"), rival_client
    )
    assert bot_kinds(seat.game()) == ["", "automa"]
    with pytest.raises(CommandError, match="--open 1 is too many: only 0 seats can be left open"):
        play_game._take_seat(
            parse_tiny("play", "--players", "2", "--choose", "rival=meek", "--open", "1"), rival_client
        )
    seat = play_game._take_seat(
        parse_tiny("play", "--players", "3", "--bots", "random,eager", "--name", "Ada"), rival_client
    )
    assert bot_kinds(seat.game()) == ["", "random", "eager"]


@pytest.mark.parametrize("players", ["1", "2"])
@pytest.mark.parametrize("flags", [(), ("--in-service",)], ids=["clients", "in service"])
def test_a_demo_against_the_rules(rival_client: Client, players: str, flags: tuple[str, ...]) -> None:
    arguments = parse_tiny("demo", "--players", players, "--choose", "rival=meek", *flags)
    options = game_options.choose_options(rival_client, arguments)
    new = demo_game._create(arguments, rival_client, options, ["eager"] * int(players))
    assert bot_kinds(new.game) == ["eager" if flags else "", "automa"]
    assert [seat.number for seat in new.seats] == ([] if flags else [1])


def test_a_fork_keeps_the_seat_of_the_rules(run_program: RunCommand, rival_server: str, rival_client: Client) -> None:
    game = rival_client.create_game("tiny", [person("Ada")]).game.game_id
    result = run_program("fork", game, "--server", rival_server, "--name", "Bob")
    assert result.status == 0, result.err
    # The name is from the server, because the title is not installed locally.
    assert "2  Rival (played by the rules)" in result.out
    german = run_program("fork", game, "--server", rival_server, "--name", "Bob", "--language", "de")
    assert "2  Rivale (gespielt von den Regeln)" in german.out


def test_the_seat_of_the_rules_cannot_be_taken_in_a_fork(
    run_program: RunCommand, rival_server: str, rival_client: Client
) -> None:
    game = rival_client.create_game("tiny", [person("Ada")]).game.game_id
    result = run_program("fork", game, "--seat", "2", "--server", rival_server)
    assert result.status == 1
    assert "is played by the rules: choose another with --seat" in " ".join(result.err.split())


def test_the_sdk_can_request_seats_of_the_rules(rival_client: Client) -> None:
    new = rival_client.create_game("tiny", [person("Ada"), automa("Rita")], options={"rival": "meek"})
    assert [(seat.name, seat.bot) for seat in new.game.seats] == [("Ada", ""), ("Rita", "automa")]
    assert automa() == games_pb2.SeatRequest(bot="automa")
    with pytest.raises(BadRequest) as rejected:
        rival_client.create_game("tiny", [person("Ada"), bot("random")], options={"rival": "meek"})
    assert rejected.value.reason == "SEAT_PLAYED_BY_RULES"
