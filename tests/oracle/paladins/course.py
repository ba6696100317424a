"""The course of a game: the result of a command, and everything that follows until a seat must choose."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from msgspec import Struct
from tests.oracle.chance import Chance, DrawMismatchError
from tests.oracle.paladins import actions, choosing, court, facts, opponent, scoring, stock
from tests.oracle.paladins.sheet import WORKSHOP, Sheet, Side

from boardkeeper.titles.paladins import commands as c

LAPSED = "lapsed "
"""The prefix in a log of a reward without effect."""
SUSPICIOUS = {"criminal"}
INDEBTING = {"criminal", "tax", "tax_2", "take_debt"}
"""Gains that must be settled before a reward that discards suspicion or pays a debt can lapse."""
AT_ONCE = (*facts.ATTRIBUTES, *facts.WORKERS[:-1], "silver", "provision")


class Log:
    """Orders that the title chooses, and results of the oracle.

    From the title: ``settled`` has the rewards that seats received without a command, and ``used`` the townsfolk that
    acted in an inquisition, both with the seat and in order. ``asked`` has the seats that choose which of them acts
    next. ``attempts`` has the actions that the opponent could not take in each of its turns, with the obstacle.

    From the oracle: ``turns`` has the turns of the opponent, ``doubts`` describes wrong decisions of the title.
    """

    def __init__(
        self,
        settled: Iterable[tuple[int, str]],
        used: Iterable[tuple[int, str]],
        asked: Iterable[int] = (),
        attempts: Iterable[list[tuple[str, str]]] = (),
    ) -> None:
        self.settled = deque(settled)
        self.used = deque(used)
        self.asked = set(asked)
        self.attempts = deque(attempts)
        self.turns: list[tuple[str, str]] = []
        self.doubts: list[str] = []


class Game:
    """One game in progress on a sheet. ``received`` has the gains that the opponent must still receive."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.received: list[str] = []
        self.inquired = False
        self.resting = False

    # --- commands ---------------------------------------------------------------------------------------------------

    def set_up(self, chance: Chance) -> None:
        """Fill the rows and find the start player."""
        sheet = self.sheet
        for at in range(5):
            sheet.townsfolk[at] = _draw(chance, "townsfolk.deck", sheet.townsfolk_deck)
        for at in range(6):
            sheet.outsiders[at] = _draw(chance, "outsiders.deck", sheet.outsider_deck)
        if sheet.people > 1:
            starters = Counter(f"starter.{seat}" for seat in range(1, sheet.people + 1))
            sheet.start = int(chance.draw("starters", starters).removeprefix("starter."))
        if sheet.opponent:
            rival = sheet.side(2)
            for _ in range(facts.OPPONENT_ORDERS[sheet.choices["opponent"]]):
                order = chance.draw("orders.box", sheet.order_box)
                sheet.order_box[order] -= 1
                rival.areas[order.removeprefix("order_")][0] = WORKSHOP
            sheet.order_box = Counter(f"order_{action}" for action in facts.RIGHT)
        sheet.acting = sheet.people_clockwise()[-1].seat
        sheet.side(sheet.acting).choice = "first_townsfolk"

    def play(self, seat: int, command: Struct, chance: Chance, log: Log) -> None:
        """Carry out a command and everything that follows."""
        side = self.sheet.side(seat)
        self._command(side, command, chance, log)
        self._continue(chance, log)

    def _command(self, side: Side, command: Struct, chance: Chance, log: Log) -> None:
        sheet = self.sheet
        if isinstance(command, c.UseTownsfolk):
            court.use(sheet, side, self._next_used(side, log, command.townsfolk))
        elif side.choice == "reward":
            if isinstance(command, c.TakeReward):
                self._next_settled(side, log, command.reward)
            actions.reward(sheet, side, command)
        elif side.choice == "first_townsfolk" and isinstance(command, c.HireTownsfolk):
            side.choice = ""
            actions.take_townsfolk(sheet, side, command)
        elif isinstance(command, c.ChoosePaladin):
            self._sort(side, command)
        elif isinstance(command, c.TakeTavernCard):
            side.choice = ""
            sheet.tavern.remove(command.tavern)
            sheet.tavern_discard.append(command.tavern)
            for worker in facts.TAVERN[command.tavern]:
                came = stock.take(sheet, side, worker)
                side.due["suspicion"] += came if worker == "criminal" else 0
        elif isinstance(command, c.BeginAction | c.UseFavour):
            actions.begin(sheet, side, command)
            actions.place_workers(sheet, side, chance)
        elif isinstance(command, c.PlaceWorker):
            actions.place(sheet, side, command.worker)
            actions.place_workers(sheet, side, chance)
        elif isinstance(command, c.Pass):
            side.passed = True
            clear(side)
            side.choice = "keep" if side.workers.total() else ""
        elif isinstance(command, c.ReturnWorker):
            side.workers[command.worker] -= 1
            side.choice = "keep" if side.workers.total() else ""
        elif isinstance(command, c.KeepWorkers):
            side.choice = ""
        else:
            actions.target(sheet, side, command)

    def _sort(self, side: Side, command: c.ChoosePaladin) -> None:
        side.choice = ""
        side.hand = [card for card in side.hand if card not in (command.paladin, command.top)]
        side.chosen, side.again = command.paladin, command.top
        side.under += side.hand
        side.hand = []

    # --- consequences -------------------------------------------------------------------------------------------------

    def _continue(self, chance: Chance, log: Log) -> None:
        sheet = self.sheet
        while sheet.phase != "over":
            if sheet.inquisition:
                if not self._inquire(log):
                    return
            elif any(side.choice and side.choice != "inquisition" for side in sheet.sides):
                return
            elif any((+side.due).total() for side in sheet.sides if not side.automaton):
                if not self._settle(chance, log):
                    return
            elif (+sheet.sides[-1].due).total():
                self._suspect(sheet.sides[-1], chance)
            elif self.received:
                self._receive(sheet.sides[-1], chance)
            else:
                self._next(chance, log)

    def _receive(self, rival: Side, chance: Chance) -> None:
        """Give the opponent its next gain. Immediate gains come before gains that can start an inquisition."""
        gain = min(self.received, key=lambda gain: gain not in AT_ONCE)
        self.received.remove(gain)
        if gain == "suspicion":
            rival.due["suspicion"] += 1
        else:
            self.received[:0] = opponent.give(self.sheet, rival, gain, chance)

    def _suspect(self, side: Side, chance: Chance) -> None:
        """Draw the suspicion card that is due. If no card is left, an inquisition comes first."""
        if court.draw(self.sheet, side, chance, self.inquired):
            side.due["suspicion"] -= 1
            self.inquired = False
        else:
            self.inquired = True

    def _inquire(self, log: Log) -> bool:
        sheet = self.sheet
        for side in sheet.sides:
            side.choice = "" if side.choice == "inquisition" else side.choice
        while log.used and any(log.used[0][1] in side.inquiry for side in sheet.sides):
            seat, card = log.used[0]
            side = sheet.side(seat)
            if court.order_matters(side):
                log.doubts.append(f"seat {seat} was not asked in which order {side.inquiry} act")
            court.use(sheet, side, self._next_used(side, log, card))
        for side in sheet.sides:
            if len(side.inquiry) > 1 and side.seat in log.asked:
                side.choice = "inquisition"
        asked = [side for side in sheet.sides if side.choice == "inquisition"]
        in_turn = sheet.choices["supply_limits"] == "as_in_the_box"  # a seat can take the last component
        if len(asked) > 1 and in_turn:
            log.doubts.append("seats that can take components from each other are asked at the same time")
        for side in sheet.sides:
            if side not in asked and court.order_matters(side) and not (asked and in_turn):
                log.doubts.append(f"seat {side.seat} is not asked in which order {side.inquiry} act")
        if asked:
            return False
        if any(side.inquiry for side in sheet.sides):
            raise DrawMismatchError("the inquisition continues, and no seat is asked")
        court.end(sheet)
        return True

    def _next_used(self, side: Side, log: Log, card: str) -> str:
        if not log.used or log.used.popleft() != (side.seat, card):
            raise DrawMismatchError(f"seat {side.seat} should have used {card} in the inquisition")
        return card

    def _settle(self, chance: Chance, log: Log) -> bool:
        """Settle the next reward that is due, or ask the seat if there is a choice."""
        sheet = self.sheet
        side = next(side for side in sheet.sides if not side.automaton and (+side.due).total())
        if side.due["suspicion"] > 0:
            self._suspect(side, chance)
            return True
        if not log.settled:
            side.choice = "reward"
            if set(+side.due) == {"discard_suspicion"} and not choosing.keepers(sheet, side):
                log.doubts.append(f"seat {side.seat} was asked whether it keeps suspicion, without a card for it")
            alone = [*+side.due]
            if len(alone) == 1 and alone[0] in choosing.DEBTS and sheet.choices["debts_kept"] != "allowed":
                log.doubts.append(f"seat {side.seat} was asked whether it keeps a debt, and only {alone[0]} was due")
            return False
        _, kind = log.settled[0]
        if kind == "tax" and not side.due["tax"]:  # no more silver was left
            kind = "tax_2"
        self._next_settled(side, log, kind)
        if kind.startswith(LAPSED):
            self._lapse(side, kind.removeprefix(LAPSED), log)
            return True
        self._check_was_forced(side, kind, log)
        actions.settle(sheet, side, kind)
        return True

    def _lapse(self, side: Side, kind: str, log: Log) -> None:
        """Remove all rewards of a kind without effect."""
        if side.due[kind] <= 0 or not choosing.is_void(self.sheet, side, kind):
            raise DrawMismatchError(f"{kind} lapsed for seat {side.seat}, which has {+side.due} to receive")
        side.due[kind] = 0
        other = {"discard_suspicion": SUSPICIOUS, "destroy_debt": INDEBTING, "pay_debt": INDEBTING}.get(kind, set())
        if other & set(+side.due):
            log.doubts.append(f"{kind} lapsed for seat {side.seat}, which was to receive {sorted(+side.due)} as well")

    def _check_was_forced(self, side: Side, kind: str, log: Log) -> None:
        """Add a doubt if the title should have asked the seat instead."""
        others = set(+side.due) - {kind}
        offered = {
            gain for other in others & set(choosing.CHOICES) for gains in choosing.CHOICES[other] for gain in gains
        }
        if kind in ("tax", "tax_2", "criminal"):
            touched = {"discard_suspicion", "pay_debt", "destroy_debt"} if self._can_start_inquisition(side) else set()
            touched |= {"discard_suspicion"} if kind == "criminal" and not side.suspicion else set()
        elif kind == "discard_suspicion":
            touched = {"criminal", "tax", "tax_2"} if self._can_start_inquisition(side) else set()
            keepers = choosing.keepers(self.sheet, side)
            if keepers:
                log.doubts.append(f"seat {side.seat} was not asked whether it keeps suspicion for {keepers}")
        elif kind in ("pay_debt", "destroy_debt"):
            touched = {"pay_debt", "destroy_debt", "take_debt"} - {kind}
            touched |= {"criminal", "tax", "tax_2"} if self._can_start_inquisition(side) else set()
            if self.sheet.choices["debts_kept"] == "allowed":
                log.doubts.append(f"seat {side.seat} was not asked whether it keeps a debt")
        else:
            touched = {"pay_debt", "destroy_debt"} - {kind}
        if touched & (others | offered):
            log.doubts.append(f"seat {side.seat} was not asked about {kind} before or after {sorted(others)}")

    def _can_start_inquisition(self, side: Side) -> bool:
        """Return whether the gains of a seat can start an inquisition."""
        due = side.due
        return due["tax"] + 2 * due["tax_2"] + 2 * due["criminal"] >= self.sheet.tax

    def _next_settled(self, side: Side, log: Log, kind: str) -> None:
        if not log.settled:
            raise DrawMismatchError(f"seat {side.seat} should have received {kind}")
        seat, found = log.settled.popleft()
        less = (kind, found) == ("tax_2", "tax") and self.sheet.tax + stock.left(self.sheet, "silver") < 2
        if seat != side.seat or (found != kind and not less):
            raise DrawMismatchError(f"seat {side.seat} should have received {kind}, and seat {seat} received {found}")

    # --- the next seat, phase, round ---------------------------------------------------------------------------------

    def _next(self, chance: Chance, log: Log) -> None:
        sheet = self.sheet
        if sheet.phase == "founding":
            self._next_founder(chance)
        elif sheet.phase == "paladins":
            self._reveal()
        elif sheet.phase == "tavern":
            self._next_guest()
        else:
            self._next_actor(chance, log)

    def _next_founder(self, chance: Chance) -> None:
        sheet = self.sheet
        backwards = sheet.people_clockwise()[::-1]
        at = backwards.index(sheet.side(sheet.acting)) + 1
        if at < len(backwards):
            sheet.acting = backwards[at].seat
            backwards[at].choice = "first_townsfolk"
            return
        shift_townsfolk(sheet, chance)
        self._begin_round(chance)

    def _begin_round(self, chance: Chance) -> None:
        sheet = self.sheet
        sheet.round += 1
        sheet.phase, sheet.acting = "paladins", 0
        if sheet.round > 1:
            sheet.start = sheet.start % sheet.people + 1
        rival = sheet.sides[-1] if sheet.opponent else None
        if sheet.round <= 3:
            order = chance.draw("orders.box", sheet.order_box)
            sheet.order_box[order] -= 1
            action = order.removeprefix("order_")
            sheet.orders.append(action)
            if rival and rival.workshops(action) < 2:
                rival.areas[action][rival.workshops(action)] = WORKSHOP
        if sheet.round >= 3:
            card = _draw(chance, "favours.box", sheet.favour_box)
            sheet.favours[card] = ""
            if sheet.opponent:
                sheet.opponent.favours -= 1
                sheet.opponent.discard["scheme_favour"] += 1
        self._open_tavern(chance)
        if rival:
            for _ in range(sheet.round + 3):
                stock.take_worker(sheet, rival, chance)
        for side in sheet.people_clockwise():
            _deal(side, chance, sheet.round)

    def _open_tavern(self, chance: Chance) -> None:
        sheet = self.sheet
        sheet.tavern = []
        for _ in range(sheet.people + 1):
            if not sheet.tavern_deck.total():
                sheet.tavern_deck, sheet.tavern_discard = Counter(sheet.tavern_discard), []
            sheet.tavern.append(_draw(chance, "tavern.deck", sheet.tavern_deck))

    def _reveal(self) -> None:
        sheet = self.sheet
        for side in sheet.people_clockwise():
            side.paladin, side.chosen = side.chosen, ""
            for worker in facts.PALADINS[side.paladin].workers:
                stock.take(sheet, side, worker)
        sheet.phase, sheet.acting = "tavern", sheet.start
        sheet.side(sheet.acting).choice = "tavern"

    def _next_guest(self) -> None:
        sheet = self.sheet
        order = sheet.people_clockwise()
        at = order.index(sheet.side(sheet.acting)) + 1
        if at < len(order):
            sheet.acting = order[at].seat
            order[at].choice = "tavern"
            return
        criminals = Counter(facts.TAVERN[sheet.tavern[0]])["criminal"]
        if sheet.opponent and not self.resting and criminals:
            self.resting = True
            sheet.sides[-1].due["suspicion"] += criminals
            return
        self.resting = False
        sheet.phase, sheet.acting = "actions", sheet.start
        sheet.side(sheet.acting).choice = "act"

    def _next_actor(self, chance: Chance, log: Log) -> None:
        sheet = self.sheet
        sheet.action = ""
        acting = sheet.side(sheet.acting)
        if self.resting:
            self.resting = False
            retire(acting)
        order = [*sheet.clockwise(sheet.acting)[1:], acting]
        following = [side for side in order if not side.passed]
        if not following:
            self._end_round(chance)
            return
        sheet.acting = following[0].seat
        if not following[0].automaton:
            following[0].choice = "act"
            return
        if not following[0].workers.total():
            retire(following[0])
            return
        self._turn(following[0], chance, log)

    def _turn(self, rival: Side, chance: Chance, log: Log) -> None:
        attempts = log.attempts.popleft() if log.attempts else []
        for action, obstacle in attempts:
            if not opponent.has_obstacle(self.sheet, rival, action, obstacle):
                log.doubts.append(f"{action} of the opponent does not have the obstacle {obstacle}")
        turn = opponent.turn(self.sheet, rival, chance)
        tried = [action for action, obstacle in attempts if obstacle != "already_fulfilled"]
        if tried != [action for action in turn.tried if action in tried or turn.scheme != "order"]:
            log.doubts.append(f"the opponent could not take {turn.tried}, not {attempts}")
        self.received = turn.gains
        self.resting = turn.action == "rest"
        log.turns.append((turn.scheme, turn.action))

    def _end_round(self, chance: Chance) -> None:
        sheet = self.sheet
        places = ((4, 0), (3, 1)) if sheet.opponent else ((4, 0),)
        for right, left in places:
            for row, at, pile in (
                (sheet.townsfolk, right, sheet.townsfolk_discard),
                (sheet.outsiders, left, sheet.outsider_discard),
            ):
                if row[at]:
                    pile.append(row[at])
                    row[at] = ""
        shift_townsfolk(sheet, chance)
        found = [card for card in sheet.outsiders if card]
        while len(found) < 6 and sheet.outsider_deck.total():
            found.append(_draw(chance, "outsiders.deck", sheet.outsider_deck))
        sheet.outsiders = found + [""] * (6 - len(found))
        sheet.tavern_discard += sheet.tavern
        sheet.tavern = []
        sheet.favours = dict.fromkeys(sheet.favours, "")
        for side in sheet.sides:
            side.passed = False
            if side.paladin:
                side.retired.append(side.paladin)
                side.paladin = ""
        if sheet.round == facts.ROUNDS:
            sheet.phase = "over"
            scoring.finish(sheet)
        else:
            self._begin_round(chance)


