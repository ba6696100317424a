"""The table as text, for every title: complete, and fitting at any width, in both languages."""

from __future__ import annotations

import io
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType

from boardkeeper.client import Client, Seat, bot, person
from boardkeeper.client.cursors import ENDED
from boardkeeper.client.requests import automa
from boardkeeper.terminal.connections import load_viewpoint
from boardkeeper.terminal.drawing import progress, seats
from boardkeeper.terminal.drawing.board import SPACE, Board
from boardkeeper.terminal.drawing.captions import CAPTIONS, LANGUAGES
from boardkeeper.terminal.drawing.command_menu import build_menu
from boardkeeper.terminal.drawing.maps import draw_map, way_rows
from boardkeeper.terminal.drawing.menu import Section, draw_menu, select
from boardkeeper.terminal.drawing.score import draw_score
from boardkeeper.terminal.drawing.table_views import VIEWS, available_views, draw_overview, draw_table
from boardkeeper.terminal.drawing.viewpoint import Viewpoint
from boardkeeper.terminal.guide import Guide
from boardkeeper.terminal.texts import texts
from boardkeeper.titles.registry import list_metas
from boardkeeper.v1 import catalog_pb2, command_pb2, effect_pb2, games_pb2, scores_pb2, table_pb2

NAMES = ("Anna", "Bruno", "Clara", "David", "Emma")
LONG = "Bartholomäus-Maximilian von und zu Hohenlohe"
RAW = re.compile(r"[a-z]_[a-z0-9]|\{\}")
"""An id without a name, or a phrase without its value."""
STEPS = 150
"""Number of own decisions that are played in a game."""
Game = tuple[str, str, int, tuple[tuple[str, str], ...]]
"""A title, an edition, the number of players, and options."""


def games() -> Iterator[Any]:
    """Yield every edition with its fewest and most players.

    Normally each game of a default edition is drawn in one language; the soak draws all editions in all languages.
    """
    cases: list[Game] = []
    defaults = {(meta.id, meta.default_edition) for meta in list_metas()}
    for meta in list_metas():
        for edition in meta.editions:
            fewest, most = min(edition.players), max(edition.players)
            cases += [(meta.id, edition.id, it, ()) for it in dict.fromkeys((max(2, fewest), most))]
        cases += [
            (meta.id, edition.id, 1, tuple(meta.alone.items()))
            for edition in meta.editions
            if min(edition.players) == 1
        ]
    for number, game in enumerate(cases):
        for at, language in enumerate(LANGUAGES):
            is_usual = game[:2] in defaults and (number + at) % len(LANGUAGES) == 0
            marks = [] if is_usual else [pytest.mark.soak]
            yield pytest.param(game, language, id=f"{game[0]}-{game[1]}-{game[2]}-{language}", marks=marks)


DEFAULT_GAMES = [
    pytest.param((meta.id, meta.default_edition, 3 if 3 in edition.players else max(edition.players), ()), id=meta.id)
    for meta in list_metas()
    for edition in meta.editions
    if edition.id == meta.default_edition
]
"""A game of each title's default edition."""


def text(drawn: RenderableType, width: int = 160) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(drawn)
    written = console.file
    assert isinstance(written, io.StringIO)
    return written.getvalue()


def words_of(drawings: Iterable[str]) -> set[str]:
    return {word for drawn in drawings for word in drawn.split() if not set(word) & set("─~")}


@dataclass(frozen=True)
class Decision:
    """A decision of the first seat in a game, or the end of the game, without legal commands."""

    board: Board
    legal: games_pb2.ListLegalCommandsResponse
    score: scores_pb2.ScoreSheet

    @property
    def viewpoint(self) -> Viewpoint:
        return self.board.viewpoint

    @cached_property
    def menu(self) -> tuple[Section, ...]:
        guide = Guide(self.viewpoint, texts("en"))
        return build_menu(self.legal.commands, self.board, lambda it: guide.outcome(it.effects, self.viewpoint.viewer))


