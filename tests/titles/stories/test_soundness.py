"""Tables that a client wrote: reachable tables are sound, and problems of others are reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import pytest
from msgspec import Struct
from tests.titles.stories.kit import StoriesGame
from tests.titles.stories.nations import NationsGame, set_up_nations
from tests.titles.stories.playing import play_out

from boardkeeper.table.layout import TableLayout
from boardkeeper.table.visibility import same_as, secret
from boardkeeper.titlekit.material import declare
from boardkeeper.titlekit.title import PositionProblem
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import soundness
from boardkeeper.titles.stories.data import Data
from boardkeeper.titles.stories.material import Stories
from boardkeeper.titles.stories.phases.flow import HOOKS
from boardkeeper.titles.stories.play import StoriesPlay


@lru_cache(maxsize=8)
def layout_for(data: Data, players: int) -> TableLayout:
    return declare("boardkeeper.titles.stories", lambda m: Stories(m, data, players, HOOKS)).layout


def problems(t: Stories) -> list[PositionProblem]:
    """Return the contradictions between a table and the rules."""
    return soundness.problems(t, layout_for(t.data, len(t.seats)))


@pytest.mark.parametrize(("edition", "planning"), [("settlers", "sealed"), ("settlers", "in_turn"),
                                                   ("england-vs-france", "open")])  # fmt: skip
def test_every_table_of_a_game_is_sound(edition: str, planning: str) -> None:
    def watch(play: StoriesPlay, seat: int, legal: Sequence[Struct]) -> None:
        found = problems(play.t)
        assert not found, (seat, found[:3])

    options = {"planning": planning}
    play, _ = play_out(["sensible"] * 4, f"sound {planning}", watch, edition, options)
    assert play.is_over()


def problems_by_field(game: StoriesGame) -> dict[str, str]:
    """Return the messages by field."""
    found = problems(game.t)
    assert len({problem.field for problem in found}) == len(found)
    return {problem.field: problem.message for problem in found}


def enter_planning(game: StoriesGame) -> StoriesGame:
    """Begin the planning, where the table is sound."""
    game.enter("planning")
    assert not problems(game.t)
    return game


Change = Callable[[StoriesGame], object]


def set_to(marker: str, value: int | str) -> Change:
    """Return a change of a marker."""
    return lambda game: setattr(game.table.markers[marker], "value", value)


def put(component: str, zone: str, count: int = 1) -> Change:
    """Return a change that adds components to a zone."""
    return lambda game: game.table.zones[zone].put(component, count)


def ask(decision: str, seat: int = 1) -> Change:
    """Return a change of a seat's decision."""
    return lambda game: game.table.decisions.__setitem__(seat, decision)


MARKERS: list[tuple[str, int | str, str]] = [
    ("round", 17, "must be 1 to 16, not 17"),
    ("round", 0, "must be 1 to 16, not 0"),
    ("start_seat", 3, "must be 1 to 2, not 3"),
    ("acting_seat", -1, "must be 0 to 2, not -1"),
    ("cursor", 9, "must be 0 to 2, not 9"),
    ("event", "E1", "cannot be 'E1'"),
    ("phase", "dawn", "cannot be 'dawn'"),
    ("action_place", "nowhere", "cannot be 'nowhere'"),
    ("seat.1.screen", "up", "cannot be 'up'"),
    ("seat.1.era", 6, "must be 1 to 5, not 6"),
    ("seat.1.era", 0, "must be 1 to 5, not 0"),
    ("seat.1.coins", -1, "must be 0 to 9999, not -1"),
    ("seat.1.fame_due", 1, "must be 0 to 0, not 1"),
    ("seat.2.peace", 2, "must be 0 to 1, not 2"),
    ("area.c2r2.village", 2, "must be 0 to 1, not 2"),
    ("deed.alchemy.completed", -1, "must be 0 to 9999, not -1"),
    ("seat.1.farm.craftsman.placed", -1, "must be 0 to 16, not -1"),
]


@pytest.mark.parametrize(("marker", "value", "message"), MARKERS)
def test_wrong_marker_value_is_reported(marker: str, value: int | str, message: str) -> None:
    game = enter_planning(StoriesGame())
    set_to(marker, value)(game)
    assert problems_by_field(game) == {f"markers[{marker}]": message}


def test_due_fame_bonuses_are_at_most_the_passed_tiles() -> None:
    game = enter_planning(StoriesGame())
    first = game.data.fame_bonuses[0]
    game.at(1, fame=first, fame_due=1)
    assert not problems(game.t)
    game.at(1, fame_due=2)
    assert problems_by_field(game) == {"markers[seat.1.fame_due]": "must be 0 to 1, not 2"}


