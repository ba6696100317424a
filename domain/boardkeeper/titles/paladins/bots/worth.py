"""What things are worth to the sensible bot, in points at the end of the game: rough, and the same for everybody.

The numbers were found by letting it play against itself with others.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from boardkeeper.table.title import Setup
from boardkeeper.titles.paladins.board import AreaView, Board, SeatView
from boardkeeper.titles.paladins.data import (
    ATTRIBUTES,
    CRIMINAL,
    RIGHT,
    WORKSHOP,
    Data,
    Gain,
    Paladin,
    data_for,
)
from boardkeeper.titles.paladins.meta import META

ROUNDS = 7
_TIMES = 7
"""How often an action of the right side can be done, other than attacks."""

_WORKERS = {"labourer": 0.85, "scout": 1.0, "merchant": 1.0, "fighter": 1.0, "cleric": 1.0, "criminal": 1.1}
"""What workers are worth to each other."""
_WORKER = 1.65
"""A worker that comes while there is still much to do with it."""
_LAST_WORKER = 0.5
"""A worker that comes in the last round."""
_KEPT_WORKER = 0.77
"""A worker that is kept for the next round."""
_GOODS = {"silver": (0.47, 0.03), "provision": (0.65, 0.08)}
"""A silver and a provision, and by how much less each is worth for every one that a seat has already."""
_GOODS_AT_THE_END = 0.34
_TAX = 1.17
"""The silver of a suspicion card, on average."""

_STEP = 1.2
"""How much more than its points a step on a track is worth."""
_STEPS_A_ROUND = 1.35
"""How far an attribute usually rises that a seat cares about."""
_IN_REACH = 0.6
"""That a step makes an action possible at once."""
_SURE = 0.77
"""How sure it is that an action that serves an end is done once more."""
_WALL = 1.0
"""A wall, apart from its strength."""
_AGAIN = 1.5
"""What an action brings at least, so that its area is worth being cleared."""

_WORKSHOP_USES = 6.0
"""How often a workshop is used in a whole game."""
_SAVED_WORKER = 0.8
_WORTHY_ACTION = 0.13
"""How much of an action's own worth speaks for a workshop there: it will be done more often."""
_TOWNSFOLK_USES = {"inquisition": 1.4, "pay_debt": 1.0, "develop": 1.7}
_OTHER_USES = 2.8
"""How often townsfolk are used in a whole game, by what they wait for."""

_RISKS = (0.1, 0.3, 0.6, 0.9)
"""How likely an inquisition finds the most suspicion here, by the lead in cards: -2 or less, -1, 0, 1 or more."""
_CONDEMNED = 0.75
"""What that costs: a debt can often be paid, which is worth something again."""


@lru_cache(maxsize=1)
def facts() -> Data:
    """What boards and cards say, as it usually is: what a game's options change is too little to matter to a bot."""
    return data_for(Setup(META.default_edition, 2))


def left(board: Board) -> float:
    """How much of the game is still to come after this round, from nearly 1 to 0."""
    return (ROUNDS - board.round) / ROUNDS


def with_bonus(me: SeatView, attribute: str) -> int:
    """An attribute with what this round's paladin adds."""
    return _level(me, attribute) + me.bonus.get(attribute, 0)


def _level(me: SeatView, attribute: str) -> int:
    return int(getattr(me, attribute))


def area_of(me: SeatView, action: str) -> AreaView:
    """An action area of a seat."""
    return next(area for area in me.areas if area.action == action)


def paladin_of(me: SeatView) -> Paladin:
    """The paladin of a seat's round; one without any ability if it has none."""
    return facts().paladins.get(me.paladin, facts().no_paladin)


def price(me: SeatView, area: AreaView) -> tuple[int, int]:
    """Silver and provisions that an action costs with this round's paladin."""
    return paladin_of(me).price(area.action, area.times)


# --- workers, goods, suspicion ---------------------------------------------------------------------------------------


def of_worker(board: Board, worker: str) -> float:
    """A worker that comes."""
    return _WORKERS[worker] * (_WORKER if board.round < ROUNDS else _LAST_WORKER)


