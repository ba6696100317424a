"""What becomes of a game when seats give up: whether it goes on, and who has won in the end.

A seat that gave up ranks behind all that did not, and of several the one that held out longer is better. As long as two
seats are left, and one of them is a person's, the others have the game that they began: a bot plays on for who gave up.
Each seat counts for itself, also where seats play together: who plays with whom may be a secret, which it would tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from boardkeeper.game.events import (
    SEAT_EVENTS,
    GameEvent,
    SeatHandedToBot,
    SeatResigned,
    SeatTakenBack,
    TimeExpired,
)
from boardkeeper.game.seats import BOT, PERSON
from boardkeeper.titlekit.title import Standing


def can_continue(began: Sequence[str], resigned: Mapping[int, int]) -> bool:
    """Whether there is a game left to play, for the kinds of seats that began it and those that ``resigned``."""
    left = [kind for seat, kind in enumerate(began, 1) if seat not in resigned]
    return len(left) > 1 and PERSON in left


def rank_seats(seats: int, standings: Sequence[Standing], resigned: Mapping[int, int]) -> list[Standing]:
    """The result, best first, from what the rules say, which is nothing if the game ended before its time.

    ``resigned`` has for each seat that gave up the version at which it did. Where the rules say nothing, nobody has any
    points, and all who did not give up share the first rank.
    """
    if not resigned and standings:
        return list(standings)
    by_rules = {standing.seat: standing for standing in standings}
    base = [by_rules.get(seat, Standing(seat, 0, 1)) for seat in range(1, seats + 1)]
    ranks = {standing.seat: standing.rank for standing in base if standing.seat not in resigned}
    final = {seat: 1 + sum(other < rank for other in ranks.values()) for seat, rank in ranks.items()}
    latest_first = sorted(resigned, key=resigned.__getitem__, reverse=True)
    final |= {seat: place for place, seat in enumerate(latest_first, len(ranks) + 1)}
    ranked = [Standing(standing.seat, standing.points, final[standing.seat]) for standing in base]
    return sorted(ranked, key=lambda standing: (standing.rank, standing.seat))


def is_resignation(event: GameEvent) -> bool:
    """Whether a seat gives up by that event."""
    detail = event.detail
    return isinstance(detail, SeatResigned) or (isinstance(detail, TimeExpired) and detail.resigned)


def updated_kinds(kinds: Sequence[str], events: Iterable[GameEvent]) -> tuple[str, ...]:
    """Return who plays each seat after these events, from the kinds before them."""
    moves = [event for event in events if type(event.detail) in SEAT_EVENTS]
    if not moves:
        return tuple(kinds)
    found = list(kinds)
    for event in moves:
        detail = event.detail
        if isinstance(detail, SeatHandedToBot | SeatResigned | TimeExpired) and detail.bot:
            found[event.seat - 1] = BOT + detail.bot
        elif isinstance(detail, SeatTakenBack):
            found[event.seat - 1] = PERSON
    return tuple(found)
