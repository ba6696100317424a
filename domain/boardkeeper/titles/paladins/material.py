"""The zones and markers of Paladins, by the names of the rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from boardkeeper.table.visibility import PUBLIC, only
from boardkeeper.table.zones import FreeSpaces, Number, Pile, Word
from boardkeeper.titlekit.binding import Material
from boardkeeper.titlekit.known_ids import KnownIds
from boardkeeper.titlekit.turn_flow import PendingRewards, Phase, TurnFlow
from boardkeeper.titles.paladins import data as tables
from boardkeeper.titles.paladins.data import ATTRIBUTES, DEBT, JAR, RIGHT, WORKSHOP, Action, Data, Paladin, Space

MAX_UNDER_DECK = 7
"""Maximum number of cards under a paladin deck: one per round."""

FAVOUR_SCHEME = "scheme_favour"
SPACE = "{component}: {symbol}"

LEFT_OF_OPPONENT = ("recruit", "pray", "trade", "conspire")
"""Actions on the left side of the opponent's board that take a worker, in its order."""


@lru_cache(maxsize=64)
def schemes(data: Data) -> dict[str, int]:
    """Return the scheme cards of the deck, without those on the King's Favours."""
    return {f"scheme_{id}": count for id, count in data.schemes.items() if f"scheme_{id}" != FAVOUR_SCHEME}


@lru_cache(maxsize=64)
def known_ids(data: Data) -> KnownIds:
    """Return the ids that each field of commands accepts."""
    spaces = (*(space.id for space, _ in data.all_spaces), *data.jar_kinds)
    known: dict[str, Iterable[str]] = {
        "action": tables.ACTIONS, "worker": tables.WORKERS, "paladin": data.paladins, "top": data.paladins,
        "tavern": data.tavern, "favour": data.favours, "townsfolk": data.townsfolk, "outsider": data.outsiders,
        "space": spaces, "payment": ("silver", "debt"), "reward": data.reward_kinds,
    }  # fmt: skip
    return KnownIds(known, codes=("NO_SUCH_ACTION",))


class Area:
    """An action area of a seat. Each of its spaces is a pile of at most one worker or workshop.

    ``group`` has the free spaces of all areas of the seat.
    """

    __slots__ = ("action", "group", "id", "spaces")

    def __init__(self, m: Material, action: Action, spaces: int, group: FreeSpaces) -> None:
        self.id = id = action.id
        self.action = action
        slots = action.slots[:spaces]
        self.spaces = tuple(
            [m.pile(f"{id}.{at}", "space", SPACE, SPACE, PUBLIC, id, slot) for at, slot in enumerate(slots, 1)]
        )
        self.group = group
        for space, bit in zip(self.spaces, action.bits, strict=False):
            self.group = space.join(group, bit)

    def workshop_mask(self) -> int:
        """Return a bit mask of the spaces with a workshop, or -1 if a worker is on the action."""
        mask = 0
        if self.group.mask & self.action.mask == self.action.mask:  # all spaces are free
            return mask
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
        """Return whether no worker is on the action, so that it can be used. Source: paladins.actions.once."""
        return self.workshop_mask() >= 0

    def workers(self) -> list[tuple[Pile, str]]:
        """Return each space that has a worker, with the worker."""
        return workers_on(self.spaces)


def workers_on(spaces: Iterable[Pile]) -> list[tuple[Pile, str]]:
    """Return each of ``spaces`` that has a worker, with the worker."""
    return [(space, worker) for space in spaces for worker in space.items if worker != WORKSHOP]


