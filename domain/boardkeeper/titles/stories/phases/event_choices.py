"""Choices that an event offers: pay or lose, invest, sell, take a follower, or expand (trek)."""

from __future__ import annotations

from typing import Any

from boardkeeper.families.followers import debts
from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.turn_flow import Decisions
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.control import areas_of, find_entry_rejection
from boardkeeper.titles.stories.data import START_VILLAGE, WOOD
from boardkeeper.titles.stories.material import Area, Seat, Stories
from boardkeeper.titles.stories.phases import demands, torture
from boardkeeper.titles.stories.phases.verbs import market
from boardkeeper.titles.stories.phases.verbs.territory import enter, find_area_rejection


def ask(t: Stories, seat: Seat, decision: str) -> None:
    """Give the seat a decision, unless its only command is to decline."""
    if len(DECISIONS[decision][0](t, seat)) > 1:
        t.ask(seat, decision)


def _finish(t: Stories, seat: Seat) -> None:
    t.ask(seat, "")
    t.advance()


def decline(t: Stories, seat: Seat, command: c.DeclineBonus) -> Rejection | None:
    """Decline the offer. Source: stories.events.offers."""
    t.emit(seat, e.BonusDeclined(t.event.value))
    _finish(t, seat)
    return None


# --- pay or lose ---------------------------------------------------------------------------------------------


def ask_to_pay(t: Stories, seat: Seat) -> None:
    """Let the seat pay or lose something; torture follows if it can do neither. Source: stories.events.else_lose."""
    if legal_pay(t, seat):
        t.ask(seat, "pay")
        return
    if "pay_coins" in t.event_effect():
        demands.demand_coins(t, seat, t.event_effect()["pay_coins"])
    else:
        t.emit(seat, e.GoodsMissing(t.event_effect()["pay_wood"]))
        debts.begin(t, seat, t.event_effect()["pay_wood"])


def give_wood(t: Stories, seat: Seat, command: c.GiveGood) -> Rejection | None:
    """Pay the wood, which is removed from the game. Source: stories.events.else_lose."""
    if command.good != WOOD or "pay_wood" not in t.event_effect():
        return Rejection("NOT_ASKED_FOR", "stories.events.else_lose", {"good": command.good})
    if WOOD not in seat.goods.items:
        return Rejection("NO_SUCH_GOOD", "stories.food.own_goods", {"good": WOOD})
    t.move(WOOD, seat.goods, t.removed)
    t.emit(seat, e.GoodGiven(WOOD))
    _finish(t, seat)
    return None


def pay_coins(t: Stories, seat: Seat, command: c.PayCoins) -> Rejection | None:
    """Pay the coins. Source: stories.events.else_lose."""
    needed: int = t.event_effect().get("pay_coins", 0)
    if not needed:
        return Rejection("NOT_ASKED_FOR", "stories.events.else_lose", {"coins": str(needed)})
    if seat.coins.value < needed:
        values = {"coins": str(seat.coins.value), "needed": str(needed)}
        return Rejection("NOT_ENOUGH_COINS", "stories.events.else_lose", values)
    t.set(seat.coins, seat.coins.value - needed)
    t.emit(seat, e.CoinsPaid(needed, 0))
    _finish(t, seat)
    return None


def lose_technology(t: Stories, seat: Seat, command: c.SurrenderTechnology) -> Rejection | None:
    """Lose a technology tile instead. Source: stories.events.else_lose."""
    if t.event_effect()["else_lose"] != TECHNOLOGY:
        return Rejection("NOT_ASKED_FOR", "stories.events.else_lose", {"place": command.place})
    rejection = torture.give_technology(t, seat, command)
    if rejection:
        return rejection
    t.emit(seat, e.TechnologySurrendered(command.place, command.space, 0))
    _finish(t, seat)
    return None


def losable_areas(t: Stories, seat: Seat) -> list[Area]:
    """Return the areas where a revolt can remove the seat's settler. Source: stories.events.revolt."""
    return [area for area in areas_of(t, seat) if not area.fortified_by() and START_VILLAGE not in area.pile.items]


def lose_settler(t: Stories, seat: Seat, command: c.SurrenderSettler) -> Rejection | None:
    """Lose a settler instead. Source: stories.events.revolt."""
    values = {"area": command.area}
    if t.event_effect()["else_lose"] == TECHNOLOGY:
        return Rejection("NOT_ASKED_FOR", "stories.events.else_lose", values)
    if command.area not in {area.id for area in losable_areas(t, seat)}:
        return Rejection("NO_SETTLER", "stories.events.revolt", values)
    torture.give_settler(t, seat, command.area)
    t.emit(seat, e.SettlerSurrendered(command.area, 0))
    _finish(t, seat)
    return None


