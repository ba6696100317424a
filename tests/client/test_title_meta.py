"""What the command line and the SDK learn from titles: bots, choices by number of players, seats of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.client.conftest import Ran
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

Run = Callable[..., Ran]

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]


@pytest.fixture
def rivals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a service that has the small title with a rival, which is installed here too."""
    rival_services.install_rival_title(monkeypatch)
    monkeypatch.setattr(game_options, "load_title", rival_services.load_title)
    monkeypatch.setattr(game_options, "load_meta", rival_services.load_meta)
    monkeypatch.setattr(wire_bots, "load_meta", rival_services.load_meta)
    with running_service(tmp_path / "rivals.db", heartbeat_seconds=0.2) as address:
        yield address


@pytest.fixture
def rival(rivals: str) -> Iterator[Client]:
    with Client(rivals, retry_timeout=5.0) as client:
        yield client


def asked(*arguments: str) -> Arguments:
    """The arguments of a command about the small title."""
    return parse([*arguments, "--title", "tiny"])


def kinds(game: game_pb2.Game) -> list[str]:
    return [seat.bot for seat in game.seats]


# --- the catalogue -------------------------------------------------------------------------------------------------


def test_titles_tells_bots_choices_and_whether_one_can_play(boardkeeper: Run, rivals: str) -> None:
    assert "1–4 players" in boardkeeper("titles", "--server", rivals).out
    shown = [line.strip() for line in boardkeeper("titles", "tiny", "--server", rivals).out.splitlines()]
    for line in (
        "off (default)",
        "meek (with 2 players)",
        "For a solo game, choose: rival=keen",
        "eager (default)  The first command",
        "random  Any command",
    ):
        assert line in shown
    german = boardkeeper("titles", "tiny", "--server", rivals, "--language", "de").out
    assert "Für ein Solospiel wählen: rival=keen" in german


@pytest.mark.parametrize("title", TITLES)
def test_every_title_says_its_bots_in_two_languages(title: str) -> None:
    assert bots.kinds(title)
    assert all(set(bot.text) >= {"en", "de"} for bot in load_meta(title).bots)


# --- bots ----------------------------------------------------------------------------------------------------------


def test_the_best_bot_plays_unless_others_are_named(rival: Client) -> None:
    assert game_options.choose_options(rival, asked("play", "--players", "3")).bots == ("eager",)
    assert game_options.choose_options(rival, asked("play", "--bots", "random,eager")).bots == ("random", "eager")
    with pytest.raises(CommandError, match=r"Tiny has no bot 'sensible'\. It has: eager, random") as refused:
        game_options.choose_options(rival, asked("play", "--bots", "random,sensible"))
    assert refused.value.status == 2


def test_a_service_that_does_not_tell_is_taken_to_have_the_bots_that_are_installed() -> None:
    for title in TITLES:
        old = catalog_pb2.Title(id=title)
        assert game_options.bots_of(old, ()) == (bots.kinds(title)[0],)


def test_a_policy_is_one_of_the_titles() -> None:
    assert isinstance(bots.policy("sensible", 1, "orleans"), bots.TitleBot)
    assert isinstance(bots.policy("random", 1, "orleans"), bots.Random)
    with pytest.raises(ValueError, match=r"orleans has no bot 'eager'\. It has: sensible, random"):
        bots.policy("eager", 1, "orleans")


# --- choices -------------------------------------------------------------------------------------------------------


def test_a_choice_goes_with_its_numbers_of_players(rival: Client) -> None:
    for players in ("1", "2"):
        chosen = game_options.choose_options(rival, asked("play", "--players", players, "--choose", "rival=meek"))
        assert chosen.options == {"rival": "meek"}
    with pytest.raises(CommandError, match="rival=meek needs 2 players"):
        game_options.choose_options(rival, asked("play", "--players", "3", "--choose", "rival=meek"))