@pytest.mark.parametrize("moment", ["at_once", "after_action"])
def test_fame_tile_interrupts_an_action_only_with_the_reading_at_once(moment: str) -> None:
    game = NationsGame(fame_tile_moment=moment).fame(1, 12).fill(1, "town_hall", "knight", "knight")
    game.act(1, c.SendToDeed("town_hall", "any", "town_wall"))
    if moment == "after_action":
        game.do(1, c.FinishDeeds())
        set_to("action_place", "town_hall")(game)
    assert game.decision(1) == "look"
    assert game.t.action_place.value == "town_hall"
    assert problems_by_field(game) == (
        {} if moment == "at_once" else {"markers[action_place]": "must be empty: no action is in progress"}
    )


def test_markers_of_nations_before_the_first_round() -> None:
    game = set_up_nations()
    assert game.t.round.value == 0
    assert not problems(game.t)
    set_to("seat.1.declares", 1)(game)
    set_to("mission.france.fulfilled", 1)(game)
    set_to("lost", "england")(game)
    assert problems_by_field(game) == {
        "markers[seat.1.declares]": "must be 0 to 0, not 1",
        "markers[mission.france.fulfilled]": "must be 0 to 0, not 1",
        "markers[lost]": "cannot be 'england'",
    }


def test_seat_can_have_declared_only_during_the_declarations() -> None:
    game = NationsGame(declare_order="all_at_once")
    game.enter("declaring")
    game.do(1, c.DeclareMission())
    assert game.seat(1).declares.value == 1
    assert not problems(game.t)
    set_to("seat.2.declares", 2)(game)
    assert problems_by_field(game) == {"markers[seat.2.declares]": "must be 0 to 1, not 2"}


@pytest.mark.parametrize(
    ("noted", "is_sound"),
    [("", True), ("2:france 3:england", True), ("2:england", False), ("1:england", False), ("5:nowhere", False),
     ("2:france zzz", False)],
)  # fmt: skip
def test_secret_notes_must_be_true(noted: str, is_sound: bool) -> None:
    game = NationsGame(look_is_public="no")
    set_to("seat.1.noted", noted)(game)
    message = "must name other seats with their true nations, as 2:england"
    assert problems_by_field(game) == ({} if is_sound else {"markers[seat.1.noted]": message})


WRONG_COMPONENTS: list[tuple[Change, str, str]] = [
    (put("settler.3", "area.c2r2"), "area.c2r2", "cannot have settler.3"),
    (put("settler.1", "area.c2r2", 2), "area.c2r2", "must have at most 1 settler.1, not 2"),
    (put("technology", "seat.1.bag"), "seat.1.bag", "cannot have technology"),
    (put("farmer", "seat.1.goods"), "seat.1.goods", "cannot have farmer"),
    (put("farmer", "seat.1.technology"), "seat.1.technology", "cannot have farmer"),
    (put("settler.2", "seat.1.settlers"), "seat.1.settlers", "cannot have settler.2"),
    (put("fortress.2", "seat.1.fortresses"), "seat.1.fortresses", "cannot have fortress.2"),
    (put("pub", "seat.1.place_tiles", 2), "seat.1.place_tiles", "must have at most 1 pub, not 2"),
    (put("castle", "seat.1.base_places"), "seat.1.base_places", "must have at most 1 castle, not 2"),
    (put("craftsman", "seat.1.farm.craftsman", 2), "seat.1.farm.craftsman", "must have at most 1 components, not 2"),
    (put("farmer", "seat.1.farm.craftsman"), "seat.1.farm.craftsman", "cannot have farmer"),
    (put("grain", "seat.1.farm.craftsman"), "seat.1.farm.craftsman", "cannot have grain"),
    (put("technology", "place.sacristy.monk"), "place.sacristy.monk", "cannot have technology"),
    (put("technology", "seat.1.town_hall.any"), "seat.1.town_hall.any", "cannot have technology"),
    (put("farmer", "deed.alchemy"), "deed.alchemy", "cannot have farmer"),
    (put("cellar", "cards.I"), "cards.I", "cannot have cellar"),
    (put("pub", "cards.I"), "cards.I", "must have at most 1 pub, not 2"),
    (put("C1", "events.B"), "events.B", "cannot have C1"),
    (put("B1", "events.B"), "events.B", "must have at most 1 B1, not 2"),
    (put("B1", "events.past", 2), "events.past", "must have at most 1 B1, not 2"),
    (put("farmer", "goods_market"), "goods_market", "cannot have farmer"),
    (put("grain", "supply"), "supply", "cannot have grain"),
    (put("grain", "technology"), "technology", "cannot have grain"),
    (put("grain", "churches"), "churches", "cannot have grain"),
]


