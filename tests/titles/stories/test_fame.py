"""The fame track: reached and passed tiles, and their bonuses."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, details

from boardkeeper.table.visibility import same_as
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

LOCKED = ("castle", "church_building", "fortress_building", "monastery", "workshop")
"""The base place cards that are locked at the start, by name."""


def create_library_game(space: int, **choices: str) -> StoriesGame:
    """Seat 1 is on this space and can gain two fame with its Library; there are tiles on 4, 7, 10."""
    game = StoriesGame(2, **choices).own(1, "library").fill(1, "library").fame(1, space)
    game.enter("actions")
    return game


def create_game_before_tiles(players: int = 3) -> StoriesGame:
    """All seats are one space before a tile, and share the last place on the track."""
    game = StoriesGame(players)
    for seat in range(1, players + 1):
        game.fame(seat, 3)
    return game


# --- tiles ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("space", "tiles"), [(1, 0), (2, 1), (3, 1), (4, 0), (5, 1), (6, 1), (7, 0), (40, 0)])
def test_stories_fame_tiles(space: int, tiles: int) -> None:
    """A tile counts if the marker reaches or passes it, not if it starts there."""
    game = create_library_game(space)
    events = game.do(1, c.UsePlace("library"))
    assert detail(events, e.FameGained) == e.FameGained(space + 2, tiles)
    assert game.seat(1).fame_due.value == tiles
    assert game.decision(1) == ("fame_bonus" if tiles else "")


def test_stories_fame_tiles__for_every_seat() -> None:
    """Tiles stay: each seat that reaches one has the choice."""
    game = StoriesGame(2).fame(1, 3).fame(2, 3)
    events = game.strike("B4")
    assert {seat: gained.tiles for seat, gained in details(events, e.FameGained).items()} == {1: 1, 2: 1}
    game.do(1, c.TakeCitizen())
    game.do(2, c.TakeCitizen())
    assert [game.seat(seat).citizens.value for seat in (1, 2)] == [1, 1]


def test_stories_fame_one_by_one() -> None:
    """A seat that passes several tiles chooses for each of them in turn, before the next seat continues."""
    game = StoriesGame(2).fame(1, 3).era(1, 5, carried_out=True).church("c1r2", "c7r3").settle("c7r3", 1, 2)
    game.fortress("c7r3", 0).era(2, 5, carried_out=True).fame(2, 50)
    game.turn(5, "A5").enter("round_bonus")
    assert game.seat(1).fame.value == 9, "three steps for each of two churches"
    assert game.seat(1).fame_due.value == 2

    game.do(1, c.TakeCitizen())
    assert game.deciding() == [1]
    assert game.seat(1).fame_due.value == 1
    assert game.seat(2).fame.value == 50, "the other seat's bonus waits"

    game.do(1, c.UnlockPlace("castle"))
    assert game.seat(1).fame_due.value == 0
    assert game.seat(1).citizens.value == 1
    assert game.seat(2).fame.value == 53


def test_stories_events_seat_order__fame_bonuses() -> None:
    """If several seats have a choice, they choose in turn order from the start player."""
    game = create_game_before_tiles()
    game.strike("B4", start=2)
    order = []
    while game.decision(game.deciding()[0]) == "fame_bonus":
        (seat,) = game.deciding()
        order.append(seat)
        game.do(seat, c.TakeCitizen())
    assert order == [2, 3, 1]


def test_stories_fame_one_by_one__before_the_next_seat_acts() -> None:
    """During the actions the seat chooses at once; then the next seat acts."""
    game = create_library_game(2)
    game.do(1, c.UsePlace("library"))
    assert game.deciding() == [1]
    game.reject(1, c.Pass(), "table.wrong_decision")
    game.reject(2, c.Pass(), "table.not_deciding")
    game.do(1, c.TakeCitizen())
    assert game.deciding() == [2]
    assert game.decision(2) == "act"


@pytest.mark.parametrize(("data_set", "first", "last"), [("reconstructed-1", 4, 40), ("reconstructed-2", 6, 78)])
def test_stories_fame_bonus_spaces(data_set: str, first: int, last: int) -> None:
    """Thirteen spaces from the data set, between the start and the end of the track."""
    data = StoriesGame(2, data_set=data_set).data
    spaces = data.fame_bonuses
    assert len(set(spaces)) == 13
    assert list(spaces) == sorted(spaces)
    assert (spaces[0], spaces[-1]) == (first, last)
    assert data.start_fame < first
    assert last <= data.fame_length


def test_stories_fame_bonus_spaces__of_another_data_set() -> None:
    """The second data set has a tile on space 6, not on 4."""
    game = create_library_game(3, data_set="reconstructed-2")
    game.do(1, c.UsePlace("library"))
    assert game.decision(1) == ""
    game = create_library_game(4, data_set="reconstructed-2")
    game.do(1, c.UsePlace("library"))
    assert game.decision(1) == "fame_bonus"


# --- bonuses -------------------------------------------------------------------------------------------------


def test_stories_fame_tiles__what_they_offer() -> None:
    """Unlock a base place card, advance an era, take a citizen, or nothing."""
    game = create_library_game(2)
    game.do(1, c.UsePlace("library"))
    assert game.legal(1) == [
        *(c.UnlockPlace(place) for place in LOCKED),
        c.AdvanceEra(),
        c.TakeCitizen(),
        c.DeclineBonus(),
    ]


def test_stories_fame_unlock() -> None:
    """The card is unlocked for this seat only."""
    game = create_library_game(2)
    game.do(1, c.UsePlace("library"))
    events = game.do(1, c.UnlockPlace("castle"))
    assert detail(events, e.PlaceUnlocked).place == "castle"
    assert set(game.seat(1).place_tiles.items) == {"university", "library", "castle"}
    assert "castle" in game.seat(2).base_places.items
    assert "castle" in game.seat(1).estate().places
    assert "castle" not in game.seat(2).estate().places


def test_stories_fame_unlock__usable_at_once() -> None:
    """A follower can be placed on it in the same phase, here one drawn by the Bathhouse."""
    game = StoriesGame(2).own(1, "library", "bathhouse").fill(1, "library").fill(1, "bathhouse", "farmer").fame(1, 2)
    game.fill(1, "university").unlock(1, "fortress_building").unlock(2, "castle")
    game.bag(1, scholar=2).enter("actions")
    game.do(1, c.UsePlace("library"))
    game.do(1, c.UnlockPlace("workshop"))
    game.do(2, c.Pass())
    game.bag(1, scholar=2)
    game.do(1, c.UsePlace("bathhouse"))
    game.do(1, c.PlaceDrawnFollower("scholar", "workshop", "scholar"))
    assert game.counts("seat.1.workshop.scholar") == {"scholar": 1}


@pytest.mark.parametrize("place", ["university", "castle", "pub", "farm"])
def test_stories_fame_unlock__only_own_locked_places(place: str) -> None:
    game = create_library_game(2).unlock(1, "castle")
    game.do(1, c.UsePlace("library"))
    game.reject(1, c.UnlockPlace(place), "stories.fame.unlock", "NOT_LOCKED")


def test_stories_fame_unlock__behind_the_screen() -> None:
    """With sealed plans followers on the new card are hidden until all seats have planned."""
    game = StoriesGame(2, planning="sealed").own(1, "library").fill(1, "library").fame(1, 2)
    game.enter("actions")
    game.do(1, c.UsePlace("library"))
    game.do(1, c.UnlockPlace("castle"))
    game.market(1, trader=1).enter("planning")
    game.do(1, c.PlaceFollower("trader", "castle", "trader"))
    zone = game.table.zones["seat.1.castle.trader"]
    assert zone.visibility == same_as("seat.1.screen")
    assert game.table.markers["seat.1.screen"].visibility != "public"


def test_stories_fame_advance() -> None:
    """The marker moves to the next era; its bonus is not carried out yet."""
    game = create_library_game(2)
    game.do(1, c.UsePlace("library"))
    events = game.do(1, c.AdvanceEra())
    assert detail(events, e.EraEntered) == e.EraEntered(2, peace=False)
    assert game.seat(1).era_reached.value == 2
    assert game.seat(1).carried_out.value == 0
    assert game.seat(2).era_reached.value == 1


def test_stories_fame_citizen() -> None:
    """The number of citizens is unlimited."""
    game = create_library_game(2).citizens(1, 30)
    game.do(1, c.UsePlace("library"))
    game.do(1, c.TakeCitizen())
    assert game.seat(1).citizens.value == 31


def test_stories_fame_optional() -> None:
    """A declined bonus is lost."""
    game = create_library_game(2)
    game.do(1, c.UsePlace("library"))
    events = game.do(1, c.DeclineBonus())
    assert detail(events, e.BonusDeclined) == e.BonusDeclined("fame_bonus")
    assert game.seat(1).citizens.value == 0
    assert game.seat(1).fame_due.value == 0
    assert game.deciding() == [2]


def test_stories_fame_optional__only_a_citizen_left() -> None:
    """If all places are unlocked and the last era is reached, only a citizen is offered."""
    game = create_library_game(2).unlock(1).era(1, 5, carried_out=True)
    game.do(1, c.UsePlace("library"))
    assert game.legal(1) == [c.TakeCitizen(), c.DeclineBonus()]


# --- the end of the track ------------------------------------------------------------------------------------


def test_stories_fame_end() -> None:
    """Default of reading ``fame_beyond_end``: the marker stops on the last space."""
    game = create_library_game(89)
    events = game.do(1, c.UsePlace("library"))
    assert detail(events, e.FameGained) == e.FameGained(90, 0)
    assert game.seat(1).fame.value == 90


def test_stories_fame_end__nothing_beyond() -> None:
    """Fame on the last space has no effect and no event."""
    game = create_library_game(90)
    events = game.do(1, c.UsePlace("library"))
    assert details(events, e.FameGained) == {}
    assert game.seat(1).fame.value == 90
    assert game.deciding() == [2]


def test_stories_fame_beyond_the_end() -> None:
    """Reading ``fame_beyond_end``: fame is counted beyond the track, which can break a tie."""
    game = create_library_game(90, fame_beyond_end="count_on")
    events = game.do(1, c.UsePlace("library"))
    assert detail(events, e.FameGained) == e.FameGained(92, 0)
