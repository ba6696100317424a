"""The codes of rejections with their rules: clients depend on them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import Struct
from tests.titles.orleans.kit import OrleansGame

from boardkeeper.titles.orleans import commands as c

Case = tuple[str, Callable[[], OrleansGame], Struct, str]
"""A code, a function that arranges a game, the command of seat 1, and the rule."""


def begin_actions(game: OrleansGame) -> OrleansGame:
    game.enter("actions")
    return game


def begin_drawing(game: OrleansGame) -> OrleansGame:
    game.enter("followers")
    return game


def begin_planning(game: OrleansGame) -> OrleansGame:
    game.enter("planning")
    return game


def begin_torture(game: OrleansGame) -> OrleansGame:
    game.at(1, coins=0).goods(1, wool=2).turn(5, "taxes").enter("event")
    return game


def visit_bathhouse(game: OrleansGame) -> OrleansGame:
    game.own(1, "bathhouse", "gunpowder_tower").fill(1, "bathhouse").bag(1, scholar=2).enter("actions")
    game.do(1, c.UsePlace("bathhouse"))
    return game


def two() -> OrleansGame:
    return OrleansGame(2)


def fill_hall() -> OrleansGame:
    return two().fill(1, "town_hall", "scholar", "scholar")


CASES: list[Case] = [
    (
        "NO_ACTION",
        lambda: begin_actions(two().own(1, "sacristy").fill(1, "sacristy")),
        c.UsePlace("sacristy"),
        "sacristy.not_an_action",
    ),
    ("NO_ACTION", lambda: begin_actions(two().own(1, "school")), c.UsePlace("school"), "actions.no_action"),
    ("NOT_YOUR_PLACE", lambda: begin_actions(two()), c.UsePlace("brewery"), "actions.own_place"),
    ("WRONG_COMMAND", lambda: begin_actions(two().fill(1, "ship")), c.UsePlace("ship"), "actions.matching_command"),
    ("NOT_CONNECTED", lambda: begin_actions(two().fill(1, "ship")), c.Travel("ship", "nevers"), "travel.waterway"),
    (
        "STATION_THERE",
        lambda: begin_actions(two().stations(1, "orleans").fill(1, "guildhall")),
        c.UsePlace("guildhall"),
        "guildhall.orleans",
    ),
    (
        "TRACK_END",
        lambda: begin_actions(two().at(1, knights=5).fill(1, "castle")),
        c.RecruitFollower("castle", "knight"),
        "recruiting.track_end",
    ),
    (
        "WRONG_CHARACTER",
        lambda: begin_actions(two().fill(1, "castle")),
        c.RecruitFollower("castle", "monk"),
        "actions.matching_command",
    ),
    (
        "NO_PLACE_TILE",
        lambda: begin_actions(two().fill(1, "castle")),
        c.RecruitFollower("castle", "knight", "school"),
        "village.place_tile_only_for_traders",
    ),
    (
        "PLACE_TILE_GONE",
        lambda: begin_actions(two().own(2, "brewery").fill(1, "village")),
        c.RecruitFollower("village", "trader", "brewery"),
        "village.place_tile_available",
    ),
    (
        "WRONG_PRICE",
        lambda: begin_actions(two().own(1, "pharmacy").fill(1, "pharmacy")),
        c.BuyDevelopment("pharmacy", 4),
        "pharmacy.coins",
    ),
    (
        "SPACE_EMPTY",
        lambda: begin_actions(two().fill(1, "town_hall", "scholar")),
        c.SendToDeed("town_hall", "any_2", "astronomy"),
        "deeds.follower_there",
    ),
    (
        "DEED_FULL",
        lambda: begin_actions(fill_hall().on_deed("astronomy", scholar=2)),
        c.SendToDeed("town_hall", "any", "astronomy"),
        "deeds.free_space",
    ),
    (
        "WRONG_REWARD",
        lambda: begin_actions(fill_hall()),
        c.SendToDeed("town_hall", "any", "astronomy", "development"),
        "deeds.reward_choice",
    ),
    (
        "MARKED_FOLLOWER",
        lambda: begin_planning(two().market(1, own_farmer=1)),
        c.PlaceFollower("own_farmer", "town_hall", "any"),
        "town_hall.no_own_followers",
    ),
    (
        "MONK_REQUIRED",
        lambda: begin_planning(two().own(1, "brewery").market(1, farmer=1)),
        c.PlaceFollower("farmer", "brewery", "monk"),
        "wild.never_for_monk",
    ),
    ("NOT_ON_MARKET", lambda: begin_planning(two()), c.PlaceFollower("monk", "ship", "knight"), "planning.from_market"),
    (
        "NOT_PLACED_NOW",
        lambda: begin_planning(two().fill(1, "ship", "farmer")),
        c.WithdrawFollower("ship", "farmer"),
        "planning.only_this_phase",
    ),
    (
        "ONLY_IN_PHASE_THREE",
        lambda: begin_planning(two().own(1, "gunpowder_tower").market(1, monk=1)),
        c.PlaceFollower("monk", "gunpowder_tower", "any"),
        "gunpowder_tower.phase_three",
    ),
    ("TOO_MANY_DRAWS", lambda: begin_drawing(two().market(1).bag(1, monk=6)), c.DrawFollowers(5), "drawing.limit"),
    (
        "TOO_FEW_DRAWS",
        lambda: begin_drawing(OrleansGame(2, draw_amount="fixed").market(1).bag(1, monk=6)),
        c.DrawFollowers(3),
        "drawing.full",
    ),
    (
        "TECHNOLOGY_STAYS",
        lambda: begin_drawing(two().market(1).bag(1, monk=1).fill(1, "ship", "technology")),
        c.TakeBackFollower("ship", "farmer"),
        "taking_back.never_technology",
    ),
    (
        "NOT_FROM_TOWER",
        lambda: begin_drawing(two().market(1).bag(1, monk=1).own(1, "gunpowder_tower").fill(1, "gunpowder_tower")),
        c.TakeBackFollower("gunpowder_tower", "any"),
        "taking_back.not_from_tower",
    ),
    ("NO_STATION", lambda: begin_torture(two()), c.SurrenderTradingStation("tours"), "torture.own_station"),
    ("UNKNOWN_TOWN", lambda: begin_torture(two()), c.SurrenderTradingStation("paris"), "torture.own_station"),
    (
        "NO_NEUTRAL_FOLLOWER",
        lambda: begin_torture(two().bag(1, own_farmer=1)),
        c.SurrenderFollower(),
        "torture.neutral_follower_needed",
    ),
    (
        "NO_STEP_BACK",
        lambda: begin_torture(two().at(1, development=8)),
        c.SurrenderDevelopment(),
        "torture.coin_spaces_stop",
    ),
    (
        "COIN_SPACE_HOLDS",
        lambda: begin_torture(OrleansGame(2, torture_from_coin_space="closed").at(1, development=7)),
        c.SurrenderDevelopment(),
        "torture.coin_space_holds",
    ),
    ("NO_SUCH_PLACE_TILE", lambda: begin_torture(two()), c.SurrenderPlaceTile("school"), "torture.own_place_tile"),
    (
        "NOT_ON_BATHHOUSE",
        lambda: visit_bathhouse(two()),
        c.PlaceDrawnFollower("scholar", "bathhouse", "any"),
        "bathhouse.not_there",
    ),
    (
        "NOT_FROM_BATHHOUSE",
        lambda: visit_bathhouse(OrleansGame(2, bathhouse_town_hall="forbidden")),
        c.PlaceDrawnFollower("scholar", "town_hall", "any"),
        "",
    ),
]


@pytest.mark.parametrize(("code", "arrange", "command", "rule"), CASES, ids=[f"{case[0]}-{case[3]}" for case in CASES])
def test_code(code: str, arrange: Callable[[], OrleansGame], command: Struct, rule: str) -> None:
    game = arrange()
    before = game.table.contents()
    rejection = game.play.decide(1, command)
    assert rejection is not None
    assert rejection.code == code, rejection
    assert not rule or rejection.rule == f"orleans.{rule}"
    game.play.recorder.rollback()
    assert game.table.contents() == before


def test_code_for_a_second_follower_from_another_place() -> None:
    game = fill_hall().own(1, "gunpowder_tower").fill(1, "gunpowder_tower", "scholar")
    game.enter("actions")
    game.do(1, c.SendToDeed("town_hall", "any", "astronomy"))
    command = c.SendToDeed("gunpowder_tower", "any", "astronomy")
    assert game.reject(1, command, "orleans.deeds.same_place", "OTHER_PLACE").values["under_way"] == "town_hall"


def test_codes_for_tiles_that_have_run_out() -> None:
    game = two().own(1, "laboratory").fill(1, "laboratory").fill(1, "castle")
    game.run_out("technology", game.t.technology).run_out("knight", game.t.supply)
    game.enter("actions")
    game.reject(1, c.UsePlace("laboratory"), "orleans.laboratory.technology_available", "NO_TECHNOLOGY_LEFT")
    game.reject(1, c.RecruitFollower("castle", "knight"), "orleans.recruiting.supply", "NO_FOLLOWER_LEFT")


def test_code_for_taking_back_without_a_draw() -> None:
    game = two().market(1).bag(1, monk=1).fill(1, "ship").fill(1, "castle")
    game.enter("followers")
    spaces = [("ship", "farmer"), ("ship", "boatman"), ("ship", "knight"), ("castle", "farmer")]
    game.do(1, *(c.TakeBackFollower(*space) for space in spaces))
    game.reject(1, c.TakeBackFollower("castle", "boatman"), "orleans.taking_back.limit", "NO_DRAW_LEFT")


def test_code_for_an_overfull_market() -> None:
    game = two().market(1, farmer=7).own(1, "gunpowder_tower").bag(1, monk=3).at(1, knights=1)
    game.enter("followers")
    game.do(1, c.DrawFollowers(3))
    game.reject(1, c.FinishStoring(), "orleans.drawing.market_room", "MARKET_OVERFULL")


def test_code_for_taking_back_to_a_full_market() -> None:
    game = two().market(1, farmer=7).fill(1, "ship")
    game.enter("followers")
    game.do(1, c.TakeBackFollower("ship", "farmer"))
    game.reject(1, c.TakeBackFollower("ship", "boatman"), "orleans.taking_back.market_room", "MARKET_FULL")


# --- unknown ids ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arrange", "command", "field", "id"),
    [
        (begin_actions, c.UsePlace("nowhere"), "place", "nowhere"),
        (begin_actions, c.UsePlace(""), "place", ""),
        (begin_actions, c.Travel("ship", "paris"), "town", "paris"),
        (begin_actions, c.Travel("ship", "blois", "gold"), "good", "gold"),
        (begin_actions, c.RecruitFollower("castle", "emperor"), "character", "emperor"),
        (begin_actions, c.RecruitFollower("village", "trader", "casino"), "place_tile", "casino"),
        (begin_actions, c.SendToDeed("town_hall", "any", "world_peace"), "deed", "world_peace"),
        (begin_planning, c.PlaceFollower("dragon", "ship", "knight"), "follower", "dragon"),
        (begin_torture, c.SurrenderGood("gold"), "good", "gold"),
        (begin_torture, c.SurrenderPlaceTile("casino"), "place", "casino"),
    ],
)
def test_an_unknown_id_is_rejected_with_the_known_ids(
    arrange: Callable[[OrleansGame], OrleansGame], command: Struct, field: str, id: str
) -> None:
    """Before the other rules: an unknown place is not rejected as one of another seat."""
    game = arrange(two().fill(1, "ship").fill(1, "castle").fill(1, "village").fill(1, "town_hall", "scholar"))
    rejection = game.reject(1, command, "table.known_ids", "UNKNOWN_ID")
    assert (rejection.values["field"], rejection.values["id"]) == (field, id)
    known = rejection.values["known"].split(", ")
    assert known == sorted(known)
    assert id not in known
    assert {
        "place": "town_hall",
        "town": "orleans",
        "good": "grain",
        "character": "monk",
        "follower": "own_farmer",
    }.get(field, known[0]) in known


def test_an_empty_optional_id_is_not_unknown() -> None:
    game = begin_actions(two().fill(1, "ship").fill(1, "castle"))
    for command, code in (
        (c.Travel("ship", "nevers", ""), "NOT_CONNECTED"),
        (c.RecruitFollower("castle", "monk", ""), "WRONG_CHARACTER"),
    ):
        rejection = game.play.decide(1, command)
        assert rejection is not None
        assert rejection.code == code