def play_decisions(
    address: str, game: Game, language: str = "en", *, steps: int = STEPS, name: str = "Anna"
) -> Iterator[Decision]:
    """Yield the decisions of a seat that plays at random against bots, and the end of the game."""
    title, edition, players, options = game
    others = [bot("random", it) for it in NAMES[1:players]] or [automa()]
    with Client(address, language=language) as client:
        new = client.create_game(title, [person(name), *others], edition=edition, options=dict(options))
        (seat,) = new.seats
        viewpoint = load_viewpoint(client, new.game, language, 1)
        chance = random.Random(steps)
        version = 0
        for step in range(steps + 1):
            legal = wait_for_decision(seat, version)
            if not legal.commands:
                break
            if step == steps:
                seat.hand_to_bot("random")
                for _ in seat.watch():
                    pass
                break
            answer = seat.table(version=legal.version)
            yield Decision(Board(answer.table, viewpoint), legal, answer.score_sheet)
            version = seat.submit(chance.choice(legal.commands)).version
        answer = seat.table()
        yield Decision(Board(answer.table, viewpoint), games_pb2.ListLegalCommandsResponse(), answer.score_sheet)


def wait_for_decision(seat: Seat, version: int) -> games_pb2.ListLegalCommandsResponse:
    """Wait until the seat has to decide, and return its legal commands; none if the game is over."""
    legal = seat.legal_commands(min_version=version, with_effects=True)
    while not legal.commands:
        for event in seat.watch(after_version=legal.version):
            if event.name == ENDED:
                return legal
            if any(it.ask.seat == seat.number and it.ask.after for it in event.effects if it.HasField("ask")):
                break
        else:  # a stream of a finished game ends
            return legal
        legal = seat.legal_commands(min_version=event.version, with_effects=True)
    return legal


@cache
def first_decisions(address: str, game: Game, language: str = "en", name: str = "Anna") -> Sequence[Decision]:
    """Return the first decision of each kind, and the end."""
    found: dict[str, Decision] = {}
    for decision in play_decisions(address, game, language, name=name):
        found.setdefault(decision.legal.decision, decision)
    return tuple(found.values())


def drawings(decision: Decision, width: int) -> list[str]:
    """Return all drawings."""
    views = [draw_overview, draw_table, *(view for _, view in VIEWS.values())]
    drawn = [text(view(decision.board), width) for view in views]
    drawn += [text(seats.draw_seat(decision.board, seat), width) for seat in decision.board.seats]
    return [
        *drawn,
        text(draw_menu(decision.menu), width),
        text(draw_score(decision.score, decision.viewpoint), width),
    ]


# --- width --------------------------------------------------------------------------------------------------------


@pytest.mark.socket
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("game", "language"), list(games()))
def test_no_text_is_cut_off_broken_or_without_a_name(address: str, game: Game, language: str) -> None:
    for decision in first_decisions(address, game, language):
        whole = words_of(drawings(decision, 600))
        for width in (60, 80, 120) if decision.legal.decision in ("", "act", "plan") else (80,):
            drawn_at_width = drawings(decision, width)
            for drawn in drawn_at_width:
                assert max(map(cell_len, drawn.splitlines()), default=0) <= width
                assert "…" not in drawn
                assert RAW.search(drawn) is None, RAW.search(drawn)
            if width >= 80:
                map_of = text(draw_map(decision.board), width)  # a narrow map omits some contents
                assert words_of(drawn_at_width) - words_of([map_of]) <= whole, decision.legal.decision


@pytest.mark.socket
@pytest.mark.parametrize("game", DEFAULT_GAMES)
def test_long_names_are_not_cut_off(address: str, game: Game) -> None:
    for decision in first_decisions(address, game, name=LONG):
        for width in (60, 80):
            for drawn in drawings(decision, width):
                assert max(map(cell_len, drawn.splitlines()), default=0) <= width
                assert "…" not in drawn


# --- contents -----------------------------------------------------------------------------------------------------


def on_one_line(drawn: str) -> str:
    return " ".join(drawn.split())


