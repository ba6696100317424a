"""The oracle's table of Paladins. Only the rules of the oracle change it during a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.oracle.paladins import facts

from boardkeeper.titles.paladins.board import Board, SeatView

WORKSHOP = "workshop"
COUNTED = ("fortify", "absolve")
"""Actions whose required attribute increases each time."""
NOTHING = (0,) * 7


@dataclass
class Side:
    """The components of one seat. ``areas`` has the occupant of each space of each action, or an empty string."""

    seat: int
    automaton: bool
    silver: int = 0
    provisions: int = 0
    attributes: Counter[str] = field(default_factory=Counter)
    workers: Counter[str] = field(default_factory=Counter)
    areas: dict[str, list[str]] = field(default_factory=dict)
    developed: int = 0
    monks: int = 7
    outposts: int = 7
    jars: int = 7
    jar_spaces: Counter[str] = field(default_factory=Counter)
    walls: list[str] = field(default_factory=list)
    townsfolk: list[str] = field(default_factory=list)
    attacked: list[str] = field(default_factory=list)
    converted: list[str] = field(default_factory=list)
    suspicion: list[str] = field(default_factory=list)
    unpaid: int = 0
    paid: int = 0
    deck: Counter[str] = field(default_factory=Counter)
    again: str = ""
    under: list[str] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    chosen: str = ""
    paladin: str = ""
    retired: list[str] = field(default_factory=list)
    passed: bool = False
    due: Counter[str] = field(default_factory=Counter)
    inquiry: list[str] = field(default_factory=list)
    choice: str = ""

    def occupied(self, action: str) -> bool:
        """Return whether an area has workers, so that it cannot be used."""
        return any(who and who != WORKSHOP for who in self.areas[action])

    def workshops(self, action: str) -> int:
        """Return the number of workshops in an area."""
        return self.areas[action].count(WORKSHOP)

    def level(self, attribute: str) -> int:
        """Return the level of an attribute for requirements: the track and the paladin of this round."""
        bonus = facts.PALADINS[self.paladin].bonus.get(attribute, 0) if self.paladin else 0
        return self.attributes[attribute] + bonus

    def times(self, action: str) -> int:
        """Return the number of times that a seat has taken an action."""
        return {
            "commission": 7 - self.monks,
            "garrison": 7 - self.outposts,
            "absolve": 7 - self.jars,
            "fortify": len(self.walls),
            "attack": len(self.attacked),
            "convert": len(self.converted),
        }[action]


@dataclass
class Opponent:
    """Components of the opponent: its marker, the stack of its attribute markers (topmost last) and its schemes."""

    marker: int = 1
    stack: list[str] = field(default_factory=lambda: ["influence", "faith", "strength"])
    scheme: str = ""
    deck: Counter[str] = field(default_factory=lambda: Counter(facts.SCHEMES))
    discard: Counter[str] = field(default_factory=Counter)
    favours: int = 5


@dataclass
class Sheet:
    """The whole table. ``choices`` are the readings and options of the game, ``action`` is the current action."""

    choices: dict[str, str]
    people: int
    sides: list[Side]
    opponent: Opponent | None
    round: int = 0
    phase: str = "founding"
    start: int = 1
    acting: int = 0
    tax: int = 0
    inquisition: str = ""
    townsfolk: list[str] = field(default_factory=list)
    townsfolk_deck: Counter[str] = field(default_factory=Counter)
    townsfolk_discard: list[str] = field(default_factory=list)
    outsiders: list[str] = field(default_factory=list)
    outsider_deck: Counter[str] = field(default_factory=Counter)
    outsider_discard: list[str] = field(default_factory=list)
    spaces: dict[str, tuple[int, str]] = field(default_factory=dict)
    orders: list[str] = field(default_factory=list)
    order_box: Counter[str] = field(default_factory=Counter)
    favours: dict[str, str] = field(default_factory=dict)
    favour_box: Counter[str] = field(default_factory=Counter)
    tavern: list[str] = field(default_factory=list)
    tavern_deck: Counter[str] = field(default_factory=Counter)
    tavern_discard: list[str] = field(default_factory=list)
    walls: Counter[str] = field(default_factory=Counter)
    suspicion_deck: Counter[str] = field(default_factory=Counter)
    suspicion_discard: Counter[str] = field(default_factory=Counter)
    debts: int = facts.DEBTS
    action: str = ""
    count: int = 0
    to_fill: list[int] = field(default_factory=list)
    scores: dict[int, dict[str, object]] = field(default_factory=dict)

    def side(self, seat: int) -> Side:
        """Return the side of a seat."""
        return self.sides[seat - 1]

    def full_tax(self) -> int:
        """Return the amount of a full tax supply."""
        low = {1: 5, 2: 5, 3: 6, 4: 8}
        return (low if self.choices["tax_supply"] == "low" else facts.TAX)[self.people]

    def clockwise(self, first: int) -> list[Side]:
        """Return all sides, starting with a seat."""
        return self.sides[first - 1 :] + self.sides[: first - 1]

    def people_clockwise(self) -> list[Side]:
        """Return the sides of persons, starting with the start player."""
        return [side for side in self.clockwise(self.start) if not side.automaton]

    def strength_flags(self) -> tuple[int, ...]:
        """Return the strength that regions and outsiders require."""
        return (int(self.choices["first_strength_flag"]), *facts.STRENGTH[1:])

    def jar_numbers(self) -> tuple[int, ...]:
        """Return the numbers of the jars."""
        return facts.WALL_NUMBERS if self.choices["jar_numbers"] == "odd" else facts.JAR_NUMBERS

    def jar_room(self, space: str) -> int:
        """Return the number of spaces for jars with a reward."""
        single = space == "discard_suspicion" and self.choices["jar_spaces"] == "one_for_suspicion"
        return 1 if single else facts.JAR_SPACES[space][1]

    def workshop_row(self) -> tuple[str, ...]:
        """Return the workers under the workshops."""
        coloured = ("scout", "merchant", "fighter", "cleric")
        return {
            "in_turn": facts.WORKSHOPS,
            "in_pairs": tuple(worker for worker in coloured for _ in range(2)),
            "with_labourers": tuple(who for worker in coloured for who in ("labourer", worker)),
        }[self.choices["workshop_row"]]

    def townsman(self, card: str) -> facts.Townsman:
        """Return the facts of a townsfolk card."""
        found = facts.TOWNSFOLK[card]
        twice = card == "squire_1" and self.choices["squires"] == "two_of_faith"
        return found._replace(reward=("faith",)) if twice else found

    def outsider(self, card: str) -> facts.Outsider:
        """Return the facts of an outsider."""
        found = facts.OUTSIDERS[card]
        if card == "champion_saracen" and self.choices["transcription"] == "first":
            return found._replace(attack=("influence", "discard_suspicion", "labourer"))
        if card == "vigilante_saracen" and self.choices["vigilante"] == "discard_suspicion":
            return found._replace(attack=("influence", "discard_suspicion", "cleric"))
        if card == "barbarian_viking" and self.choices["barbarian"] == "one":
            return found._replace(strength=1)
        return found

    def favour(self, card: str) -> facts.Favour:
        """Return the facts of a King's Favour."""
        found = facts.FAVOURS[card]
        any_worker = card == "favour_07" and self.choices["transcription"] == "first"
        return found._replace(worker="any") if any_worker else found


