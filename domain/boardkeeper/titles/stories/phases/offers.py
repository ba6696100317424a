"""What an event leaves to a seat's choice: to pay or to lose, to invest, to sell, to take somebody in, to trek."""

from __future__ import annotations

from typing import Any

from boardkeeper.families.followers import debts
from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.turn_flow import Decisions
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.control import areas_of, why_not_enter
from boardkeeper.titles.stories.data import START_VILLAGE, WOOD
from boardkeeper.titles.stories.material import Area, Seat, Stories
from boardkeeper.titles.stories.phases import demands, torture, trading
from boardkeeper.titles.stories.phases.verbs.territory import enter, why_no_area


def ask(t: Stories, seat: Seat, decision: str) -> None:
    """Open the decision if it leaves more than to decline."""
    if len(DECISIONS[decision][0](t, seat)) > 1:
        t.ask(seat, decision)


def _done(t: Stories, seat: Seat) -> None:
    t.ask(seat, "")
    t.advance()


def decline(t: Stories, seat: Seat, command: c.DeclineBonus) -> Rejection | None:
    """Do without (stories.events.offers)."""
    t.emit(seat, e.BonusDeclined(t.event.value))
    _done(t, seat)
    return None


# --- to pay, or else to lose something ---------------------------------------------------------------------


def ask_to_pay(t: Stories, seat: Seat) -> None:
    """Let the seat pay or lose; if it can do neither, what it lacks is tortured for (stories.events.else_lose)."""
    if legal_pay(t, seat):
        t.ask(seat, "pay")
        return
    if "pay_coins" in t.card():
        demands.demand_coins(t, seat, t.card()["pay_coins"])
    else:
        t.emit(seat, e.GoodsMissing(t.card()["pay_wood"]))
        debts.begin(t, seat, t.card()["pay_wood"])


def give_wood(t: Stories, seat: Seat, command: c.GiveGood) -> Rejection | None:
    """Pay the wood, which leaves the game."""
    if command.good != WOOD or "pay_wood" not in t.card():
        return Rejection("NOT_ASKED_FOR", "stories.events.else_lose", {"good": command.good})
    if WOOD not in seat.goods.items:
        return Rejection("NO_SUCH_GOOD", "stories.food.own_goods", {"good": WOOD})
    t.move(WOOD, seat.goods, t.removed)
    t.emit(seat, e.GoodGiven(WOOD))
    _done(t, seat)
    return None


def pay_coins(t: Stories, seat: Seat, command: c.PayCoins) -> Rejection | None:
    """Pay the coins."""
    needed: int = t.card().get("pay_coins", 0)
    if not needed:
        return Rejection("NOT_ASKED_FOR", "stories.events.else_lose", {"coins": str(needed)})
    if seat.coins.value < needed:
        values = {"coins": str(seat.coins.value), "needed": str(needed)}
        return Rejection("NOT_ENOUGH_COINS", "stories.events.else_lose", values)
    t.set(seat.coins, seat.coins.value - needed)
    t.emit(seat, e.CoinsPaid(needed, 0))
    _done(t, seat)
    return None


def lose_technology(t: Stories, seat: Seat, command: c.SurrenderTechnology) -> Rejection | None:
    """Lose a technology tile instead."""
    if t.card()["else_lose"] != TECHNOLOGY:
        return Rejection("NOT_ASKED_FOR", "stories.events.else_lose", {"place": command.place})
    rejection = torture.give_technology(t, seat, command)
    if rejection:
        return rejection
    t.emit(seat, e.TechnologySurrendered(command.place, command.space, 0))
    _done(t, seat)
    return None


def losable(t: Stories, seat: Seat) -> list[Area]:
    """Where the seat has a settler that a revolt can drive away: no fortress, and not its first village."""
    return [area for area in areas_of(t, seat) if not area.fortified_by() and START_VILLAGE not in area.pile.items]


def lose_settler(t: Stories, seat: Seat, command: c.SurrenderSettler) -> Rejection | None:
    """Lose a settler instead."""
    values = {"area": command.area}
    if t.card()["else_lose"] == TECHNOLOGY:
        return Rejection("NOT_ASKED_FOR", "stories.events.else_lose", values)
    if command.area not in {area.id for area in losable(t, seat)}:
        return Rejection("NO_SETTLER", "stories.events.revolt", values)
    torture.give_settler(t, seat, command.area)
    t.emit(seat, e.SettlerSurrendered(command.area, 0))
    _done(t, seat)
    return None


def legal_pay(t: Stories, seat: Seat) -> list[c.Command]:
    """Paying, and everything that can be lost instead."""
    effect = t.card()
    commands: list[c.Command] = []
    if "pay_wood" in effect and WOOD in seat.goods.items:
        commands.append(c.GiveGood(WOOD))
    if "pay_coins" in effect and seat.coins.value >= effect["pay_coins"]:
        commands.append(c.PayCoins())
    if effect["else_lose"] == TECHNOLOGY:
        return commands + [c.SurrenderTechnology(*key) for key in debts.technologies(seat)]
    return commands + [c.SurrenderSettler(area.id) for area in losable(t, seat)]


