"""The names of Paladins bound to the zones and markers of one table, once.

Rules say ``seat.suspicion`` and ``t.tax``; only this module and ``setup.py`` know ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from boardkeeper.table.course import Course, Dues, Phase
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Number, Pile
from boardkeeper.titles.paladins.data import ATTRIBUTES, RIGHT, WORKSHOP, Action, Data, Paladin, Space

UNDER = 7
"""How many cards can lie under a paladin deck, one a round."""

LEFT_OF_OPPONENT = ("recruit", "pray", "trade", "conspire")
"""The actions on the left of the opponent's board that take a worker, in its order."""


class Area:
    """An action area of one seat with its spaces, each a pile of one worker or workshop at most."""

    __slots__ = ("action", "id", "spaces")

    def __init__(self, table: Table, own: str, action: Action, spaces: int) -> None:
        self.id = action.id
        self.action = action
        self.spaces = tuple(table.pile(f"{own}.{action.id}.{at}") for at in range(1, spaces + 1))

    def workshops(self) -> int:
        """The spaces that have a workshop, as a mask; -1 if a worker stands somewhere."""
        mask = 0
        bit = 1
        for space in self.spaces:
            items = space.items
            if items:
                if WORKSHOP not in items:
                    return -1
                mask |= bit
            bit <<= 1
        return mask

    def is_open(self) -> bool:
        """Whether no worker stands here, so that the action can be carried out. Source: paladins.actions.once."""
        return self.workshops() >= 0

    def workers(self) -> list[tuple[Pile, str]]:
        """The spaces on which a worker stands, with it."""
        return workers_on(self.spaces)

    def missing(self) -> int:
        """How many workers the action still asks for."""
        return sum(1 for space in self.spaces if not space.items)


def workers_on(spaces: Iterable[Pile]) -> list[tuple[Pile, str]]:
    """Those of some spaces on which a worker stands, with it."""
    return [(space, worker) for space in spaces for worker in space.items if worker != WORKSHOP]


class Side:
    """What every seat has, whoever plays it."""

    __slots__ = (
        "_of_each", "_own", "_pieces", "_taken", "areas", "attacked", "attributes", "converted", "jars", "monk",
        "monks", "number", "outpost", "outposts", "paid", "passed", "right", "spaces", "suspicion", "unpaid", "walls",
        "workers", "workshops",
    )  # fmt: skip

    def __init__(self, t: Paladins, number: int, areas: Mapping[str, int]) -> None:
        table = t.table
        own = self._own = f"seat.{number}"
        self.number = number
        self.monk = f"monk.{number}"
        self.outpost = f"outpost.{number}"
        self.workers = table.pile(f"{own}.workers")
        self.workshops = table.pile(f"{own}.workshops")
        self.monks = table.pile(f"{own}.monks")
        self.outposts = table.pile(f"{own}.outposts")
        self.jars = table.pile(f"{own}.jars")
        self.walls = table.pile(f"{own}.walls")
        self.attacked = table.pile(f"{own}.attacked")
        self.converted = table.pile(f"{own}.converted")
        self.suspicion = table.stack(f"{own}.suspicion")
        self.unpaid = table.pile(f"{own}.unpaid")
        self.paid = table.pile(f"{own}.paid")
        self.attributes = {attribute: table.number(f"{own}.{attribute}") for attribute in ATTRIBUTES}
        self.passed = table.number(f"{own}.passed")
        self.areas = {id: Area(table, own, t.data.actions[id], spaces) for id, spaces in areas.items()}
        self._of_each = t.data.pieces
        self._pieces = {"commission": self.monks, "garrison": self.outposts, "absolve": self.jars}
        self._taken = {"fortify": self.walls, "attack": self.attacked, "convert": self.converted}
        self.right = tuple(self.areas[id] for id in RIGHT)
        self.spaces = tuple(space for area in self.areas.values() for space in area.spaces)

    def times(self, action: str) -> int:
        """How often the seat has carried out an action of the right side, as far as the game remembers it."""
        pieces = self._pieces.get(action)
        return self._taken[action].total() if pieces is None else self._of_each - pieces.total()

    def workshops_on(self) -> int:
        """How many workshops lie on the right side."""
        return sum(1 for area in self.right for space in area.spaces if WORKSHOP in space.items)