def begin(choices: Mapping[str, str], players: int) -> Sheet:
    """Return the sheet of a game before the first card is dealt."""
    alone = choices["opponent"] != "off"
    people = 1 if alone else players
    more_zeros = choices["suspicion_cards"] == "more_zeros"
    suspicion = {"suspicion_0": 10, "suspicion_1": 8, "suspicion_2": 6} if more_zeros else facts.SUSPICION
    sheet = Sheet(
        choices=dict(choices),
        people=people,
        sides=[Side(seat, alone and seat == 2) for seat in range(1, players + 1)],
        opponent=Opponent() if alone else None,
        townsfolk=[""] * 5,
        townsfolk_deck=Counter(facts.TOWNSFOLK.keys()),
        outsiders=[""] * 6,
        outsider_deck=Counter(facts.OUTSIDERS.keys()),
        spaces={space: (0, "") for space, found in facts.SPACES.items() if found.players <= people},
        order_box=Counter(f"order_{action}" for action in facts.RIGHT),
        favour_box=Counter(facts.FAVOURS.keys()),
        tavern_deck=Counter(facts.TAVERN.keys()),
        walls=Counter(facts.WALLS.keys()),
        suspicion_deck=Counter(suspicion),
    )
    if sheet.opponent and choices["scheme_deck"] == "four_orders":
        sheet.opponent.deck.update({"scheme_order": 1, "scheme_recruit": -1})
    for side in sheet.sides:
        if side.automaton:
            side.areas = {action: [""] for action in ("recruit", "pray", "trade", "conspire")}
            side.areas |= {action: [""] * 3 for action in facts.RIGHT}
        else:
            side.areas = {action: [""] * len(spaces) for action, spaces in facts.AREAS.items()}
            side.silver, side.provisions = 3, 1
            side.deck = Counter(facts.PALADINS.keys())
    sheet.tax = sheet.full_tax()
    return sheet