@pytest.mark.parametrize(("change", "zone", "message"), WRONG_COMPONENTS)
def test_wrong_component_is_reported(change: Change, zone: str, message: str) -> None:
    game = enter_planning(StoriesGame())
    change(game)
    assert problems_by_field(game) == {f"zones[{zone}]": message}


@pytest.mark.parametrize(
    ("card", "zone"),
    [
        *(("m1", "missions"), ("s12", "messages"), ("s12", "seat.1.returned")),
        *(("england", "seat.1.nation"), ("bonus_hill", "bonus.aside")),
    ],
)
def test_single_card_cannot_be_in_a_zone_twice(card: str, zone: str) -> None:
    game = enter_planning(NationsGame())
    put(card, zone, 2)(game)
    count = game.counts(zone)[card]
    assert problems_by_field(game)[f"zones[{zone}]"] == f"must have at most 1 {card}, not {count}"


@pytest.mark.parametrize("zone", ["nations", "missions", "messages", "area.c2r3", "mission.england", "bonus.stack"])
def test_followers_cannot_be_among_cards_or_in_towns(zone: str) -> None:
    game = enter_planning(NationsGame())
    put("farmer", zone)(game)
    assert problems_by_field(game) == {f"zones[{zone}]": "cannot have farmer"}


def test_zones_may_contain_several_components_of_a_kind() -> None:
    game = enter_planning(StoriesGame()).goods(1, grain=5).technology(1, 2).on_deed("food_depot", farmer=2)
    assert not problems(game.fill(1, "farm", "technology").t)
    nations = enter_planning(NationsGame())
    nations.bring("fish", nations.t.mission["england"], 4)
    put("england", "nations", 2)(nations)
    assert not problems(nations.t)


# --- relations -----------------------------------------------------------------------------------------------


def test_event_piles_must_have_the_cards_of_all_later_rounds() -> None:
    game = enter_planning(StoriesGame().turn(3, "A5"))
    for letter, count in (("A", 1), ("B", 4)):
        for card in [*game.t.events[letter].counts()][count:]:
            game.t.move(card, game.t.events[letter], game.t.box)
    assert not problems(game.t)
    for letter in ("A", "B"):
        game.t.move(next(iter(game.t.events[letter].items)), game.t.events[letter], game.t.box)
    assert problems_by_field(game) == {
        "zones[events.A]": "must have at least 1 cards",
        "zones[events.B]": "must have at least 4 cards",
    }
    game = enter_planning(StoriesGame().turn(4, "A5"))
    game.empty(game.t.events["A"])
    assert not problems(game.t)


@pytest.mark.parametrize(("first", "second"), [("field", "lake"), ("fortress.1", "fortress.2")])
def test_area_has_one_tile_and_at_most_one_fortress(first: str, second: str) -> None:
    game = enter_planning(StoriesGame().landscape("c3r2", "field"))
    if first != "field":
        put(first, "area.c3r2")(game)
    assert not problems(game.t)
    put(second, "area.c3r2")(game)
    assert problems_by_field(game) == {"zones[area.c3r2]": "must have at most one tile and one fortress"}


@pytest.mark.parametrize("pile", ["stack", "1", "3"])
def test_each_era_must_have_a_bonus_tile_and_the_stack_one_for_the_next_round(pile: str) -> None:
    game = enter_planning(NationsGame())
    game.empty(game.table.pile(f"bonus.{pile}"))
    assert problems_by_field(game) == {
        "zones[bonus.stack]": "must have a tile for the next era, and each era must have one tile"
    }


def test_screens_are_hidden_only_during_sealed_planning() -> None:
    game = StoriesGame(planning="sealed")
    game.enter("planning")
    assert not problems(game.t)
    game.t.seats[0].screen.visibility = "public"
    assert problems_by_field(game) == {"markers[seat.1.screen]": "cannot have the visibility 'public'"}
    game = StoriesGame(planning="sealed")
    game.enter("actions")
    assert not problems(game.t)
    game.t.seats[1].screen.visibility = secret(2)
    assert problems_by_field(game) == {"markers[seat.2.screen]": "cannot have the visibility 'secret.2'"}


def test_space_is_public_without_sealed_plans() -> None:
    game = enter_planning(StoriesGame())
    space = game.seat(1).estate().spaces["farm", "craftsman"]
    space.pile.visibility = space.placed.visibility = hidden = same_as("seat.1.screen")
    message = f"cannot have the visibility {hidden!r}"
    assert problems_by_field(game) == {
        "zones[seat.1.farm.craftsman]": message,
        "markers[seat.1.farm.craftsman.placed]": message,
    }
    space.pile.visibility = "public"
    assert problems_by_field(game) == {"markers[seat.1.farm.craftsman.placed]": message}


def test_zones_of_a_seat_must_have_the_visibility_of_the_set_up() -> None:
    game = enter_planning(StoriesGame())
    game.seat(2).goods.visibility = "count"
    assert problems_by_field(game) == {"zones[seat.2.goods]": "cannot have the visibility 'count'"}


