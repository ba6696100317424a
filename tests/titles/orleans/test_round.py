"""The course of play: 18 rounds of seven phases."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame, detail, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e


def test_orleans_round_eighteen() -> None:
    """The game ends after the round of the 18th tile (p. 3), not when that tile is turned."""
    game = OrleansGame(2)
    for _ in range(17):
        game.idle_round()

    assert game.t.round.value == 18
    assert sum(game.board(0).hour_glass.remaining.values()) == 0
    assert not game.play.is_over()
    assert game.play.standings() == []

    events = game.idle_round()

    assert game.play.is_over()
    assert game.deciding() == []
    assert len(named(events, "SeatScored")) == 2
    assert not named(events, "HourGlassTurned")


def test_orleans_round_phases() -> None:
    """The order of phases: hour glass, census, followers, planning, actions, event, start player (p. 3-4)."""
    game = OrleansGame(3).next_tile("trading_day", "A")
    game.stations(1, "blois").stations(2, "tours").stations(3, "nevers")
    for seat in (1, 2, 3):
        game.market(seat).bag(seat, farmer=5)

    events = game.enter("hour_glass")
    game.bring("taxes.B", game.t.hour_glass["B"])
    events += game.idle_round()

    course = [event.detail.phase if isinstance(event.detail, e.PhaseBegun) else event.name for event in events]
    assert course == [
        "HourGlassTurned",
        "CensusHeld",
        "followers",
        *["FollowersDrawn"] * 3,
        "planning",
        *["PlanningFinished"] * 3,
        "actions",
        *["Passed"] * 3,
        "event",
        *["TradingDayHeld"] * 3,
        "StartPlayerChanged",
        "HourGlassTurned",
        "CensusHeld",
        "followers",
    ]


def test_orleans_round_hour_glass() -> None:
    """Phase 1 turns the tile with the event of the round; that of the last round is past (p. 3)."""
    game = OrleansGame(2)
    assert game.counts("hour_glass.current") == {"pilgrimage.START": 1}

    events = game.idle_round()

    turned = detail(events, e.HourGlassTurned)
    tile = f"{turned.event}.{turned.strength}"
    assert (turned.round, turned.start_seat) == (2, 2)
    assert game.counts("hour_glass.current") == {tile: 1}
    assert game.counts("hour_glass.past") == {"pilgrimage.START": 1}
    assert tile not in game.board(0).hour_glass.remaining
    assert sum(game.board(0).hour_glass.remaining.values()) == 16
    assert (game.board(0).hour_glass.event, game.board(0).hour_glass.strength) == (turned.event, turned.strength)


def test_orleans_round_event_late__income() -> None:
    """An event applies in phase 6 to the table at that time: status gained in phase 5 counts (p. 3)."""
    game = OrleansGame(2).next_tile("income", "B")
    game.at(1, development=3).fill(1, "scriptorium")
    game.enter("hour_glass")
    game.bring("taxes.B", game.t.hour_glass["B"]).idle_until("actions")
    assert [seat.coins for seat in game.board(0).seats] == [5, 5]

    game.do(1, c.UsePlace("scriptorium"))
    game.idle(2)
    assert [seat.coins for seat in game.board(0).seats] == [5, 5]
    events = game.idle(1)

    assert [event.detail for event in named(events, "IncomeReceived")] == [e.IncomeReceived(4), e.IncomeReceived(2)]


def test_orleans_round_event_late__pilgrimage() -> None:
    """Only Pilgrimage applies in phase 5, in which no monk can be recruited, and not in phase 6 (p. 3, 7)."""
    game = OrleansGame(2).next_tile("pilgrimage", "B")
    game.fill(1, "monastery").enter("hour_glass")
    game.idle_until("actions")

    game.reject(1, c.RecruitFollower("monastery", "monk"), "orleans.monastery.not_during_pilgrimage")
    coins = [seat.coins for seat in game.board(0).seats]
    game.bring("taxes.C", game.t.hour_glass["C"])
    events = game.idle_round()

    assert [seat.coins for seat in game.board(0).seats] == coins
    assert [event.name for event in events[:5]] == [
        "Passed",
        "Passed",
        "PhaseBegun",
        "StartPlayerChanged",
        "HourGlassTurned",
    ]


def test_orleans_round_start_player_moves_on() -> None:
    """Phase 7 passes the token to the next seat, and from the last seat to the first (p. 4)."""
    game = OrleansGame(3)
    starts = [1]
    deciding = []

    for _ in range(4):
        game.idle_until("actions")
        deciding.append(game.deciding())
        events = game.idle_round()
        changed = named(events, "StartPlayerChanged")
        starts += [event.seat for event in changed]
        assert detail(events, e.HourGlassTurned).start_seat == starts[-1] == game.board(0).start_seat

    assert starts == [1, 2, 3, 1, 2]
    assert deciding == [[1], [2], [3], [1]]