class Seat(Side):
    """A seat that a person or a bot plays.

    ``due`` is one for all: only the seat in turn can have something due to it.
    """

    __slots__ = (
        "_no_paladin", "_paladins", "again", "chosen", "deck", "due", "hand", "inquiry", "jar_spaces", "paladin",
        "provisions", "retired", "silver", "townsfolk", "under",
    )  # fmt: skip

    def __init__(self, t: Paladins, number: int) -> None:
        super().__init__(t, number, {id: len(action.slots) for id, action in t.data.actions.items()})
        table, own = t.table, self._own
        self._paladins = t.data.paladins
        self._no_paladin = t.data.no_paladin
        self.due = t.due
        self.deck = table.pile(f"{own}.deck")
        self.again = table.pile(f"{own}.again")
        self.under = tuple(table.pile(f"{own}.under.{at}") for at in range(1, UNDER + 1))
        self.hand = table.pile(f"{own}.hand")
        self.chosen = table.pile(f"{own}.chosen")
        self.paladin = table.pile(f"{own}.paladin")
        self.retired = table.pile(f"{own}.retired")
        self.townsfolk = table.pile(f"{own}.townsfolk")
        self.inquiry = table.pile(f"{own}.inquiry")
        self.jar_spaces = {kind: table.pile(f"{own}.jar.{kind}") for kind in t.data.jar_kinds}
        self.silver = table.number(f"{own}.silver")
        self.provisions = table.number(f"{own}.provisions")

    def card(self) -> Paladin:
        """The paladin of this round; one without any ability if there is none."""
        for id in self.paladin.items:
            return self._paladins[id]
        return self._no_paladin

    def level(self, attribute: str) -> int:
        """An attribute with what this round's paladin adds. Source: paladins.attributes.paladin_adds."""
        level = self.attributes[attribute].value
        for id in self.paladin.items:
            return level + self._paladins[id].bonus[attribute]
        return level


class Opponent(Side):
    """The seat that the rules play: a resource marker instead of silver and provisions, no colours of workers."""

    __slots__ = ("due", "field", "moved", "moves", "turned")

    def __init__(self, t: Paladins, number: int) -> None:
        areas = dict.fromkeys(LEFT_OF_OPPONENT, 1) | {id: len(t.data.actions[id].slots) for id in RIGHT}
        super().__init__(t, number, areas)
        table, own = t.table, self._own
        self.due = Dues(t.recorder, {kind: table.number(f"{own}.due.{kind}") for kind in t.data.dues})
        self.turned = table.pile(f"{own}.turned_jars")
        self.field = table.number(f"{own}.field")
        self.moves = table.number(f"{own}.moves")
        self.moved = {attribute: table.number(f"{own}.moved.{attribute}") for attribute in ATTRIBUTES}

    def times(self, action: str) -> int:
        """How often the opponent has carried out an action; its jars are turned over in their places."""
        return self.turned.total() if action == "absolve" else super().times(action)