def of_kept_worker(board: Board) -> float:
    """A worker that is not used in this round."""
    return _KEPT_WORKER if board.round < ROUNDS else 0.0


def of_good(board: Board, me: SeatView, good: str) -> float:
    """A silver or a provision."""
    if board.round == ROUNDS:
        return _GOODS_AT_THE_END
    first, less = _GOODS[good]
    return max(_GOODS_AT_THE_END, first - less * (me.silver if good == "silver" else me.provisions))


def of_criminals(board: Board, me: SeatView, criminals: int) -> float:
    """What comes with so many criminals: suspicion and its taxes."""
    return _TAX * criminals * of_good(board, me, "silver") + of_suspicion(board, me, criminals)


def of_suspicion(board: Board, me: SeatView, more: int) -> float:
    """What so many cards of suspicion change: more of them are worth less than nothing, fewer (negative) something."""
    others = max((len(seat.suspicion) for seat in board.seats if seat.seat != me.seat), default=0)
    now = len(me.suspicion)
    return _risk(board, now, others) - _risk(board, now + more, others)


def _risk(board: Board, cards: int, others: int) -> float:
    """What is to be expected of an inquisition, against the most that others have; soon nothing will call one."""
    if cards <= 0:
        return 0.0
    chance = _RISKS[max(-2, min(1, cards - others)) + 2]
    soon = 1.0 if board.round < ROUNDS else 1.0 - 0.6 * board.tax / max(1, board.tax_full)
    return _CONDEMNED * chance * soon + 0.1 * cards


# --- rewards ---------------------------------------------------------------------------------------------------------


def of_reward(board: Board, me: SeatView, reward: str) -> float:
    """What one thing is worth to a seat now."""
    if reward in ATTRIBUTES:
        return _of_step(board, me, reward)
    if reward in _WORKERS:
        return of_worker(board, reward) + (of_criminals(board, me, 1) if reward == CRIMINAL else 0.0)
    match reward:
        case "silver" | "provision":
            return of_good(board, me, reward)
        case "tax":
            return of_good(board, me, "silver")
        case "tax_2":
            return 2 * of_good(board, me, "silver")
        case "suspicion":
            return of_suspicion(board, me, 1)
        case "discard_suspicion":
            return of_suspicion(board, me, -1)
        case "pay_debt":
            return 4.0 if me.unpaid_debts else 0.0
        case "destroy_debt":
            return 3.0 if me.unpaid_debts else 0.0
        case "take_debt":
            return left(board) - 2.4
        case "pray" | "pray_action":
            return _of_prayer(board, me)
        case "free_recruit":
            return 0.4 + 2.4 * left(board)
        case "free_develop":
            return 0.5 + 3.5 * left(board)
        case _:
            return 0.0


def of_all(board: Board, me: SeatView, rewards: Iterable[str]) -> float:
    """What several things are worth together."""
    return sum(of_reward(board, me, reward) for reward in rewards)


def of_gain(board: Board, me: SeatView, gain: Gain) -> float:
    """What a card's reward is worth."""
    return of_all(board, me, gain.plain) + sum(count * of_reward(board, me, kind) for kind, count in gain.dues)


def _of_step(board: Board, me: SeatView, attribute: str) -> float:
    """A step on a track: its share of the best that can still be reached there, and what it makes possible."""
    points = facts().attribute_points
    now = _level(me, attribute)
    far = min(len(points) - 1, now + 2 + round(_STEPS_A_ROUND * (ROUNDS - board.round)))
    if now >= far:
        return 0.0
    worth = _STEP * max((points[to] - points[now]) / (to - now) for to in range(now + 1, far + 1)) + 0.3 * left(board)
    next_ = with_bonus(me, attribute) + 1
    return worth + _IN_REACH * sum(
        1 for area in me.areas if area.attribute == attribute and area.needs == next_ and area.open
    )


