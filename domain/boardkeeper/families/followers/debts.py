"""Torture: a seat that cannot pay gives up other components, one for each missing coin or good.

Each title defines the components that a seat can give up.
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
    """Pay as many coins as possible; return the coins paid and missing. Source: torture.coins_first."""
    paid = min(seat.coins.value, coins)
    t.set(seat.coins, seat.coins.value - paid)
    return paid, coins - paid


def begin(t: AnyTable, seat: AnySeat, missing: int) -> None:
    """Start torture of a seat for ``missing`` coins or goods, if any. Source: torture.*."""
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
    """Cancel the debt of a seat that has nothing to give up.

    If the reading ``torture_nothing_left`` is ``carried``, the seat pays it from the next coins that it receives.
    """
    t.set(seat.debt, 0)
    if t.data.readings.torture_nothing_left == "carried":
        t.set(seat.arrears, seat.arrears.value + debt)
        t.emit(seat, DebtCarried(debt))
    else:
        t.emit(seat, DebtLapsed(debt))


def replace(t: AnyTable, seat: AnySeat, event: Callable[..., Struct], *values: object) -> None:
    """Reduce the debt of a seat that gave up a component. Ask for the next one, or resume the phase without a debt.

    ``event`` makes the event from ``values`` and the remaining debt.
    """
    t.set(seat.debt, seat.debt.value - 1)
    t.emit(seat, event(*values, seat.debt.value))
    _ask_or_settle(t, seat)
    resume = t.phases[t.phase.value].resume
    if resume and not t.decides(seat):
        resume(t, seat)
    t.advance()


# --- components that seats can give up in several titles -------------------------------------------------------


def remove_place(t: AnyTable, seat: AnySeat, place: AnyPlace, *, loses_neutral: bool = False) -> None:
    """Remove a place and technology on it from the game; its followers return to the bag.

    With ``loses_neutral``, its neutral followers are also removed from the game.
    """
    for space in place.spaces:
        occupant = space.occupant()
        if occupant:
            is_lost = occupant == TECHNOLOGY or (loses_neutral and not is_marked(occupant))
            t.move(occupant, space.pile, t.removed if is_lost else seat.bag)
    screens.show_place(t, seat, place.id)
    t.move(place.id, seat.place_tiles, t.removed)


def find_technology(seat: AnySeat, place: str, space: str) -> Pile | None:
    """Return the pile with technology on a space, or of unplaced tiles if both ids are empty; else ``None``."""
    if not place and not space:
        pile: Pile = seat.technology
    else:
        found = seat.estate().spaces.get((place, space))
        if found is None:
            return None
        pile = found.pile
    return pile if TECHNOLOGY in pile.items else None


def list_technology(seat: AnySeat) -> list[tuple[str, str]]:
    """Return the places and spaces of the seat's technology tiles; both ids are empty for unplaced tiles."""
    estate = seat.estate()
    placed = [space.space.key for space in estate.occupied(estate.free()) if TECHNOLOGY in space.pile.items]
    return [("", ""), *placed] if seat.technology.items else placed
