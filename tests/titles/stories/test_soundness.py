"""Tables that somebody else wrote: what play comes to is sound, and what it cannot come to is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from msgspec import Struct
from tests.titles.stories.kit import StoriesGame
from tests.titles.stories.nations import NationsGame
from tests.titles.stories.playing import play_out

from boardkeeper.titles.stories.play import StoriesPlay
from boardkeeper.titles.stories.soundness import problems


@pytest.mark.parametrize(("edition", "planning"), [("settlers", "sealed"), ("settlers", "in_turn"),
                                                   ("england-vs-france", "open")])  # fmt: skip
def test_whatever_play_comes_to_is_sound(edition: str, planning: str) -> None:
    def watch(play: StoriesPlay, seat: int, legal: Sequence[Struct]) -> None:
        found = problems(play.t)
        assert not found, (seat, found[:3])

    options = {"planning": planning}
    play, _ = play_out(["sensible"] * 4, f"sound {planning}", watch, edition, options)
    assert play.is_over()


def found(game: StoriesGame) -> list[str]:
    """The fields in which the table is wrong."""
    return [problem.field for problem in problems(game.t)]


def planned(game: StoriesGame) -> StoriesGame:
    """Let everybody plan; nothing is wrong there."""
    game.enter("planning")
    assert not problems(game.t)
    return game


def set_to(marker: str, value: int | str) -> Callable[[StoriesGame], object]:
    """Write something on a marker."""
    return lambda game: setattr(game.table.markers[marker], "value", value)


def put(component: str, zone: str, count: int = 1) -> Callable[[StoriesGame], object]:
    """Let something lie where it was not."""
    return lambda game: game.table.zones[zone].put(component, count)


ODD: dict[str, Callable[[StoriesGame], object]] = {
    "markers[round]": set_to("round", 17),
    "markers[start_seat]": set_to("start_seat", 3),
    "markers[acting_seat]": set_to("acting_seat", -1),
    "markers[cursor]": set_to("cursor", 9),
    "markers[event]": set_to("event", "E1"),
    "markers[phase]": set_to("phase", "dawn"),
    "markers[seat.1.era]": set_to("seat.1.era", 6),
    "markers[seat.1.fame_due]": set_to("seat.1.fame_due", 1),
    "markers[seat.2.peace]": set_to("seat.2.peace", 2),
    "markers[area.c2r2.village]": set_to("area.c2r2.village", 2),
    "markers[seat.1.farm.craftsman.placed]": set_to("seat.1.farm.craftsman.placed", -1),
    "markers[action_place]": set_to("action_place", "market"),
    "zones[area.c2r2]": put("settler.3", "area.c2r2"),
    "zones[area.c3r2]": put("field", "area.c3r2", 2),
    "zones[seat.1.bag]": put("technology", "seat.1.bag"),
    "zones[seat.1.goods]": put("farmer", "seat.1.goods"),
    "zones[seat.1.settlers]": put("settler.2", "seat.1.settlers"),
    "zones[seat.1.farm.craftsman]": put("farmer", "seat.1.farm.craftsman", 2),
    "zones[deed.alchemy]": put("farmer", "deed.alchemy"),
    "zones[cards.I]": put("cellar", "cards.I"),
    "zones[events.B]": put("C1", "events.B"),
    "decisions[1]": lambda game: game.table.decisions.__setitem__(1, "trade"),
}


@pytest.mark.parametrize("field", ODD)
def test_what_play_cannot_come_to_is_told(field: str) -> None:
    game = planned(StoriesGame())
    ODD[field](game)
    assert field in found(game)


def test_a_deck_that_runs_out_before_the_last_round_is_told() -> None:
    game = planned(StoriesGame())
    game.empty(game.t.events["B"])
    assert found(game) == ["zones[events.B]"]


def test_screens_are_up_while_all_plan_behind_them_and_only_then() -> None:
    game = StoriesGame(planning="sealed")
    game.enter("planning")
    assert not found(game)
    game.t.seats[0].screen.visibility = "public"
    assert "markers[seat.1.screen]" in found(game)


def test_only_one_seat_acts_at_a_time() -> None:
    game = StoriesGame()
    game.enter("actions")
    assert not found(game)
    game.table.decisions[2] = "act"
    assert "decisions" in found(game)


def test_each_seat_has_a_nation_and_each_nation_a_mission() -> None:
    game = planned(NationsGame())
    game.empty(game.t.seats[0].nation)
    game.empty(game.t.mission["france"])
    assert {"seats[1]", "zones[mission.france]"} <= set(found(game))


def test_a_tile_offers_only_what_is_there() -> None:
    game = NationsGame().fame(1, 9)
    game.advance(1, 10, takes=False)
    assert not found(game)
    game.run_out("wood", game.t.goods_market)
    assert "decisions[1]" in found(game)