def test_each_seat_must_have_a_nation_and_each_nation_a_mission() -> None:
    game = enter_planning(NationsGame())
    game.empty(game.t.seats[0].nation)
    game.empty(game.t.mission["france"])
    assert problems_by_field(game) == {
        "seats[1]": "must have one nation, and one message or the dealt messages to choose from",
        "zones[mission.france]": "must have the mission of france",
    }


def test_seat_must_have_a_message_or_two_to_choose_from() -> None:
    game = set_up_nations()
    game.empty(game.seat(1).dealt)
    put("s1", "seat.2.message")(game)
    assert {*problems_by_field(game)} == {"seats[1]", "seats[2]"}


# --- decisions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["followers", "planning", "actions"])
def test_several_seats_decide_only_in_simultaneous_phases(phase: str) -> None:
    game = StoriesGame().bag(1, farmer=5).bag(2, farmer=5)
    game.enter(phase)
    assert not problems(game.t)
    is_simultaneous = phase in ("followers", "planning")
    assert (len(game.deciding()) == 2) is is_simultaneous
    if phase == "actions":
        ask("technology", 2)(game)
        game.at(2, passed=1)
        assert problems_by_field(game) == {"decisions": "must have a decision of one seat only in the phase actions"}


def decision_problem(decision: str) -> dict[str, str]:
    """Return the problem of a decision that seat 1 cannot have now."""
    return {"decisions[1]": f"cannot be {decision!r} now"}


@pytest.mark.parametrize("decision", ["trade", "draw", "message", "declare", "sing"])
def test_decision_of_another_phase_is_reported(decision: str) -> None:
    game = enter_planning(StoriesGame())
    ask(decision)(game)
    assert problems_by_field(game) == {"decisions[1]": f"cannot be {decision!r} in the phase planning"}


def test_acting_seat_must_have_the_turn_and_not_have_passed() -> None:
    game = StoriesGame()
    game.enter("actions")
    assert not problems(game.t)
    game.t.acting.value = 2
    assert problems_by_field(game) == decision_problem("act")
    game.t.acting.value = 1
    game.at(1, passed=1)
    assert problems_by_field(game) == decision_problem("act")


def start_trading() -> StoriesGame:
    """Seat 1 trades at its Market."""
    game = StoriesGame().fill(1, "market").coins(1, 9)
    game.act(1, c.UsePlace("market"))
    assert game.decision(1) == "trade"
    assert not problems(game.t)
    return game


@pytest.mark.parametrize(
    "change", [set_to("acting_seat", 2), set_to("action_place", ""), set_to("action_place", "town_hall"),
               set_to("seat.1.trades", 0), set_to("seat.1.passed", 1)]
)  # fmt: skip
def test_trading_seat_must_use_a_market(change: Change) -> None:
    game = start_trading()
    change(game)
    assert problems_by_field(game) == decision_problem("trade")


def test_action_place_is_set_only_during_its_action() -> None:
    game = start_trading()
    ask("act")(game)
    assert problems_by_field(game) == {"markers[action_place]": "must be empty: no action is in progress"}


def test_decision_of_an_event_must_fit_the_event() -> None:
    game = StoriesGame(2).coins(1, 3).settle("c1r3", 1)
    game.strike("D6")
    assert game.decision(1) == "pay"
    assert not problems(game.t)
    for card in ("B5", ""):
        game.t.event.value = card
        assert problems_by_field(game) == decision_problem("pay")


def test_giving_seat_must_owe_goods() -> None:
    game = StoriesGame(2).goods(1, grain=1, fish=1)
    game.strike("A1")
    assert (game.decision(1), game.seat(1).owed.value) == ("give", 1)
    assert not problems(game.t)
    game.at(1, owed=0)
    assert problems_by_field(game) == decision_problem("give")


def test_decision_of_a_fame_tile_must_fit_the_due_tile() -> None:
    game = NationsGame().fame(1, 18).era(1, 2)
    game.advance(1, 19)
    assert game.decision(1) == "card"
    assert not problems(game.t)
    ask("raze")(game)
    assert problems_by_field(game) == decision_problem("raze")
    ask("drawn")(game)
    game.bring("knight", game.at(1, fame_due=0).seat(1).drawn)
    assert problems_by_field(game) == decision_problem("drawn")


def test_seat_that_places_a_drawn_follower_must_have_one() -> None:
    game = NationsGame().fame(1, 3).bag(1, knight=1)
    game.advance(1, 4)
    assert game.decision(1) == "drawn"
    assert not problems(game.t)
    game.empty(game.seat(1).drawn)
    assert problems_by_field(game) == decision_problem("drawn")
