"""The engine plays the same games as the domain, of every title, edition and number of players."""

from __future__ import annotations

from random import Random

import pytest
from tests.engine.playing import create, play, step, variants

from boardkeeper import engine
from boardkeeper.engine.events import full_event
from boardkeeper.engine.start import id_of, secret_of
from boardkeeper.game.game import Game
from boardkeeper.titles.registry import load_title


@pytest.mark.parametrize(("title", "edition", "players"), list(variants()))
def test_the_engine_has_the_same_events_as_the_domain(title: str, edition: str, players: int) -> None:
    """For the same secret and commands. Another secret has other events."""
    game = create(title, edition, players)
    if game is None:
        pytest.skip("the edition does not allow this number of players")
    play(game, Random(f"{title} {edition} {players}"), 10_000)
    assert game.is_over
    assert not game.to_move
    assert [standing.rank for standing in game.standings][:1] == [1]
    history = game._history
    rebuilt = Game.load(load_title(title), secret_of(1), history[:1])
    assert rebuilt.id == id_of(secret_of(1)) == game.id
    found = [full_event(history[0])]
    joined = rebuilt.join(rebuilt.seats.free(), b"", "join", 0)
    rebuilt.commit(joined)
    found += map(full_event, joined)
    for event in history:
        if event.given is not None:
            commands = event.given.structs(rebuilt.title.commands)
            decided = rebuilt.decide(event.given.seat, commands, event.command_id, 0)
            assert isinstance(decided, list)
            rebuilt.commit(decided)
            found += map(full_event, decided)
    assert tuple(found) == game.events(engine.OPERATOR)
    assert rebuilt.table.digest() == game.digest()
    assert engine.create(title, players, edition=edition, seed=2).digest() != game.at(len(joined) + 1).digest()


@pytest.mark.parametrize("title", ["orleans", "paladins", "stories"])
def test_past_versions_have_legal_commands_only_between_commands(title: str) -> None:
    """Between the events of one command, the rules do not know the table, and no seat can act."""
    game = engine.create(title, 2, seed=3)
    random, settled = Random(3), {game.version}
    for _ in range(60):
        step(game, random)
        settled.add(game.version)
    assert len(settled) < game.version, "commands with several events"
    for version in range(1, game.version + 1):
        assert any(game.at(version).legal(seat) for seat in (1, 2)) == (version in settled), version


def test_games_without_a_seed_have_different_secrets() -> None:
    one, other = engine.create("orleans", 2), engine.create("orleans", 2)
    assert one.id != other.id
    assert one._secret != other._secret


def test_seats_have_names_bots_and_automata() -> None:
    game = engine.create("orleans", ["Anna", engine.Bot("random"), engine.Bot(name="Deep"), ""], seed=1)
    assert [(it.name, it.played_by, it.bot) for it in game.seats] == [
        ("Anna", "person", ""),
        ("Bot 2", "bot", "random"),
        ("Deep", "bot", "sensible"),
        ("Seat 4", "person", ""),
    ]
    alone = engine.create("paladins", ["Anna"], seed=1)
    assert [it.played_by for it in alone.seats] == ["person", "rules"]


def test_bots_play_until_a_person_has_to_decide() -> None:
    game = engine.create("orleans", [engine.Bot("random"), engine.Bot("random")], seed=3)
    events = game.play_bots()
    assert game.is_over
    assert events[-1].name == "GameEnded"
    with_person = engine.create("paladins", ["Anna", engine.Bot()], seed=3)
    while not with_person.is_over and with_person.version < 200:
        with_person.play_bots()
        assert with_person.to_move == (1,)
        with_person.submit(1, with_person.suggest(1))


def test_choices_are_in_the_setup() -> None:
    game = engine.create("orleans", 2, edition="dlp-2014", options={"planning": "open"}, seed=1)
    assert (game.setup.edition, game.setup.options["planning"]) == ("dlp-2014", "open")


def test_events_have_the_times_of_the_clock() -> None:
    times = iter(range(1000, 2000))
    game = engine.create("orleans", 2, seed=1, clock=lambda: next(times))
    play(game, Random(1), 3)
    assert sorted({event.time for event in game.events(engine.OPERATOR)}) == [1000, 1001, 1002, 1003]


def test_every_viewer_can_read_the_score_at_every_version() -> None:
    game = engine.create("orleans", 2, seed=1)
    before: dict[int, engine.ScoreSheet] = {}
    while not game.is_over:
        sheet = game.scores(engine.SPECTATOR)
        assert sheet is not None
        assert sheet.running
        assert sheet == game.scores(1) == game.scores(engine.OPERATOR) == game.at(game.version).scores(2)
        before[game.version] = sheet
        for _ in range(60):
            if not game.is_over:
                game.submit(game.to_move[0], game.suggest(game.to_move[0]))
    final = game.scores(2)
    assert final is not None
    assert not final.running
    assert final == game.at(game.version).scores(1)
    assert before == {version: game.at(version).scores(1) for version in before}
    assert {it.seat: it.points for it in game.standings} == dict(enumerate(final.totals, 1))
    with pytest.raises(engine.MisuseError):
        engine.create("orleans", 2, seed=1).scores(3)
    with pytest.raises(engine.MisuseError):
        game.at(1).scores(1)


def test_points_that_are_hidden_from_a_viewer_are_none() -> None:
    game = engine.create("stories", 4, edition="england-vs-france", seed=1)
    for viewer in (engine.SPECTATOR, 1, 4):
        sheet = game.scores(viewer)
        assert sheet is not None
        unknown = {line.id for line in sheet.lines if None in line.points}
        assert unknown == {"mission", "messages", "majority"}
