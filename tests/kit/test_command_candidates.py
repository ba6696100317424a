"""Command candidates: the commands that a user can mean by clicking on things, based only on what the seat sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest
from msgspec import Struct
from tests.kit.adapters import EACH_TITLE, adapters

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Draw, Effect, Move, Shuffle
from boardkeeper.table.forking import hidden_markers, layout_of, redeal_hidden
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.playouts import Playout, playout
from boardkeeper.testkit.setups import random_setup
from boardkeeper.titlekit.command_candidates import MAX_CANDIDATES, CommandCandidate, command_candidates, is_about
from boardkeeper.titlekit.previews import preview
from boardkeeper.titlekit.title import Play


def guess(game: Playout[Play], play: Play, seat: int, subjects: Iterable[str]) -> list[CommandCandidate]:
    """Return the candidates without knowledge of the legal commands."""
    return command_candidates(game.adapter.title.commands.values(), play, seat, list(subjects), ())


def random_subjects(chance: Random, game: Playout[Play], seat: int) -> list[str]:
    """Return one or two things that the seat can click on."""
    zones, markers = game.table.zones, game.table.markers
    seen = [it for zone in zones.values() if sees(game.table, zone, seat) for it in zone.counts()]
    return [chance.choice((*zones, *markers, *seen)) for _ in range(chance.choice((1, 2)))]


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_candidates_are_valid_and_depend_only_on_what_the_seat_sees(adapter: Adapter) -> None:
    check_candidates_in_games(adapter, 4)


@pytest.mark.soak
@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_soak_candidates_are_valid_and_depend_only_on_what_the_seat_sees(adapter: Adapter) -> None:
    check_candidates_in_games(adapter, 40)


def check_candidates_in_games(adapter: Adapter, games: int) -> None:
    """Check the candidates in a number of random games."""
    found = differing = 0
    for seed in range(games):
        setup = random_setup(adapter.title, seed, adapter.players[seed % len(adapter.players)])
        with playout(adapter, seed, setup) as game:
            while not game.play.is_over():
                if game.random.random() < 0.1:
                    for seat in game.table.deciding():
                        subjects = random_subjects(game.random, game, seat)
                        found += check_candidates(game, seat, subjects)
                        differing += check_hides_secrets(game, seat, subjects)
                game.step()
    assert found > 50 * games
    assert differing > 10 or adapter.open_draws


def check_candidates(game: Playout[Play], seat: int, subjects: list[str]) -> int:
    """Check that the rules can decide every candidate, and accept only legal ones. Return the number of candidates."""
    before, legal = game.table.contents(), game.play.legal(seat)
    found = command_candidates(game.adapter.title.commands.values(), game.play, seat, subjects, legal)
    assert len({it.command for it in found}) == len(found) <= MAX_CANDIDATES
    for candidate in found:
        assert candidate.subjects
        assert set(candidate.subjects) <= set(subjects)
        rejection = game.play.decide(seat, candidate.command)
        game.play.recorder.rollback()
        assert (rejection is None) == (candidate.command in legal), candidate
    assert game.table.contents() == before
    return len(found)


def check_hides_secrets(game: Playout[Play], seat: int, subjects: list[str]) -> bool:
    """Check the candidates on a table that differs only in hidden contents. Return whether it differs at all."""
    groups = game.adapter.title.exchangeable_zones(game.table, seat)
    if groups is None or hidden_markers(game.table, seat):
        return False
    table = Table(layout_of(game.table))
    redeal_hidden(table, seat, groups, Dice(b"otherwise"))
    play = game.adapter.title.play(table, Dice(b"otherwise"), game.setup)
    assert guess(game, play, seat, subjects) == guess(game, game.play, seat, subjects)
    return table.contents() != game.table.contents()


def clicks_for(effects: Iterable[Effect]) -> list[str]:
    """Return the clicks for the first move among effects: the source, the component and the target."""
    move = next((it for it in effects if isinstance(it, Move)), None)
    return [] if move is None else [move.source, move.component, move.target]


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_clicks_usually_lead_to_the_right_kind_of_command(adapter: Adapter) -> None:
    """Clicks at what a legal command moves give candidates of its kind, even without the list of legal commands."""
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
    """Click at what a command moves, and count whether its kind is among the candidates."""
    effects = preview(game.play, seat, command)
    subjects = clicks_for(effects)
    if not subjects or not command.__struct_fields__:
        return
    assert all(is_about(command, effects, subject) for subject in subjects)
    name = type(command).__name__
    meant[name] += 1
    kinds[name] += any(type(it.command) is type(command) for it in guess(game, game.play, seat, subjects))


def test_commands_are_about_the_zones_of_their_draws_and_shuffles() -> None:
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
