"""The table of Orléans as text: everything on it is there, for every number of seats, in both languages."""

from __future__ import annotations

import io

import pytest
from msgspec import structs
from rich.console import Console, RenderableType
from tests.client.orleans_tables import SEATS, look, played

from boardkeeper.client.drawing.menu import draw_menu, only
from boardkeeper.client.drawing.orleans import DRAWING as ORLEANS
from boardkeeper.client.drawing.orleans.map import TOWNS, draw_map, draw_nearby
from boardkeeper.client.drawing.words import LANGUAGES
from boardkeeper.titles.orleans.commands import PlaceFollower, WithdrawFollower
from boardkeeper.v1 import event_pb2

PLAYERS = (2, 3, 4, 5)


def text(drawn: RenderableType, width: int = 160) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(drawn)
    written = console.file
    assert isinstance(written, io.StringIO)
    return written.getvalue()


def row_of(drawn: str, start: str) -> str:
    return next(line for line in drawn.splitlines() if line.strip("►• ").startswith(start))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_spectator_sees_every_seat_with_its_coins_and_places(players: int, language: str) -> None:
    table = played(players, 60)
    board, view = table.board(0), look(players, language)
    drawn = text(ORLEANS.table(board, view))
    for seat in board.seats:
        cells = row_of(drawn, SEATS[seat.seat]).replace("►", " ").replace("•", " ").split()
        assert cells[:2] == [SEATS[seat.seat], str(seat.coins)]
    spaces = [space for seat in board.seats for place in seat.places for space in place.spaces]
    assert drawn.count("□") == sum(not space.occupant for space in spaces)
    assert drawn.count("■") == sum(bool(space.occupant) and space.occupant != "technology" for space in spaces)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_player_sees_the_own_side_and_not_the_others(players: int) -> None:
    table = played(players, 60)
    board = table.board(players)
    drawn = text(ORLEANS.table(board, look(players, viewer=players)))
    assert drawn.count("□") == sum(not space.occupant for place in board.seats[-1].places for space in place.spaces)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_map_has_every_town_and_every_good(players: int) -> None:
    board, view = played(players, 0).board(0), look(players)
    drawn = text(draw_map(board, view))
    for town in TOWNS:
        assert view.name(town).removesuffix("-Montrond").removesuffix("-sur-Creuse") in drawn
    assert {town for way in board.ways for town in way.towns} == set(TOWNS)
    lines = drawn.splitlines()
    assert max(map(len, lines)) <= 110
    bare = structs.replace(board, ways=tuple(structs.replace(way, goods={}) for way in board.ways))
    for good in board.goods_market:
        goods = [structs.replace(way, goods={good: way.goods[good]} if good in way.goods else {}) for way in board.ways]
        picture = text(draw_map(structs.replace(board, ways=tuple(goods)), view))
        more = picture.count(view.short(good)) - text(draw_map(bare, view)).count(view.short(good))
        assert more == sum(way.goods.get(good, 0) for way in board.ways)


@pytest.mark.parametrize("players", PLAYERS)
def test_nearby_lists_each_way_that_leaves_the_merchants_town(players: int) -> None:
    board, view = played(players, 200).board(0), look(players)
    for seat in board.seats:
        drawn = text(draw_nearby(board, seat.seat, view))
        ways = [way for way in board.ways if seat.merchant in way.towns]
        assert drawn.count("→") == len(ways)
        assert drawn.startswith(f"Merchant: {view.name(seat.merchant)}")


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_can_be_drawn_in_the_middle_and_at_the_end(players: int, language: str) -> None:
    for decisions in (0, 150, 100_000):
        board, view = played(players, decisions, bot="random").board(1), look(players, language, viewer=1)
        for caption, draw in ORLEANS.views.values():
            assert view.word(caption)
            assert text(draw(board, view)).strip()


