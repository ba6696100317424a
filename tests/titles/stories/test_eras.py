"""Eras: the number of followers drawn, place cards, the round bonus, and the condition for the next era."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, details

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

QUIET = "A5"


def create_game_before_fame_bonus(era: int, *, carried_out: bool = False, **readings: str) -> StoriesGame:
    """Seat 1, in this era, has to choose a fame bonus during the actions."""
    game = StoriesGame(2, **readings).own(1, "library").fill(1, "library").fame(1, 2)
    game.era(1, era, carried_out=carried_out)
    game.enter("actions")
    game.do(1, c.UsePlace("library"))
    return game


def run_round_bonus(game: StoriesGame, seat: int = 1) -> e.RoundBonusCarriedOut:
    """Return the round bonus of a seat."""
    return details(game.turn(5, QUIET).enter("round_bonus"), e.RoundBonusCarriedOut)[seat]


# --- followers and cards -------------------------------------------------------------------------------------


# --- the round bonus -----------------------------------------------------------------------------------------


def test_stories_eras_round_bonus() -> None:
    """Each seat gets the bonus of its era, in turn order from the start player."""
    game = StoriesGame(3).era(1, 3).era(2, 4).era(3, 1).turn(5, QUIET)
    events = game.enter("round_bonus", start=2)
    bonuses = details(events, e.RoundBonusCarriedOut)
    assert list(bonuses.items()) == [
        (2, e.RoundBonusCarriedOut(4, coins=1)),
        (3, e.RoundBonusCarriedOut(1, fame=1)),
        (1, e.RoundBonusCarriedOut(3, fame=1)),
    ]


def test_stories_eras_settlement() -> None:
    """Era I: one fame for each own settler on the map, not for those on tracks."""
    game = StoriesGame(2).settle("c1r3", 1).settle("c2r2", 1).settle("c4r3", 2)
    assert run_round_bonus(game) == e.RoundBonusCarriedOut(1, fame=3)


def test_stories_eras_expansion() -> None:
    """Era III: one fame for each controlled village, the first village included."""
    game = StoriesGame(2).era(1, 3).settle("c1r3", 1).settle("c2r2", 1).village("c2r2", "c4r3").settle("c4r3", 2)
    assert run_round_bonus(game) == e.RoundBonusCarriedOut(3, fame=2)


def test_stories_eras_trade() -> None:
    """Era IV: one coin for each controlled village."""
    game = StoriesGame(2).era(1, 4).settle("c1r3", 1).settle("c2r2", 1).village("c2r2", "c4r3").settle("c4r3", 2)
    assert run_round_bonus(game) == e.RoundBonusCarriedOut(4, coins=2)
    assert game.seat(1).coins.value == 2


def test_stories_eras_peace() -> None:
    """Era V: three fame for each church that the seat controls, alone or with others."""
    game = StoriesGame(2).era(1, 5).era(2, 3).fame(1, 50).fame(2, 50)
    game.fortress("c7r3", 0).settle("c7r3", 1, 2).church("c1r2", "c7r3")
    assert run_round_bonus(game) == e.RoundBonusCarriedOut(5, fame=6)
    assert game.seat(1).fame.value == 56


def test_stories_peace_on_entering() -> None:
    """A seat is at peace as soon as it enters era V: areas can be shared."""
    game = create_game_before_fame_bonus(4, carried_out=True)
    game.fill(1, "territory").settle("c1r3", 2)
    assert not game.seat(1).peace.value
    events = game.do(1, c.AdvanceEra())
    assert detail(events, e.EraEntered) == e.EraEntered(5, peace=True)
    assert game.seat(1).peace.value
    game.do(2, c.Pass())
    game.do(1, c.Expand("territory", "c1r3"))
    assert game.stands_on("c1r3") == {"settler.1": 1, "settler.2": 1}


# --- leaving an era ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("era", [2, 3, 4])
def test_stories_eras_gate(era: int) -> None:
    """An entered era can be left only after its bonus was carried out once."""
    game = create_game_before_fame_bonus(era)
    game.reject(1, c.AdvanceEra(), "stories.eras.gate", "NOT_CARRIED_OUT")
    assert c.AdvanceEra() in create_game_before_fame_bonus(era, carried_out=True).legal(1)


def test_stories_eras_gate_by_its_bonus() -> None:
    """The round bonus allows the seat to leave its era, but not the next one."""
    game = StoriesGame(2).era(1, 3).fame(1, 3)
    game.turn(5, QUIET).enter("round_bonus")
    assert game.decision(1) == "fame_bonus", "the fame of the village reaches a tile"
    game.do(1, c.AdvanceEra())
    assert game.seat(1).era_reached.value == 4
    assert game.seat(1).carried_out.value == 0


def test_stories_eras_gate__two_tiles_in_one_step() -> None:
    """A seat cannot pass through an era without its bonus."""
    game = StoriesGame(2).era(1, 3).fame(1, 3)
    for area in ("c1r3", "c2r2", "c2r3"):
        game.settle(area, 1).village(area)
    game.turn(5, QUIET).enter("round_bonus")
    assert game.seat(1).fame_due.value == 2
    game.do(1, c.AdvanceEra())
    game.reject(1, c.AdvanceEra(), "stories.eras.gate", "NOT_CARRIED_OUT")
    game.do(1, c.TakeCitizen())


def test_stories_eras_first_is_open() -> None:
    """Default of reading ``era_one_gate``: era I can be left before any bonus."""
    assert c.AdvanceEra() in create_game_before_fame_bonus(1).legal(1)


def test_stories_eras_first_is_closed() -> None:
    """Reading ``era_one_gate``."""
    game = create_game_before_fame_bonus(1, era_one_gate="closed")
    game.reject(1, c.AdvanceEra(), "stories.eras.gate", "NOT_CARRIED_OUT")
    assert c.AdvanceEra() in create_game_before_fame_bonus(1, carried_out=True, era_one_gate="closed").legal(1)


def run_bonus_of_era_four(villages: int, **readings: str) -> StoriesGame:
    """Seat 1 carries out the bonus of era IV with at most one village."""
    game = StoriesGame(2, **readings).era(1, 4).fame(1, 50).fortress("c1r2", 0).settle("c1r2")
    if villages:
        game.settle("c2r2", 1).village("c2r2")
    game.turn(5, QUIET).enter("round_bonus")
    return game


def run_hunger(food: int, **readings: str) -> StoriesGame:
    """Seat 1 in era II has to give one food."""
    game = StoriesGame(2, **readings).era(1, 2).goods(1)
    game.bring("grain", game.seat(1).goods, food)
    game.turn(5, QUIET).enter("round_bonus")
    assert (game.decision(1) == "torture") == (not food)
    return game


def test_stories_eras_carried_out() -> None:
    """Default of reading ``executed_without_effect``: a bonus without effect, or paid by torture, is carried out."""
    assert run_bonus_of_era_four(villages=0).seat(1).carried_out.value
    assert run_bonus_of_era_four(villages=1).seat(1).carried_out.value
    assert run_hunger(food=0).seat(1).carried_out.value
    assert run_hunger(food=1).seat(1).carried_out.value


def test_stories_eras_with_effect() -> None:
    """Reading ``executed_without_effect``: a bonus without effect is not carried out."""
    assert not run_bonus_of_era_four(villages=0, executed_without_effect="no").seat(1).carried_out.value
    assert run_bonus_of_era_four(villages=1, executed_without_effect="no").seat(1).carried_out.value


def test_stories_eras_with_effect__torture() -> None:
    """With this reading, torture instead of food is not carried out either."""
    assert not run_hunger(food=0, executed_without_effect="no").seat(1).carried_out.value
    assert run_hunger(food=1, executed_without_effect="no").seat(1).carried_out.value


@pytest.mark.parametrize(("beyond", "carried_out"), [("stop", 0), ("count_on", 1)])
def test_stories_eras_with_effect__steps_beyond_the_track(beyond: str, carried_out: int) -> None:
    """With this reading, fame beyond the end of the track is no effect."""
    game = StoriesGame(2, executed_without_effect="no", fame_beyond_end=beyond).era(1, 3).fame(1, 90)
    game.turn(5, QUIET).enter("round_bonus")
    assert game.seat(1).carried_out.value == carried_out


def test_stories_eras_last() -> None:
    """No era follows era V."""
    game = create_game_before_fame_bonus(5, carried_out=True)
    game.reject(1, c.AdvanceEra(), "stories.eras.last", "LAST_ERA")


# --- one bonus in each round ---------------------------------------------------------------------------------


def advance_during_round_bonuses(**readings: str) -> StoriesGame:
    """Seat 1, in era III with two villages, reaches a tile with the fame of its round bonus."""
    game = StoriesGame(2, **readings).era(1, 3).fame(1, 3).settle("c1r3", 1).village("c1r3").era(2, 4)
    game.turn(5, QUIET).enter("round_bonus")
    return game


def test_stories_eras_one_bonus_a_round() -> None:
    """Default of reading ``one_round_bonus_per_round``: the bonus of the new era comes in the next round."""
    game = advance_during_round_bonuses()
    events = game.do(1, c.AdvanceEra())
    assert details(events, e.RoundBonusCarriedOut) == {2: e.RoundBonusCarriedOut(4, coins=1)}
    assert game.seat(1).coins.value == 0
    assert game.seat(1).carried_out.value == 0


def test_stories_eras_next_bonus_at_once() -> None:
    """Reading ``one_round_bonus_per_round``: the bonus of the new era follows at once, before the next seat."""
    game = advance_during_round_bonuses(one_round_bonus_per_round="no")
    events = game.do(1, c.AdvanceEra())
    assert list(details(events, e.RoundBonusCarriedOut).items()) == [
        (1, e.RoundBonusCarriedOut(4, coins=2)),
        (2, e.RoundBonusCarriedOut(4, coins=1)),
    ]
    assert game.seat(1).coins.value == 2
    assert game.seat(1).carried_out.value == 1


@pytest.mark.parametrize("reading", ["yes", "no"])
def test_stories_eras_one_bonus_a_round__era_entered_before_the_bonuses(reading: str) -> None:
    """A seat that enters an era before the bonuses gets its bonus once, with either reading."""
    game = StoriesGame(2, one_round_bonus_per_round=reading).era(1, 3, carried_out=True).fame(1, 3).fame(2, 50)
    game.strike("B4")
    assert game.t.phase.value == "event"
    game.do(1, c.AdvanceEra())
    assert game.seat(1).coins.value == 1
    assert game.seat(1).carried_out.value == 1
