"""Trading Day: coins for trading stations."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame, details

from boardkeeper.titles.orleans import events as e


def hold_trading_day(strength: str) -> dict[int, int]:
    """Return the coins of seats with no, one and four stations on the map, and check the events."""
    game = OrleansGame(3)
    game.stations(2, "orleans").stations(3, "orleans", "blois", "tours", "nevers")
    for seat in (1, 2, 3):
        game.at(seat, coins=10)
    events = game.strike("trading_day", strength)
    by_seat = details(events, e.TradingDayHeld)
    assert by_seat[2].stations == 1
    assert by_seat[3].stations == 4
    received = {seat: game.seat(seat).coins.value - 10 for seat in (1, 2, 3)}
    assert {seat: detail.coins for seat, detail in by_seat.items()} == {2: received[2], 3: received[3]}
    return received


def test_orleans_trading_day_strength_a() -> None:
    """Page 7: three coins for each station on the map, and none for those in the supply."""
    assert hold_trading_day("A") == {1: 0, 2: 3, 3: 12}


def test_orleans_trading_day_strength_b() -> None:
    """Page 7: two coins for each station on the map."""
    assert hold_trading_day("B") == {1: 0, 2: 2, 3: 8}


def test_orleans_trading_day_strength_c() -> None:
    """Page 7: one coin for each station on the map."""
    assert hold_trading_day("C") == {1: 0, 2: 1, 3: 4}
