"""The order of seats in the event phase."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame, named

from boardkeeper.titles.orleans import commands as c


def test_orleans_events_order() -> None:
    """Our ruling: the event applies to the seats clockwise, beginning with the start player."""
    events = OrleansGame(4).strike("income", start=3)
    assert [event.seat for event in named(events, "IncomeReceived")] == [3, 4, 1, 2]


def test_orleans_events_order__one_seat_settles_before_the_next() -> None:
    """Our ruling: the seats after one with a decision wait, and the event applies to each seat once."""
    game = OrleansGame(4)
    for seat in (1, 2, 3, 4):
        game.at(seat, coins=1).goods(seat, wool=1, brocade=1).bag(seat)

    paid = named(game.strike("taxes", start=3), "TaxesPaid")
    for seat in (3, 4, 1, 2):
        assert game.deciding() == [seat]
        assert [event.seat for event in paid] == [seat], "the seats after it have not paid yet"
        game.reject(seat % 4 + 1, c.SurrenderGood("wool"), "table.not_deciding")
        paid = named(game.do(seat, c.SurrenderGood("wool")), "TaxesPaid")
    assert paid == []
    assert game.t.round.value == 6


def test_orleans_events_simultaneous() -> None:
    """The other reading: no seat waits, and the next round begins after the last decision."""
    game = OrleansGame(4, event_order="simultaneous")
    for seat in (1, 2, 3, 4):
        game.at(seat, coins=seat - 1).goods(seat, wool=1, brocade=1).bag(seat)
    paid = named(game.strike("taxes", start=3), "TaxesPaid")
    assert sorted(event.seat for event in paid) == [1, 2, 3, 4]
    assert game.deciding() == [1, 2], "seats 3 and 4 could pay"
    game.do(2, c.SurrenderGood("wool"))
    game.do(1, c.SurrenderGood("wool"))
    assert game.t.round.value == 5
    game.do(1, c.SurrenderGood("brocade"))
    assert game.t.round.value == 6


def test_orleans_events_simultaneous__harvest_and_sacristy() -> None:
    """The other reading: each seat continues its harvest independently of the others."""
    game = OrleansGame(3, event_order="simultaneous").own(2, "sacristy").fill(2, "sacristy")
    for seat in (1, 2, 3):
        game.at(seat, coins=0).goods(seat, grain=2)
    game.goods(3, grain=1)
    game.strike("harvest", "B")
    assert [game.decision(seat) for seat in (1, 2, 3)] == ["harvest", "sacristy", "harvest"]
    game.do(3, c.GiveFood("grain"))
    assert [game.decision(seat) for seat in (1, 2, 3)] == ["harvest", "sacristy", "torture"]
    game.do(1, c.GiveFood("grain"), c.GiveFood("grain"))
    game.do(2, c.UseSacristy())
    assert game.deciding() == [3]
    assert game.seat(2).goods.counts() == {"grain": 2}
    for _ in range(5):
        assert game.t.round.value == 5
        game.do(3, c.SurrenderTradingStation())
    assert game.t.round.value == 6


def test_orleans_events_ungraded() -> None:
    """Option of the first printings, without letters: 1 coin per status, 1 food, 1 coin for 3 goods or a station."""
    game = OrleansGame(2, hour_glass="ungraded").stations(1, "blois", "tours").goods(1, grain=8).bag(1).bag(2)
    (pile,) = [name for name in game.t.hour_glass if name != "START"]
    assert game.t.hour_glass[pile].total() == 17
    assert len(game.t.hour_glass[pile].items) == 6, "all events are in one pile"

    game.at(1, coins=10, development=9).strike("income", pile)
    assert game.seat(1).coins.value == 13
    game.strike("taxes", pile)
    assert game.seat(1).coins.value == 11
    game.strike("trading_day", pile)
    assert game.seat(1).coins.value == 13
    game.at(2, coins=50).strike("harvest", pile)
    game.do(1, c.GiveFood("grain"))
    assert game.decision(1) == ""
