"""Shields against the harmful events of a title, and payments that replace missing coins."""

from __future__ import annotations

import pytest
from tests.families.followers.hamlet.data import Comforted, PigSold, SellPig, Struck
from tests.families.followers.hamlet.kit import HamletGame, detail, named

from boardkeeper.families.followers import commands as c
from boardkeeper.families.followers import events as e
from boardkeeper.families.followers.phases import sacristy

STRIKES = [("tithe", "tithe"), ("event", "storm")]
"""Phases and the events that they apply: the phase names one, or else it is the event of the round."""


def single_seat_game(**readings: str) -> HamletGame:
    """Create a game of one seat in the last round: it ends after the storm."""
    return HamletGame(1, **readings).at(0, round=3).at(1, coins=0)


def shielded_game(**readings: str) -> HamletGame:
    """Create a game of one seat that has a shield, and coins to pay."""
    return single_seat_game(**readings).own(1, "chapel").fill(1, "chapel").bag(1).at(1, coins=9)


@pytest.mark.parametrize(("phase", "name"), STRIKES)
def test_a_shield_cancels_an_event(phase: str, name: str) -> None:
    game = shielded_game()
    game.enter(phase)
    assert game.legal(1) == [c.UseSacristy(), c.SufferEvent()]
    events = game.do(1, c.UseSacristy())
    assert detail(events, e.SacristyUsed) == e.SacristyUsed(name)
    assert not named(events, "Struck")
    assert game.seat(1).bag.counts() == {"monk": 1}
    assert game.seat(1).coins.value == 9


@pytest.mark.parametrize(("phase", "name"), STRIKES)
def test_a_seat_may_suffer_an_event_and_keep_its_shield(phase: str, name: str) -> None:
    game = shielded_game()
    game.enter(phase)
    events = game.do(1, c.SufferEvent())
    assert detail(events, e.EventSuffered) == e.EventSuffered(name)
    assert detail(events, Struck).by == name
    assert game.counts("place.chapel.monk") == {"monk": 1}


@pytest.mark.parametrize(("phase", "name"), STRIKES)
def test_sacristy_use_automatic_cancels_an_event_at_once(phase: str, name: str) -> None:
    events = shielded_game(sacristy_use="automatic").enter(phase)
    assert detail(events, e.SacristyUsed) == e.SacristyUsed(name)
    assert not named(events, "Struck")


def test_one_of_two_shields_is_used() -> None:
    game = shielded_game().own(1, "cell").fill(1, "cell")
    game.enter("event")
    game.do(1, c.UseSacristy())
    assert game.seat(1).bag.counts() == {"monk": 1}
    assert {**game.counts("place.chapel.monk"), **game.counts("place.cell.monk")} == {"monk": 1}


def test_a_shield_without_its_follower_has_no_effect() -> None:
    game = single_seat_game().own(1, "chapel").at(1, coins=9)
    assert detail(game.enter("event"), Struck) == Struck("storm", 3, 0)


def test_a_phase_without_an_event_cannot_apply_one() -> None:
    game = single_seat_game()
    game.enter("planning")
    with pytest.raises(RuntimeError, match="phase planning applies no event"):
        sacristy.apply_unless_shielded(game.t, game.seat(1))


# --- debts -----------------------------------------------------------------------------------------------------------


def test_the_title_decides_what_replaces_missing_coins() -> None:
    game = single_seat_game().at(1, coins=1)
    assert detail(game.enter("event"), Struck) == Struck("storm", 1, 2)
    assert game.decision(1) == "torture"
    assert game.legal(1) == [SellPig()]
    assert detail(game.do(1, SellPig()), PigSold) == PigSold(1)
    assert game.decision(1) == "torture"
    events = game.do(1, SellPig())
    assert detail(events, PigSold) == PigSold(0)
    assert game.seat(1).debt.value == 0
    assert game.play.is_over()


def test_a_phase_resumes_for_a_seat_that_has_replaced_its_debt() -> None:
    game = single_seat_game().at(1, coins=2)
    game.enter("event")
    events = game.do(1, SellPig())
    assert [event.name for event in events] == ["PigSold", "Comforted", "Ended"]
    assert game.seat(1).coins.value == 1


def test_a_phase_without_resume_continues_with_the_next_phase() -> None:
    game = single_seat_game()
    game.enter("tithe")
    events = game.do(1, SellPig())
    assert not named(events, Comforted.__name__)
    assert game.t.phase.value == "followers"


def test_a_debt_lapses_when_a_seat_has_nothing_left() -> None:
    game = single_seat_game().pigs(1, 1)
    game.enter("event")
    events = game.do(1, SellPig())
    assert [event.name for event in events] == ["PigSold", "DebtLapsed", "Comforted", "Ended"]
    assert detail(events, e.DebtLapsed) == e.DebtLapsed(2)
    assert game.seat(1).coins.value == 1


def test_a_debt_lapses_at_once_if_a_seat_has_nothing() -> None:
    events = single_seat_game().pigs(1, 0).enter("event")
    assert detail(events, Struck) == Struck("storm", 0, 3)
    assert detail(events, e.DebtLapsed) == e.DebtLapsed(3)
    assert not named(events, "Comforted")


def test_a_carried_debt_is_paid_from_the_next_coins() -> None:
    game = single_seat_game(torture_nothing_left="carried").pigs(1, 1)
    game.enter("event")
    events = game.do(1, SellPig())
    assert detail(events, e.DebtCarried) == e.DebtCarried(2)
    assert (game.seat(1).arrears.value, game.seat(1).coins.value) == (1, 0)
