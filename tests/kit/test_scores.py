"""Score sheets: in ended games they add up to the result, in running games they use only what the viewer sees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from tests.golden.games import files
from tests.kit.adapters import EACH_TITLE
from tests.kit.test_forks import change_layout
from tests.service.tiny_title import TINY

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import ENDED, Game
from boardkeeper.game.standings import rank_seats
from boardkeeper.table.forking import layout_of
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR, sees
from boardkeeper.table.zones import Stack
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.golden import creation_of, read, secret_of
from boardkeeper.testkit.packed_files import name_of
from boardkeeper.testkit.playouts import Playout, playout
from boardkeeper.testkit.setups import mixed_setup, random_setup
from boardkeeper.titlekit.positions import problems
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.scores import ScoreSheet, score_sheet
from boardkeeper.titlekit.title import Play, Setup, Standing
from boardkeeper.titles.registry import TITLES, load_title

GOLDEN = [pytest.param(path, id=f"{id}/{name_of(path)}") for id in TITLES for path in files(id)]


def check(sheet: ScoreSheet | None, standings: list[Standing]) -> ScoreSheet:
    """Check that a sheet is consistent and agrees with the standings. Return it."""
    assert sheet is not None
    seats = len(sheet.totals)
    for line in sheet.lines:
        assert len(line.points) == seats
        assert len(line.notes) in (0, seats), line
        for text in (line.text, *line.notes):
            assert set(text) == set(LANGUAGES), line
            assert not any(it in translation for translation in text.values() for it in "{}[]|_"), text
        assert all(line.text.values())
    assert len({line.id for line in sheet.lines}) == len(sheet.lines)
    assert len({line.text["de"] for line in sheet.lines}) == len(sheet.lines)
    if sheet.lines:
        assert sheet.totals == tuple(sum(line.points[at] or 0 for line in sheet.lines) for at in range(seats))
    if standings:
        assert not sheet.running
        assert all(None not in line.points for line in sheet.lines)
        by_seat = {it.seat: it for it in standings}
        assert sheet.totals == tuple(by_seat[seat].points for seat in range(1, seats + 1))
        assert sheet.ranks == tuple(by_seat[seat].rank for seat in range(1, seats + 1))
    return sheet


@pytest.mark.parametrize("path", GOLDEN)
def test_the_sheets_of_golden_games_agree_with_their_results(path: Path) -> None:
    events: list[GameEvent] = read(path)
    title = load_title(creation_of(events).title)
    game = Game.load(title, secret_of(events), events)
    assert game.status == ENDED
    assert game.play is not None
    standings = list(game.standings())
    setup = creation_of(events).setup
    for viewer in (OPERATOR, SPECTATOR, 1):
        sheet = check(score_sheet(title, setup, game.table, viewer, standings), standings)
    lost = "DeclarationFailed" in {type(event.detail).__name__ for event in events}
    assert bool(sheet.lines) != lost


def replace_hidden(table: Table, viewer: int) -> Table:
    """Return a copy of a table with placeholders for everything that the viewer does not see."""
    copy = Table(layout_of(table))
    for zone in copy.zones.values():
        if not sees(table, table.zones[zone.id], viewer):
            if isinstance(zone, Stack):
                zone.order = ["?"] * zone.total()
            elif zone.items:
                zone.items = {"?": zone.total()}
    for marker in copy.markers.values():
        if not sees(table, table.markers[marker.id], viewer):
            marker.value = -1 if isinstance(marker.value, int) else "?"
    return copy


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_the_sheet_of_a_running_game_depends_only_on_what_the_viewer_sees(adapter: Adapter) -> None:
    """It is available to every viewer during the whole game."""
    hidden = scored = 0
    for seed in range(9):
        setup = random_setup(adapter.title, seed, adapter.players[seed % len(adapter.players)])
        with playout(adapter, seed, setup) as game:
            viewers = (OPERATOR, SPECTATOR, *range(1, len(game.table.decisions)))
            for viewer in viewers:
                running_score(adapter, game.at(0), setup, viewer)  # the empty table has a score too
            while not game.play.is_over():
                if game.random.random() < 0.05:
                    for viewer in viewers:
                        sheet = check(running_score(adapter, game.table, setup, viewer), [])
                        assert sheet == running_score(adapter, replace_hidden(game.table, viewer), setup, viewer)
                        assert sheet.running
                        assert not sheet.ranks
                        scored += any(sheet.totals)
                    hidden += any(not sees(game.table, it, SPECTATOR) for it in game.table.zones.values())
                game.step()
            standings = list(game.play.standings())
            check(score_sheet(adapter.title, setup, game.table, OPERATOR, standings), standings)
    assert scored > 20
    assert hidden > 20


def running_score(adapter: Adapter, table: Table, setup: Setup, viewer: int) -> ScoreSheet | None:
    """Return the score of a running game for a viewer."""
    return score_sheet(adapter.title, setup, table, viewer)


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_every_accepted_layout_can_be_scored(adapter: Adapter) -> None:
    """Otherwise a request for the score of a position would fail with an internal error."""
    assert score_changed_layouts(adapter, range(3)) > 3


@pytest.mark.soak
@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_soak_every_accepted_layout_can_be_scored(adapter: Adapter) -> None:
    assert score_changed_layouts(adapter, range(40)) > 40


def score_changed_layouts(adapter: Adapter, seeds: range) -> int:
    """Score changed layouts of random games. Return the number of layouts that are accepted and have a score."""
    scored = 0
    for seed in seeds:
        chance = Random(f"scores {seed}")
        setup = mixed_setup(adapter.title, seed, chance.choice(adapter.players))
        with playout(adapter, seed, setup) as game:
            while not game.play.is_over():
                if chance.random() < 0.1:
                    layout = change_layout(layout_of(game.table), chance)
                    if not problems(adapter.title, setup, layout):
                        scored += running_score(adapter, Table(layout), setup, OPERATOR) is not None
                game.step()
    return scored


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_a_resigned_seat_is_last_and_keeps_its_points(adapter: Adapter) -> None:
    setup = random_setup(adapter.title, 1, adapter.players[-1])
    with playout(adapter, 1, setup) as game:
        standings = rank_seats(setup.players, (), {1: 5})
        early = check(final_score(game, standings), list(standings))
        assert not early.lines
        assert set(early.totals) == {0}
        game.finish()
        standings = rank_seats(setup.players, game.play.standings(), {1: 5})
        sheet = check(final_score(game, standings), list(standings))
        assert sheet.ranks[0] == setup.players


def final_score(game: Playout[Play], standings: Sequence[Standing]) -> ScoreSheet | None:
    """Return the score of a game that ended with these standings."""
    return score_sheet(game.adapter.title, game.setup, game.table, OPERATOR, standings)


def test_a_title_without_a_score_sheet_has_the_totals_of_its_standings() -> None:
    setup = Setup("first", 2)
    table = Table(TINY.layout(setup))
    assert score_sheet(TINY, setup, table, SPECTATOR) is None
    standings = [Standing(2, 7, 1), Standing(1, 3, 2)]
    assert score_sheet(TINY, setup, table, SPECTATOR, standings) == ScoreSheet((), (3, 7), (2, 1))
