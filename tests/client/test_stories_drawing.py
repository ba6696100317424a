"""The table of Orléans Stories as text: everything on it is there and fits, in both stories and both languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from tests.client.looking import LONG, NAMES
from tests.client.stories_tables import Moment, moments
from tests.client.test_drawing import row_of, text
from tests.client.test_paladins_drawing import backwards

from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.menu import draw_menu
from boardkeeper.client.drawing.stories import DRAWING, gives
from boardkeeper.client.drawing.stories.eras import bonus_spaces, draw_event, draw_fame, era_gives, eras
from boardkeeper.client.drawing.stories.goods import brief
from boardkeeper.client.drawing.stories.map import draw_map, number
from boardkeeper.client.drawing.words import LANGUAGES
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.board import Board
from boardkeeper.titles.stories.cards import BonusEffect, EventEffect, Place
from boardkeeper.titles.stories.catalogue import components
from boardkeeper.titles.stories.data import GOODS
from boardkeeper.titles.stories.data_sets import names as data_sets
from boardkeeper.v1 import event_pb2

Game = tuple[str, int, Mapping[str, str]]

GAMES: tuple[Game, ...] = (
    ("settlers", 2, {}),
    ("settlers", 3, {"data_set": "reconstructed-2"}),
    ("settlers", 4, {"planning": "sealed"}),
    ("england-vs-france", 4, {}),
    ("england-vs-france", 4, {"data_set": "reconstructed-2"}),
)
"""Stories, numbers of seats and options of the games that are drawn."""

RAW = re.compile(r"[a-z]_[a-z0-9]|\{\}")
"""An id that nobody has named, or a caption that nobody has filled."""


def firsts(game: Game, seeds: Iterable[int] = (1, 2)) -> Iterator[Moment]:
    """Of some games the first moment of every decision, and the end of each."""
    edition, players, options = game
    seen: set[str] = set()
    for seed in seeds:
        for moment in moments(edition, players, seed, **options):
            if moment.decision not in seen or not moment.decision:
                seen.add(moment.decision)
                yield moment


def shown(moment: Moment, look: Look, width: int) -> list[str]:
    """What a seat sees before it decides; where it plans, and at the end, all else that can be drawn, too."""
    assert DRAWING.glance is not None
    if moment.decision in ("", "plan"):
        return all_views(moment, look, width)
    return [text(DRAWING.glance(moment.board(look.viewer), look), width), *menu(moment, look, width)]


def all_views(moment: Moment, look: Look, width: int) -> list[str]:
    """All that can be drawn for whoever looks; the whole table has the glance in it."""
    board = moment.board(look.viewer)
    drawn = [DRAWING.table, *(view for _, view in DRAWING.views.values())]
    return [*(text(view(board, look), width) for view in drawn), *menu(moment, look, width)]


def menu(moment: Moment, look: Look, width: int) -> list[str]:
    """The menu of the seat that decides."""
    if not moment.decision:
        return []
    legal = moment.legal()
    return [text(draw_menu(DRAWING.sections(legal, ["say it"] * len(legal), moment.board(look.viewer), look)), width)]


def words_of(drawings: Iterable[str]) -> set[str]:
    return {word for drawn in drawings for word in drawn.split() if not set(word) & set("─~")}


# --- everything fits -------------------------------------------------------------------------------------------------


def check(drawn: str, width: int) -> None:
    """Nothing is wider than the terminal or cut off, and everything has a name."""
    assert max(map(cell_len, drawn.splitlines()), default=0) <= width, drawn
    assert "…" not in drawn
    assert RAW.search(drawn) is None, RAW.search(drawn)


@pytest.mark.parametrize(
    ("game", "language", "seed"),
    [  # each game in one of the languages, in turn; in the other one, and further games, in the soak
        pytest.param(
            game,
            language,
            seed,
            id=f"game{number}-{language}-{seed}",
            marks=[pytest.mark.soak] if seed > 1 or (number + at) % len(LANGUAGES) else [],
        )
        for number, game in enumerate(GAMES)
        for at, language in enumerate(LANGUAGES)
        for seed in (1, 2, 3)
    ],
)
def test_nothing_is_cut_off_or_broken_at_eighty_columns_or_more(game: Game, language: str, seed: int) -> None:
    """With less room some words are signs: the first letters of followers and landscapes."""
    names = {1: "Anna-Wilhelmine", 2: "Gegner", 3: "Clara", 4: "Maximilian"}
    for moment in firsts(game, [seed]):
        look = moment.look(language, names=names)
        signs = {"–", *(look.short(id) for id in look.names)}
        signs |= {word for key, word in look.words.items() if key.startswith("sign.")}
        whole = words_of(shown(moment, look, 600)) | signs
        for width in (80, 120):
            drawn = shown(moment, look, width)
            assert words_of(drawn) <= whole, (moment.decision, width)
            for each in drawn:
                check(each, width)


@pytest.mark.parametrize("game", GAMES)
def test_long_names_and_small_terminals_cut_nothing_off(game: Game) -> None:
    edition, players, options = game
    moment = next(it for it in moments(edition, players, 1, **options) if it.decision == "act")
    for width in (60, 80):
        for each in all_views(moment, moment.look(names=LONG), width):
            check(each, width)


@pytest.mark.parametrize("game", GAMES)
def test_what_messages_have_in_no_order_is_drawn_in_one(game: Game) -> None:
    class Backwards(Moment):
        """The same moment, of which a message has brought the entries of each map the other way round."""

        def board(self, viewer: int) -> Board:
            board: Board = backwards(super().board(viewer))
            return board

    for moment in firsts(game, (1,)):
        assert shown(Backwards(**vars(moment)), moment.look(), 100) == shown(moment, moment.look(), 100)


# --- everything is there ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("width", [60, 80, 160])
def test_the_map_has_every_space_with_all_that_stands_there(game: Game, width: int) -> None:
    *_, last = firsts(game, (1, 2))
    board, look = last.board(0), last.look(viewer=0)
    drawn = text(draw_map(board, look), width)
    places = Counter(re.findall(r"\d/\d", drawn))
    for area in board.areas:
        assert places[number(area.area, look)] == 1 + bool(area.town and width > 77)
    assert drawn.count("⌂") == sum(area.village for area in board.areas)
    assert drawn.count("†") == sum(area.church for area in board.areas)
    assert sorted(re.findall(r"#(\d)", drawn)) == sorted(str(area.fortress) for area in board.areas if area.fortress)
    settled = sorted("".join(dict.fromkeys(map(str, area.settlers))) for area in board.areas if area.settlers)
    shown = (
        settled
        if width > 77
        else sorted(
            "".join(dict.fromkeys(map(str, area.settlers))) for area in board.areas if area.settlers and not area.town
        )
    )
    assert sorted(re.findall(r"@(\d+)", drawn)) == shown
    for area in board.areas:
        for seat, count in Counter(area.settlers).items() if area.town else ():
            assert f"{NAMES[seat]} {count}" in row_of(drawn, look.name(area.town))


def test_spaces_that_touch_are_drawn_beside_each_other_and_the_loire_between_its_banks() -> None:
    moment = next(moments("settlers", 4))
    board, look = moment.board(0), moment.look(viewer=0)
    lines = text(draw_map(board, look), 80).splitlines()

    def at(area: str) -> tuple[int, int]:
        label = number(area, look)
        row = next(row for row, line in enumerate(lines) if label in line)
        return row, lines[row].index(label)

    sides = {area.area: area.side for area in board.areas}
    for area, side in sides.items():
        row, column = at(area)
        below = f"{area[:3]}{int(area[3:]) + 1}"
        if below in sides:
            assert at(below) == (row + (2 if sides[below] == side else 3), column)
            assert (lines[row + 2][column : column + 3] == "~~~") == (sides[below] != side)
        beside = f"c{int(area[1]) + 1}{area[2:]}"
        if beside in sides:
            assert at(beside)[1] == column + 11


@pytest.mark.parametrize("game", GAMES)
def test_a_spectator_sees_every_seat_with_what_it_has(game: Game) -> None:
    for moment in firsts(game, (1,)):
        board, look = moment.board(0), moment.look(viewer=0)
        drawn = text(DRAWING.table(board, look), 80)
        for seat in board.seats:
            cells = row_of(drawn, NAMES[seat.seat]).strip("►• ").split()
            assert cells[:2] == [NAMES[seat.seat], str(seat.coins)]
            assert str(seat.bag_count) == cells[-1]
        spaces = [space for seat in board.seats for place in seat.places for space in place.spaces]
        assert drawn.count("□") == sum(not space.occupant for space in spaces)
        assert drawn.count("■") == sum(space.occupant not in ("", "technology") for space in spaces)


@pytest.mark.parametrize("language", LANGUAGES)
def test_goods_are_told_apart_by_their_first_letters(language: str) -> None:
    look = next(moments("settlers", 2)).look(language)
    assert len({brief(good, look) for good in GOODS}) == len(GOODS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("data_set", data_sets())
@pytest.mark.parametrize("edition", ["settlers", "england-vs-france"])
def test_every_card_of_the_box_can_be_told_in_words(edition: str, data_set: str, language: str) -> None:
    players = 4 if edition == "england-vs-france" else 2
    moment = next(moments(edition, players, data_set=data_set))
    board, look = moment.board(0), moment.look(language)
    told = {}
    for each in components(edition, data_set):
        if each.kind in ("place", "base_place", "place_card"):
            told[each.id] = gives.gives(each.id, look)
        elif each.kind in ("event", "fame_tile", "bonus_tile"):
            told[each.id] = gives.effect_of(each.id, look)
        elif each.kind == "deed":
            told[each.id] = gives.deed_gives(each.id, look)
        elif each.kind == "mission":
            told[each.id] = gives.needs(each.id, look)
    told |= {f"era {era}": era_gives(era, board, look) for era in eras(look)}
    for id, said in told.items():
        assert said, id
        assert RAW.search(said) is None, said


NO_WORDS = {"id", "mask", "category", "spaces", "filled_at_least", "neutral_only", "extra_draw", "market_extension"}
"""Fields of places that say nothing about their actions, or that only Orléans uses."""


def test_every_word_that_a_data_set_may_use_has_a_caption() -> None:
    words = DRAWING.words("en")
    said_with_others = {"exchange_from", "exchange_to", "fame_bonus", "choose"}
    of_places = set(Place.__struct_encode_fields__) - NO_WORDS
    for word in {*of_places, *EventEffect.__annotations__, *BonusEffect.__annotations__} - said_with_others:
        assert any(key == f"gives.{word}" or key.startswith(f"gives.{word}.") for key in words), word


def test_facts_are_those_of_the_data_set_that_is_played_with() -> None:
    usual, other = (next(moments("settlers", 3, data_set=data_set)) for data_set in data_sets()[:2])
    for moment in (usual, other):
        assert tuple(bonus_spaces(moment.look())) == moment.play.t.data.fame_bonuses
        for place in moment.board(0).seats[0].places:
            facts = moment.look().facts[place.place]
            assert [space.requires for space in place.spaces] == facts["spaces"].split(", ")
    assert bonus_spaces(usual.look()) != bonus_spaces(other.look())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_fame_track_tells_where_everybody_is_and_what_comes_next(language: str) -> None:
    moment = next(moments("england-vs-france", 4))
    board, look = moment.board(0), moment.look(language)
    seats = tuple(replace(seat, fame=fame) for seat, fame in zip(board.seats, (0, 4, 12, 36), strict=True))
    drawn = text(draw_fame(replace(board, seats=seats), look))
    assert [word.strip(",") for word in drawn.splitlines()[0].split()[2::2]] == ["0→4", "4→7", "12→13", "36"]
    rows = [line.split() for line in drawn.splitlines()[3:]]
    assert [int(row[0]) for row in rows] == bonus_spaces(look)


@pytest.mark.parametrize("game", GAMES)
def test_the_own_side_tells_what_the_era_brings(game: Game) -> None:
    moment = next(it for it in moments(game[0], game[1]) if it.decision == "act")
    board, look = moment.board(moment.seat), moment.look()
    seat = board.seats[moment.seat - 1]
    assert DRAWING.glance is not None
    drawn = text(DRAWING.glance(board, look), 400)
    era, bonus = row_of(drawn, f"{look.word('era')} "), row_of(drawn, f"{look.name('round_bonus')} ")
    if board.bonus_tiles is None:
        assert era_gives(seat.era, board, look) in bonus
    else:
        assert era_gives(seat.era, board, look) in era
        assert gives.effect_of(board.bonus_tiles.on_eras[seat.era - 1], look) in bonus


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_told_whether_an_event_strikes_at_the_end_or_holds_for_the_whole_round(language: str) -> None:
    moment = next(moments("settlers", 2))
    board, look = moment.board(0), moment.look(language)
    for event, when in (("A1", "event_ends"), ("A5", "event_round")):
        drawn = draw_event(replace(board, events=replace(board.events, event=event)), look).plain
        assert drawn.endswith(f"({look.word(when)})")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "give food by areas: 1, 2 for 4 or more, 3 for 7 or more (until Food Depot is complete)"),
        ("de", "Nahrung nach Gebieten zahlen: 1, 2 ab 4, 3 ab 7 (bis das Werk Nahrungsspeicher vollendet ist)"),
    ],
)
def test_the_era_of_hunger_tells_what_is_to_be_paid_and_until_when(language: str, said: str) -> None:
    moment = next(moments("settlers", 2))
    assert era_gives(2, moment.board(0), moment.look(language)) == said


# --- secrets ---------------------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_nation_and_message_and_of_others_what_it_is_told() -> None:
    moment = next(it for it in moments("england-vs-france", 4) if it.decision == "plan")
    _, draw = DRAWING.views["n"]
    for seat in moment.board(moment.seat).seats:
        row = row_of(text(draw(moment.board(moment.seat), moment.look())), NAMES[seat.seat])
        assert ("?" in row) == (seat.seat != moment.seat)
        if seat.seat == moment.seat:
            assert moment.look().name(seat.nation) in row
            assert moment.look().name(seat.message) in row
            assert f"{moment.look().word('returned')}: {moment.look().name(seat.returned[0])}" in row
    noted = replace(moment.board(1).seats[0], noted="3:england 2:france")
    board = replace(moment.board(1), seats=(noted, *moment.board(1).seats[1:]))
    assert "Seen: Clara: England, Bruno: France" in text(draw(board, moment.look(viewer=1)))


# --- the menu --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_menu_has_every_command_once_under_what_it_is_about(game: Game) -> None:
    edition, players, options = game
    for moment in moments(edition, players, seed=2, **options):
        if moment.decision:
            legal, look = moment.legal(), moment.look()
            board = moment.board(moment.seat)
            sections = DRAWING.sections(legal, [repr(command) for command in legal], board, look)
            entries = [entry for section in sections for entry in section.entries]
            assert [entry.number for entry in entries] == list(range(1, len(legal) + 1))
            assert sorted(entry.index for entry in entries) == list(range(len(legal)))
            assert all(section.heading.plain for section in sections[1:])  # else it seems to go on with what is above
            for section in sections:
                full = [entry.label for entry in section.entries if not entry.compact]
                assert len(set(full)) == len(full)
                for entry in section.entries:
                    match legal[entry.index]:
                        case c.PlaceFollower(place=place) | c.PlaceDrawnFollower(place=place):
                            assert section.heading.plain.startswith(look.name(place))
                            assert gives.gives(place, look) in section.heading.plain
                        case c.KeepMessage():
                            assert look.word("message_counts") in entry.label
                        case c.SellGood(good=good) | c.BuyGood(good=good):
                            dearer = "price_bonus: 1" in look.facts.get(board.events.event, {}).get("effect", "")
                            more = moment.decision == "fair" and dearer
                            coins = int(look.facts[good]["value"]) + more
                            assert entry.label.endswith(f"({gives.effect(f'coins: {coins}', look)})")
                        case c.DeclareMission():
                            assert look.word("declaring_ends") in entry.label
                        case c.Expand(area=area) | c.Conquer(area=area) | c.Build(area=area):
                            assert entry.label.startswith(number(area, look))


def test_taking_back_means_the_follower_placed_last() -> None:
    withdrawals = [c.WithdrawFollower("market", "trader"), c.WithdrawFollower("castle", "farmer")]
    assert DRAWING.withdrawal is not None
    assert DRAWING.withdrawal(withdrawals, []) == 1
    event = event_pb2.Event(name="FollowerPlaced")
    event.detail.stories.follower_placed.place = "market"
    event.detail.stories.follower_placed.space = "trader"
    assert DRAWING.withdrawal(withdrawals, [event]) == 0


# --- points ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_score_sheet_has_the_totals_with_the_winners_first(game: Game) -> None:
    assert DRAWING.score is not None
    for moment in firsts(game):
        if not moment.decision:
            board, look = moment.board(0), moment.look(viewer=0)
            drawn = text(DRAWING.score(board, look), 80)
            lines = [(score.rank, score.total) for score in board.scores]
            lines += [(score.rank, score.total) for score in board.nation_scores]
            lost = [nation for nation in board.nations if nation.lost]
            if lost:
                assert look.name(lost[0].nation) in drawn
                assert look.word("lost").split(":")[0] in drawn
                assert not lines
            else:
                assert row_of(drawn, look.word("total")).split()[1:] == [str(total) for _, total in sorted(lines)]
                built = row_of(drawn, look.word("villages_churches")).split()[3:] if board.nation_scores else []
                for score, points in zip(board.nation_scores, built[3::4], strict=True):
                    # The rulebook's points for a village and a church.
                    assert int(points) == 5 * score.villages + 12 * score.churches
                assert row_of(drawn, look.word("rank")).split()[1:] == [str(rank) for rank, _ in sorted(lines)]