# --- to invest ---------------------------------------------------------------------------------------------


def invest(t: Stories, seat: Seat, command: c.GiveGood) -> Rejection | None:
    """Pay a good for what the event offers (stories.events.offers)."""
    if command not in legal_invest(t, seat):
        return Rejection("NOT_ASKED_FOR", "stories.events.offers", {"good": command.good})
    tiles: int = t.card()[TECHNOLOGY]
    t.move(command.good, seat.goods, t.removed)
    t.move(TECHNOLOGY, t.technology, seat.technology, tiles)
    t.emit(seat, e.GoodGiven(command.good))
    t.emit(seat, e.EventCarriedOut(t.event.value, technology=tiles))
    _done(t, seat)
    return None


def legal_invest(t: Stories, seat: Seat) -> list[c.Command]:
    """Paying, if there is something to gain."""
    effect = t.card()
    can = t.technology.total() >= effect[TECHNOLOGY] and effect["may_pay"] in seat.goods.items
    return [c.GiveGood(effect["may_pay"]), c.DeclineBonus()] if can else [c.DeclineBonus()]


# --- newcomers ---------------------------------------------------------------------------------------------


def take_follower(t: Stories, seat: Seat, command: c.TakeFollower) -> Rejection | None:
    """Take one of the followers that the event offers into the bag (stories.events.offers)."""
    values = {"character": command.character}
    if command.character not in t.card()["gain_follower"]:
        return Rejection("WRONG_CHARACTER", "stories.events.offers", values)
    if command.character not in t.supply.items:
        return Rejection("NO_FOLLOWER_LEFT", "stories.running_out.tiles", values)
    t.move(command.character, t.supply, seat.bag)
    t.emit(seat, e.EventCarriedOut(t.event.value, follower=command.character))
    _done(t, seat)
    return None


def legal_newcomer(t: Stories, seat: Seat) -> list[c.Command]:
    """Every follower that is offered and there."""
    offered = [each for each in t.card()["gain_follower"] if each in t.supply.items]
    return [*(c.TakeFollower(character) for character in offered), c.DeclineBonus()]


# --- fairs -------------------------------------------------------------------------------------------------


def begin_fair(t: Stories, seat: Seat, sales: Any) -> None:
    """Let the seat sell so many goods (stories.events.fair)."""
    t.set(seat.trades, sales)
    ask(t, seat, "fair")
    if not t.decides(seat):
        t.set(seat.trades, 0)


def sell(t: Stories, seat: Seat, command: c.SellGood) -> Rejection | None:
    """Sell a good for its value and what the event adds to it."""
    rejection = trading.why_not_sell(seat, command.good)
    if rejection:
        return rejection
    coins = t.data.good_values[command.good] + t.card().get("price_bonus", 0)
    t.move(command.good, seat.goods, t.removed)
    t.gain(seat, coins)
    t.set(seat.trades, seat.trades.value - 1)
    t.emit(seat, e.GoodSold(command.good, coins))
    if not (seat.trades.value and trading.sales(seat)):
        t.set(seat.trades, 0)
        _done(t, seat)
    return None


def finish_fair(t: Stories, seat: Seat, command: c.FinishTrading) -> Rejection | None:
    """Sell no more."""
    t.set(seat.trades, 0)
    t.emit(seat, e.TradingFinished())
    _done(t, seat)
    return None


def legal_fair(t: Stories, seat: Seat) -> list[c.Command]:
    """Every sale, and no more."""
    return [*trading.sales(seat), c.FinishTrading()]


# --- a trek ------------------------------------------------------------------------------------------------


def trek(t: Stories, seat: Seat, command: c.Expand) -> Rejection | None:
    """Put a settler on a free area without the action (stories.events.trek)."""
    if command.place:
        return Rejection("WRONG_COMMAND", "stories.events.trek", {"place": command.place})
    rejection = why_no_area(t, command.area) or why_not_enter(t, seat, t.areas[command.area], command.town)
    if rejection:
        return rejection
    enter(t, seat, "", t.areas[command.area])
    _done(t, seat)
    return None


def legal_trek(t: Stories, seat: Seat) -> list[c.Command]:
    """Every area that can be entered."""
    areas = (area for area in t.areas.values() if not why_not_enter(t, seat, area))
    return [*(c.Expand("", area.id) for area in areas), c.DeclineBonus()]


DECISIONS: Decisions = {
    "pay": (legal_pay, {
        c.GiveGood: give_wood,
        c.PayCoins: pay_coins,
        c.SurrenderTechnology: lose_technology,
        c.SurrenderSettler: lose_settler,
    }),
    "invest": (legal_invest, {c.GiveGood: invest, c.DeclineBonus: decline}),
    "newcomer": (legal_newcomer, {c.TakeFollower: take_follower, c.DeclineBonus: decline}),
    "fair": (legal_fair, {c.SellGood: sell, c.FinishTrading: finish_fair}),
    "trek": (legal_trek, {c.Expand: trek, c.DeclineBonus: decline}),
}  # fmt: skip
"""For each decision: the function that lists its commands, and the functions that carry them out."""
