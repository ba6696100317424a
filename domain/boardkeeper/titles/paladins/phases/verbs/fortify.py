"""Fortify: draw and build a wall. Source: paladins.fortify.*."""

from __future__ import annotations

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.events import WallBuilt
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import gains
from boardkeeper.titles.paladins.phases.verbs.verb import short_of_provisions, too_low


def find_rejection(t: Paladins, seat: Seat, workers: int) -> Rejection | None:
    """Return a rejection if walls, provisions or influence are missing. Source: paladins.fortify.cost, .influence."""
    built = seat.walls.total()
    if built == t.data.pieces:
        return Rejection("NO_PIECE_LEFT", "paladins.fortify.seven_times")
    if not t.walls.items:
        return Rejection("NO_WALL_LEFT", "paladins.fortify.walls_run_out")
    needs = seat.active_paladin().provisions["fortify"][built]
    if seat.provisions.value < needs:
        return short_of_provisions(seat.provisions.value, needs, "paladins.fortify.cost")
    level, threshold = seat.level("influence"), t.data.actions["fortify"].thresholds[built]
    return too_low("influence", level, threshold, "paladins.fortify.influence") if level < threshold else None


def carry_out(t: Paladins, seat: Seat) -> None:
    """Pay, draw a wall and grant its reward. Source: paladins.fortify.draw."""
    built = seat.walls.total()
    provisions = seat.active_paladin().provisions["fortify"][built]
    t.pay(seat, provisions=provisions)
    wall = t.data.walls[t.recorder.draw(t.walls, seat.walls)[0]]
    t.emit(seat, WallBuilt(wall.id, built + 1, provisions))
    gains.grant(t, seat, wall.gain, wall.id)
    gains.grant_action_bonuses(t, seat, "fortify")
