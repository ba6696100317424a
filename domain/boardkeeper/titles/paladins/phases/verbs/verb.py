"""What the rules know of an action: whether it can be carried out, why not, and how."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import abilities


class Verb(Struct, frozen=True):
    """An action: ``why_not`` says what forbids it besides workers and occupied spaces, for so many workers.

    ``carry_out`` pays and acts when all workers are placed. ``None``: the seat is asked for a target first, with the
    decision that has the id of the action.
    """

    why_not: Callable[[Paladins, Seat, int], Rejection | None]
    carry_out: Callable[[Paladins, Seat], None] | None = None


@lru_cache(maxsize=4096)  # most of what a seat cannot do is found out again at each of its decisions
def short_of_silver(has: int, needs: int, rule: str) -> Rejection:
    """The refusal for silver that is missing."""
    return Rejection("NOT_ENOUGH_SILVER", rule, {"needs": str(needs), "has": str(has)})


@lru_cache(maxsize=4096)
def short_of_provisions(has: int, needs: int, rule: str) -> Rejection:
    """The refusal for provisions that are missing."""
    return Rejection("NOT_ENOUGH_PROVISIONS", rule, {"needs": str(needs), "has": str(has)})


@lru_cache(maxsize=4096)
def too_low(attribute: str, has: int, needs: int, rule: str) -> Rejection:
    """The refusal for an attribute that is too low."""
    return Rejection("ATTRIBUTE_TOO_LOW", rule, {"attribute": attribute, "needs": str(needs), "has": str(has)})


def finish(t: Paladins, seat: Seat, action: str = "") -> None:
    """End the choice of a target. ``action``, if there is one, has been carried out: cards may add to it."""
    if action:
        abilities.performed(t, seat, action)
    t.ask(seat, "")
    t.advance()