class Side:
    """The zones and markers that every seat has, including the solo opponent."""

    __slots__ = (
        "_of_each", "_pieces", "_taken", "areas", "attacked", "attributes", "converted", "free_spaces", "jars", "monk",
        "monks", "number", "outpost", "outposts", "paid", "passed", "right", "suspicion", "unpaid", "walls", "workers",
        "workshops",
    )  # fmt: skip

    def __init__(self, t: Paladins, m: Material, number: int, areas: Mapping[str, int]) -> None:
        pieces = t.data.pieces
        self.number = number
        self.monk = f"monk.{number}"
        self.outpost = f"outpost.{number}"
        # fmt: off
        self.monks = m.pile("monks", "pieces", "Monks", "Mönche", component=self.monk, count=pieces)
        self.outposts = m.pile("outposts", "pieces", "Outposts", "Außenposten", component=self.outpost, count=pieces)
        self.jars = m.pile("jars", "pieces", "Jars", "Krüge", component=JAR, count=pieces)
        self.workshops = m.pile("workshops", "pieces", "Workshops", "Werkstätten", component=WORKSHOP,
                                count=len(t.data.workshop_row))
        self.suspicion = m.stack("suspicion", "suspicion", "Suspicion cards", "Verdachtskarten")
        self.workers = m.pile("workers", "workers", "Workers", "Arbeiter")
        self.walls = m.pile("walls", "scored", "Walls", "Mauern")
        self.attacked = m.pile("attacked", "scored", "Attacked outsiders", "Angegriffene Fremde")
        self.converted = m.pile("converted", "scored", "Converted outsiders", "Konvertierte Fremde")
        self.unpaid = m.pile("unpaid", "debts", "Unpaid debts", "Offene Schuldscheine", component=DEBT)
        self.paid = m.pile("paid", "debts", "Paid debts", "Beglichene Schuldscheine", component=DEBT)
        self.attributes = {it: m.number(it, "track", component=it, chart=True) for it in ATTRIBUTES}
        self.passed = m.number("passed", "flag", "Has passed", "Hat gepasst")
        # fmt: on
        self.areas: dict[str, Area] = {}
        self.free_spaces = FreeSpaces()
        for id, spaces in areas.items():
            area = self.areas[id] = Area(m, t.data.actions[id], spaces, self.free_spaces)
            self.free_spaces = area.group
        self._of_each = pieces
        self._pieces = {"commission": self.monks, "garrison": self.outposts, "absolve": self.jars}
        self._taken = {"fortify": self.walls, "attack": self.attacked, "convert": self.converted}
        self.right = tuple(self.areas[id] for id in RIGHT)

    def times(self, action: str) -> int:
        """Return how often the seat has carried out an action of the right side."""
        pieces = self._pieces.get(action)
        return self._taken[action].total() if pieces is None else self._of_each - pieces.total()

    def placed_workers(self) -> list[tuple[Pile, str]]:
        """Return each space of the player board that has a worker, with the worker."""
        return [entry for area in self.areas.values() if not area.is_open() for entry in area.workers()]

    def count_workshops_on_board(self) -> int:
        """Return the number of workshops on the right side."""
        return sum(1 for area in self.right for space in area.spaces if WORKSHOP in space.items)


