"""Shields against whatever a title lets strike, and what it lets replace missing coins."""

from __future__ import annotations

import pytest
from tests.families.followers.hamlet.data import Comforted, PigSold, SellPig, Struck
from tests.families.followers.hamlet.kit import HamletGame, detail, named

from boardkeeper.families.followers import commands as c
from boardkeeper.families.followers import events as e
from boardkeeper.families.followers.phases import sacristy

STRIKES = [("tithe", "tithe"), ("event", "storm")]
"""Phases, and what strikes in them: what the phase says, or else the event of the round."""


def alone(**readings: str) -> HamletGame:
    """One seat in the last round, so that nothing follows the storm."""
    return HamletGame(1, **readings).at(0, round=3).at(1, coins=0)


def shielded(**readings: str) -> HamletGame:
    """It can pay, and need not."""
    return alone(**readings).own(1, "chapel").fill(1, "chapel").bag(1).at(1, coins=9)


@pytest.mark.parametrize(("phase", "name"), STRIKES)
def test_a_shield_wards_off_what_strikes_in_the_phase_whatever_it_is_called(phase: str, name: str) -> None:
    game = shielded()
    game.enter(phase)
    assert game.legal(1) == [c.UseSacristy(), c.SufferEvent()]
    events = game.do(1, c.UseSacristy())
    assert detail(events, e.SacristyUsed) == e.SacristyUsed(name)
    assert not named(events, "Struck")
    assert game.seat(1).bag.counts() == {"monk": 1}
    assert game.seat(1).coins.value == 9


@pytest.mark.parametrize(("phase", "name"), STRIKES)
def test_a_shield_may_be_kept_and_what_strikes_is_the_phase_s_own(phase: str, name: str) -> None:
    game = shielded()
    game.enter(phase)
    events = game.do(1, c.SufferEvent())
    assert detail(events, e.EventSuffered) == e.EventSuffered(name)
    assert detail(events, Struck).by == name
    assert game.counts("place.chapel.monk") == {"monk": 1}


@pytest.mark.parametrize(("phase", "name"), STRIKES)
def test_a_shield_wards_off_at_once_where_that_is_the_reading(phase: str, name: str) -> None:
    events = shielded(sacristy_use="automatic").enter(phase)
    assert detail(events, e.SacristyUsed) == e.SacristyUsed(name)
    assert not named(events, "Struck")


def test_of_two_shields_one_is_used() -> None:
    game = shielded().own(1, "cell").fill(1, "cell")
    game.enter("event")
    game.do(1, c.UseSacristy())
    assert game.seat(1).bag.counts() == {"monk": 1}
    assert {**game.counts("place.chapel.monk"), **game.counts("place.cell.monk")} == {"monk": 1}


def test_a_shield_without_its_follower_is_none() -> None:
    game = alone().own(1, "chapel").at(1, coins=9)
    assert detail(game.enter("event"), Struck) == Struck("storm", 3, 0)


def test_nothing_strikes_in_a_phase_that_does_not_say_what_it_does_to_a_seat() -> None:
    game = alone()
    game.enter("planning")
    with pytest.raises(RuntimeError, match="phase planning applies no event"):
        sacristy.apply_unless_shielded(game.t, game.seat(1))


# --- debts -----------------------------------------------------------------------------------------------------------


def test_what_replaces_missing_coins_is_the_title_s_own() -> None:
    game = alone().at(1, coins=1)
    assert detail(game.enter("event"), Struck) == Struck("storm", 1, 2)
    assert game.decision(1) == "torture"
    assert game.legal(1) == [SellPig()]
    assert detail(game.do(1, SellPig()), PigSold) == PigSold(1)
    assert game.decision(1) == "torture"
    events = game.do(1, SellPig())
    assert detail(events, PigSold) == PigSold(0)
    assert game.seat(1).debt.value == 0
    assert game.play.is_over()


def test_who_owes_nothing_any_more_goes_on_with_what_the_phase_has_left_for_it() -> None:
    game = alone().at(1, coins=2)
    game.enter("event")
    events = game.do(1, SellPig())
    assert [event.name for event in events] == ["PigSold", "Comforted", "Ended"]
    assert game.seat(1).coins.value == 1


def test_a_phase_may_have_nothing_left() -> None:
    game = alone()
    game.enter("tithe")
    events = game.do(1, SellPig())
    assert not named(events, Comforted.__name__)
    assert game.t.phase.value == "followers"


def test_what_nothing_is_left_for_lapses() -> None:
    game = alone().pigs(1, 1)
    game.enter("event")
    events = game.do(1, SellPig())
    assert [event.name for event in events] == ["PigSold", "DebtLapsed", "Comforted", "Ended"]
    assert detail(events, e.DebtLapsed) == e.DebtLapsed(2)
    assert game.seat(1).coins.value == 1


def test_a_seat_that_has_nothing_is_not_asked() -> None:
    events = alone().pigs(1, 0).enter("event")
    assert detail(events, Struck) == Struck("storm", 0, 3)
    assert detail(events, e.DebtLapsed) == e.DebtLapsed(3)
    assert not named(events, "Comforted")


def test_what_is_carried_is_paid_from_the_next_coins() -> None:
    game = alone(torture_nothing_left="carried").pigs(1, 1)
    game.enter("event")
    events = game.do(1, SellPig())
    assert detail(events, e.DebtCarried) == e.DebtCarried(2)
    assert (game.seat(1).arrears.value, game.seat(1).coins.value) == (1, 0)
