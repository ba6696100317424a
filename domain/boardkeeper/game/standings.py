"""The standings of a game, with the effect of resignations.

Seats that resigned rank behind all others; of two of them, the one that resigned later ranks higher. Each seat of a
team is ranked separately, because teams can be secret.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boardkeeper.game.seats import PERSON
from boardkeeper.table.layout import MAX_NUMBER
from boardkeeper.titlekit.title import Play, Standing


def can_continue(kinds: Sequence[str], resigned: Mapping[int, int]) -> bool:
    """Return whether at least two seats have not resigned, one of them a person's; ``kinds`` are those at creation."""
    left = [kind for seat, kind in enumerate(kinds, 1) if seat not in resigned]
    return len(left) > 1 and PERSON in left


def final_standings(play: Play, resigned: Mapping[int, int]) -> Sequence[Standing]:
    """Return the standings of a game that is over by its rules or ends by resignation.

    Raises ``ValueError`` if the rules return standings that cannot be stored.
    """
    seats = len(play.table.decisions) - 1
    standings = play.standings() if play.is_over() else ()
    if standings and sorted(it.seat for it in standings) != list(range(1, seats + 1)):
        raise ValueError(f"the rules must rank every seat once: {standings}")
    for it in standings:
        if type(it.points) is not int or abs(it.points) > MAX_NUMBER or not 1 <= it.rank <= seats:
            raise ValueError(f"the rules return standings with impossible points or ranks: {standings}")
    return rank_seats(seats, standings, resigned)


def rank_seats(seats: int, standings: Sequence[Standing], resigned: Mapping[int, int]) -> list[Standing]:
    """Return the standings, best first, after resignations; ``resigned`` has their versions by seat.

    ``standings`` are those of the rules; empty if the game ended early. Then all seats have 0 points, and those that
    did not resign share the first rank.
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