class Seat(Side):
    """A seat that a person or a bot plays.

    ``due`` has the pending rewards. It is the same object for all these seats: only the seat in turn has any.
    """

    __slots__ = (
        "_no_paladin", "_paladins", "again", "chosen", "deck", "due", "hand", "inquiry", "jar_spaces", "paladin",
        "provisions", "retired", "silver", "townsfolk", "under",
    )  # fmt: skip

    def __init__(self, t: Paladins, m: Material, number: int) -> None:
        data, own = t.data, only(number)
        super().__init__(t, m, number, {id: len(action.slots) for id, action in data.actions.items()})
        self._paladins = data.paladins
        self._no_paladin = data.no_paladin
        self.due = t.due
        # fmt: off
        self.deck = m.pile("deck", "bag", "Paladin deck", "Zu ziehende Paladine", own, one_each=data.paladins)
        self.again = m.pile("again", "hidden", "Paladin on top of the deck", "Obenauf zurückgelegter Paladin", own)
        self.hand = m.pile("hand", "hand", "Paladins in hand", "Paladine auf der Hand", own)
        self.chosen = m.pile("chosen", "hidden", "Chosen paladin", "Gewählter Paladin", own)
        self.under = tuple(m.pile(f"under.{at}", "hidden", "Paladin put at the bottom in round {position}",
                                  "In Runde {position} untergelegter Paladin", own)
                           for at in range(1, MAX_UNDER_DECK + 1))
        self.paladin = m.pile("paladin", "paladin", "Paladin of this round", "Paladin der Runde")
        self.retired = m.pile("retired", "discard", "Used paladins", "Frühere Paladine")
        self.townsfolk = m.pile("townsfolk", "townsfolk", "Townsfolk", "Stadtbewohner")
        self.inquiry = m.pile("inquiry", "townsfolk", "Townsfolk to use in the inquisition",
                              "Stadtbewohner, die in der Inquisition noch handeln")
        self.jar_spaces = {it: m.pile(f"jar.{it}", "jar_space", "Jar spaces: {jars}", "Krugfelder: {jars}",
                                      component="jars", ordered=True) for it in data.jar_kinds}
        self.silver = m.number("silver", "money", "Silver", "Silber", component="silver", chart=True)
        self.provisions = m.number("provisions", "count", "Provisions", "Proviant", component="provision", chart=True)
        # fmt: on

    def active_paladin(self) -> Paladin:
        """Return the paladin of this round, or a paladin without abilities if the seat has none."""
        for id in self.paladin.items:
            return self._paladins[id]
        return self._no_paladin

    def level(self, attribute: str) -> int:
        """Return the level of an attribute with the paladin of this round. Source: paladins.attributes.paladin_adds."""
        level = self.attributes[attribute].value
        for id in self.paladin.items:
            return level + self._paladins[id].bonus[attribute]
        return level


class Opponent(Side):
    """The seat that the rules play. It has a resource marker instead of silver and provisions.

    ``field`` is the space of that marker (from 1). ``moves`` counts the moves of attribute markers, and ``moved`` has
    the number of the last move of each: of markers on the same level, the last moved is on top.
    """

    __slots__ = ("due", "field", "moved", "moves", "turned")

    def __init__(self, t: Paladins, m: Material, number: int) -> None:
        areas = dict.fromkeys(LEFT_OF_OPPONENT, 1) | {id: len(t.data.actions[id].slots) for id in RIGHT}
        own = m.seat(number)
        super().__init__(t, own, number, areas)
        # fmt: off
        t.scheme_deck = m.pile("schemes.deck", "deck", "Deck: schemes", "Stapel: Plankarten", contents=schemes(t.data))
        t.favour_schemes = m.pile("schemes.favour", "deck", "Scheme cards: King's Favour",
                                  "Plankarten: Gunst des Königs", contents={FAVOUR_SCHEME: t.data.schemes["favour"]})
        t.scheme_discard = m.pile("schemes.discard", "discard", "Discard pile: schemes", "Abgelegt: Plankarten")
        t.scheme = m.word("scheme", "event", "Scheme of the opponent", "Plankarte des Gegners", words_of=("scheme",))
        self.turned = own.pile("turned_jars", "pieces", "Jars turned over", "Umgedrehte Krüge", component=JAR)
        self.due = pending_rewards(t, own)
        self.field = own.number("field", "track", "Space of the resource marker", "Feld des Ressourcenmarkers",
                                component="resource_marker")
        self.moves = own.number("moves", "count", "Moves of the resource marker", "Züge des Ressourcenmarkers",
                                component="resource_marker")
        self.moved = {it: own.number(f"moved.{it}", "count", "Moves of the marker: {component}",
                                     "Züge des Markers: {component}", component=it) for it in ATTRIBUTES}
        # fmt: on

    def times(self, action: str) -> int:
        """Return how often the opponent has carried out an action. It turns jars over instead of placing them."""
        return self.turned.total() if action == "absolve" else super().times(action)


def pending_rewards(t: Paladins, m: Material) -> PendingRewards:
    """Declare the markers of pending rewards in ``m``: those of the table for the seat in turn, or those of a seat."""
    return PendingRewards(
        t.recorder,
        {
            kind: m.number(f"due.{kind}", "due", "To be settled: {dues}", "Noch zu erledigen: {dues}")
            for kind in t.data.reward_kinds
        },
    )