def test_what_there_is_to_choose_in_some_editions_only_is_told_and_refused_in_others(
    boardkeeper: Run, rivals: str, rival: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = OptionMeta("tide", {"en": "tide"}, (ChoiceMeta("low", {}),), "low", editions=("second", "third"))
    meta = replace(RIVAL_TITLE.meta, readings=(reading,), maturity_text={"en": "It is a test."})
    monkeypatch.setattr(RivalTitle, "meta", meta)
    shown = [line.strip() for line in boardkeeper("titles", "tiny", "--server", rivals).out.splitlines()]
    assert "Rules interpretation: tide (only in second, third)  tide" in shown
    assert "It is a test." in shown
    german = boardkeeper("titles", "tiny", "--server", rivals, "--language", "de").out
    assert "Lesart: tide (nur in second, third)" in german
    with pytest.raises(CommandError, match="tide can only be set in second and third, not in first"):
        game_options.choose_options(rival, asked("play", "--choose", "tide=low"))


# --- seats of the rules --------------------------------------------------------------------------------------------


def test_one_sits_down_alone(rival: Client) -> None:
    seat = play_game._sit_down(asked("play", "--players", "1", "--name", "Ada"), rival)
    game = seat.game()
    assert kinds(game) == ["", "automa"]
    assert game.options["rival"] == "keen"
    bots.play({seat: bots.Random(1)})
    assert seat.game().status == game_pb2.GAME_STATUS_ENDED


def test_who_is_alone_keeps_somebody_to_play_against(rival: Client) -> None:
    with pytest.raises(CommandError, match=r"with --choose rival=off you have no opponent: .* --players 2"):
        game_options.choose_options(rival, asked("play", "--players", "1", "--choose", "rival=off"))
    assert not game_options.choose_options(rival, asked("play", "--players", "2", "--choose", "rival=off")).automata


def test_the_rules_get_their_seat_among_bots_and_friends(rival: Client) -> None:
    seat = play_game._sit_down(asked("play", "--players", "2", "--choose", "rival=meek", "--name", "Ada"), rival)
    assert kinds(seat.game()) == ["", "automa"]
    with pytest.raises(CommandError, match="--open 1 is too many: only 0 seats can be left open"):
        play_game._sit_down(asked("play", "--players", "2", "--choose", "rival=meek", "--open", "1"), rival)
    seat = play_game._sit_down(asked("play", "--players", "3", "--bots", "random,eager", "--name", "Ada"), rival)
    assert kinds(seat.game()) == ["", "random", "eager"]


@pytest.mark.parametrize("players", ["1", "2"])
@pytest.mark.parametrize("flags", [(), ("--in-service",)], ids=["clients", "in service"])
def test_a_demo_against_the_rules(rival: Client, players: str, flags: tuple[str, ...]) -> None:
    arguments = asked("demo", "--players", players, "--choose", "rival=meek", *flags)
    wanted = game_options.choose_options(rival, arguments)
    new = demo_game._create(arguments, rival, wanted, ["eager"] * int(players))
    assert kinds(new.game) == ["eager" if flags else "", "automa"]
    assert [seat.number for seat in new.seats] == ([] if flags else [1])


def test_in_a_fork_the_rules_keep_their_seat(boardkeeper: Run, rivals: str, rival: Client) -> None:
    game = rival.create_game("tiny", [person("Ada")]).game.game_id
    ran = boardkeeper("fork", game, "--server", rivals, "--name", "Bob")
    assert ran.status == 0, ran.err
    assert "2  Rival (played by the rules)" in ran.out  # as the service calls it: the title is not installed there
    german = boardkeeper("fork", game, "--server", rivals, "--name", "Bob", "--language", "de")
    assert "2  Rivale (gespielt von den Regeln)" in german.out


def test_nobody_takes_the_seat_of_the_rules_in_a_fork(boardkeeper: Run, rivals: str, rival: Client) -> None:
    game = rival.create_game("tiny", [person("Ada")]).game.game_id
    ran = boardkeeper("fork", game, "--seat", "2", "--server", rivals)
    assert ran.status == 1
    assert "is played by the rules: choose another with --seat" in " ".join(ran.err.split())


def test_the_sdk_names_seats_of_the_rules(rival: Client) -> None:
    new = rival.create_game("tiny", [person("Ada"), automa("Rita")], options={"rival": "meek"})
    assert [(seat.name, seat.bot) for seat in new.game.seats] == [("Ada", ""), ("Rita", "automa")]
    assert automa() == games_pb2.SeatRequest(bot="automa")
    with pytest.raises(BadRequest) as refused:
        rival.create_game("tiny", [person("Ada"), bot("random")], options={"rival": "meek"})
    assert refused.value.reason == "SEAT_PLAYED_BY_RULES"