def _of_prayer(board: Board, me: SeatView) -> float:
    """Clearing the best area: worth something if there are workers to use it again."""
    workers = sum(me.workers.values())
    best = 0.0
    for area in me.areas:
        used = not area.open or area.action == board.action
        if area.action in RIGHT and used and len(free_spaces(area)) <= workers and possible(board, me, area):
            again = _AGAIN + _of_next_time(board, me, area)
            best = max(best, again - len(free_spaces(area)) * of_kept_worker(board))
    return best


# --- actions of the right side ---------------------------------------------------------------------------------------


def free_spaces(area: AreaView) -> list[str]:
    """What the spaces of an action ask for that have no workshop."""
    return [space.requires for space in area.spaces if space.occupant != WORKSHOP]


def possible(board: Board, me: SeatView, area: AreaView) -> bool:
    """Whether an action of the right side can be done, as far as attributes and targets go."""
    if area.times >= _TIMES and area.action != "attack":
        return False
    have = with_bonus(me, area.attribute)
    match area.action:
        case "fortify":
            return have >= area.needs and board.walls > 0
        case "absolve":
            return have >= area.needs
        case "attack":
            return any(place.outsider and place.strength <= have + 2 * me.silver for place in board.outsiders)
        case "convert":
            return any(place.outsider and place.faith <= have for place in board.outsiders)
        case _:
            return bool(_gains_in_reach(board, me, area))


def _gains_in_reach(board: Board, me: SeatView, area: AreaView) -> set[tuple[str, ...]]:
    """The rewards of the spaces of the main board that a monk or an outpost could go to."""
    have = with_bonus(me, area.attribute)
    flags = facts().faith_flags if area.attribute == "faith" else facts().strength_flags
    return {space.gains for space in board.spaces if not space.seat and flags[space.region - 1] <= have}


def of_action(board: Board, me: SeatView, area: AreaView) -> float:
    """What an action of the right side brings, with its best target; its price is not counted."""
    data = facts()
    worth = _of_next_time(board, me, area) + _of_target(board, me, area) + of_following(board, me, area.action)
    paladin = paladin_of(me)
    if paladin.bonus_action == area.action:
        worth += of_gain(board, me, paladin.bonus_gain)
    return worth + 0.5 * sum(1 for id in me.converted if data.outsiders[id].scores == area.action)


def of_following(board: Board, me: SeatView, action: str) -> float:
    """What a seat's townsfolk bring for an action."""
    cards = (facts().townsfolk[id] for id in me.townsfolk)
    return sum(of_gain(board, me, card.reward) for card in cards if card.trigger == action)


def _of_next_time(board: Board, me: SeatView, area: AreaView) -> float:
    """Doing an action once more, for tables and orders: the share in the best end that it can still serve.

    The more often it has still to be done for an end, the less sure that is.
    """
    done = area.times
    order = next((place.points for place in board.orders if place.order == area.action), 0)
    table = facts().points.get(area.action) or (0,) * (_TIMES + 1)
    far = min(_TIMES, done + 1 + ROUNDS - board.round)
    best = 0.0
    for times in range(done + 1, far + 1):
        points = table[times] - table[done] + (order if done < facts().order_needs <= times else 0)
        best = max(best, points / (times - done) * _SURE ** (times - done - 1))
    return 0.9 * best


def _of_target(board: Board, me: SeatView, area: AreaView) -> float:
    have = with_bonus(me, area.attribute)
    match area.action:
        case "fortify":
            return of_reward(board, me, "strength") + _WALL
        case "absolve":
            jars = (of_all(board, me, jar.gains) for jar in me.jar_spaces if jar.taken < jar.spaces)
            return of_all(board, me, ("faith", "discard_suspicion")) + max(jars, default=0.0)
        case "attack":
            reach = have + 2 * me.silver
            found = (it.outsider for it in board.outsiders if it.outsider and it.strength <= reach)
            return max((of_attack(board, me, outsider) for outsider in found), default=0.0)
        case "convert":
            found = (it.outsider for it in board.outsiders if it.outsider and it.faith <= have)
            return max((of_conversion(board, me, outsider) for outsider in found), default=0.0)
        case _:
            spaces = (of_all(board, me, gains) for gains in _gains_in_reach(board, me, area))
            raised = "influence" if area.action == "commission" else "faith"
            return of_reward(board, me, raised) + max(spaces, default=0.0)


