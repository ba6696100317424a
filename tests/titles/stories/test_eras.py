"""Eras: how many followers, which cards, the bonus of the round, and when one may go on."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, details

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

QUIET = "A5"


def about_to_choose(era: int, *, carried_out: bool = False, **readings: str) -> StoriesGame:
    """Seat 1, in that era, has a fame bonus to choose in the phase of actions."""
    game = StoriesGame(2, **readings).own(1, "library").fill(1, "library").fame(1, 2)
    game.era(1, era, carried_out=carried_out)
    game.enter("actions")
    game.do(1, c.UsePlace("library"))
    return game


def bonus(game: StoriesGame, seat: int = 1) -> e.RoundBonusCarriedOut:
    """What the round bonus is to a seat."""
    return details(game.turn(5, QUIET).enter("round_bonus"), e.RoundBonusCarriedOut)[seat]


# --- followers and cards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("era", "draw"), [(1, 4), (2, 7), (3, 5), (4, 6), (5, 7)])
def test_stories_drawing_eras(era: int, draw: int) -> None:
    """So many followers are drawn in the seat's era, whatever the others' are."""
    game = StoriesGame(2).market(1).market(2).bag(1, farmer=9).bag(2, fisherman=9).era(1, era).era(2, 1)
    game.turn(2, QUIET).enter("followers")
    assert c.DrawFollowers(draw) in game.legal(1)
    assert c.DrawFollowers(draw + 1) not in game.legal(1)
    assert c.DrawFollowers(4) in game.legal(2)
    assert c.DrawFollowers(5) not in game.legal(2)


@pytest.mark.parametrize(("era", "open"), [(1, "I"), (2, "I II"), (3, "I II"), (4, "I II III"), (5, "I II III")])
def test_stories_cards_category(era: int, open: str) -> None:
    """Each era opens categories of place cards; a later one never closes what an earlier one opened."""
    game = StoriesGame(2).era(1, era).fill(1, "construction_yard")
    game.enter("actions")
    cards = {"I": "pub", "II": "bakery", "III": "cellar"}
    for category, card in cards.items():
        command = c.TakePlaceCard("construction_yard", card)
        if category in open.split():
            assert command in game.legal(1)
        else:
            game.reject(1, command, "stories.cards.category", "CATEGORY_CLOSED")


# --- the bonus of the round ------------------------------------------------------------------------------------


def test_stories_eras_round_bonus() -> None:
    """Each seat carries out what its own era shows, the start player first, then clockwise."""
    game = StoriesGame(3).era(1, 3).era(2, 4).era(3, 1).turn(5, QUIET)
    events = game.enter("round_bonus", start=2)
    told = details(events, e.RoundBonusCarriedOut)
    assert list(told.items()) == [
        (2, e.RoundBonusCarriedOut(4, coins=1)),
        (3, e.RoundBonusCarriedOut(1, fame=1)),
        (1, e.RoundBonusCarriedOut(3, fame=1)),
    ]


def test_stories_eras_settlement() -> None:
    """Era I: one fame for each own settler on the map, wherever it stands; those on the tracks are not there."""
    game = StoriesGame(2).settle("c1r3", 1).settle("c2r2", 1).settle("c4r3", 2)
    assert bonus(game) == e.RoundBonusCarriedOut(1, fame=3)


def test_stories_eras_expansion() -> None:
    """Era III: one fame for each village that the seat controls, its first one too."""
    game = StoriesGame(2).era(1, 3).settle("c1r3", 1).settle("c2r2", 1).village("c2r2", "c4r3").settle("c4r3", 2)
    assert bonus(game) == e.RoundBonusCarriedOut(3, fame=2)


def test_stories_eras_trade() -> None:
    """Era IV: one coin for each village that the seat controls."""
    game = StoriesGame(2).era(1, 4).settle("c1r3", 1).settle("c2r2", 1).village("c2r2", "c4r3").settle("c4r3", 2)
    assert bonus(game) == e.RoundBonusCarriedOut(4, coins=2)
    assert game.seat(1).coins.value == 2


def test_stories_eras_peace() -> None:
    """Era V: three fame for each church that the seat controls, alone or with others."""
    game = StoriesGame(2).era(1, 5).era(2, 3).fame(1, 50).fame(2, 50)
    game.fortress("c7r3", 0).settle("c7r3", 1, 2).church("c1r2", "c7r3")
    assert bonus(game) == e.RoundBonusCarriedOut(5, fame=6)
    assert game.seat(1).fame.value == 56


def test_stories_peace_on_entering() -> None:
    """Peace is made the moment the figure comes to era V: areas of others are open to it, and its own to them."""
    game = about_to_choose(4, carried_out=True)
    game.fill(1, "territory").settle("c1r3", 2)
    assert not game.seat(1).peace.value
    events = game.do(1, c.AdvanceEra())
    assert detail(events, e.EraEntered) == e.EraEntered(5, peace=True)
    assert game.seat(1).peace.value
    game.do(2, c.Pass())
    game.do(1, c.Expand("territory", "c1r3"))
    assert game.stands_on("c1r3") == {"settler.1": 1, "settler.2": 1}


# --- the gate --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("era", [2, 3, 4])
def test_stories_eras_gate(era: int) -> None:
    """An era that the figure came to can be left only after its bonus was carried out once."""
    game = about_to_choose(era)
    game.reject(1, c.AdvanceEra(), "stories.eras.gate", "NOT_CARRIED_OUT")
    assert c.AdvanceEra() in about_to_choose(era, carried_out=True).legal(1)


def test_stories_eras_gate_by_its_bonus() -> None:
    """It opens with the bonus of the round, and for the next era it is shut again."""
    game = StoriesGame(2).era(1, 3).fame(1, 3)
    game.turn(5, QUIET).enter("round_bonus")
    assert game.decision(1) == "fame_bonus", "the village brought it past a tile"
    game.do(1, c.AdvanceEra())
    assert game.seat(1).era_reached.value == 4
    assert game.seat(1).carried_out.value == 0


def test_stories_eras_gate__two_tiles_in_one_step() -> None:
    """With two tiles one may not go through an era without having carried out its bonus."""
    game = StoriesGame(2).era(1, 3).fame(1, 3)
    for area in ("c1r3", "c2r2", "c2r3"):
        game.settle(area, 1).village(area)
    game.turn(5, QUIET).enter("round_bonus")
    assert game.seat(1).fame_due.value == 2
    game.do(1, c.AdvanceEra())
    game.reject(1, c.AdvanceEra(), "stories.eras.gate", "NOT_CARRIED_OUT")
    game.do(1, c.TakeCitizen())


def test_stories_eras_first_is_open() -> None:
    """Our ruling: nobody came to era I, so it can be left before any bonus."""
    assert c.AdvanceEra() in about_to_choose(1).legal(1)


def test_stories_eras_first_is_closed() -> None:
    """The other reading: not even era I can be left before its bonus."""
    game = about_to_choose(1, era_one_gate="closed")
    game.reject(1, c.AdvanceEra(), "stories.eras.gate", "NOT_CARRIED_OUT")
    assert c.AdvanceEra() in about_to_choose(1, carried_out=True, era_one_gate="closed").legal(1)


def after_a_bonus(villages: int, **readings: str) -> StoriesGame:
    """Seat 1 has carried out the bonus of era IV with so many villages, one at most."""
    game = StoriesGame(2, **readings).era(1, 4).fame(1, 50).fortress("c1r2", 0).settle("c1r2")
    if villages:
        game.settle("c2r2", 1).village("c2r2")
    game.turn(5, QUIET).enter("round_bonus")
    return game


def after_hunger(food: int, **readings: str) -> StoriesGame:
    """Seat 1 in era II has to give one food."""
    game = StoriesGame(2, **readings).era(1, 2).goods(1)
    game.bring("grain", game.seat(1).goods, food)
    game.turn(5, QUIET).enter("round_bonus")
    assert (game.decision(1) == "torture") == (not food)
    return game


def test_stories_eras_carried_out() -> None:
    """Our ruling: a bonus that brings nothing, or a malus that is paid by torture, is carried out all the same."""
    assert after_a_bonus(villages=0).seat(1).carried_out.value
    assert after_a_bonus(villages=1).seat(1).carried_out.value
    assert after_hunger(food=0).seat(1).carried_out.value
    assert after_hunger(food=1).seat(1).carried_out.value


def test_stories_eras_with_effect() -> None:
    """The other reading: a bonus that brings nothing is not."""
    assert not after_a_bonus(villages=0, executed_without_effect="no").seat(1).carried_out.value
    assert after_a_bonus(villages=1, executed_without_effect="no").seat(1).carried_out.value


def test_stories_eras_with_effect__torture() -> None:
    """Under it torture in place of food is no carrying out either."""
    assert not after_hunger(food=0, executed_without_effect="no").seat(1).carried_out.value
    assert after_hunger(food=1, executed_without_effect="no").seat(1).carried_out.value


@pytest.mark.parametrize(("beyond", "carried_out"), [("stop", 0), ("count_on", 1)])
def test_stories_eras_with_effect__steps_beyond_the_track(beyond: str, carried_out: int) -> None:
    """Under it steps that the track no longer has are none."""
    game = StoriesGame(2, executed_without_effect="no", fame_beyond_end=beyond).era(1, 3).fame(1, 90)
    game.turn(5, QUIET).enter("round_bonus")
    assert game.seat(1).carried_out.value == carried_out


def test_stories_eras_last() -> None:
    """Nothing comes after peace."""
    game = about_to_choose(5, carried_out=True)
    game.reject(1, c.AdvanceEra(), "stories.eras.last", "LAST_ERA")


# --- one bonus a round -----------------------------------------------------------------------------------------


def advancing_among_the_bonuses(**readings: str) -> StoriesGame:
    """Seat 1, with two villages, comes from era III to era IV by the fame of its round bonus."""
    game = StoriesGame(2, **readings).era(1, 3).fame(1, 3).settle("c1r3", 1).village("c1r3").era(2, 4)
    game.turn(5, QUIET).enter("round_bonus")
    return game


def test_stories_eras_one_bonus_a_round() -> None:
    """Our ruling: each seat has one round bonus a round; that of an era entered among them comes next round."""
    game = advancing_among_the_bonuses()
    events = game.do(1, c.AdvanceEra())
    assert details(events, e.RoundBonusCarriedOut) == {2: e.RoundBonusCarriedOut(4, coins=1)}
    assert game.seat(1).coins.value == 0
    assert game.seat(1).carried_out.value == 0


def test_stories_eras_next_bonus_at_once() -> None:
    """The other reading: the bonus of the new era follows at once, before the next seat's."""
    game = advancing_among_the_bonuses(one_round_bonus_per_round="no")
    events = game.do(1, c.AdvanceEra())
    assert list(details(events, e.RoundBonusCarriedOut).items()) == [
        (1, e.RoundBonusCarriedOut(4, coins=2)),
        (2, e.RoundBonusCarriedOut(4, coins=1)),
    ]
    assert game.seat(1).coins.value == 2
    assert game.seat(1).carried_out.value == 1


@pytest.mark.parametrize("reading", ["yes", "no"])
def test_stories_eras_one_bonus_a_round__an_era_entered_before_them(reading: str) -> None:
    """Whoever comes to an era before the bonuses has that era's, once, under either reading."""
    game = StoriesGame(2, one_round_bonus_per_round=reading).era(1, 3, carried_out=True).fame(1, 3).fame(2, 50)
    game.strike("B4")
    assert game.t.phase.value == "event"
    game.do(1, c.AdvanceEra())
    assert game.seat(1).coins.value == 1
    assert game.seat(1).carried_out.value == 1
