"""The interface of an action, and functions that several actions share."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import gains


class Verb(Struct, frozen=True):
    """The rules of an action.

    ``find_rejection`` returns why a seat cannot carry it out with a number of workers; the caller checks workers and
    spaces. ``carry_out`` runs after all workers are placed. If it is ``None``, the seat gets a decision for the target,
    with the id of the action.
    """

    find_rejection: Callable[[Paladins, Seat, int], Rejection | None]
    carry_out: Callable[[Paladins, Seat], None] | None = None


@lru_cache(maxsize=4096)  # most rejections are equal at each decision of a seat
def short_of_silver(has: int, needs: int, rule: str) -> Rejection:
    """Return the rejection for missing silver."""
    return Rejection("NOT_ENOUGH_SILVER", rule, {"needs": str(needs), "has": str(has)})


@lru_cache(maxsize=4096)
def short_of_provisions(has: int, needs: int, rule: str) -> Rejection:
    """Return the rejection for missing provisions."""
    return Rejection("NOT_ENOUGH_PROVISIONS", rule, {"needs": str(needs), "has": str(has)})


@lru_cache(maxsize=4096)
def too_low(attribute: str, has: int, needs: int, rule: str) -> Rejection:
    """Return the rejection for an attribute that is too low."""
    return Rejection("ATTRIBUTE_TOO_LOW", rule, {"attribute": attribute, "needs": str(needs), "has": str(has)})


def finish(t: Paladins, seat: Seat, action: str = "") -> None:
    """Close the decision of a seat. If it completed an action, grant the rewards of cards for the action."""
    if action:
        gains.grant_action_bonuses(t, seat, action)
    t.ask(seat, "")
    t.advance()