class Paladins(Course[Side]):
    """One table of Paladins: its zones and markers by the names of the rulebook."""

    __slots__ = (
        "acting",
        "action",
        "action_workers",
        "data",
        "debts",
        "due",
        "favour_schemes",
        "favour_workers",
        "favours",
        "favours_box",
        "inquisition",
        "opponent",
        "orders",
        "orders_box",
        "outsider_deck",
        "outsider_discard",
        "outsiders",
        "people",
        "round",
        "scheme",
        "scheme_deck",
        "scheme_discard",
        "space",
        "spaces",
        "supply",
        "suspicion_deck",
        "suspicion_discard",
        "tavern",
        "tavern_deck",
        "tavern_discard",
        "tax",
        "tax_full",
        "townsfolk",
        "townsfolk_deck",
        "townsfolk_discard",
        "walls",
    )  # fmt: skip

    def __init__(self, table: Table, dice: Dice, data: Data, players: int, phases: Mapping[str, Phase]) -> None:
        super().__init__(table, dice, phases)
        self.data = data
        self.round = table.number("round")
        self.acting = table.number("acting_seat")
        self.action = table.word("action")
        self.action_workers = table.number("action_workers")
        self.tax = table.number("tax")
        people = 1 if data.alone else players
        self.tax_full = data.tax[people]
        self.inquisition = table.word("inquisition")
        self.supply = table.pile("supply")
        self.debts = table.pile("debts")
        self.townsfolk_deck = table.pile("townsfolk.deck")
        self.townsfolk_discard = table.pile("townsfolk.discard")
        self.townsfolk = tuple(table.pile(f"townsfolk.{at}") for at in range(1, len(data.row_silver) + 1))
        self.outsider_deck = table.pile("outsiders.deck")
        self.outsider_discard = table.pile("outsiders.discard")
        self.outsiders = tuple(table.pile(f"outsiders.{at}") for at in range(1, len(data.faith_flags) + 1))
        self.walls = table.pile("walls")
        self.tavern_deck = table.pile("tavern.deck")
        self.tavern_discard = table.pile("tavern.discard")
        self.tavern = table.pile("tavern")
        self.suspicion_deck = table.pile("suspicion.deck")
        self.suspicion_discard = table.pile("suspicion.discard")
        self.orders_box = table.pile("orders.box")
        self.orders = tuple(table.pile(f"order.{at}") for at in range(1, len(data.order_points) + 1))
        self.favours_box = table.pile("favours.box")
        self.favours = tuple(table.pile(f"favour.{at}") for at in range(1, len(data.favour_rounds) + 1))
        self.favour_workers = tuple(table.pile(f"favour.{at}.worker") for at in range(1, len(data.favour_rounds) + 1))
        self.spaces = tuple((space, table.pile(f"space.{space.id}")) for space in data.spaces(people))
        self.space = {space.id: (space, pile) for space, pile in self.spaces}
        self.due = Dues(self.recorder, {kind: table.number(f"due.{kind}") for kind in data.dues})
        self.opponent: Opponent | None = None
        if data.alone:
            self.scheme_deck = table.pile("schemes.deck")
            self.scheme_discard = table.pile("schemes.discard")
            self.favour_schemes = table.pile("schemes.favour")
            self.scheme = table.word("scheme")
            self.opponent = Opponent(self, 2)
        self.people = tuple(Seat(self, number) for number in range(1, people + 1))
        self.seats = (*self.people, self.opponent) if self.opponent else self.people

    # --- stores --------------------------------------------------------------------------------------------------

    def acting_side(self) -> Side:
        """The seat in turn."""
        return self.seats[self.acting.value - 1]

    def silver_left(self, wanted: int) -> int:
        """How much of the wanted silver the general supply can give (reading ``supply_limits``)."""
        if not self.data.limited:
            return wanted
        out = self.tax.value + sum(seat.silver.value for seat in self.people)
        return max(0, min(wanted, self.data.box_silver - out))

    def provisions_left(self, wanted: int) -> int:
        """How many of the wanted provisions the general supply can give (reading ``supply_limits``)."""
        if not self.data.limited:
            return wanted
        return max(0, min(wanted, self.data.box_provisions - sum(seat.provisions.value for seat in self.people)))

    def pay(self, seat: Seat, silver: int = 0, provisions: int = 0) -> None:
        """Pay to the general supply, never to the tax supply. Source: paladins.costs.to_the_supply."""
        if silver:
            self.set(seat.silver, seat.silver.value - silver)
        if provisions:
            self.set(seat.provisions, seat.provisions.value - provisions)

    # --- the main board ------------------------------------------------------------------------------------------

    def place_of(self, row: tuple[Pile, ...], card: str) -> int:
        """Where a card lies in a row (from 0), or -1."""
        for at, place in enumerate(row):
            if card in place.items:
                return at
        return -1

    def free_spaces(self, flags: tuple[int, ...], level: int) -> list[Space]:
        """The free spaces of the main board in regions whose flags a level reaches, from left to right."""
        return [space for space, pile in self.spaces if not pile.items and flags[space.region - 1] <= level]

    def first_free(self) -> Space | None:
        """The leftmost free space of the main board: no other one asks for less."""
        for space, pile in self.spaces:
            if not pile.items:
                return space
        return None

    def card_at(self, row: tuple[Pile, ...], at: int) -> str:
        """The card at a place of a row (from 0), or an empty string."""
        for card in row[at].items:
            return card
        return ""


__all__ = ["Area", "Number", "Opponent", "Paladins", "Seat", "Side"]