def test_the_traders_track_shows_which_place_tiles_its_spaces_bring() -> None:
    board, view = played(2, 0).board(1), look(2, viewer=1)
    _, draw = ORLEANS.views["t"]
    assert row_of(text(draw(board, view)), "Trader").split()[-5:] == ["I", *["I/II"] * 4]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off_on_a_terminal_of_eighty_columns(language: str) -> None:
    board, view = played(5, 500).board(5), look(5, language, viewer=5)
    assert ORLEANS.glance is not None
    views = [ORLEANS.glance, ORLEANS.table, *(draw for _, draw in ORLEANS.views.values())]
    for draw in views:
        drawn = text(draw(board, view), width=80)
        assert "…" not in drawn
        assert max(map(len, drawn.splitlines())) <= 80
        for seat in board.seats:
            assert draw is not ORLEANS.glance or row_of(drawn, SEATS[seat.seat])


@pytest.mark.parametrize("players", PLAYERS)
def test_the_score_sheet_adds_up_and_has_the_winner_first(players: int) -> None:
    board, view = played(players, 100_000).board(0), look(players)
    assert ORLEANS.score is not None
    drawn = text(ORLEANS.score(board, view))
    best = min(board.scores, key=lambda score: score.rank)
    rows = [line for line in drawn.splitlines() if any(name in line for name in SEATS.values())]
    assert SEATS[best.seat] in rows[0]
    for score in board.scores:
        line = next(line for line in rows if SEATS[score.seat] in line)
        assert f"({score.stations} + {score.citizens}) × {score.status} = {score.status_points}" in line
        assert f" {score.total} " in line
        assert score.coins + score.goods_points + score.status_points == score.total


def test_the_menu_numbers_every_command_once_in_the_order_shown() -> None:
    table = played(4, 300)
    seat = table.deciding[0]
    commands = table.legal(seat)
    sentences = [f"sentence {index}" for index in range(len(commands))]
    sections = ORLEANS.sections(commands, sentences, table.board(seat), look(4, viewer=seat))
    entries = [entry for section in sections for entry in section.entries]
    assert [entry.number for entry in entries] == list(range(1, len(commands) + 1))
    assert sorted(entry.index for entry in entries) == list(range(len(commands)))


def test_placing_is_grouped_by_place_and_filters_keep_their_numbers() -> None:
    table = played(3, 100)
    while not any(isinstance(command, PlaceFollower) for command in table.legal(table.deciding[0])):
        seat = table.deciding[0]
        assert table.play.decide(seat, table.legal(seat)[0]) is None
        table.play.recorder.take()
    seat = table.deciding[0]
    commands, view = table.legal(seat), look(3, viewer=seat)
    sections = ORLEANS.sections(commands, [type(command).__name__ for command in commands], table.board(seat), view)
    for section in sections:
        for entry in section.entries:
            command = commands[entry.index]
            if isinstance(command, PlaceFollower):
                assert section.heading.plain.startswith(view.name(command.place))
    last = len(commands)
    kept = only(sections, {last})
    assert [entry.number for section in kept for entry in section.entries] == [last]
    assert str(last) in text(draw_menu(kept))


def test_taking_back_means_the_follower_placed_last() -> None:
    withdrawals = [WithdrawFollower("ship", "farmer"), WithdrawFollower("castle", "boatman")]
    assert ORLEANS.withdrawal is not None
    assert ORLEANS.withdrawal(withdrawals, []) == 1
    placed = [event_pb2.Event(name="FollowerPlaced"), event_pb2.Event(name="FollowerPlaced")]
    for event, place, space in zip(placed, ("castle", "ship"), ("boatman", "farmer"), strict=True):
        event.detail.orleans.follower_placed.place = place
        event.detail.orleans.follower_placed.space = space
    assert ORLEANS.withdrawal(withdrawals, placed) == 0
    assert ORLEANS.withdrawal(withdrawals[1:], placed) == 0
    assert ORLEANS.withdrawal([], []) is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("decisions", [60, 250, 400])
def test_no_table_is_cut_off_at_sixty_columns(language: str, decisions: int) -> None:
    """Where an event has a long name, or many deeds are taken, too."""
    board = played(2, decisions).board(0)
    long = structs.replace(board, hour_glass=structs.replace(board.hour_glass, event="trading_day"), start_seat=2)
    for _, draw in ORLEANS.views.values():
        assert "…" not in text(draw(long, look(2, language)), 60)
    drawn = text(ORLEANS.table(long, look(2, language)), 60)
    assert "…" not in drawn
    assert f"{look(2, language).word('start_player')}: Bruno" in " ".join(drawn.split())