def of_attack(board: Board, me: SeatView, outsider: str) -> float:
    """Attacking an outsider: what it brings, what those count for it that hunt its like, and the silver."""
    data = facts()
    card = data.outsiders[outsider]
    strength = next(place.strength for place in board.outsiders if place.outsider == outsider)
    missing = max(0, strength - with_bonus(me, "strength"))
    hunters = sum(1 for id in me.converted if data.outsiders[id].scores == card.suit)
    return of_gain(board, me, card.attack) + hunters - of_good(board, me, "silver") * ((missing + 1) // 2)


def of_conversion(board: Board, me: SeatView, outsider: str) -> float:
    """Converting an outsider: strength, and what it will have scored at the end, as far as one can tell."""
    card = facts().outsiders[outsider]
    return of_gain(board, me, card.conversion) + 1.1 * _of_scoring(board, me, card.scores)


def _of_scoring(board: Board, me: SeatView, scores: str) -> float:
    if scores in ATTRIBUTES:
        return min(12.0, _level(me, scores) + 7 * left(board)) / 4
    outsiders = facts().outsiders
    match scores:
        case "saracen" | "byzantine" | "viking":
            return sum(1 for id in me.attacked if outsiders[id].suit == scores) + left(board)
        case "paid_debts":
            return me.paid_debts + 0.5 * left(board)
        case "unpaid_debts":
            return me.unpaid_debts + 0.2
        case "suspicion":
            return 0.7 * len(me.suspicion)
        case "orders":
            return 1.8
        case "mercenaries":
            return 2.0 + 2 * sum(1 for id in me.converted if outsiders[id].scores == scores)
        case "hired":
            return (len(me.townsfolk) + 1.5 * left(board)) / 2
        case "develop":
            return (8 - len(me.workshops) + 3 * left(board)) / 2
        case _:
            return min(7.0, area_of(me, scores).times + 4 * left(board)) / 2


# --- actions of the left side ----------------------------------------------------------------------------------------


def of_developing(board: Board, me: SeatView) -> float:
    """The next workshop, of which there is one: the worker under it, the best place for it, and points for many."""
    table: tuple[int, ...] = facts().points["develop"]
    done = len(table) - 1 - len(me.workshops)
    far = min(len(table) - 1, done + 1 + ROUNDS - board.round)
    points: float = max((table[to] - table[done]) / (to - done) for to in range(done + 1, far + 1))
    with_place = (area for area in me.areas if area.action in RIGHT and len(free_spaces(area)) > 1)
    best = max((of_workshop(board, me, area) for area in with_place), default=0.0)
    return points + of_worker(board, me.workshops[0]) + best + of_following(board, me, "develop")


def of_workshop(board: Board, me: SeatView, area: AreaView) -> float:
    """A workshop on an area: a worker less each time that the action will be done, and one does what is worth most."""
    still = _TIMES if area.action == "attack" else _TIMES - area.times
    uses = min(still, _WORKSHOP_USES * left(board) + 0.5 * area.open)
    first = 1.0 if len(free_spaces(area)) == len(area.spaces) else 0.9
    action = of_action(board, me, area) - 0.5 * sum(price(me, area))
    return uses * (_SAVED_WORKER * first + _WORTHY_ACTION * action)


def of_hiring(board: Board, me: SeatView, townsfolk: str) -> float:
    """One of the townsfolk in the own following, whatever it costs."""
    card = facts().townsfolk[townsfolk]
    uses = _TOWNSFOLK_USES.get(card.trigger, _OTHER_USES) * left(board) + (0.3 if board.round < ROUNDS else 0.0)
    counted = 0.5 * sum(1 for id in me.converted if facts().outsiders[id].scores == "hired")
    return uses * of_gain(board, me, card.reward) + of_gain(board, me, card.instant) + counted


def of_discarding(board: Board, me: SeatView, townsfolk: str) -> float:
    """Sending one of the townsfolk away, whatever it costs."""
    return of_gain(board, me, facts().townsfolk[townsfolk].discard)
