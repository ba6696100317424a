"""Pending rewards of the seat in turn.

If neither the order of the rewards nor an option matters, the rules settle a reward immediately. Otherwise the seat
gets the decision ``reward``. Source: paladins.rewards.*.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.table.zones import Pile
from boardkeeper.titles.paladins.commands import ChooseReward, ClearArea, ForgoReward, TakeReward
from boardkeeper.titles.paladins.data import CRIMINAL, Choice
from boardkeeper.titles.paladins.events import RewardChosen, RewardForgone, RewardLapsed
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import debts, gains, suspicion
from boardkeeper.titles.paladins.phases.verbs import develop, pray, recruit
from boardkeeper.titles.paladins.phases.verbs.verb import finish

MANDATORY = frozenset({"suspicion", "take_debt", "tax", "tax_2", CRIMINAL})
"""Rewards that a seat must take. Source: paladins.rewards.may_be_forgone."""

DEBTS = frozenset({"pay_debt", "destroy_debt"})
"""Rewards that pay or destroy an unpaid debt."""

TARGETED = frozenset({"pray", "pray_action", "free_recruit", "free_develop"})
"""Rewards that need a target."""


def settle(t: Paladins, seat: Seat) -> None:
    """Settle one pending reward of a seat, or ask the seat which one to take."""
    due = seat.due
    if due["suspicion"]:  # it follows the criminal immediately
        suspicion.take(t, seat)
        return
    kinds = list(due)
    kind = _forced_reward(t, seat, kinds)
    if kind:
        _take(t, seat, kind)
    else:
        t.ask(seat, "reward")


def _forced_reward(t: Paladins, seat: Seat, kinds: list[str]) -> str:
    """Return the kind of a reward that the rules can settle without a decision, or an empty string."""
    if len(kinds) == 1:
        kind = kinds[0]
        if not _has_effect(t, seat, kind):
            return kind  # it lapses
        if kind in TARGETED or kind in t.data.choices:
            return ""
        if kind in DEBTS and t.data.readings.debts_kept == "allowed":
            return ""
        return "" if kind == "discard_suspicion" and may_keep_suspicion(t, seat) else kind
    if "free_recruit" in kinds and t.data.readings.free_recruit == "hire_or_discard":
        return ""  # discarding townsfolk can add suspicion and taxes
    if CRIMINAL in kinds or t.tax.value <= seat.due["tax"] + 2 * seat.due["tax_2"]:
        return ""  # an inquisition can come first
    for kind in ("tax", "tax_2", "take_debt"):
        if kind in kinds:
            return kind
    if "discard_suspicion" in kinds and not may_keep_suspicion(t, seat):
        return "discard_suspicion"
    return ""


def may_keep_suspicion(t: Paladins, seat: Seat) -> bool:
    """Return whether the seat may keep suspicion instead of discarding it.

    The reading ``suspicion_kept_for`` allows it always (``any_reason``), only if a card of the seat rewards suspicion
    (``own_cards``), or also if a card on display does that the seat can still take (``open_cards``).
    Source: paladins.rewards.suspicion_kept.
    """
    if not seat.suspicion.order:
        return False
    if t.data.readings.suspicion_kept_for == "any_reason":
        return True
    if _any_rewards_suspicion(t, (seat.converted,), (seat.townsfolk,)):
        return True
    if t.data.readings.suspicion_kept_for == "own_cards":
        return False
    return _any_rewards_suspicion(t, t.outsiders if seat.times("convert") < t.data.pieces else (), t.townsfolk)


def _any_rewards_suspicion(t: Paladins, outsiders: tuple[Pile, ...], townsfolk: tuple[Pile, ...]) -> bool:
    """Return whether one of the cards rewards suspicion, such as the Thief and the Peddler."""
    return any(t.data.outsiders[card].scores == "suspicion" for pile in outsiders for card in pile.items) or any(
        t.data.townsfolk[card].condition == "suspicion_2" for pile in townsfolk for card in pile.items
    )


def _has_effect(t: Paladins, seat: Seat, kind: str) -> bool:
    """Return whether a reward has an effect now."""
    match kind:
        case "discard_suspicion":
            return bool(seat.suspicion.order)
        case "destroy_debt" | "pay_debt":
            return bool(seat.unpaid.items)
        case "take_debt":
            return bool(t.debts.items)
        case "pray" | "pray_action":
            return next(pray.clearable_areas(t, seat, kind), None) is not None
        case "free_recruit":
            return any(place.items for place in t.townsfolk)
        case "free_develop":
            return bool(seat.workshops.items)
        case _:
            return True


# --- taking -----------------------------------------------------------------------------------------------------------


def _take(t: Paladins, seat: Seat, kind: str) -> None:
    """Take one reward of a kind. If it has no effect, all rewards of the kind lapse. Source: paladins.rewards.void."""
    if not _has_effect(t, seat, kind):
        seat.due.settle(kind, seat.due[kind])
        t.emit(seat, RewardLapsed(kind))
        return
    seat.due.settle(kind)
    match kind:
        case "take_debt":
            debts.take(t, seat)
        case "tax":
            suspicion.pay_tax(t, seat, 1)
        case "tax_2":
            suspicion.pay_tax(t, seat, 2)
        case "criminal":
            suspicion.take_criminal(t, seat)
        case "discard_suspicion":
            suspicion.discard(t, seat)
        case "destroy_debt":
            debts.destroy(t, seat)
        case _:
            debts.pay(t, seat)
            gains.trigger_townsfolk(t, seat, "pay_debt")


def take(t: Paladins, seat: Seat, command: TakeReward) -> Rejection | None:
    """Take a pending reward without a target. Source: paladins.rewards.any_order."""
    kind = command.reward
    values = {"reward": kind}
    if kind not in t.data.reward_kinds or not seat.due[kind]:
        return Rejection("NOT_DUE", "paladins.rewards.any_order", values)
    if kind in TARGETED or kind in t.data.choices:
        return Rejection("NEEDS_TARGET", "paladins.rewards.target", values)
    if not _has_effect(t, seat, kind):
        return Rejection("NOTHING_TO_ACT_ON", "paladins.rewards.void", values)
    _take(t, seat, kind)
    finish(t, seat)
    return None


def _may_forgo(t: Paladins, seat: Seat, kind: str) -> bool:
    """Return whether a seat may decline a reward without options.

    If the reading ``debts_kept`` is ``forbidden``, it must pay or destroy a debt that it has.
    """
    if kind in DEBTS and t.data.readings.debts_kept == "forbidden":
        return not seat.unpaid.items
    return kind not in MANDATORY


def forgo(t: Paladins, seat: Seat, command: ForgoReward) -> Rejection | None:
    """Decline a reward. Source: paladins.rewards.may_be_forgone."""
    kind = command.reward
    values = {"reward": kind}
    if kind not in t.data.reward_kinds or not seat.due[kind]:
        return Rejection("NOT_DUE", "paladins.rewards.any_order", values)
    if kind in t.data.choices or not _may_forgo(t, seat, kind):
        rule = "paladins.rewards.debts_kept" if kind in DEBTS else "paladins.rewards.may_be_forgone"
        return Rejection("MANDATORY", rule, values)
    seat.due.settle(kind)
    t.emit(seat, RewardForgone(kind))
    finish(t, seat)
    return None


def choose(t: Paladins, seat: Seat, command: ChooseReward) -> Rejection | None:
    """Choose an option of a reward. Source: paladins.rewards.one_option."""
    kind = command.reward
    values = {"reward": kind, "option": str(command.option)}
    if kind not in t.data.reward_kinds or not seat.due[kind]:
        return Rejection("NOT_DUE", "paladins.rewards.any_order", values)
    choice = t.data.choices.get(kind)
    if choice is None or not 1 <= command.option <= len(choice.options):
        return Rejection("NO_SUCH_OPTION", "paladins.rewards.one_option", values)
    if command.option not in _options(t, seat, choice):
        return Rejection("NOTHING_TO_ACT_ON", "paladins.rewards.void_choice", values)
    seat.due.settle(kind)
    t.emit(seat, RewardChosen(kind, choice.options[command.option - 1]))
    gains.grant(t, seat, choice.gains[command.option - 1], kind)
    finish(t, seat)
    return None


def _options(t: Paladins, seat: Seat, choice: Choice) -> list[int]:
    """Return the numbers (from 1) of the options that the seat can choose.

    If the reading ``void_choice`` is ``refused``, these are the options with an effect, or all if none has an effect.
    """
    every = list(range(1, len(choice.options) + 1))
    if t.data.readings.void_choice == "allowed_without_effect":
        return every
    useful = [
        number
        for number, gain in enumerate(choice.gains, 1)
        if gain.immediate or any(_has_effect(t, seat, kind) for kind, _ in gain.pending)
    ]
    return useful or every


# --- legal commands ---------------------------------------------------------------------------------------------------


def legal(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return every way to take or decline a pending reward."""
    commands: list[Struct] = []
    for kind in seat.due:
        choice = t.data.choices.get(kind)
        if choice is not None:
            commands += [ChooseReward(kind, option) for option in _options(t, seat, choice)]
            continue
        if _has_effect(t, seat, kind):
            commands += _legal_for(t, seat, kind)
        if _may_forgo(t, seat, kind):
            commands.append(ForgoReward(kind))
    return list(dict.fromkeys(commands))


def _legal_for(t: Paladins, seat: Seat, kind: str) -> Sequence[Struct]:
    match kind:
        case "pray" | "pray_action":
            return [ClearArea(area.id) for area in pray.clearable_areas(t, seat, kind)]
        case "free_recruit":
            return recruit.legal_free_recruits(t)
        case "free_develop":
            return develop.legal(t, seat)
        case _:
            return [TakeReward(kind)]