def sheet_lines(sheet: Sheet) -> dict[str, object]:
    """Return the oracle's table as named values that can be compared."""
    lines: dict[str, object] = {
        "round": sheet.round,
        "phase": sheet.phase,
        "start": sheet.start,
        "tax": (sheet.tax, sheet.full_tax()),
        "inquisition": sheet.inquisition,
        "townsfolk": list(zip(sheet.townsfolk, facts.ROW_SILVER, facts.ROW_DEBT, strict=True)),
        "townsfolk deck": +sheet.townsfolk_deck,
        "townsfolk discarded": sorted(sheet.townsfolk_discard),
        "outsiders": list(zip(sheet.outsiders, facts.FAITH, sheet.strength_flags(), strict=True)),
        "outsider deck": +sheet.outsider_deck,
        "outsiders discarded": sorted(sheet.outsider_discard),
        "spaces": {id: (facts.SPACES[id].region, facts.SPACES[id].gains, *who) for id, who in sheet.spaces.items()},
        "orders": list(zip(sheet.orders, facts.ORDER_POINTS, strict=False)),
        "favours": [(favour, bool(worker)) for favour, worker in sheet.favours.items()],
        "tavern": sorted(sheet.tavern),
        "tavern deck": sheet.tavern_deck.total(),
        "walls": sheet.walls.total(),
        "suspicion deck": +sheet.suspicion_deck,
        "suspicion discarded": +sheet.suspicion_discard,
        "debts": sheet.debts,
    }
    if sheet.opponent:
        mine = sheet.opponent
        lines["opponent"] = (mine.marker, mine.stack, mine.scheme, +mine.deck, +mine.discard, mine.favours)
    for side in sheet.sides:
        lines |= {f"seat {side.seat}: {name}": value for name, value in _side(sheet, side).items()}
    return lines


def _side(sheet: Sheet, side: Side) -> dict[str, object]:
    lines: dict[str, object] = {
        "choice": side.choice,
        "passed": side.passed,
        "silver": side.silver,
        "provisions": side.provisions,
        "attributes": [side.attributes[name] for name in facts.ATTRIBUTES],
        "pieces": (side.monks, side.outposts, side.jars),
        "walls": sorted(side.walls),
        "townsfolk": sorted(set(side.townsfolk) - set(side.inquiry)),
        "inquiry": sorted(side.inquiry),
        "attacked": sorted(side.attacked),
        "converted": sorted(side.converted),
        "suspicion": list(side.suspicion),
        "debts": (side.unpaid, side.paid),
        "due": {} if side.automaton else dict(+side.due),
        "open": {action: not side.occupied(action) for action in side.areas},
        "times": {action: side.times(action) for action in facts.RIGHT},
        "needs": _needs(sheet, side),
        "costs": _costs(side),
        "bonus": dict(facts.PALADINS[side.paladin].bonus) if side.paladin else {},
        "workers": +side.workers,
        "areas": {action: list(spaces) for action, spaces in side.areas.items()},
    }
    if not side.automaton:
        lines["workshops"] = sheet.workshop_row()[side.developed :]
        lines["jar spaces"] = {space: (sheet.jar_room(space), side.jar_spaces[space]) for space in facts.JAR_SPACES}
        lines["paladins"] = (
            +side.deck,
            side.again,
            list(side.under),
            sorted(side.hand),
            side.chosen,
            side.paladin,
            sorted(side.retired),
        )
    return lines


