"""Rewards of the opponent. Source: paladins.opponent.gains.*."""

from __future__ import annotations

from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.data import ATTRIBUTES, CRIMINAL, WORKERS, Choice, Gain
from boardkeeper.titles.paladins.material import Opponent, Paladins
from boardkeeper.titles.paladins.opponent import actions, track
from boardkeeper.titles.paladins.phases import debts, suspicion

_ORDER = (
    "suspicion",
    "take_debt",
    "discard_suspicion",
    "destroy_debt",
    "pay_debt",
    "tax",
    "tax_2",
    CRIMINAL,
    "pray",
    "free_recruit",
)
"""The order in which the opponent settles pending rewards; options come last. Source: paladins.opponent.gains.order."""
_WORKERS_WITHOUT_SUSPICION = tuple(worker for worker in WORKERS if worker != CRIMINAL)


def grant(t: Paladins, opponent: Opponent, gain: Gain, source: str) -> None:
    """Give the opponent a reward: workers, attributes, and a step of its resource marker for each silver or provision.

    Other rewards become pending. ``source`` is the id in the events.
    """
    steps = 0
    lost: list[str] = []
    for each in gain.immediate:
        if each in ATTRIBUTES:
            if not track.advance(t, opponent, each):
                lost.append(each)
        elif each in WORKERS:
            if not receive_worker(t, opponent, each):
                lost.append(each)
        else:
            steps += 1
    received = tuple(each for each in gain.immediate if each in ATTRIBUTES or each in WORKERS)
    if received:
        t.emit(opponent, e.Gained(received, source, tuple(lost)))
    track.move(t, opponent, steps, source)
    for kind, count in gain.pending:
        opponent.due.owe(kind, count)


def receive_worker(t: Paladins, opponent: Opponent, worker: str = "") -> bool:
    """Give the opponent a worker of a kind (empty: the first kind in the supply except criminals).

    Return whether the supply had one. Source: paladins.opponent.workers.colours.
    """
    for each in (worker,) if worker else _WORKERS_WITHOUT_SUSPICION:
        if each in t.supply.items:
            t.move(each, t.supply, opponent.workers)
            return True
    return False


def settle(t: Paladins, opponent: Opponent) -> None:
    """Settle one pending reward."""
    due = opponent.due
    for kind in _ORDER:
        if due[kind]:
            _settle(t, opponent, kind)
            return
    for kind in due:
        due.settle(kind)
        _choose_option(t, opponent, t.data.choices[kind])
        return


def _settle(t: Paladins, opponent: Opponent, kind: str) -> None:
    if kind == "suspicion":
        _take_suspicion(t, opponent)
        return
    opponent.due.settle(kind)
    match kind:
        case "take_debt":
            if not debts.take(t, opponent):
                t.emit(opponent, e.RewardLapsed(kind))
        case "discard_suspicion":
            discard(t, opponent)
        case "destroy_debt":
            if not debts.destroy(t, opponent):
                _remove_tax_instead(t, opponent, kind)
        case "pay_debt":  # paladins.opponent.actions.absolve: without a debt it discards suspicion
            if not debts.pay(t, opponent):
                discard(t, opponent)
        case "tax":
            _remove_tax(t, opponent, 1)
        case "tax_2":
            _remove_tax(t, opponent, 2)
        case "criminal":
            is_received = receive_worker(t, opponent, CRIMINAL)
            t.emit(opponent, e.Gained((CRIMINAL,), suspicion.criminal_source(t), () if is_received else (CRIMINAL,)))
            if is_received:
                opponent.due.owe("suspicion")
        case "pray":
            actions.pray(t, opponent)
        case _:
            actions.discard_townsfolk(t, opponent)


def discard(t: Paladins, opponent: Opponent) -> None:
    """Discard a suspicion card or, if the opponent has none, remove tax.

    Source: paladins.opponent.gains.nothing_to_discard.
    """
    if not suspicion.discard(t, opponent):
        _remove_tax_instead(t, opponent, "discard_suspicion")


def _remove_tax_instead(t: Paladins, opponent: Opponent, kind: str) -> None:
    """Remove 1 silver from the tax supply instead of a reward ``kind`` without effect.

    Source: paladins.opponent.gains.nothing_to_discard.
    """
    silver = _lower_tax(t, 1)
    t.emit(opponent, e.TaxRemoved(silver, kind))
    suspicion.call_inquisition_if_empty(t, silver)


def _lower_tax(t: Paladins, silver: int) -> int:
    """Remove silver from the tax supply; return how much it had."""
    removed = min(silver, t.tax.value)
    t.set(t.tax, t.tax.value - removed)
    return removed


def _remove_tax(t: Paladins, opponent: Opponent, silver: int) -> None:
    """Return taxes to the general supply and move the marker. Source: paladins.opponent.gains.tax."""
    removed = _lower_tax(t, silver)
    t.emit(opponent, e.TaxRemoved(removed, "tax"))
    track.move(t, opponent, silver, "tax")
    suspicion.call_inquisition_if_empty(t, removed)


def _take_suspicion(t: Paladins, opponent: Opponent) -> None:
    """Take a suspicion card, remove its tax and move the marker. Source: paladins.opponent.gains.tax."""
    card, reshuffled = suspicion.draw(t, opponent)
    if not card:
        suspicion.handle_empty_deck(t, opponent, opponent.due)
        return
    opponent.due.settle("suspicion")
    silver = t.data.suspicion[card]
    removed = _lower_tax(t, silver)
    t.emit(opponent, e.SuspicionTaken(card, removed, 0, reshuffled))
    track.move(t, opponent, silver, card)
    suspicion.call_inquisition_if_empty(t, removed)


# --- options ----------------------------------------------------------------------------------------------------------


def _choose_option(t: Paladins, opponent: Opponent, choice: Choice) -> None:
    """Take the left option, or the right option if the left one has no effect for the opponent.

    If the left option of a wall has no effect and the reading ``ai_left_option_void`` is ``no_effect``, the reward
    lapses. Source: paladins.opponent.gains.left_option, .lowest_attribute, .never_develops.
    """
    at, reason = _option(t, opponent, choice)
    t.emit(opponent, e.TargetChosen("+".join(choice.options[at]), reason, 0))
    if reason == "none":
        t.emit(opponent, e.RewardLapsed(choice.id))
        return
    t.emit(opponent, e.RewardChosen(choice.id, choice.options[at]))
    grant(t, opponent, choice.gains[at], choice.id)


def _option(t: Paladins, opponent: Opponent, choice: Choice) -> tuple[int, str]:
    """Return the index of the option, and the reason as in :class:`TargetChosen`."""
    if all(option[0] in ATTRIBUTES for option in choice.options):
        attribute, _ = track.lowest(opponent)
        return choice.options.index((attribute,)), "lowest"
    if "free_develop" in choice.options[0]:
        return 1, "right_option"
    if "pay_debt" in choice.options[0] and not opponent.unpaid.items:
        of_a_wall = any(wall.choice == choice for wall in t.data.walls.values())
        if of_a_wall and t.data.readings.ai_left_option_void == "no_effect":
            return 0, "none"
        return 1, "right_option"
    return 0, "left_option"
