"""Convert: take an outsider for faith and silver. Source: paladins.convert.*."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import ConvertOutsider
from boardkeeper.titles.paladins.events import OutsiderConverted
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import gains
from boardkeeper.titles.paladins.phases.verbs.verb import finish, short_of_silver, too_low


def find_rejection(t: Paladins, seat: Seat, workers: int) -> Rejection | None:
    """Return a rejection if silver or faith are missing. Source: paladins.convert.cost, .faith."""
    done = seat.converted.total()
    if done == t.data.pieces:
        return Rejection("NO_PIECE_LEFT", "paladins.convert.seven_times")
    needs = seat.active_paladin().silver["convert"][done]
    if seat.silver.value < needs:
        return short_of_silver(seat.silver.value, needs, "paladins.convert.cost")
    level = seat.level("faith")
    for at, place in enumerate(t.outsiders):
        if place.items:
            flag = t.data.flags["faith"][at]
            return None if flag <= level else too_low("faith", level, flag, "paladins.convert.faith")
    return Rejection("NOBODY_ON_DISPLAY", "paladins.convert.on_display")


def legal(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return a command for each outsider that the seat's faith reaches."""
    level = seat.level("faith")
    flags = t.data.flags["faith"]
    return [ConvertOutsider(card) for at, place in enumerate(t.outsiders) if flags[at] <= level for card in place.items]


def convert(t: Paladins, seat: Seat, command: ConvertOutsider) -> Rejection | None:
    """Pay, keep the card and gain its strength. Source: paladins.convert.strength."""
    at = t.index_in(t.outsiders, command.outsider)
    if at < 0:
        return Rejection("NOT_ON_DISPLAY", "paladins.convert.on_display", {"outsider": command.outsider})
    level, flag = seat.level("faith"), t.data.flags["faith"][at]
    if level < flag:
        return too_low("faith", level, flag, "paladins.convert.faith")
    silver = seat.active_paladin().silver["convert"][seat.converted.total()]
    t.pay(seat, silver)
    t.move(command.outsider, t.outsiders[at], seat.converted)
    t.emit(seat, OutsiderConverted(command.outsider, silver))
    gains.grant(t, seat, t.data.outsiders[command.outsider].conversion, command.outsider)
    finish(t, seat, "convert")
    return None
