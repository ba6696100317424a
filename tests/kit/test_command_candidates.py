"""What somebody may mean who points at things: commands of the title's, put together from what the seat sees alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest
from msgspec import Struct
from tests.kit.adapters import adapters

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Draw, Effect, Move, Shuffle
from boardkeeper.table.forking import hidden_markers, layout_of, redeal_hidden
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.playouts import Playout, playout
from boardkeeper.testkit.setups import random_setup
from boardkeeper.titlekit.command_candidates import MOST, CommandCandidate, command_candidates, is_about
from boardkeeper.titlekit.previews import preview
from boardkeeper.titlekit.title import Play

TITLES = [pytest.param(it, id=it.id) for it in adapters()]


def guessed(game: Playout[Play], play: Play, seat: int, subjects: Iterable[str]) -> list[CommandCandidate]:
    """What a seat may mean, with no help of what it can do."""
    return command_candidates(game.adapter.title.commands.values(), play, seat, list(subjects), ())


def some_subjects(chance: Random, game: Playout[Play], seat: int) -> list[str]:
    """One or two things that the seat may point at."""
    zones, markers = game.table.zones, game.table.markers
    seen = [it for zone in zones.values() if sees(game.table, zone, seat) for it in zone.counts()]
    return [chance.choice((*zones, *markers, *seen)) for _ in range(chance.choice((1, 2)))]


@pytest.mark.parametrize("adapter", TITLES)
def test_guesses_can_be_judged_and_follow_from_what_the_seat_sees(adapter: Adapter) -> None:
    judged_in_games(adapter, 4)


@pytest.mark.soak
@pytest.mark.parametrize("adapter", TITLES)
def test_soak_guesses_can_be_judged_and_follow_from_what_the_seat_sees(adapter: Adapter) -> None:
    judged_in_games(adapter, 40)


def judged_in_games(adapter: Adapter, games: int) -> None:
    """Guess in so many random games."""
    found = differing = 0
    for seed in range(games):
        setup = random_setup(adapter.title, seed, adapter.players[seed % len(adapter.players)])
        with playout(adapter, seed, setup) as game:
            while not game.play.is_over():
                if game.random.random() < 0.1:
                    for seat in game.table.deciding():
                        subjects = some_subjects(game.random, game, seat)
                        found += judged(game, seat, subjects)
                        differing += same_if_dealt_anew(game, seat, subjects)
                game.step()
    assert found > 50 * games
    assert differing > 10 or adapter.open_draws


def judged(game: Playout[Play], seat: int, subjects: list[str]) -> int:
    """Guess with the help of what can be done, and have it judged; returns how many commands there were."""
    before, legal = game.table.contents(), game.play.legal(seat)
    found = command_candidates(game.adapter.title.commands.values(), game.play, seat, subjects, legal)
    assert len({it.command for it in found}) == len(found) <= MOST
    for guess in found:
        assert guess.subjects
        assert set(guess.subjects) <= set(subjects)
        rejection = game.play.decide(seat, guess.command)
        game.play.recorder.rollback()
        assert (rejection is None) == (guess.command in legal), guess
    assert game.table.contents() == before
    return len(found)


def same_if_dealt_anew(game: Playout[Play], seat: int, subjects: list[str]) -> bool:
    """Guess again on a table that differs only in what the seat cannot see; returns whether it differs at all."""
    groups = game.adapter.title.exchangeable_zones(game.table, seat)
    if groups is None or hidden_markers(game.table, seat):
        return False
    table = Table(layout_of(game.table))
    redeal_hidden(table, seat, groups, Dice(b"otherwise"))
    play = game.adapter.title.play(table, Dice(b"otherwise"), game.setup)
    assert guessed(game, play, seat, subjects) == guessed(game, game.play, seat, subjects)
    return table.contents() != game.table.contents()


def clicked(effects: Iterable[Effect]) -> list[str]:
    """What somebody clicks at who means the first move among effects: a piece where it lies, and where it goes."""
    move = next((it for it in effects if isinstance(it, Move)), None)
    return [] if move is None else [move.source, move.component, move.target]


@pytest.mark.parametrize("adapter", TITLES)
def test_what_is_meant_by_clicks_is_mostly_guessed(adapter: Adapter) -> None:
    """Clicks at what a command that can be given moves lead to commands of its kind, though nobody says it can be."""
    meant, kinds = Counter[str](), Counter[str]()
    for seed in range(8):
        setup = random_setup(adapter.title, seed, adapter.players[seed % len(adapter.players)])
        with playout(adapter, seed, setup) as game:
            while not game.play.is_over():
                if game.random.random() < 0.1:
                    for seat in game.table.deciding():
                        for command in game.random.sample(list(game.play.legal(seat)), 1):
                            count(game, seat, command, meant, kinds)
                game.step()
    assert kinds.total() / meant.total() > 0.9, {kind: (kinds[kind], meant[kind]) for kind in meant}


def count(game: Playout[Play], seat: int, command: Struct, meant: Counter[str], kinds: Counter[str]) -> None:
    """Click at what a command moves, and count whether its kind is among what that may mean."""
    effects = preview(game.play, seat, command)
    subjects = clicked(effects)
    if not subjects or not command.__struct_fields__:
        return
    assert all(is_about(command, effects, subject) for subject in subjects)
    name = type(command).__name__
    meant[name] += 1
    kinds[name] += any(type(it.command) is type(command) for it in guessed(game, game.play, seat, subjects))


def test_commands_are_about_what_chance_picks_from() -> None:
    found = 0
    for adapter in adapters():
        with playout(adapter, 1, random_setup(adapter.title, 1, adapter.players[0])) as game:
            while not game.play.is_over() and found < 10:
                for seat in game.table.deciding():
                    for command in game.play.legal(seat)[:5]:
                        picked = [it for it in preview(game.play, seat, command) if isinstance(it, Draw | Shuffle)]
                        assert all(is_about(command, [it], it.zone) for it in picked)
                        found += len(picked)
                game.step()
    assert found
