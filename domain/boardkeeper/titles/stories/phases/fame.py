"""The fame track, and the choice of a bonus for each tile passed. Source: stories.fame.*."""

from __future__ import annotations

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.material import Seat, Stories

BONUS = "fame_bonus"


def gain_fame(t: Stories, seat: Seat, steps: int) -> None:
    """Advance on the fame track; each tile reached or passed adds a pending bonus. Source: stories.fame.tiles."""
    before = seat.fame.value
    after = before + steps_left(t, seat, steps)
    if after == before:
        return
    tiles = sum(1 for space in t.data.fame_bonuses if before < space <= after)
    t.set(seat.fame, after)
    if tiles:
        t.set(seat.fame_due, seat.fame_due.value + tiles)
    t.emit(seat, e.FameGained(after, tiles))


def steps_left(t: Stories, seat: Seat, steps: int) -> int:
    """Return how many of the steps the track allows: all if the reading ``fame_beyond_end`` is ``count_on``.

    Source: stories.fame.end.
    """
    if t.data.chosen.fame_beyond_end == "count_on":
        return steps
    return min(steps, t.data.fame_length - seat.fame.value)


def find_advance_rejection(t: Stories, seat: Seat) -> Rejection | None:
    """Return why the seat cannot advance to the next era, or ``None``. Source: stories.eras.gate.

    It must have carried out the bonus of its era; for era 1 only if the reading ``era_one_gate`` is ``closed``.
    """
    era = seat.era_reached.value
    values = {"era": str(era)}
    if era + 1 not in t.data.eras:
        return Rejection("LAST_ERA", "stories.eras.last", values)
    gate = era > 1 or t.data.chosen.era_one_gate == "closed"
    if gate and not seat.carried_out.value:
        return Rejection("NOT_CARRIED_OUT", "stories.eras.gate", values)
    return None


def unlock_place(t: Stories, seat: Seat, command: c.UnlockPlace) -> Rejection | None:
    """Open a base place card for immediate use. Source: stories.fame.unlock."""
    if command.place not in seat.base_places.items:
        return Rejection("NOT_LOCKED", "stories.fame.unlock", {"place": command.place})
    t.move(command.place, seat.base_places, seat.place_tiles)
    t.emit(seat, e.PlaceUnlocked(command.place))
    _consume_bonus(t, seat)
    return None


def advance_era(t: Stories, seat: Seat, command: c.AdvanceEra) -> Rejection | None:
    """Advance to the next era. Source: stories.fame.advance."""
    rejection = find_advance_rejection(t, seat)
    if rejection:
        return rejection
    enter_era(t, seat, seat.era_reached.value + 1)
    _consume_bonus(t, seat)
    return None


def enter_era(t: Stories, seat: Seat, number: int) -> None:
    """Move a seat to an era. Its bonus is not carried out yet; an era with peace starts peace.

    During the round bonuses, its bonus follows in the same round if ``one_round_bonus_per_round`` is ``no``.
    """
    era = t.data.eras[number]
    t.set(seat.era_reached, number)
    t.set(seat.carried_out, 0)
    if era.peace:
        t.set(seat.peace, 1)
    if t.phase.value == "round_bonus" and t.data.chosen.one_round_bonus_per_round == "no":
        t.set(seat.bonus_due, 1)
    t.emit(seat, e.EraEntered(number, era.peace))


def take_citizen(t: Stories, seat: Seat, command: c.TakeCitizen) -> Rejection | None:
    """Take a citizen. Source: stories.fame.citizen."""
    t.set(seat.citizens, seat.citizens.value + 1)
    t.emit(seat, e.CitizenTaken())
    _consume_bonus(t, seat)
    return None


def decline(t: Stories, seat: Seat, command: c.DeclineBonus) -> Rejection | None:
    """Decline the bonus. Source: stories.fame.optional."""
    t.emit(seat, e.BonusDeclined(BONUS))
    _consume_bonus(t, seat)
    return None


def _consume_bonus(t: Stories, seat: Seat) -> None:
    t.set(seat.fame_due, seat.fame_due.value - 1)
    if not seat.fame_due.value:
        t.ask(seat, "")
        t.advance()


def legal_bonus(t: Stories, seat: Seat) -> list[c.Command]:
    """Return the commands for one bonus."""
    commands: list[c.Command] = [c.UnlockPlace(place) for place in sorted(seat.base_places.items)]
    if not find_advance_rejection(t, seat):
        commands.append(c.AdvanceEra())
    return [*commands, c.TakeCitizen(), c.DeclineBonus()]