@pytest.mark.socket
@pytest.mark.parametrize("game", DEFAULT_GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_seat_sees_its_own_components(address: str, game: Game, language: str) -> None:
    for decision in first_decisions(address, game, language):
        board, viewpoint = decision.board, decision.viewpoint
        overview, whole = (on_one_line(text(view(board), 1000)) for view in (draw_overview, draw_table))
        for it in board.markers(1, "money", "due"):
            assert not it.is_set or it.entry.text in overview
        for zone in board.zones(1):
            if zone.entry.kind in seats.FIRST:
                assert all(viewpoint.name(id) in overview for id in zone.counts)
            assert all(viewpoint.name(id) in whole or zone.count in whole for id in zone.counts)
        assert f"{sum(it.is_empty for zones in board.places(1).values() for it in zones)}" == str(
            text(seats.draw_places(board, 1)).count(seats.FREE)
        )
        for place, zones in board.places(1).items():
            assert viewpoint.name(place) in whole
            assert sum(not it.is_empty for it in zones) == seats.describe_spaces(board, place, zones).count(seats.TAKEN)


@pytest.mark.socket
@pytest.mark.parametrize("game", DEFAULT_GAMES)
def test_other_seats_are_shown_as_far_as_they_are_visible(address: str, game: Game) -> None:
    for decision in first_decisions(address, game):
        board, viewpoint = decision.board, decision.viewpoint
        compared = text(seats.draw_comparison(board), 1000)
        overview = text(draw_overview(board), 1000)
        for seat in board.seats:
            line = next(it for it in overview.splitlines() if it.strip("► ").startswith(viewpoint.seat(seat)))
            for it in board.markers(seat, "money"):
                assert f"{it.entry.text} {it.value}" in line
            assert ("►" in line) == board.is_deciding(seat)
            assert viewpoint.seat(seat) in compared
            for zone in board.zones(seat):
                if not zone.zone.seen and not zone.is_empty:
                    row = next(it for it in compared.splitlines() if it.startswith(zone.entry.text))
                    assert zone.count in row.split()


@pytest.mark.socket
@pytest.mark.parametrize("game", DEFAULT_GAMES)
def test_all_common_zones_are_listed(address: str, game: Game) -> None:
    for decision in first_decisions(address, game):
        listed = on_one_line(text(VIEWS["z"][1](decision.board), 1000))
        for zone in decision.board.zones(0):
            if zone.entry.kind != SPACE and zone.entry.kind != "event":
                assert zone.entry.text in listed
        for marker in decision.board.markers(0, "flag"):
            zone_entry = decision.viewpoint.zones.get(marker.entry.zone)
            if marker.is_set and (zone_entry is None or zone_entry.kind != SPACE):
                assert marker.entry.text in listed


@pytest.mark.socket
@pytest.mark.parametrize("game", DEFAULT_GAMES)
@pytest.mark.parametrize("width", [80, 140])
def test_the_map_has_every_place_and_its_contents(address: str, game: Game, width: int) -> None:
    *_, decision = first_decisions(address, game)
    board, viewpoint = decision.board, decision.viewpoint
    drawn = text(draw_map(board), width)
    if not viewpoint.title.HasField("map"):
        assert drawn.strip() == ""
        return
    for town in viewpoint.title.map.towns:
        label = town.text if town.kind == "town" else town.text.rpartition(" ")[2]
        assert label in drawn
    ways = {way.component for way in viewpoint.title.map.ways}
    goods = Counter(
        viewpoint.short(id) for it in board.zones(0) if it.entry.component in ways for id in it.counts.elements()
    )
    for sign, count in goods.items():
        assert len(re.findall(rf"(?<![^\W\d]){sign}(?![^\W\d])", drawn)) >= count  # also in the legend
    pieces = Counter(
        viewpoint.short(id)
        for it in board.zones(0)
        if it.entry.kind in ("area", "town")
        for id in it.counts.elements()
        if viewpoint.owner(id)
    )
    for sign, count in pieces.items():
        assert drawn.count(sign) >= count


@pytest.mark.socket
def test_the_ways_from_the_own_town_are_listed(address: str) -> None:
    for decision in first_decisions(address, ("orleans", "", 3, ())):
        (town,) = (it.value for it in decision.board.markers(1, "town"))
        listed = " ".join(text for _, text in way_rows(decision.board, 1))
        for way in decision.viewpoint.title.map.ways:
            if town in way.towns:
                assert all(decision.viewpoint.name(it) in listed for it in way.towns if it != town)


@pytest.mark.socket
def test_a_track_shows_every_seat_and_its_benefits(address: str) -> None:
    decision = next(play_decisions(address, ("orleans", "", 2, ())))
    rows = on_one_line(text(VIEWS["t"][1](decision.board), 1000))
    assert "Traders Track [*.....] place tiles 1 / 1, 2 / 1, 2 / 1, 2 / 1, 2" in rows
    assert "1 Anna 2 Bruno" in rows


@pytest.mark.socket
@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_in_a_row_show_price_and_effect(address: str, language: str) -> None:
    decision = next(play_decisions(address, ("paladins", "", 2, ()), language))
    board, viewpoint = decision.board, decision.viewpoint
    rows = text(VIEWS["z"][1](board), 1000).splitlines()
    for zone in board.zones(0):
        for id in zone.counts if zone.entry.kind in ("townsfolk_row", "outsiders_row") else ():
            (row,) = (it for it in rows if it.startswith((f"{zone.entry.text} (", f"{zone.entry.text}  ")))
            assert f"{viewpoint.name(id)}: {viewpoint.describe(id)}" in row
    prices = {"en": "3 silver, or a debt", "de": "3 Silber, oder Schuldschein"}
    assert f"1 ({prices[language]})" in "\n".join(rows)


@pytest.mark.socket
def test_each_card_in_hand_is_described_in_one_line(address: str) -> None:
    decision = next(it for it in play_decisions(address, ("paladins", "", 2, ())) if it.legal.decision == "paladin")
    board, viewpoint = decision.board, decision.viewpoint
    (hand,) = (it for it in board.zones(1) if it.entry.kind == "hand")
    lines = text(draw_overview(board), 200).splitlines()
    assert len(hand.counts) == 3
    for id in hand.counts:
        assert any(f"{viewpoint.name(id)}: {viewpoint.describe(id)}" in line for line in lines)


@pytest.mark.socket
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deed_shows_present_and_needed_followers(address: str, language: str) -> None:
    decision = next(play_decisions(address, ("stories", "settlers", 2, ()), language))
    rows = on_one_line(text(VIEWS["z"][1](decision.board), 1000))
    assert {
        "en": "Alchemy Craftsman 0/1 Scholar 0/1 Monk 0/1 (coins Craftsman 2, fame Scholar 2, Monk 2)",
        "de": "Alchemie Handwerker 0/1 Gelehrter 0/1 Mönch 0/1"
        " (Münzen Handwerker 2, Ruhmespunkte Gelehrter 2, Mönch 2)",
    }[language] in rows


@pytest.mark.socket
def test_an_action_shows_its_next_requirements_and_price(address: str) -> None:
    found = [it for it in first_decisions(address, ("paladins", "", 3, ())) if it.legal.decision in ("act", "")]
    assert len(found) == 2
    for decision in found:
        board, viewpoint = decision.board, decision.viewpoint
        drawn = text(seats.draw_places(board, 1), 300).splitlines()
        zones = {it.entry.id: int(it.count) for it in board.zones(1) if it.count.isdecimal()}
        times = {"absolve": 7 - zones["seat.1.jars"], "fortify": zones["seat.1.walls"]}
        for action, used in times.items():
            (row,) = (it for it in drawn if it.startswith(f"{viewpoint.name(action)} {used}/7 "))
            next_time = min(used, 6)
            least = viewpoint.values[action]["thresholds"][next_time]
            kind, price = (
                ("silver", viewpoint.values[action]["silver"][next_time])
                if action == "absolve"
                else ("provision", viewpoint.values[action]["provisions"][next_time])
            )
            assert (f"at least {least}, " in row) == bool(least)
            assert f" {price} {kind}" in row
        for marker in board.markers(1, "track"):
            cards = [id for it in board.zones(1) if it.entry.kind == "paladin" for id in it.counts]
            added = "".join(f"+{by}" for id in cards if (by := viewpoint.values[id][marker.entry.component]))
            assert f"{marker.entry.text} {marker.value}{added}" in " · ".join(seats.standing_items(board, 1)).split(
                " · "
            )
        orders = [it for it in board.zones(0) if it.entry.kind == "order" and it.counts]
        listed = text(draw_table(board), 300)
        for order in orders:
            (id,) = order.counts
            done = [progress.count_uses(board, seat, viewpoint.values[id]["action"]) for seat in (1, 2, 3)]
            if None not in done:
                assert f"{viewpoint.name(id)} (Anna {done[0]}, Bruno {done[1]}, Clara {done[2]})" in listed


@pytest.mark.socket
@pytest.mark.parametrize(
    ("game", "language", "shown"),
    [
        (("orleans", "", 3, ()), "en", ("Round 1/18", "Coins 5")),
        (("paladins", "", 2, ()), "de", ("Silber 3", "Proviant 1", "Stärke 0", "Einfluss 0")),
        (("stories", "settlers", 2, ()), "en", ("Round 1/16", "Citizens 0", r"Fame \d \(next bonus at 4\)")),
        (("stories", "settlers", 2, ()), "de", (r"Epoche 1 \w+: Rundenbonus: 1 Ruhm je Siedler auf der Karte",)),
        (("stories", "england-vs-france", 4, ()), "en", ("Fame 4 draw and place a follower", "4× Settler")),
    ],
)
def test_zero_values_and_next_benefits_are_shown(address: str, game: Game, language: str, shown: Sequence[str]) -> None:
    decision = next(play_decisions(address, game, language, steps=1))
    drawn = on_one_line(text(draw_overview(decision.board), 1000))
    for pattern in shown:
        assert re.search(pattern, drawn), pattern


# --- the menu -----------------------------------------------------------------------------------------------------


@pytest.mark.socket
@pytest.mark.parametrize("game", [*DEFAULT_GAMES, pytest.param(("stories", "england-vs-france", 4, ()), id="nations")])
def test_the_menu_has_every_command_once_with_distinct_labels(address: str, game: Game) -> None:
    for decision in play_decisions(address, game, steps=60):
        sections = decision.menu
        entries = [entry for section in sections for entry in section.entries]
        count = len(decision.legal.commands)
        assert [entry.number for entry in entries] == list(range(1, count + 1))
        assert sorted(entry.index for entry in entries) == list(range(count))
        assert all(section.heading.plain for section in sections[1:])  # headings separate the sections
        for section in sections:
            assert len({entry.label for entry in section.entries}) == len(section.entries)
        for number in range(1, count + 1):
            (selected,) = select(sections, {number})
            assert [entry.number for entry in selected.entries] == [number]


@pytest.mark.socket
def test_placements_are_listed_below_their_place_with_its_effect(address: str) -> None:
    decision = next(play_decisions(address, ("orleans", "", 2, ())))
    headings = {section.heading.plain: section for section in decision.menu}
    castle = headings["Castle  □ Farmer  □ Boatman  □ Trader  (recruit Knight)"]
    assert {entry.label for entry in castle.entries} == {"Own Farmer", "Own Boatman", "Own Trader"}
    assert all(entry.compact for entry in castle.entries)
    assert [entry.label for entry in headings["Or"].entries] == ["Finish planning"]


# --- scores -------------------------------------------------------------------------------------------------------


@pytest.mark.socket
@pytest.mark.parametrize("game", DEFAULT_GAMES)
def test_the_score_sheet_has_every_line_and_lists_winners_first(address: str, game: Game) -> None:
    *_, decision = play_decisions(address, game, steps=1)
    sheet = decision.score
    drawn = text(draw_score(sheet, decision.viewpoint), 200).splitlines()
    best = min(range(len(sheet.ranks)), key=lambda it: (sheet.ranks[it], it))
    assert drawn[1].split()[0] == decision.viewpoint.seat(best + 1)
    assert drawn[-1].split()[1:] == [str(it) for it in sorted(sheet.ranks)]
    assert drawn[-2].split()[1] == str(sheet.totals[best])
    for line in sheet.lines:
        if any(line.points):
            (row,) = (it for it in drawn if it.startswith(f"{line.text}  "))
            assert str(line.points[best]) in row


def test_a_calculation_is_shown_before_its_result() -> None:
    line = scores_pb2.ScoreLine(text="Status", points=[54], notes=["(4 + 5) × 6"])
    goods = scores_pb2.ScoreLine(text="Goods", points=[3], notes=["1 wine"])
    sheet = scores_pb2.ScoreSheet(lines=[line, goods], totals=[57])
    drawn = on_one_line(text(draw_score(sheet, Viewpoint(CAPTIONS["en"], seats={1: "Anna"}))))
    assert drawn == "Score sheet Anna Status (4 + 5) × 6 = 54 Goods 3 (1 wine) Total 57"


def test_unknown_points_are_marked() -> None:
    lines = [
        scores_pb2.ScoreLine(text="Coins", points=[3, 4]),
        scores_pb2.ScoreLine(text="Message", points=[20, 0], unknown_seats=[2]),
    ]
    sheet = scores_pb2.ScoreSheet(lines=lines, totals=[23, 4], running=True)
    drawn = on_one_line(text(draw_score(sheet, Viewpoint(CAPTIONS["en"], seats={1: "Anna", 2: "Bruno"}))))
    assert drawn == "Score sheet Anna Bruno Coins 3 4 Message 20 ? Total 23 4 + ?"


# --- titles without texts -----------------------------------------------------------------------------------------


def test_a_table_of_a_title_without_texts_is_drawn_with_ids() -> None:
    zones = [catalog_pb2.ZoneEntry(id=f"seat.{it}.pot", text="Pot", seat=it) for it in (1, 2)]
    markers = [catalog_pb2.MarkerEntry(id="seat.1.coins", text="Coins", seat=1)]
    markers.append(catalog_pb2.MarkerEntry(id="bid", text="Bid"))
    title = catalog_pb2.GetTitleResponse(zones=zones, markers=markers, title=catalog_pb2.Title(text="Beans"))
    viewpoint = Viewpoint.of(title, "en", {1: "Anna", 2: "Bruno"}, 1)
    table = table_pb2.Table(
        zones=[
            table_pb2.Zone(
                id="seat.1.pot", seen=True, count=3, contents=[table_pb2.Held(component="red_bean", count=3)]
            ),
            table_pb2.Zone(id="seat.2.pot", count=2),
            table_pb2.Zone(id="middle", seen=True, stack=True, count=1, order=["black_bean"]),
        ],
        markers=[
            table_pb2.Marker(id="seat.1.coins", value=effect_pb2.Scalar(number=4)),
            table_pb2.Marker(id="bid", value=effect_pb2.Scalar(number=0)),
        ],
        decisions=["throw", ""],
    )
    board = Board(table, viewpoint)
    for view in (draw_overview, draw_table, *(view for _, view in VIEWS.values())):
        assert "…" not in text(view(board), 40)
    assert text(draw_overview(board), 60).splitlines()[0].startswith("Beans ─")
    assert on_one_line(text(draw_overview(board))).endswith("► Anna Coins: 4 Pot 3× Red bean Bruno Pot 2")
    table.markers[0].value.number = 0
    assert on_one_line(text(draw_overview(Board(table, viewpoint)))).endswith(
        "► Anna Coins: 0 Pot 3× Red bean Bruno Pot 2"
    )
    table.markers[0].value.number = 4
    table.markers[1].value.number = 7
    assert text(draw_overview(Board(table, viewpoint)), 60).startswith("Bid 7 ─")
    assert available_views(board).keys() == {"o", "z"}
    assert "Middle  Black bean" in text(draw_table(board))
    assert on_one_line(text(seats.draw_comparison(board))) == "Anna Bruno Coins 4 Pot 3× Red bean 2"
    command = command_pb2.LegalCommand(sentence="Throw")
    (section,) = build_menu([command], board)
    assert [entry.label for entry in section.entries] == ["Throw"]


def test_both_languages_have_the_same_captions() -> None:
    assert CAPTIONS["en"].keys() == CAPTIONS["de"].keys()