class Paladins(TurnFlow[Side]):
    """The table of a game of Paladins: its zones and markers by the names of the rulebook."""

    __slots__ = (
        "acting", "action", "action_workers", "data", "debts", "due", "favour_schemes", "favour_workers", "favours",
        "favours_box", "inquisition", "opponent", "orders", "orders_box", "outsider_deck", "outsider_discard",
        "outsiders", "people", "round", "scheme", "scheme_deck", "scheme_discard", "space", "spaces", "starters",
        "supply", "suspicion_deck", "suspicion_discard", "tavern", "tavern_deck", "tavern_discard", "tax", "tax_full",
        "townsfolk", "townsfolk_deck", "townsfolk_discard", "walls",
    )  # fmt: skip

    scheme_deck: Pile
    scheme_discard: Pile
    favour_schemes: Pile
    scheme: Word

    def __init__(self, m: Material, data: Data, players: int, phases: Mapping[str, Phase]) -> None:
        super().__init__(m, phases, marker="starter")
        self.data = data
        people = 1 if data.is_solo else players
        self.tax_full = data.tax[people]
        # fmt: off
        self.round = m.number("round", "round", "Round", "Runde")
        self.acting = m.number("acting_seat", "seat", "Active player", "Wer am Zug ist")
        self.action = m.word("action", "action", "Current action", "Aktion, die ausgeführt wird", words="actions",
                             words_of=("action", "favour"))
        self.action_workers = m.number("action_workers", "internal", "Workers the action still needs",
                                       "Arbeiter, die die Aktion noch verlangt")
        self.tax = m.number("tax", "money", "Tax supply", "Steuervorrat", component="tax", chart=True)
        self.inquisition = m.word("inquisition", "event", "Reason for the inquisition", "Inquisition, und warum",
                                  words="inquisitions")
        self.due = pending_rewards(self, m)
        self.supply = m.pile("supply", "supply", "General supply", "Allgemeiner Vorrat", contents=data.supply)
        self.debts = m.pile("debts", "supply", "Debts", "Schuldscheine", component=DEBT, count=data.debts)
        self.townsfolk_deck = m.pile("townsfolk.deck", "deck", "Deck: townsfolk", "Stapel: Stadtbewohner",
                                     one_each=data.townsfolk)
        self.outsider_deck = m.pile("outsiders.deck", "deck", "Deck: outsiders", "Stapel: Fremde",
                                    one_each=data.outsiders)
        self.walls = m.pile("walls", "deck", "Walls", "Mauern", one_each=data.walls)
        self.tavern_deck = m.pile("tavern.deck", "deck", "Deck: tavern cards", "Stapel: Tavernenkarten",
                                  one_each=data.tavern)
        self.suspicion_deck = m.pile("suspicion.deck", "deck", "Deck: suspicion cards", "Stapel: Verdachtskarten",
                                     contents=data.suspicion_counts)
        self.orders_box = m.pile("orders.box", "deck", "King's Orders not yet revealed",
                                 "Kommende Aufträge des Königs", one_each=(f"order_{it}" for it in data.orders))
        self.favours_box = m.pile("favours.box", "deck", "King's Favours not yet revealed",
                                  "Kommende Karten: Gunst des Königs", one_each=data.favours)
        self.townsfolk_discard = m.pile("townsfolk.discard", "discard", "Discard pile: townsfolk",
                                        "Abgelegt: Stadtbewohner")
        self.outsider_discard = m.pile("outsiders.discard", "discard", "Discard pile: outsiders", "Abgelegt: Fremde")
        self.suspicion_discard = m.pile("suspicion.discard", "discard", "Discard pile: suspicion cards",
                                        "Abgelegt: Verdachtskarten")
        self.tavern_discard = m.pile("tavern.discard", "discard", "Discard pile: tavern cards",
                                     "Abgelegt: Tavernenkarten")
        self.townsfolk = tuple(m.pile(f"townsfolk.{at}", "townsfolk_row", "Townsfolk, place {position}",
                                      "Stadtbewohner, Platz {position}") for at in range(1, len(data.row_silver) + 1))
        self.outsiders = tuple(m.pile(f"outsiders.{at}", "outsiders_row", "Outsiders, place {position}",
                                      "Fremde, Platz {position}") for at in range(1, len(data.flags["faith"]) + 1))
        self.tavern = m.pile("tavern", "row", "Tavern", "Taverne")
        self.starters = m.pile("starters", "deck", "Start player markers", "Startspielermarker", component="starter",
                               one_each=(f"starter.{seat}" for seat in range(1, people + 1)))
        self.orders = tuple(m.pile(f"order.{at}", "order", "King's Order {position}", "Auftrag des Königs {position}")
                            for at in range(1, len(data.order_points) + 1))
        favours = [(m.pile(f"favour.{at}", "favour", "King's Favour {position}", "Gunst des Königs {position}"),
                    m.pile(f"favour.{at}.worker", "favour_space", "Worker on King's Favour {position}",
                           "Arbeiter auf Gunst des Königs {position}"))
                   for at in range(1, len(data.favour_rounds) + 1)]
        # fmt: on
        self.favours = tuple(favour for favour, _ in favours)
        self.favour_workers = tuple(worker for _, worker in favours)
        self.spaces = tuple(
            (space, m.pile(f"space.{space.id}", "board_space", component=space.id)) for space in data.spaces(people)
        )
        self.space = {space.id: (space, pile) for space, pile in self.spaces}
        self.people = tuple(Seat(self, m.seat(number), number) for number in range(1, people + 1))
        self.opponent: Opponent | None = Opponent(self, m, 2) if data.is_solo else None
        self.seats = (*self.people, self.opponent) if self.opponent else self.people

    # --- silver and provisions ----------------------------------------------------------------------------------------

    def acting_side(self) -> Side:
        """Return the seat in turn."""
        return self.seats[self.acting.value - 1]

    def silver_left(self, wanted: int) -> int:
        """Return how much of ``wanted`` silver the general supply has: all of it, unless it is limited to the box."""
        if not self.data.limited:
            return wanted
        out = self.tax.value + sum(seat.silver.value for seat in self.people)
        return max(0, min(wanted, self.data.box_silver - out))

    def provisions_left(self, wanted: int) -> int:
        """Return how many of ``wanted`` provisions the general supply has: all of them, unless it is limited."""
        if not self.data.limited:
            return wanted
        return max(0, min(wanted, self.data.box_provisions - sum(seat.provisions.value for seat in self.people)))

    def pay(self, seat: Seat, silver: int = 0, provisions: int = 0) -> None:
        """Pay to the general supply. Source: paladins.costs.to_the_supply."""
        if silver:
            self.set(seat.silver, seat.silver.value - silver)
        if provisions:
            self.set(seat.provisions, seat.provisions.value - provisions)

    # --- the main board -----------------------------------------------------------------------------------------------

    def index_in(self, row: tuple[Pile, ...], card: str) -> int:
        """Return the index of a card in a row, or -1."""
        for at, place in enumerate(row):
            if card in place.items:
                return at
        return -1

    def free_spaces(self, flags: tuple[int, ...], level: int) -> list[Space]:
        """Return the free spaces in the regions whose flag is at most ``level``, from left to right."""
        return [space for space, pile in self.spaces if not pile.items and flags[space.region - 1] <= level]

    def first_free_space(self) -> Space | None:
        """Return the leftmost free space of the main board: no other free space needs a lower level."""
        for space, pile in self.spaces:
            if not pile.items:
                return space
        return None

    def card_at(self, row: tuple[Pile, ...], at: int) -> str:
        """Return the card at a place of a row (from 0), or an empty string."""
        for card in row[at].items:
            return card
        return ""


__all__ = ["Area", "Number", "Opponent", "Paladins", "Seat", "Side"]