def clear(side: Side) -> None:
    """Remove all workers from the areas of a seat."""
    for action, spaces in side.areas.items():
        side.areas[action] = [who if who == WORKSHOP else "" for who in spaces]


def retire(rival: Side) -> None:
    """Let the opponent pass."""
    rival.passed = True
    rival.workers.clear()
    clear(rival)


def shift_townsfolk(sheet: Sheet, chance: Chance) -> None:
    """Move the townsfolk to the right, and add new cards on the left."""
    found = [card for card in sheet.townsfolk if card]
    while len(found) < 5 and sheet.townsfolk_deck.total():
        found.insert(0, _draw(chance, "townsfolk.deck", sheet.townsfolk_deck))
    sheet.townsfolk = [""] * (5 - len(found)) + found


def _draw(chance: Chance, zone: str, pile: Counter[str]) -> str:
    card = chance.draw(zone, pile)
    pile[card] -= 1
    return card


def _deal(side: Side, chance: Chance, round: int) -> None:
    """Deal three paladins: first the one on top, then from the deck, then those under the deck."""
    side.hand = [side.again] if side.again else []
    side.again = ""
    while len(side.hand) < 3:
        if side.deck.total():
            side.hand.append(_draw(chance, f"seat.{side.seat}.deck", side.deck))
        else:
            side.hand.append(side.under.pop(0))
    side.choice = "paladin"