def _needs(sheet: Sheet, side: Side) -> dict[str, int]:
    numbers = dict(zip(COUNTED, (facts.WALL_NUMBERS, sheet.jar_numbers()), strict=True))
    return {action: row[side.times(action)] for action, row in numbers.items() if side.times(action) < 7}


def _costs(side: Side) -> dict[str, tuple[int, int]]:
    """Return silver and provisions for the next time of each action, without abilities."""
    provisions = dict.fromkeys(("commission", "fortify", "garrison"), facts.PROVISIONS)
    silver = {"absolve": facts.ABSOLVE_SILVER, "convert": facts.CONVERT_SILVER}
    return {
        action: (silver.get(action, NOTHING)[side.times(action)], provisions.get(action, NOTHING)[side.times(action)])
        for action in facts.RIGHT
        if side.times(action) < 7
    }


def board_lines(board: Board) -> dict[str, object]:
    """Return the title's board without hidden contents in the form of :func:`sheet_lines`."""
    lines: dict[str, object] = {
        "round": board.round,
        "phase": board.phase,
        "start": board.start_seat,
        "tax": (board.tax, board.tax_full),
        "inquisition": board.inquisition,
        "townsfolk": [(place.townsfolk, place.silver, place.or_debt) for place in board.townsfolk],
        "townsfolk deck": Counter(board.townsfolk_deck),
        "townsfolk discarded": sorted(board.townsfolk_discarded),
        "outsiders": [(place.outsider, place.faith, place.strength) for place in board.outsiders],
        "outsider deck": Counter(board.outsider_deck),
        "outsiders discarded": sorted(board.outsiders_discarded),
        "spaces": {space.space: (space.region, space.gains, space.seat, space.piece) for space in board.spaces},
        "orders": [(place.order, place.points) for place in board.orders if place.order],
        "favours": [(place.favour, bool(place.worker)) for place in board.favours if place.favour],
        "tavern": sorted(board.tavern),
        "tavern deck": board.tavern_deck,
        "walls": board.walls,
        "suspicion deck": Counter(board.suspicion_deck),
        "suspicion discarded": Counter(board.suspicion_discarded),
        "debts": board.debts,
    }
    if board.opponent:
        mine = board.opponent
        decks = (Counter(mine.schemes), Counter(mine.discarded_schemes))
        lines["opponent"] = (mine.field, list(mine.markers), mine.scheme, *decks, mine.favour_schemes)
    for view in board.seats:
        lines |= {f"seat {view.seat}: {name}": value for name, value in _view(view).items()}
    return lines


def _view(view: SeatView) -> dict[str, object]:
    lines: dict[str, object] = {
        "choice": view.decision,
        "passed": view.passed,
        "silver": view.silver,
        "provisions": view.provisions,
        "attributes": [view.faith, view.strength, view.influence],
        "pieces": (view.monks, view.outposts, view.jars),
        "walls": sorted(view.walls),
        "townsfolk": sorted(view.townsfolk),
        "inquiry": sorted(view.inquiry),
        "attacked": sorted(view.attacked),
        "converted": sorted(view.converted),
        "suspicion": list(view.suspicion),
        "debts": (view.unpaid_debts, view.paid_debts),
        "due": {} if view.automaton else {kind: count for kind, count in view.due.items() if count},
        "open": {area.action: area.open for area in view.areas},
        "times": {area.action: area.times for area in view.areas if area.action in facts.RIGHT},
        "needs": {area.action: area.needs for area in view.areas if area.action in COUNTED and area.times < 7},
        "costs": {
            area.action: (area.silver, area.provisions)
            for area in view.areas
            if area.action in facts.RIGHT and area.times < 7
        },
        "bonus": {name: points for name, points in view.bonus.items() if points},
        "workers": Counter(view.workers),
        "areas": {area.action: [space.occupant for space in area.spaces] for area in view.areas},
    }
    if not view.automaton:
        lines["workshops"] = view.workshops
        lines["jar spaces"] = {space.space: (space.spaces, space.taken) for space in view.jar_spaces}
        lines["paladins"] = (
            Counter(view.deck),
            view.again,
            list(view.under),
            sorted(view.hand),
            view.chosen,
            view.paladin,
            sorted(view.retired),
        )
    return lines
