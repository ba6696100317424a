"""The round bonus phase: each seat carries out the bonus or malus of its era."""

from __future__ import annotations

from collections.abc import Callable

from boardkeeper.families.followers.events import PhaseBegun
from boardkeeper.families.followers.phases import sacristy
from boardkeeper.titles.stories import control
from boardkeeper.titles.stories.cards import Effect
from boardkeeper.titles.stories.events import RoundBonusCarriedOut
from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.phases import demands, good_choice, rounds
from boardkeeper.titles.stories.phases.fame import gain_fame, steps_left

PHASE = "round_bonus"

FAME_PER: dict[str, Callable[[Stories, Seat], int]] = {
    "fame_per_own_settler_on_map": control.count_settlers,
    "fame_per_fortress": control.count_fortresses,
    "fame_per_village": control.count_villages,
    "fame_per_church": control.count_churches,
}
"""Words of bonuses that give fame, with the function that counts the multiplier."""

COINS_PER: dict[str, Callable[[Stories, Seat], int]] = {"coins_per_village": control.count_villages}
"""Words of bonuses that give coins, with the function that counts the multiplier."""


def begin(t: Stories) -> None:
    """Begin the phase: each seat carries out the bonus of its era. Source: stories.eras.round_bonus."""
    t.set(t.phase, PHASE)
    for seat in t.seats:
        t.set(seat.bonus_due, 1)
    t.emit(None, PhaseBegun(PHASE))


def proceed(t: Stories) -> None:
    """Carry out the bonus of the next seat, clockwise from the start player; then end the round."""
    for seat in t.clockwise():
        if seat.bonus_due.value:
            t.set(seat.bonus_due, 0)
            _carry_out(t, seat)
            return
    rounds.end_round(t)


def bonus_of(t: Stories, seat: Seat) -> Effect:
    """Return the bonus or malus of the seat's era; a complete deed replaces the malus.

    Source: stories.hunger.defeated.
    """
    if t.data.bonus_tiles:
        (tile,) = t.bonus[seat.era_reached.value].items
        return t.data.bonus_tiles[tile].effect
    era = seat.era()
    return era.malus if era.malus and not t.completed[era.malus_until_deed].value else era.bonus


def food_owed(t: Stories, seat: Seat, steps: list[list[int]]) -> int:
    """Return the food that a seat owes. ``steps`` are pairs: a minimum number of areas, and the food from it on."""
    areas = control.count_areas(t, seat)
    return max(food for fewest, food in steps if fewest <= areas)


def _carry_out(t: Stories, seat: Seat) -> None:
    bonus = bonus_of(t, seat)
    if "food_by_areas" in bonus or "food_per_settler_on_map" in bonus:
        sacristy.apply_unless_shielded(t, seat)
        return
    if "good_of_one_controlled_area" in bonus:
        t.emit(seat, RoundBonusCarriedOut(seat.era_reached.value))
        good_choice.begin(t, seat, bonus["good_of_one_controlled_area"])
        return
    coins, fame = _count_gains(t, seat, bonus)
    _mark_carried_out(t, seat, had_effect=bool(coins or steps_left(t, seat, fame)))
    if coins:
        t.give_coins(seat, coins)
    t.emit(seat, RoundBonusCarriedOut(seat.era_reached.value, coins, fame))
    gain_fame(t, seat, fame)


def _mark_carried_out(t: Stories, seat: Seat, *, had_effect: bool) -> None:
    """Mark the bonus of the era as carried out, if it had an effect or ``executed_without_effect`` is ``yes``.

    Source: stories.eras.gate.
    """
    if had_effect or t.data.chosen.executed_without_effect == "yes":
        t.set(seat.carried_out, 1)


def _count_gains(t: Stories, seat: Seat, bonus: Effect) -> tuple[int, int]:
    """Return the coins and fame of a bonus."""
    fame = sum(bonus[word] * count(t, seat) for word, count in FAME_PER.items() if word in bonus)
    coins = sum(bonus[word] * count(t, seat) for word, count in COINS_PER.items() if word in bonus)
    if "fame_per_landscape" in bonus:
        fame += sum(
            1 for area in control.areas_of(t, seat) if control.landscape_of(t, area) == bonus["fame_per_landscape"]
        )
    if "coins_to_sole_most_areas" in bonus:
        leader = control.sole_leader(t, control.areas_by_seat(t))
        coins += bonus["coins_to_sole_most_areas"] if leader is seat else 0
    return coins, fame


def apply_malus(t: Stories, seat: Seat) -> None:
    """Demand the food of a malus; torture follows for missing food. Source: stories.hunger.*.

    It is carried out unless the Sacristy protects the seat. For missing food see :func:`_mark_carried_out`.
    """
    bonus = bonus_of(t, seat)
    if "food_by_areas" in bonus:
        food = food_owed(t, seat, bonus["food_by_areas"])
    else:
        food = bonus["food_per_settler_on_map"] * control.count_settlers(t, seat)
    _mark_carried_out(t, seat, had_effect=demands.count_food(t, seat) >= food)
    t.emit(seat, RoundBonusCarriedOut(seat.era_reached.value, food=food))
    demands.demand_food(t, seat, food)
