"""The table of Paladins as text: everything on it is there and fits, for every number of seats, in both languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from rich.console import RenderableType
from tests.client.looking import LONG, NAMES
from tests.client.paladins_tables import ALONE, Moment, moments
from tests.client.test_drawing import row_of, text

from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.menu import Entry, draw_menu
from boardkeeper.client.drawing.paladins import DRAWING, cards
from boardkeeper.client.drawing.paladins.altered import altered
from boardkeeper.client.drawing.paladins.gains import choice, gains
from boardkeeper.client.drawing.paladins.rows import draw_outsiders, draw_townsfolk
from boardkeeper.client.drawing.paladins.score import points
from boardkeeper.client.drawing.paladins.seats import level
from boardkeeper.client.drawing.paladins.side import saved, times_done
from boardkeeper.client.drawing.words import LANGUAGES
from boardkeeper.table.title import Setup
from boardkeeper.titlekit.alternatives import alternatives_of
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins import scoring
from boardkeeper.titles.paladins.board import Board
from boardkeeper.titles.paladins.data import RIGHT, Gain, data_for
from boardkeeper.titles.paladins.phases.verbs.attack import cost
from boardkeeper.titles.paladins.play import LEGAL
from boardkeeper.titles.paladins.title import TITLE

GAMES: tuple[tuple[int, Mapping[str, str], int], ...] = ((2, {}, 1), (3, {}, 13), (4, {}, 7), (2, ALONE, 1))
"""Numbers of seats, options and seeds of games in which every decision comes up."""
EACH_IN_TURN = [
    pytest.param(*game, language, marks=[pytest.mark.soak] if (number + at) % len(LANGUAGES) else [])
    for number, game in enumerate(GAMES)
    for at, language in enumerate(LANGUAGES)
]
"""Each of them in one of the languages, in turn; in the other one in the soak."""

RAW = re.compile(r"[a-z]_[a-z0-9]")
"""An id that nobody has named."""


def menu(moment: Moment, look: Look) -> Iterator[tuple[str, Entry]]:
    """The entries of the menu, each with its heading; sentences are the names of the commands."""
    legal = moment.legal()
    told = [type(command).__name__ for command in legal]
    for section in DRAWING.sections(legal, told, moment.board(look.viewer), look):
        for entry in section.entries:
            yield section.heading.plain, entry


def for_a_decision(moment: Moment, look: Look, width: int) -> list[str]:
    """What a seat sees before it decides."""
    board, legal = moment.board(look.viewer), moment.legal()
    assert DRAWING.glance is not None
    sections = DRAWING.sections(legal, ["say it"] * len(legal), board, look)
    return [text(DRAWING.glance(board, look), width), text(draw_menu(sections), width)]


def all_views(moment: Moment, look: Look, width: int) -> list[str]:
    """All else that can be drawn."""
    board = moment.board(look.viewer)
    assert DRAWING.score is not None
    views = [DRAWING.table, DRAWING.score, *(view for _, view in DRAWING.views.values())]
    return [text(view(board, look), width) for view in views]


def check(drawn: str, width: int, where: str) -> None:
    """Nothing is cut off, nothing too wide, and everything has a name."""
    assert max(map(len, drawn.splitlines()), default=0) <= width, where
    assert "…" not in drawn, where
    assert RAW.search(drawn) is None, (where, RAW.search(drawn))


def words_of(drawings: Iterable[str]) -> set[str]:
    return {word for drawn in drawings for word in drawn.split() if "─" not in word}


def rows_of_cards(moment: Moment, look: Look, width: int) -> list[str]:
    """Every card of the box on display, in rows that are full."""
    data, board = data_for(moment.setup), moment.board(0)
    drawn = []
    for at in range(0, len(data.townsfolk), len(board.townsfolk)):
        shown = zip(board.townsfolk, list(data.townsfolk)[at:], strict=False)
        row = tuple(replace(place, townsfolk=card) for place, card in shown)
        drawn.append(text(draw_townsfolk(replace(board, townsfolk=row), look), width))
    for at in range(0, len(data.outsiders), len(board.outsiders)):
        pairs = zip(board.outsiders, list(data.outsiders)[at:], strict=False)
        places = tuple(replace(place, outsider=card) for place, card in pairs)
        drawn.append(text(draw_outsiders(replace(board, outsiders=places), look), width))
    return drawn


# --- everything fits -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "options", "seed", "language"), EACH_IN_TURN)
def test_nothing_is_cut_off_or_without_a_name_when_a_seat_decides(
    players: int, options: Mapping[str, str], seed: int, language: str
) -> None:
    seen: Counter[str] = Counter()
    for moment in moments(players, options, seed=seed):
        seen[moment.decision] += 1
        if moment.decision and (seen[moment.decision] == 1 or seen["act"] == 40):
            for width in (60, 80, 140):
                for drawn in for_a_decision(moment, moment.look(language, names=LONG), width):
                    check(drawn, width, f"{moment.decision} {width}")


@pytest.mark.parametrize(("players", "options", "seed", "language"), EACH_IN_TURN)
def test_no_word_is_broken_at_eighty_columns_or_more(
    players: int, options: Mapping[str, str], seed: int, language: str
) -> None:
    names = {1: "Anna-Wilhelmine", 2: "Gegner", 3: "Clara", 4: "Maximilian"}
    seen: set[str] = set()
    for moment in moments(players, options, seed=seed):
        if moment.decision not in seen:
            look = moment.look(language, names=names)

            def drawn(width: int, moment: Moment = moment, look: Look = look) -> list[str]:
                before = for_a_decision(moment, look, width) if moment.decision else []
                # Decisions of one turn have nearly the same table.
                table = all_views(moment, look, width) if not moment.decision or len(seen) % 6 == 0 else []
                return [*table, *before, *([] if seen else rows_of_cards(moment, look, width))]

            assert words_of(drawn(80)) | words_of(drawn(120)) <= words_of(drawn(600)), moment.decision
            seen.add(moment.decision)


class Backwards(Moment):
    """The same moment, of which a message has brought the entries of each map the other way round."""

    def board(self, viewer: int) -> Board:
        board: Board = backwards(super().board(viewer))
        return board


def backwards(value: Any) -> Any:
    if isinstance(value, Struct):
        return replace(value, **{name: backwards(getattr(value, name)) for name in value.__struct_fields__})
    if isinstance(value, dict):
        return {key: backwards(part) for key, part in reversed(value.items())}
    return type(value)(map(backwards, value)) if isinstance(value, tuple | list) else value


@pytest.mark.parametrize(("players", "options", "seed"), GAMES)
def test_what_messages_have_in_no_order_is_drawn_in_one(players: int, options: Mapping[str, str], seed: int) -> None:
    seen: set[str] = set()
    for moment in moments(players, options, seed=seed):
        if moment.decision not in seen:
            seen.add(moment.decision)
            look, other = moment.look(), Backwards(**vars(moment))
            if not moment.decision or len(seen) % 6 == 1:  # decisions of one turn have nearly the same table
                assert all_views(other, look, 100) == all_views(moment, look, 100)
            if moment.decision:
                assert for_a_decision(other, look, 100) == for_a_decision(moment, look, 100)


@pytest.mark.parametrize(("players", "options", "seed"), GAMES)
def test_no_view_is_cut_off_in_the_middle_and_at_the_end(players: int, options: Mapping[str, str], seed: int) -> None:
    game = list(enumerate(moments(players, options, seed=seed)))
    for at, moment in moments_at(players, options, seed, (0, len(game) // 2, len(game) - 1)):
        for language, width in (("en", 60), ("de", 80), ("en", 100), ("de", 140)):
            for drawn in all_views(moment, moment.look(language, names=LONG), width):
                assert drawn.strip()
                check(drawn, width, f"{at} {width}")


def moments_at(
    players: int, options: Mapping[str, str], seed: int, wanted: tuple[int, ...]
) -> Iterator[tuple[int, Moment]]:
    """Some moments of a game, while they last."""
    return ((at, it) for at, it in enumerate(moments(players, options, seed=seed)) if at in wanted)


def test_every_decision_comes_up_in_these_games() -> None:
    asked = {it.decision for players, options, seed in GAMES for it in moments(players, options, seed=seed)}
    assert asked - {""} == set(LEGAL)


# --- everything is there ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "options", "seed"), GAMES)
def test_a_spectator_sees_every_seat_with_its_goods_attributes_and_spaces(
    players: int, options: Mapping[str, str], seed: int
) -> None:
    _, moment = next(moments_at(players, options, seed, (80,)))
    board = moment.board(0)
    drawn = text(DRAWING.table(board, moment.look(viewer=0)))
    for seat in board.seats:
        cells = row_of(drawn, NAMES[seat.seat]).strip("►• ").split()
        goods = ["–", "–"] if seat.automaton else [str(seat.silver), str(seat.provisions)]
        assert cells[:3] == [NAMES[seat.seat], *goods]
        assert [level_of(cell) for cell in cells[3:6]] == [level(seat, id) for id in ("faith", "strength", "influence")]
        assert cells[6:8] == [str(len(seat.suspicion)), str(seat.unpaid_debts)]
    areas = [space for seat in board.seats if not seat.automaton for area in seat.areas for space in area.spaces]
    favours = [place for place in board.favours if place.favour]
    assert drawn.count("⌂") == sum(space.occupant == "workshop" for space in areas)
    free = sum(not it.occupant for it in areas) + sum(not it.seat for it in board.spaces)
    assert drawn.count("□") == free + sum(not place.worker for place in favours)
    taken = sum(it.occupant not in ("", "workshop") for it in areas) + sum(bool(it.seat) for it in board.spaces)
    assert drawn.count("■") == taken + sum(bool(place.worker) for place in favours)


def level_of(cell: str) -> int:
    """``3+1`` is 4."""
    return sum(map(int, cell.split("+")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rows_tell_price_needs_and_reward_of_each_card(language: str) -> None:
    _, moment = next(moments_at(2, {}, 1, (40,)))
    board, look = moment.board(1), moment.look(language)
    drawn = text(DRAWING.views["m"][1](board, look), 200)
    for at, place in enumerate(board.townsfolk, 1):
        if place.townsfolk:
            row = row_of(drawn, f"{at} {look.name(place.townsfolk)}")
            assert cards.townsfolk_ability(place.townsfolk, look) in row
            assert (str(place.silver) in row) == bool(place.silver)
            assert (look.word("or_debt").format("").strip() in row) == place.or_debt
    for at, there in enumerate(board.outsiders, 1):
        if there.outsider:
            row = row_of(drawn, f"{at}  {look.name(there.outsider)}")
            cells = [cell.strip() for cell in row.split("  ") if cell.strip()]
            assert cells == [
                str(at),
                cards.outsider(there.outsider, look),
                str(there.faith),
                cards.convert_gains(there.outsider, look),
                cards.scores(there.outsider, look),
                str(there.strength),
                cards.attack_gains(there.outsider, look),
            ]


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "2 taxes, +2 debts, −1 debt"), ("de", "2 Steuern, +2 Schuldscheine, −1 Schuldschein")],
)
def test_several_of_a_gain_are_called_as_several(language: str, said: str) -> None:
    (moment, *_) = moments(2, {}, seed=1)
    assert gains(["tax", "take_debt", "tax", "take_debt", "destroy_debt"], moment.look(language)) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_of_the_box_can_be_told_in_words(language: str) -> None:
    _, moment = next(moments_at(2, {}, 1, (0,)))
    look = moment.look(language)
    data = data_for(moment.setup)
    told = [cards.townsfolk_ability(id, look) for id in data.townsfolk]
    told += [f"{cards.attack_gains(id, look)} {cards.convert_gains(id, look)}" for id in data.outsiders]
    told += [cards.scores(id, look) for id in data.outsiders]
    told += [f"{cards.favour_worker(id, look)} {cards.favour_gives(id, look)}" for id in data.favours]
    told += [cards.wall(id, look) for id in data.walls]
    told += [cards.paladin(id, look) for id in data.paladins]
    for said in told:
        assert said
        assert RAW.search(said) is None, said
        assert "–" not in said, said
    counted = {outsider.scores for outsider in data.outsiders.values()}
    assert len({look.word(f"scores.{scores}") for scores in counted}) == len(counted)


def test_what_a_reward_lets_choose_is_read_from_its_id() -> None:
    choices = data_for(Setup(TITLE.meta.default_edition, 2)).choices
    assert {id: tuple(map(tuple, choice(id))) for id in choices} == {id: it.options for id, it in choices.items()}


# --- secrets ---------------------------------------------------------------------------------------------------------


def test_a_seat_sees_its_three_paladins_with_workers_attributes_and_abilities_and_nobody_else_does() -> None:
    moment = next(it for it in moments(3, seed=3) if it.decision == "paladin" and it.board(0).round == 4)
    mine = moment.board(moment.seat).seats[moment.seat - 1]
    assert len(mine.hand) == 3
    look = moment.look()
    glance = for_a_decision(moment, look, 200)[0]
    for id in mine.hand:
        for said in (cards.paladin_workers(id, look), cards.paladin_adds(id, look), cards.paladin_ability(id, look)):
            assert said in row_of(glance, look.name(id))
    under = row_of(glance, look.word("below"))
    assert [look.name(id) for id in mine.under] == under.removeprefix(look.word("below")).strip().split(", ")
    for viewer in {0, 1, 2, 3} - {moment.seat}:
        drawn = text(DRAWING.views["p"][1](moment.board(viewer), moment.look(viewer=viewer)), 200)
        of_seat = drawn.split(NAMES[moment.seat] + "\n")[1].split("\n\n")[0]
        hidden = {look.name(id) for id in (*mine.hand, *mine.deck, *mine.under)}
        assert not [name for name in hidden if name in of_seat]


# --- the menu --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "options", "seed"), GAMES)
def test_the_menu_has_every_command_once_and_none_like_another(
    players: int, options: Mapping[str, str], seed: int
) -> None:
    for moment in moments(players, options, seed=seed):
        if moment.decision:
            legal = moment.legal()
            entries = list(menu(moment, moment.look()))
            assert sorted(entry.index for _, entry in entries) == list(range(len(legal)))
            assert [entry.number for _, entry in entries] == list(range(1, len(legal) + 1))


def test_a_command_says_what_it_gives() -> None:
    moment = next(it for it in moments(2, seed=1) if it.decision == "act")
    labels = {entry.label for _, entry in menu(moment, moment.look())}
    assert any(label.startswith("Hunt  (any") and label.endswith("→ 1 Provision)") for label in labels)


def test_the_menu_says_what_each_action_needs_costs_and_brings() -> None:
    told: dict[str, Counter[str]] = {"develop": Counter(), "act": Counter()}
    for seed in (1, 2):
        for moment in moments(2, seed=seed):
            if moment.decision in told:
                told[moment.decision].update(entry.label for _, entry in menu(moment, moment.look()))
    workshops = [label for label in told["develop"] if label.startswith("space ")]
    assert workshops
    assert all(re.fullmatch(r"space [12]: \w+  \((\d Silver|free).* → 1 \w+\)", label) for label in workshops)
    for label in told["act"]:
        assert not re.search(r"needs \w+ 0\b|by place|by target(?<!\d Silver by target)|, the (space|wall)\)", label)
    assert any(re.match(r"Recruit  \(any.*; (free–|0–)?\d Silver", label) for label in told["act"])
    assert any(re.match(r"Develop  \(.* → a workshop, 1 \w+\)", label) for label in told["act"])


COSTS: Mapping[str, tuple[type[Struct], str]] = {
    "commission": (e.MonkSent, "provisions"),
    "garrison": (e.OutpostBuilt, "provisions"),
    "fortify": (e.WallBuilt, "provisions"),
    "absolve": (e.Absolved, "silver"),
    "convert": (e.OutsiderConverted, "silver"),
    "develop": (e.Developed, "silver"),
    "pray": (e.Prayed, "silver"),
}
"""The event that tells what was paid for an action, and in what."""


def test_what_an_action_is_said_to_cost_is_what_is_paid() -> None:
    paid: Counter[str] = Counter()
    saving: set[str] = set()
    for seed in range(1, 9):
        action, said = "", 0
        for moment in moments(3, seed=seed):
            for event in moment.events:
                if action in COSTS and isinstance(event.detail, COSTS[action][0]):
                    assert getattr(event.detail, COSTS[action][1]) == said, (action, event.detail)
                    paid[action] += 1
                    action = ""
            if isinstance(moment.command, c.BeginAction):
                action = moment.command.action
                seat = moment.board(moment.seat).seats[moment.seat - 1]
                area = next(area for area in seat.areas if area.action == action)
                costs = saved(seat.paladin, area, moment.look())
                said = sum(costs)
                if costs != (area.silver, area.provisions):
                    saving.add(seat.paladin)
    assert set(paid) == set(COSTS)
    assert saving >= {"anseis", "berengier", "gerier", "ivoire", "ivon", "oliver", "samson"}


@pytest.mark.parametrize("reading", ["by_flag", "by_cards_skipped"])
def test_an_attack_says_the_silver_that_it_costs(reading: str) -> None:
    said: Counter[int] = Counter()
    beyond_an_empty_place = 0
    for seed in range(1, 16):
        for moment in moments(2, readings={"attack_top_up": reading}, seed=seed):
            if moment.decision == "attack":
                t, legal, row = moment.play.t, moment.legal(), moment.board(0).outsiders
                strength = t.people[moment.seat - 1].level("strength")
                reach = sum(place.strength <= strength for place in row)
                for _, entry in menu(moment, moment.look()):
                    command = legal[entry.index]
                    assert isinstance(command, c.AttackOutsider)
                    silver = cost(t, strength, t.place_of(t.outsiders, command.outsider))
                    found = re.findall(r"; (\d+) Silver →", entry.label)
                    assert found == ([str(silver)] if silver else []), entry.label
                    said[silver] += 1
                    beyond_an_empty_place += silver > 0 and reach > 0 and not row[reach - 1].outsider
    assert min(said[0], said[1], said[2], beyond_an_empty_place) > 2


def test_townsfolk_are_said_to_cost_what_is_paid() -> None:
    paid: Counter[tuple[str, int]] = Counter()
    for seed in range(1, 16):
        label = ""
        for moment in moments(3, seed=seed):
            for event in moment.events:
                if isinstance(event.detail, e.TownsfolkHired | e.TownsfolkDiscarded):
                    paid[event.detail.payment, event.detail.silver] += 1
                    costs = {"debt": "+1 debt", "silver": f"{event.detail.silver} Silver"}
                    free = not event.detail.silver and event.detail.payment != "debt"
                    assert f"({'free' if free else costs[event.detail.payment]} →" in label
            command = moment.command
            if isinstance(command, c.HireTownsfolk | c.DiscardTownsfolk):
                at = moment.legal().index(command)
                label = next(entry.label for _, entry in menu(moment, moment.look()) if entry.index == at)
    assert {payment for payment, _ in paid} == {"", "debt", "silver"}
    assert {silver for payment, silver in paid if payment == "silver"} == {0, 1, 2, 3}


# --- points, options, the opponent -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "options", "seed"), GAMES)
def test_the_score_sheet_has_the_lines_of_the_rules(players: int, options: Mapping[str, str], seed: int) -> None:
    *_, moment = moments(players, options, seed=seed)
    board, look = moment.board(0), moment.look(viewer=0)
    for seat, side in zip(board.seats, moment.play.t.seats, strict=True):
        sheet = scoring.sheet(moment.play.t, side)
        expected = {
            "orders": sum(sheet.orders.values()),
            "debts": sheet.paid_debts + sheet.unpaid_debts,
            "converted": sum(sheet.outsiders.values()),
            "goods": sheet.goods,
            **{line: getattr(sheet, line) for line in ("faith", "strength", "influence", "walls", "develop")},
            **{line: getattr(sheet, line) for line in ("commission", "fortify", "garrison", "absolve")},
        }
        found = points(board, seat, look)
        assert found == {line: expected[line] for line in found}
        assert sum(found.values()) == seat.points
        assert sum(expected.values()) == sheet.total
    drawn = text(draw_score(board, look))
    best = min(moment.play.standings(), key=lambda standing: standing.rank)
    assert row_of(drawn, look.word("rank")).split()[1] == "1"
    assert drawn.splitlines()[1].split()[0] == NAMES[best.seat]
    assert row_of(drawn, look.word("total")).split()[1] == str(best.points)


def draw_score(board: Board, look: Look) -> RenderableType:
    assert DRAWING.score is not None
    return DRAWING.score(board, look)


def test_how_often_actions_were_done_is_counted_for_orders_and_points() -> None:
    *_, moment = moments(4, seed=4)
    for seat, side in zip(moment.board(0).seats, moment.play.t.seats, strict=True):
        for area in seat.areas:
            if area.action in RIGHT:
                assert times_done(seat, area) == side.times(area.action)
        developed = next(area for area in seat.areas if area.action == "develop")
        assert times_done(seat, developed) == scoring.developed(moment.play.t, side)


def test_cards_say_what_they_say_in_a_game_with_other_options() -> None:
    """The catalogue tells of the usual choices; each other one changes the facts that it names, and no more."""
    usual = next(iter(moments(2))).setup.options
    assert altered(usual) == {}
    changed = set()
    for option, found in alternatives_of("boardkeeper.titles.paladins").items():
        for chosen in found:
            moment = next(iter(moments(2, {option: chosen})))
            look, data = moment.look(), data_for(moment.setup)
            for id, townsfolk in data.townsfolk.items():
                assert tuple(cards.listed(id, "reward", look)) == townsfolk.rewards, (option, id)
            for id, outsider in data.outsiders.items():
                assert Counter(cards.listed(id, "attack", look)) == printed(outsider.attack), (option, id)
                converted = Counter(strength=cards.number(id, "strength", look))
                assert converted == printed(outsider.conversion), (option, id)
            for id, favour in data.favours.items():
                assert cards.fact(id, "worker", look) == favour.worker, (option, id)
            changed |= set(altered({option: chosen}))
    assert changed == {"squire_1", "champion_saracen", "favour_07", "vigilante_saracen", "barbarian_viking"}


def printed(gain: Gain) -> Counter[str]:
    """A reward as it is printed on its card."""
    counts = Counter(gain.plain)
    for kind, count in gain.dues:
        counts["tax" if kind == "tax_2" else kind] += 2 * count if kind == "tax_2" else count
    return counts


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_opponents_board_has_its_track_its_scheme_and_what_it_can_do(language: str) -> None:
    _, moment = next(moments_at(2, ALONE, 1, (60,)))
    board, look = moment.board(1), moment.look(language, viewer=1)
    opponent = board.opponent
    assert opponent is not None
    seat = board.seats[opponent.seat - 1]
    drawn = text(DRAWING.views["g"][1](board, look), 400)
    track = row_of(drawn, look.word("track")).removeprefix(look.word("track")).split()
    assert track.index("●") + 1 == opponent.field
    assert scheme_name(opponent.scheme, look) in row_of(drawn, look.word("scheme"))
    for id, count in opponent.schemes.items():
        told = scheme_name(id, look) if count == 1 else f"{count} × {scheme_name(id, look)}"
        row = row_of(drawn, look.word("schemes_left")).removeprefix(look.word("schemes_left")).strip()
        assert told in row.split(", ")
    assert str(sum(seat.workers.values())) in row_of(drawn, look.word("workers")).split()
    for area in seat.areas:
        cells = row_of(drawn, look.name(area.action)).split()
        workshops = sum(space.occupant == "workshop" for space in area.spaces)
        needed = str(len(area.spaces) - workshops) if area.open else look.word("occupied")
        assert cells[1:3] == [needed, str(workshops or "–")]
    glance = for_a_decision(moment, look, 200)[0]
    assert (look.word("track") in glance) == (moment.decision in ("act", "paladin", "tavern", "first_townsfolk"))


def scheme_name(id: str, look: Look) -> str:
    action = id.removeprefix("scheme_")
    return look.words.get(f"scheme.{action}") or look.name(action)


def test_without_an_opponent_its_view_says_so() -> None:
    _, moment = next(moments_at(3, {}, 1, (0,)))
    assert text(DRAWING.views["g"][1](moment.board(1), moment.look())).strip() == moment.look().word("no_opponent")


def test_a_turn_begins_with_the_whole_table_and_a_choice_in_it_with_what_it_is_about() -> None:
    assert DRAWING.turns == {"act"}
    lengths: dict[str, int] = {}
    for moment in moments(3, seed=2):
        if moment.decision and moment.decision not in lengths:
            lengths[moment.decision] = len(for_a_decision(moment, moment.look(), 100)[0].splitlines())
    assert lengths["act"] == max(lengths.values())
    assert max(lengths[it] for it in ("workers", "recruit", "commission", "attack", "develop", "keep")) < 20
