"""England vs. France: the end of the game, declarations, missions, messages and scoring."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import detail
from tests.titles.stories.nations import NationsGame, list_details

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories import teams

NORTH = ("c1r1", "c1r2", "c2r1", "c2r2", "c3r1", "c3r2", "c4r1", "c4r2", "c5r1", "c5r2", "c6r1", "c7r1", "c7r2")
SOUTH = (
    *("c1r3", "c1r4", "c2r4", "c3r3", "c3r4", "c4r3", "c4r4", "c4r5", "c5r3", "c5r4", "c6r3", "c6r4", "c7r3", "c7r4"),
)


def clear_goods(game: NationsGame) -> NationsGame:
    """Take all goods and coins from the seats."""
    for seat in range(1, 5):
        game.goods(seat).coins(seat, 0)
    return game


# --- declaring -----------------------------------------------------------------------------------------------


def test_stories_end_everybody_is_asked() -> None:
    game = NationsGame()
    game.enter("declaring", start=3)
    asked_seats = []
    while game.t.phase.value == "declaring":
        (seat,) = game.table.deciding()
        asked_seats.append(seat)
        assert game.legal(seat) == [c.KeepSilent(), c.DeclareMission()]
        game.do(seat, c.KeepSilent())
    assert asked_seats == [3, 4, 1, 2]


def test_stories_end_everybody_is_asked__with_the_same_commands_if_the_mission_is_fulfilled() -> None:
    bare = clear_goods(NationsGame())
    rich = clear_goods(NationsGame()).mission("england", "m3").mission("france", "m4")
    rich.goods(1, fish=4)
    for place in ("c1r1", "c1r2", "c2r1"):
        rich.landscape(place, "lake").hold(1, place)
    rich.enter("declaring")
    bare.enter("declaring")
    assert teams.is_fulfilled(rich.t, "england")
    assert rich.legal(1) == bare.legal(1)


def test_stories_end_declared() -> None:
    """A fulfilled mission ends the game; its goods are moved to its card."""
    game = clear_goods(NationsGame()).mission("england", "m3").mission("france", "m4")
    for place in ("c1r1", "c1r2"):
        game.landscape(place, "lake").hold(1, place)
    game.landscape("c2r1", "lake").hold(3, "c2r1").goods(1, fish=3, grain=1).goods(3, fish=2)
    events = game.declare(1)
    assert game.play.is_over()
    assert list_details(events, e.MissionDeclared)
    assert detail(events, e.NationsRevealed).nations == ("england", "france", "england", "france")
    judged = list_details(events, e.MissionJudged)
    assert [(each.nation, each.fulfilled) for each in judged] == [("england", True), ("france", False)]
    assert game.pile("mission.england").items == {"m3": 1, "fish": 4}
    assert game.seat(3).goods.items == {"fish": 1}
    assert game.seat(1).goods.items == {"grain": 1}


def test_stories_end_declaring_order() -> None:
    game = NationsGame()
    events = game.enter("declaring")
    events += game.do(1, c.DeclareMission())
    assert game.play.is_over(), "no other seat decides"
    assert len(list_details(events, e.MissionDeclared)) == 1


def test_stories_end_all_at_once() -> None:
    """Reading ``declare_order``: all seats decide before cards are opened."""
    game = NationsGame(declare_order="all_at_once")
    events = game.declare(1, 2)
    assert len(list_details(events, e.MissionDeclared)) == 2


def test_stories_end_both_failed() -> None:
    """No nation has won, so all seats share the first rank."""
    game = NationsGame(declare_order="all_at_once")
    events = game.declare(1, 2)
    assert [event.nation for event in list_details(events, e.DeclarationFailed)] == ["england", "france"]
    assert game.t.lost.value == "england france"
    assert [(each.seat, each.rank) for each in game.play.standings()] == [(1, 1), (2, 1), (3, 1), (4, 1)]


def test_stories_end_failed() -> None:
    """The nation of a wrong declaration loses, and nothing is scored."""
    game = clear_goods(NationsGame()).coins(1, 50)
    events = game.declare(1)
    assert detail(events, e.DeclarationFailed).nation == "england"
    assert not list_details(events, e.NationScored)
    assert not list_details(events, e.MessagesRevealed), "messages are opened only for the scoring"
    assert [(each.seat, each.rank) for each in game.play.standings()] == [(2, 1), (4, 1), (1, 3), (3, 3)]
    assert {each.points for each in game.play.standings()} == {0}


def test_stories_end_failed_declaration() -> None:
    assert not list_details(clear_goods(NationsGame()).declare(1), e.MessagesRevealed)


def test_stories_end_messages_opened() -> None:
    game = NationsGame(failed_declaration_reveals_messages="yes")
    assert detail(game.declare(1), e.MessagesRevealed).messages == ("s1", "s2", "s3", "s4")


@pytest.mark.parametrize("bank", [NORTH, SOUTH])
def test_stories_end_bank(bank: tuple[str, ...]) -> None:
    game = NationsGame()
    for area in bank[:-1]:
        settle_from_town(game, 1 + bank.index(area) % 4, area)
    game.enter("declaring")
    assert not game.play.is_over()
    settle_from_town(game, 2, bank[-1])
    events = game.enter("declaring")
    assert game.play.is_over()
    assert len(list_details(events, e.NationScored)) == 2


@pytest.mark.parametrize(("village_is_area", "is_over"), [("yes", False), ("no", True)])
def test_stories_end_bank__with_an_unsettled_village(village_is_area: str, is_over: bool) -> None:
    """Reading ``village_is_area``: if a village is no area, only the other areas of a bank count."""
    game = NationsGame(village_is_area=village_is_area)
    for area in NORTH[:-1]:
        settle_from_town(game, 1 + NORTH.index(area) % 4, area)
    game.landscape(NORTH[-1], "forest").village(NORTH[-1])
    game.enter("declaring")
    assert game.play.is_over() is is_over


def settle_from_town(game: NationsGame, seat: int, area: str) -> None:
    mine = game.seat(seat)
    if not mine.settlers.items:
        town = next(town for town in game.t.towns.values() if mine.settler in town.pile.items)
        game.t.move(mine.settler, town.pile, mine.settlers)
    game.settle(area, seat)


def test_stories_end_bank__towns_do_not_count() -> None:
    game = NationsGame()
    assert set(NORTH) | set(SOUTH) == set(game.t.areas)
    assert len(game.t.areas) == 27


def test_stories_end_fame() -> None:
    """Reaching the last tile ends the game at once, during the actions."""
    game = NationsGame().coins(1, 3).own(1, "pub").fill(1, "pub", "farmer").fame(1, 34)
    events = game.act(1, c.ConvertCoins("pub", 2))
    assert game.play.is_over()
    assert len(list_details(events, e.NationScored)) == 2


def test_stories_end_fame_at_round_end() -> None:
    game = NationsGame(fame_end="round_end").coins(1, 3).own(1, "pub").fill(1, "pub", "farmer").fame(1, 34)
    game.act(1, c.ConvertCoins("pub", 2))
    assert not game.play.is_over()
    game.enter("declaring")
    assert game.play.is_over()


@pytest.mark.parametrize("round_end_check", ["before_bonus", "after_bonus_before_shift"])
def test_stories_end_fame_at_round_end__reached_by_the_bonus(round_end_check: str) -> None:
    """The game ends with this round, also if the seats declared before the bonuses."""
    game = clear_goods(NationsGame(fame_end="round_end", round_end_check=round_end_check)).fame(1, 35)
    game.era(1, 1).bonus_tile(1, "bonus_hill").settle("c1r1", 1).landscape("c1r1", "hill")
    events = game.enter("event")
    while not game.play.is_over() and game.decision(game.table.deciding()[0]) == "declare":
        events += game.do(game.table.deciding()[0], c.KeepSilent())
    assert detail(events, e.FameGained).position == 36
    assert game.play.is_over()
    assert game.t.round.value == 1
    assert len(list_details(events, e.NationScored)) == 2


def test_stories_end_before_the_bonus() -> None:
    """Reading ``round_end_check``: the seats declare before the bonuses."""
    game = NationsGame(round_end_check="before_bonus")
    game.enter("event")
    assert game.t.phase.value == "declaring"
    for _ in range(4):
        (seat,) = game.table.deciding()
        events = game.do(seat, c.KeepSilent())
    names = [event.name for event in events]
    assert names.index("RoundBonusCarriedOut") < names.index("BonusTilesShifted") < names.index("RoundBegun")


def test_stories_end_after_the_bonus() -> None:
    """By default the bonuses come first, then the declarations, then the tiles move."""
    game = NationsGame()
    events = game.enter("event")
    assert "RoundBonusCarriedOut" in {event.name for event in events}
    assert game.t.phase.value == "declaring"
    names = [event.name for seat in (1, 2, 3, 4) for event in game.do(seat, c.KeepSilent())]
    assert "RoundBonusCarriedOut" not in names
    assert names.index("BonusTilesShifted") < names.index("RoundBegun")


# --- missions ------------------------------------------------------------------------------------------------


def test_stories_missions_fulfilled() -> None:
    """Areas and goods of both players count together; both must be sufficient."""
    game = clear_goods(NationsGame()).mission("france", "m6").mission("england", "m4")
    for place, seat in (("c1r1", 2), ("c1r2", 4), ("c2r1", 4)):
        game.landscape(place, "forest").hold(seat, place)
    assert not teams.is_fulfilled(game.t, "france")
    game.goods(2, wood=2)
    assert not teams.is_fulfilled(game.t, "france")
    game.goods(4, wood=1)
    assert teams.is_fulfilled(game.t, "france")
    game.settle("c2r1")
    assert not teams.is_fulfilled(game.t, "france")


def test_stories_missions_fulfilled__north_and_south_and_villages() -> None:
    game = clear_goods(NationsGame()).mission("england", "m8").mission("france", "m7").goods(3, brocade=2)
    for area in (*NORTH[:5], *SOUTH[:4]):
        settle_from_town(game, 1 if area in NORTH else 3, area)
    assert not teams.is_fulfilled(game.t, "england")
    settle_from_town(game, 3, SOUTH[4])
    assert teams.is_fulfilled(game.t, "england")


def test_stories_missions_beside_forest() -> None:
    """Reading ``forest_edge``: an area on the border of the map counts only beside a forest."""
    game = NationsGame(forest_edge="beside_forest")
    for area in ("c1r1", *game.area("c1r1").neighbours):
        game.landscape(area, "field")
    game.hold(1, "c1r1")
    assert teams.count_for_mission(game.t, "england", "forest_edge") == 0
    game.landscape(game.area("c1r1").neighbours[0], "forest")
    assert teams.count_for_mission(game.t, "england", "forest_edge") == 1


def test_stories_missions_forest_edge() -> None:
    """Reading ``forest_edge``: the border of the map, or beside a forest."""
    border, beside = NationsGame(), NationsGame(forest_edge="beside_forest")
    for game in (border, beside):
        for area in ("c4r3", "c1r1", *NationsGame().area("c1r1").neighbours):
            game.landscape(area, "field")
        game.landscape("c4r2", "forest").hold(1, "c4r3", "c1r1")
    assert "c4r2" in border.area("c4r3").neighbours
    assert border.data.edge >= {"c1r1"}
    assert "c4r3" not in border.data.edge
    assert [each.id for each in border.t.areas.values() if teams.AREA_KINDS["forest_edge"](border.t, each)] == [
        each for each in border.t.areas if each in border.data.edge
    ]
    assert teams.AREA_KINDS["forest_edge"](beside.t, beside.area("c4r3"))
    assert not teams.AREA_KINDS["forest_edge"](beside.t, beside.area("c1r1"))
    assert teams.count_for_mission(border.t, "england", "forest_edge") == 1
    assert teams.count_for_mission(beside.t, "england", "forest_edge") == 1


def test_stories_manors_joker() -> None:
    """Two manor farms and one vineyard count as three vineyards."""
    game = clear_goods(NationsGame()).mission("england", "m2").goods(1, wine=3)
    manors = [area.id for area in game.t.areas.values() if "manor_farm" in area.pile.items]
    assert len(manors) == 2
    other = next(area.id for area in game.t.areas.values() if area.id not in manors)
    game.landscape(other, "hill").hold(1, manors[0], other).hold(3, manors[1])
    assert teams.is_fulfilled(game.t, "england")
    assert teams.count_for_mission(game.t, "england", "lake") == 2


def test_stories_missions_both() -> None:
    """Both nations can have fulfilled their missions, also if the game ends for another reason."""
    game = clear_goods(NationsGame()).mission("england", "m3").mission("france", "m4")
    for place, seat in (("c1r1", 1), ("c1r2", 1), ("c2r1", 3)):
        game.landscape(place, "lake").hold(seat, place)
    for place in ("c5r3", "c5r4", "c4r5"):
        game.landscape(place, "field").hold(2, place)
    game.goods(1, fish=4).goods(4, bread=2)
    events = game.declare(4)
    scored = {each.nation: each for each in list_details(events, e.NationScored)}
    assert scored["england"].mission == scored["france"].mission == 50


def test_stories_missions_goods() -> None:
    """Goods on a fulfilled mission score nothing more."""
    game = clear_goods(NationsGame()).mission("england", "m3").mission("france", "m4").goods(1, fish=5)
    for place in ("c1r1", "c1r2", "c2r1"):
        game.landscape(place, "lake").hold(1, place)
    scored = {each.nation: each for each in list_details(game.declare(1), e.NationScored)}
    assert scored["england"].goods_points == 2


# --- messages ------------------------------------------------------------------------------------------------


def test_stories_messages_scored() -> None:
    """Each message scores for the nation that leads, also if the other nation kept it; a tie scores for neither."""
    game = clear_goods(NationsGame(messages=("s4", "s8", "s9", "s7"))).coins(2, 1).goods(1, wood=1).goods(4, brocade=1)
    assert teams.message_points(game.t, "france") == 40
    assert teams.message_points(game.t, "england") == 20


def fulfil_mission_with_wood(message_goods: str) -> NationsGame:
    """England gives its only three wood for its mission; France has one."""
    game = clear_goods(NationsGame(message_goods=message_goods)).mission("england", "m6").goods(1, wood=3)
    game.goods(2, wood=1)
    for place in ("c1r1", "c1r2", "c2r1"):
        game.landscape(place, "forest").hold(3, place)
    assert teams.is_fulfilled(game.t, "england")
    game.declare(1)
    return game


def test_stories_messages_goods() -> None:
    """Goods on a mission count in the comparisons of messages but score nothing."""
    game = fulfil_mission_with_wood("with_missions")
    assert teams.count_for_message(game.t, "england", "wood") == 3
    assert teams.sheet(game.t, "england").goods_points == 0
    assert teams.count_for_message(game.t, "england", "brocade") == 0


def test_stories_messages_goods_given() -> None:
    game = fulfil_mission_with_wood("without_missions")
    assert [teams.count_for_message(game.t, nation, "wood") for nation in ("england", "france")] == [0, 1]


def test_stories_messages_tie() -> None:
    game = clear_goods(NationsGame(messages=("s4", "s8", "s9", "s7")))
    assert teams.message_points(game.t, "france") == teams.message_points(game.t, "england") == 0


def test_stories_messages_tie_for_both() -> None:
    game = clear_goods(NationsGame(messages=("s4", "s8", "s9", "s7"), message_tie="both"))
    assert teams.message_points(game.t, "france") == teams.message_points(game.t, "england") == 80


@pytest.mark.parametrize("message", [f"s{number}" for number in range(1, 13)])
def test_stories_messages_compared(message: str) -> None:
    """Seat 1 has one of what the message compares; no other seat has any."""
    others = [f"s{number}" for number in range(1, 13) if f"s{number}" != message][:3]
    game = clear_goods(NationsGame(messages=(message, *others)))
    what = game.data.messages[message]
    before = teams.count_for_message(game.t, "france", what)
    assert teams.count_for_message(game.t, "england", what) == before
    game.hold(1, "c1r1", "c4r4").village("c1r1").church("c1r1").fortress("c1r1", 1).coins(1, 1)
    game.own(1, "pub").technology(1).goods(1, wood=1, brocade=1, grain=1).bag(1, knight=1)
    assert teams.count_for_message(game.t, "england", what) == before + 1
    assert teams.count_for_message(game.t, "france", what) == before


def test_stories_messages_compared__on_spaces_too() -> None:
    """Knights and technology tiles count in all zones of a seat."""
    game = clear_goods(NationsGame()).fill(1, "territory", "technology", "", "").technology(3, 1)
    assert teams.count_for_message(game.t, "england", "technology") == 1 + 1
    game.fill(1, "town_hall", "knight").bag(3, knight=2)
    assert teams.count_for_message(game.t, "england", "knights") == 1 + 2


def test_stories_messages_built() -> None:
    """A church counts for the nation that controls it now."""
    game = NationsGame().hold(1, "c1r1").village("c1r1").church("c1r1")
    assert teams.count_for_message(game.t, "england", "churches_built") == 1
    game.settle("c1r1", 2)
    assert teams.count_for_message(game.t, "england", "churches_built") == 0
    assert teams.count_for_message(game.t, "france", "churches_built") == 1


def test_stories_messages_built_by() -> None:
    """Reading ``message_built``: a church counts for the nation that built it."""
    game = NationsGame(message_built="built_by").own(1).hold(1, "c1r1").village("c1r1").goods(1, wood=2)
    game.fill(1, "church_building")
    game.act(1, c.Build("church_building", "c1r1"))
    game.settle("c1r1", 2)
    assert teams.count_for_message(game.t, "england", "churches_built") == 1
    assert teams.count_for_message(game.t, "france", "churches_built") == 0
    assert teams.count_for_message(NationsGame().t, "england", "churches_built") == 0


# --- points --------------------------------------------------------------------------------------------------


def test_stories_team_scoring_sheet() -> None:
    """A whole score sheet, line by line: 143 to 99."""
    game = clear_goods(NationsGame(messages=("s4", "s1", "s2", "s6"))).mission("england", "m3").mission("france", "m4")
    for place in ("c1r1", "c1r2", "c2r1"):
        game.landscape(place, "lake").hold(1, place)
    for place in ("c3r1", "c3r2", "c5r3", "c5r4", "c4r5", "c6r3"):
        game.landscape(place, "hill")
    game.hold(3, "c3r1", "c3r2").village("c3r1", "c3r2").church("c3r1")
    game.goods(1, fish=4, cheese=3).coins(1, 9).coins(3, 6)
    game.hold(2, "c5r3", "c5r4", "c4r5").hold(4, "c6r3").village("c5r3", "c5r4", "c4r5").church("c5r3", "c5r4")
    game.fortress("c5r3", 2).goods(2, wine=3).goods(4, wine=2).coins(2, 2).coins(4, 3)
    events = game.declare(1)
    england, france = list_details(events, e.NationScored)
    assert (england.mission, england.messages, england.majority) == (50, 20, 30)
    assert (england.areas, england.villages, england.churches) == (5, 2, 1)
    assert (england.coins, england.goods_points) == (15, 6)
    assert england.total == 50 + 20 + 30 + 2 * 5 + 12 + 15 + 6 == 143
    assert (france.mission, france.messages, france.majority) == (0, 40, 0)
    assert (france.areas, france.villages, france.churches) == (4, 3, 2)
    assert (france.coins, france.goods_points) == (5, 15)
    assert france.total == 40 + 3 * 5 + 2 * 12 + 5 + 15 == 99
    assert (england.rank, france.rank) == (1, 2)
    standings = [(each.seat, each.points, each.rank) for each in game.play.standings()]
    assert standings == [(1, 143, 1), (3, 143, 1), (2, 99, 3), (4, 99, 3)]


def test_stories_team_scoring_majority() -> None:
    """The nation with more areas; towns do not count, and a tie scores for neither."""
    game = clear_goods(NationsGame())
    assert {nation: teams.sheet(game.t, nation).majority for nation in game.data.nations} == {"england": 0, "france": 0}
    game.hold(4, "c1r1")
    assert teams.sheet(game.t, "france").majority == 30
    game.hold(1, "c1r2")
    assert teams.sheet(game.t, "france").majority == 0


def test_stories_map_village_is_no_area__in_majorities_and_missions() -> None:
    """Reading ``village_is_area``."""
    readings = {"yes": (2, 30, 2), "no": (1, 0, 1)}
    for reading, (areas, majority, north) in readings.items():
        game = clear_goods(NationsGame(village_is_area=reading)).hold(1, "c1r1").hold(3, "c1r2").hold(2, "c4r4")
        game.village("c1r1")
        sheet = teams.sheet(game.t, "england")
        assert (sheet.areas, sheet.majority, sheet.villages) == (areas, majority, 1)
        assert teams.count_for_mission(game.t, "england", "north") == north
        assert teams.count_for_mission(game.t, "england", "forest_edge") == north
        assert teams.count_for_message(game.t, "england", "areas_north") == north
        assert teams.count_for_mission(game.t, "england", "village") == 1


def test_stories_team_scoring_tie() -> None:
    game = clear_goods(NationsGame()).coins(1, 5).coins(2, 5)
    game.t.phase.value = "over"
    for seat in game.t.seats:
        seat.nation.visibility = "public"
    assert {each.rank for each in game.play.standings()} == {1}


@pytest.mark.parametrize(("reading", "second"), [("shared", 1), ("most_areas", 3)])
def test_stories_team_scoring_tie_by_areas(reading: str, second: int) -> None:
    """One nation has the majority, the other coins and their message: they share the rank, or areas decide."""
    game = clear_goods(NationsGame(messages=("s4", "s8", "s9", "s7"), tie_evf=reading)).hold(1, "c1r1").coins(2, 10)
    game.t.phase.value = "over"
    assert {each.points for each in game.play.standings()} == {30}
    assert {each.seat: each.rank for each in game.play.standings()} == {1: 1, 3: 1, 2: second, 4: second}


def test_stories_team_scoring_most_points() -> None:
    """Both seats of the better nation win."""
    game = clear_goods(NationsGame()).coins(4, 99)
    for seat in game.t.seats:
        seat.nation.visibility = "public"
    game.t.phase.value = "over"
    assert {each.seat: each.rank for each in game.play.standings()} == {2: 1, 4: 1, 1: 3, 3: 3}