def legal_pay(t: Stories, seat: Seat) -> list[c.Command]:
    """Return the commands to pay, and to lose something instead."""
    effect = t.event_effect()
    commands: list[c.Command] = []
    if "pay_wood" in effect and WOOD in seat.goods.items:
        commands.append(c.GiveGood(WOOD))
    if "pay_coins" in effect and seat.coins.value >= effect["pay_coins"]:
        commands.append(c.PayCoins())
    if effect["else_lose"] == TECHNOLOGY:
        return commands + [c.SurrenderTechnology(*key) for key in debts.list_technology(seat)]
    return commands + [c.SurrenderSettler(area.id) for area in losable_areas(t, seat)]


# --- invest --------------------------------------------------------------------------------------------------


def invest(t: Stories, seat: Seat, command: c.GiveGood) -> Rejection | None:
    """Pay a good for the technology that the event offers. Source: stories.events.offers."""
    if command not in legal_invest(t, seat):
        return Rejection("NOT_ASKED_FOR", "stories.events.offers", {"good": command.good})
    tiles: int = t.event_effect()[TECHNOLOGY]
    t.move(command.good, seat.goods, t.removed)
    t.move(TECHNOLOGY, t.technology, seat.technology, tiles)
    t.emit(seat, e.GoodGiven(command.good))
    t.emit(seat, e.EventCarriedOut(t.event.value, technology=tiles))
    _finish(t, seat)
    return None


def legal_invest(t: Stories, seat: Seat) -> list[c.Command]:
    """Return the commands to invest, if the seat can, and to decline."""
    effect = t.event_effect()
    can = t.technology.total() >= effect[TECHNOLOGY] and effect["may_pay"] in seat.goods.items
    return [c.GiveGood(effect["may_pay"]), c.DeclineBonus()] if can else [c.DeclineBonus()]


# --- newcomers -----------------------------------------------------------------------------------------------


def take_follower(t: Stories, seat: Seat, command: c.TakeFollower) -> Rejection | None:
    """Put an offered follower into the bag. Source: stories.events.offers."""
    values = {"character": command.character}
    if command.character not in t.event_effect()["gain_follower"]:
        return Rejection("WRONG_CHARACTER", "stories.events.offers", values)
    if command.character not in t.supply.items:
        return Rejection("NO_FOLLOWER_LEFT", "stories.running_out.tiles", values)
    t.move(command.character, t.supply, seat.bag)
    t.emit(seat, e.EventCarriedOut(t.event.value, follower=command.character))
    _finish(t, seat)
    return None


def legal_newcomer(t: Stories, seat: Seat) -> list[c.Command]:
    """Return a command for each offered follower in the supply, and to decline."""
    offered = [each for each in t.event_effect()["gain_follower"] if each in t.supply.items]
    return [*(c.TakeFollower(character) for character in offered), c.DeclineBonus()]


# --- fairs ---------------------------------------------------------------------------------------------------


def begin_fair(t: Stories, seat: Seat, sales: Any) -> None:
    """Let the seat sell a number of goods. Source: stories.events.fair."""
    t.set(seat.trades, sales)
    ask(t, seat, "fair")
    if not t.decides(seat):
        t.set(seat.trades, 0)


def sell(t: Stories, seat: Seat, command: c.SellGood) -> Rejection | None:
    """Sell a good for its value and the bonus of the event. Source: stories.events.fair."""
    rejection = market.find_sale_rejection(seat, command.good)
    if rejection:
        return rejection
    coins = t.data.good_values[command.good] + t.event_effect().get("price_bonus", 0)
    t.move(command.good, seat.goods, t.removed)
    t.give_coins(seat, coins)
    t.set(seat.trades, seat.trades.value - 1)
    t.emit(seat, e.GoodSold(command.good, coins))
    if not (seat.trades.value and market.legal_sales(seat)):
        t.set(seat.trades, 0)
        _finish(t, seat)
    return None


def finish_fair(t: Stories, seat: Seat, command: c.FinishTrading) -> Rejection | None:
    """Stop selling. Source: stories.events.fair."""
    t.set(seat.trades, 0)
    t.emit(seat, e.TradingFinished())
    _finish(t, seat)
    return None


def legal_fair(t: Stories, seat: Seat) -> list[c.Command]:
    """Return a command for each sale, and to stop."""
    return [*market.legal_sales(seat), c.FinishTrading()]


# --- trek ----------------------------------------------------------------------------------------------------


def trek(t: Stories, seat: Seat, command: c.Expand) -> Rejection | None:
    """Put a settler on a free area. Source: stories.events.trek."""
    if command.place:
        return Rejection("WRONG_COMMAND", "stories.events.trek", {"place": command.place})
    rejection = find_area_rejection(t, command.area) or find_entry_rejection(
        t, seat, t.areas[command.area], command.town
    )
    if rejection:
        return rejection
    enter(t, seat, "", t.areas[command.area])
    _finish(t, seat)
    return None


def legal_trek(t: Stories, seat: Seat) -> list[c.Command]:
    """Return a command for each area that the seat can enter, and to decline."""
    areas = (area for area in t.areas.values() if not find_entry_rejection(t, seat, area))
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
