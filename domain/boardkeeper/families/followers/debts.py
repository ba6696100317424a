"""The frame of torture: paying, and going on until what replaces missing coins is given.

What a seat can give, and how, is a title's own.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from boardkeeper.families.followers.data import TECHNOLOGY, is_marked
from boardkeeper.families.followers.events import DebtCarried, DebtLapsed
from boardkeeper.families.followers.phases import screens
from boardkeeper.families.followers.table import AnyPlace, AnySeat, AnyTable
from boardkeeper.table.zones import Pile


def pay(t: AnyTable, seat: AnySeat, coins: int) -> tuple[int, int]:
    """Pay as far as the coins go; returns what was paid and what is missing (torture.coins_first)."""
    paid = min(seat.coins.value, coins)
    t.set(seat.coins, seat.coins.value - paid)
    return paid, coins - paid


def begin(t: AnyTable, seat: AnySeat, missing: int) -> None:
    """Torture a seat for what it lacks, if there is anything. Source: torture.*."""
    if missing:
        t.set(seat.debt, missing)
        _ask_or_settle(t, seat)


def _ask_or_settle(t: AnyTable, seat: AnySeat) -> None:
    debt = seat.debt.value
    if debt and t.hooks.can_surrender(t, seat):
        t.ask(seat, "torture")
        return
    t.ask(seat, "")
    if debt:
        _cancel_or_carry(t, seat, debt)


def _cancel_or_carry(t: AnyTable, seat: AnySeat, debt: int) -> None:
    """Nothing is left to give: the debt lapses, or is carried (reading ``torture_nothing_left``)."""
    t.set(seat.debt, 0)
    if t.data.readings.torture_nothing_left == "carried":
        t.set(seat.arrears, seat.arrears.value + debt)
        t.emit(seat, DebtCarried(debt))
    else:
        t.emit(seat, DebtLapsed(debt))


def replace(t: AnyTable, seat: AnySeat, event: Callable[..., Struct], *values: object) -> None:
    """Record what replaces one missing thing, and ask for the next: ``event`` gets what is still missing as well."""
    t.set(seat.debt, seat.debt.value - 1)
    t.emit(seat, event(*values, seat.debt.value))
    _continue_after_payment(t, seat)


def _continue_after_payment(t: AnyTable, seat: AnySeat) -> None:
    """Ask for the next thing; once nothing is owed, resume what the seat was doing."""
    _ask_or_settle(t, seat)
    resume = t.phases[t.phase.value].resume
    if resume and not t.decides(seat):
        resume(t, seat)
    t.advance()


# --- what several titles let a seat give -----------------------------------------------------------------------


def remove_place(t: AnyTable, seat: AnySeat, place: AnyPlace, *, loses_neutral: bool = False) -> None:
    """Remove a place from the game. Technology on it is lost; followers go to the bag, unless neutral ones are lost."""
    for space in place.spaces:
        occupant = space.occupant()
        if occupant:
            is_lost = occupant == TECHNOLOGY or (loses_neutral and not is_marked(occupant))
            t.move(occupant, space.pile, t.removed if is_lost else seat.bag)
    screens.show_place(t, seat, place.id)
    t.move(place.id, seat.place_tiles, t.removed)


def find_technology(seat: AnySeat, place: str, space: str) -> Pile | None:
    """Return the pile with the seat's technology tile on that space, or not placed if both are empty; or nothing."""
    if not place and not space:
        pile: Pile = seat.technology
    else:
        found = seat.estate().spaces.get((place, space))
        if found is None:
            return None
        pile = found.pile
    return pile if TECHNOLOGY in pile.items else None


def list_technology(seat: AnySeat) -> list[tuple[str, str]]:
    """Return every technology tile that the seat can give, as place and space; both are empty if it is not placed."""
    placed = [key for key, space in seat.estate().spaces.items() if TECHNOLOGY in space.pile.items]
    return [("", ""), *placed] if seat.technology.items else placed
