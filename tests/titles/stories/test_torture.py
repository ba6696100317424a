"""Torture: what a seat surrenders for missing food, wood and coins."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, details

from boardkeeper.table.visibility import PUBLIC, same_as
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

FOOD = {1: "A1", 2: "B1", 3: "C1"}
"""Events by the food that they require."""


def create_debt_game(debt: int, players: int = 2, **readings: str) -> StoriesGame:
    """Prepare a game in which seat 1 will miss this amount of food; :func:`torture` begins the event."""
    game = StoriesGame(players, **readings).goods(1).turn(5, FOOD[debt])
    for seat in range(2, players + 1):
        game.goods(seat, grain=5)
    return game


def torture(game: StoriesGame) -> StoriesGame:
    """Carry out the event; seat 1 must be tortured."""
    game.enter("event")
    assert game.decision(1) == "torture"
    return game


def read_debt(game: StoriesGame) -> int:
    """Return the number of things that seat 1 still has to surrender."""
    return game.seat(1).debt.value


def take_everything(game: StoriesGame) -> StoriesGame:
    """Take from seat 1 everything that it could surrender."""
    mine = game.seat(1)
    game.fortress("c1r2", 0).settle("c1r2")
    for pile in (mine.settlers, mine.fortresses, mine.place_tiles):
        game.empty(pile)
    return game


# --- when and how much ---------------------------------------------------------------------------------------


def test_stories_torture_what_is_there_first() -> None:
    """The seat first gives what it has; torture replaces only what is missing."""
    game = create_debt_game(3).goods(1, grain=1, wood=4)
    events = game.enter("event")
    assert details(events, e.GoodsMissing) == {1: e.GoodsMissing(2)}
    assert game.seat(1).goods.counts() == {"wood": 4}
    assert read_debt(game) == 2


def test_stories_torture_coins_first() -> None:
    """The seat first pays the coins that it has."""
    game = StoriesGame(2).goods(1, wood=8).goods(2).coins(1, 1)
    events = game.strike("D4")
    assert details(events, e.CoinsPaid) == {1: e.CoinsPaid(paid=1, missing=3)}
    assert game.seat(1).coins.value == 0
    assert read_debt(game) == 3


def test_stories_torture_what_is_there_first__no_torture_with_enough() -> None:
    """A seat that can pay must pay."""
    game = create_debt_game(2).goods(1, grain=3, fish=3)
    game.enter("event")
    assert game.decision(1) == "give"
    game.reject(1, c.SurrenderSettler(), "table.wrong_decision")


def test_stories_torture_each_missing() -> None:
    """One surrendered thing for each missing one, independent of its value, until the debt is 0."""
    game = torture(create_debt_game(3))
    for missing in (2, 1, 0):
        assert game.deciding() == [1], "the other seats wait"
        events = game.do(1, c.SurrenderSettler())
        assert detail(events, e.SettlerSurrendered) == e.SettlerSurrendered("", missing)
        assert read_debt(game) == missing
    assert game.decision(1) != "torture"


def test_stories_torture_each_demanded() -> None:
    """Reading ``torture_unit``: a seat that cannot give everything replaces everything and keeps its goods."""
    game = create_debt_game(3, torture_unit="demanded").goods(1, grain=2)
    torture(game)
    assert read_debt(game) == 3
    assert game.seat(1).goods.counts() == {"grain": 2}


def test_stories_torture_each_demanded__coins() -> None:
    game = StoriesGame(2, torture_unit="demanded").goods(1, wood=8).goods(2).coins(1, 3)
    events = game.strike("D4")
    assert details(events, e.CoinsPaid) == {1: e.CoinsPaid(paid=0, missing=4)}
    assert game.seat(1).coins.value == 3
    assert read_debt(game) == 4

    game = StoriesGame(2, torture_unit="demanded").goods(1, wood=8).goods(2).coins(1, 4)
    assert details(game.strike("D4"), e.CoinsPaid) == {1: e.CoinsPaid(paid=4, missing=0)}
    assert read_debt(game) == 0


def test_stories_torture_each_demanded__no_torture_with_enough() -> None:
    game = create_debt_game(3, torture_unit="demanded").goods(1, grain=3)
    game.enter("event")
    assert read_debt(game) == 0
    assert game.seat(1).goods.counts() == {}


def test_stories_torture_each_missing__debt_does_not_shrink_with_the_areas() -> None:
    """The demand for four areas stays, although one of them was surrendered."""
    game = StoriesGame(2).era(1, 2).goods(1)
    for area in ("c1r3", "c2r2", "c2r3"):
        game.settle(area, 1)
    game.turn(5, "A5").enter("round_bonus")
    assert read_debt(game) == 2
    game.do(1, c.SurrenderSettler("c2r3"))
    assert read_debt(game) == 1


def test_stories_torture_any_mix() -> None:
    """Everything on the list, from the supply or from the map, in any mix, and nothing else."""
    game = create_debt_game(3).citizens(1, 1).coins(1, 5).bag(1, monk=3).own(1, "pub").technology(1).settle("c1r3", 1)
    game.fame(1, 30)
    game.fill(1, "farm", "technology").goods(1, wood=2, brocade=2)
    torture(game)
    assert game.legal(1) == [
        c.SurrenderSettler(),
        c.SurrenderSettler("c1r2"),
        c.SurrenderSettler("c1r3"),
        c.SurrenderFortress(),
        c.SurrenderFortress("c1r2"),
        c.SurrenderTechnology(),
        c.SurrenderTechnology("farm", "fisherman"),
        c.SurrenderPlaceCard("pub"),
        c.SurrenderPlaceCard("university"),
        c.SurrenderCitizen(),
    ]
    game.do(1, c.SurrenderCitizen(), c.SurrenderPlaceCard("university"), c.SurrenderTechnology())
    assert read_debt(game) == 0
    assert game.seat(1).goods.counts() == {"wood": 2, "brocade": 2}
    assert game.seat(1).coins.value == 5
    assert game.seat(1).fame.value == 30 + 2, "two for the settlers in era I"


def test_stories_torture_out_of_the_game() -> None:
    """Surrendered things leave the game."""
    game = torture(create_debt_game(3).technology(1))
    game.do(1, c.SurrenderSettler(), c.SurrenderFortress(), c.SurrenderTechnology())
    removed = game.t.removed.counts()
    assert {key: removed[key] for key in ("settler.1", "fortress.1", "technology")} == {
        "settler.1": 1,
        "fortress.1": 1,
        "technology": 1,
    }


# --- settlers and fortresses ---------------------------------------------------------------------------------


def test_stories_torture_settler() -> None:
    """A settler of the supply; those on the map stay."""
    game = torture(create_debt_game(1))
    game.do(1, c.SurrenderSettler())
    assert game.seat(1).settlers.counts() == {"settler.1": 7}
    assert game.stands_on("c1r2") == {"settler.1": 1, "fortress.1": 1}


def test_stories_torture_settler__from_the_map() -> None:
    """A settler of the map: other seats can enter the area."""
    game = torture(create_debt_game(1).settle("c1r3", 1).settle("c2r3", 2))
    events = game.do(1, c.SurrenderSettler("c1r3"))
    assert detail(events, e.SettlerSurrendered).area == "c1r3"
    assert game.stands_on("c1r3") == {}
    assert game.seat(1).settlers.counts() == {"settler.1": 7}
    game.fill(2, "territory", "farmer", "fisherman", "trader").act(2, c.Expand("territory", "c1r3"))
    assert game.stands_on("c1r3") == {"settler.2": 1}


def test_stories_torture_settler__not_those_on_the_tracks() -> None:
    game = create_debt_game(1)
    game.empty(game.seat(1).settlers)
    torture(game)
    assert game.listed(1, c.SurrenderSettler) == [c.SurrenderSettler("c1r2")]
    assert game.seat(1).on_tracks.counts() == {"settler.1": 2}
    game.reject(1, c.SurrenderSettler(), "stories.torture.settler", "NO_SETTLER")


@pytest.mark.parametrize("area", ["c7r3", "c4r3"])
def test_stories_torture_settler__of_another_seat(area: str) -> None:
    game = torture(create_debt_game(1))
    game.reject(1, c.SurrenderSettler(area), "stories.torture.settler", "NO_SETTLER")


def test_stories_torture_settler__unknown_area() -> None:
    game = torture(create_debt_game(2))
    game.reject(1, c.SurrenderSettler("c9r9"), "stories.map.spaces", "UNKNOWN_AREA")
    game.reject(1, c.SurrenderFortress("c9r9"), "stories.map.spaces", "UNKNOWN_AREA")


def test_stories_torture_fortress() -> None:
    """A fortress of the supply or of the map, whose area is then unprotected."""
    game = torture(create_debt_game(2))
    game.do(1, c.SurrenderFortress())
    assert game.seat(1).fortresses.counts() == {"fortress.1": 2}
    events = game.do(1, c.SurrenderFortress("c1r2"))
    assert detail(events, e.FortressSurrendered) == e.FortressSurrendered("c1r2", 0)
    assert game.stands_on("c1r2") == {"settler.1": 1}


def test_stories_torture_fortress__without_one() -> None:
    game = create_debt_game(1).settle("c1r3", 1)
    game.empty(game.seat(1).fortresses)
    torture(game)
    for area in ("", "c1r3", "c7r3"):
        game.reject(1, c.SurrenderFortress(area), "stories.torture.fortress", "NO_FORTRESS")


# --- technology, cards, citizens -----------------------------------------------------------------------------


def test_stories_torture_technology() -> None:
    """A tile that is not placed, or one on a space, which then requires a follower again."""
    game = create_debt_game(2).technology(1).fill(1, "farm", "technology", "craftsman")
    torture(game)
    game.do(1, c.SurrenderTechnology())
    assert game.seat(1).technology.counts() == {}
    events = game.do(1, c.SurrenderTechnology("farm", "fisherman"))
    assert detail(events, e.TechnologySurrendered) == e.TechnologySurrendered("farm", "fisherman", 0)
    assert game.counts("seat.1.farm.fisherman") == {}
    assert game.counts("seat.1.farm.craftsman") == {"craftsman": 1}


@pytest.mark.parametrize(("place", "space"), [("", ""), ("farm", "craftsman"), ("farm", "monk"), ("pub", "any")])
def test_stories_torture_technology__without_one(place: str, space: str) -> None:
    game = torture(create_debt_game(1).fill(1, "farm", "technology", "craftsman"))
    game.reject(1, c.SurrenderTechnology(place, space), "stories.torture.technology", "NO_TECHNOLOGY")


@pytest.mark.parametrize(("place", "space"), [("farm", ""), ("", "fisherman")])
def test_stories_torture_technology__incomplete_space(place: str, space: str) -> None:
    """A place without a space, or a space without a place, does not mean the unplaced tile."""
    game = torture(create_debt_game(1).technology(1).fill(1, "farm", "technology", "craftsman"))
    game.reject(1, c.SurrenderTechnology(place, space), "stories.torture.technology", "NO_TECHNOLOGY")


def test_stories_torture_followers_of_lost_card() -> None:
    """Technology on the card is lost, followers return to the bag, and no seat can take the card again."""
    game = create_debt_game(1).own(1, "bakery").fill(1, "bakery", "technology", "farmer").bag(1)
    torture(game)
    events = game.do(1, c.SurrenderPlaceCard("bakery"))
    assert detail(events, e.PlaceCardSurrendered) == e.PlaceCardSurrendered("bakery", 0)
    assert "bakery" not in game.seat(1).place_tiles.items
    assert "bakery" not in game.seat(1).estate().places
    assert game.t.removed.counts()["bakery"] == 1
    assert game.t.removed.counts()["technology"] == 1
    assert game.counts("place.bakery.craftsman") == game.counts("place.bakery.farmer") == {}
    assert game.seat(1).bag.counts() == {"farmer": 1}
    assert "bakery" not in game.t.cards["II"].items


def test_stories_torture_place_card() -> None:
    """An unlocked base place card counts too; it cannot be unlocked again."""
    game = torture(create_debt_game(1))
    game.do(1, c.SurrenderPlaceCard("university"))
    assert "university" not in game.seat(1).place_tiles.items
    assert "university" not in game.seat(1).base_places.items


@pytest.mark.parametrize("card", ["castle", "farm", "pub"])
def test_stories_torture_place_card__locked_or_not_owned(card: str) -> None:
    game = torture(create_debt_game(1).own(2, "pub"))
    game.reject(1, c.SurrenderPlaceCard(card), "stories.torture.place_card", "NO_SUCH_PLACE_CARD")


def test_stories_torture_citizen() -> None:
    game = torture(create_debt_game(2).citizens(1, 1))
    events = game.do(1, c.SurrenderCitizen())
    assert detail(events, e.CitizenSurrendered) == e.CitizenSurrendered(1)
    assert game.seat(1).citizens.value == 0
    game.reject(1, c.SurrenderCitizen(), "stories.torture.citizen", "NO_CITIZEN")


# --- nothing left --------------------------------------------------------------------------------------------


def test_stories_torture_nothing_left() -> None:
    """Default of reading ``torture_empty``: if nothing is left, the debt lapses and no coin is owed later."""
    game = take_everything(create_debt_game(3)).citizens(1, 1)
    torture(game)
    events = game.do(1, c.SurrenderCitizen())
    assert detail(events, e.DebtLapsed) == e.DebtLapsed(2)
    assert read_debt(game) == 0
    assert game.seat(1).arrears.value == 0
    assert game.t.round.value == 6, "the game continues"


def test_stories_torture_nothing_left__at_once() -> None:
    """A seat without anything to surrender has no decision."""
    events = take_everything(create_debt_game(1)).enter("event")
    assert details(events, e.DebtLapsed) == {1: e.DebtLapsed(1)}


def test_stories_torture_nothing_left__not_while_something_is_left() -> None:
    game = take_everything(create_debt_game(3)).citizens(1, 4)
    torture(game)
    game.do(1, c.SurrenderCitizen(), c.SurrenderCitizen())
    assert game.decision(1) == "torture"


def test_stories_torture_debt_carried() -> None:
    """Reading ``torture_empty``: the debt stays and is paid from the next coins."""
    game = take_everything(create_debt_game(3, torture_empty="debt_stays")).settlers(1, 1)
    torture(game)
    events = game.do(1, c.SurrenderSettler())
    assert detail(events, e.DebtCarried) == e.DebtCarried(2)
    assert game.seat(1).arrears.value == 2

    game.settle("c1r2").settlers(1, 2).settle("c1r2", 1).era(2, 5)
    for coins, arrears in ((0, 1), (0, 0), (1, 0)):
        game.strike("B2")
        assert (game.seat(1).coins.value, game.seat(1).arrears.value) == (coins, arrears)
    assert game.seat(2).coins.value == 3


def test_stories_torture_debt_carried__debts_add_up() -> None:
    game = take_everything(create_debt_game(1, torture_empty="debt_stays"))
    game.enter("event")
    game.strike("B1")
    assert game.seat(1).arrears.value == 3


def test_stories_events_seat_order__of_torture() -> None:
    """Seats are tortured in turn order from the start player."""
    game = create_debt_game(1, players=3).goods(2)
    game.enter("event", start=2)
    assert game.deciding() == [2]
    game.do(2, c.SurrenderSettler())
    assert game.deciding() == [1]
    assert game.decision(1) == "torture"


def test_stories_torture_place_card__with_sealed_plans() -> None:
    """No screen hides the spaces of the surrendered card."""
    game = create_debt_game(1, planning="sealed").own(1, "bakery")
    space = game.table.zones["place.bakery.farmer"]
    assert space.visibility == same_as("seat.1.screen")
    torture(game).do(1, c.SurrenderPlaceCard("bakery"))
    assert space.visibility == PUBLIC
