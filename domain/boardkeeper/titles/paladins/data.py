"""The tables of one edition, read from ``components.toml`` and made ready for the rules.

Rules ask this object, never an edition by name. Everything here is constant for a game; it is built once for each
edition and choice of readings and options, and shared by all its games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct, field

from boardkeeper.titlekit.alternatives import altered_tables
from boardkeeper.titlekit.choices import Chosen, chosen_type, data_reader
from boardkeeper.titlekit.entries import read_entries
from boardkeeper.titles.paladins.commands import BeginAction, PlaceWorker
from boardkeeper.titles.paladins.meta import META
from boardkeeper.titles.paladins.tables import tables_of

Readings = chosen_type("Readings", META.readings, Chosen)
Options = chosen_type("Options", META.options, Chosen)

WORKERS = ("labourer", "scout", "merchant", "fighter", "cleric", "criminal")
CRIMINAL = "criminal"
ATTRIBUTES = ("faith", "strength", "influence")
ANY = "any"
BIT = {ANY: 0} | {worker: 1 << at for at, worker in enumerate(WORKERS)}
"""The bit of each colour of workers in masks."""
WORKSHOP = "workshop"
DEBT = "debt"
JAR = "jar"
LAST_LEVEL = 12
LEFT = ("develop", "recruit", "hunt", "trade", "pray", "conspire")
RIGHT = ("commission", "fortify", "garrison", "absolve", "attack", "convert")
ACTIONS = (*LEFT, *RIGHT)
UNDER_PIECES = ("commission", "garrison", "absolve")
"""The actions that uncover a flag under a piece; the others give what their card shows."""
ENDLESS = 200
"""How many of each worker lie in a supply that does not run out: more than any game can use."""
FROM_ROUND_TO_ROUND = 3
"""How many unused workers a seat may take into the next round."""

_PLAIN = frozenset({"labourer", "scout", "merchant", "fighter", "cleric", "silver", "provision", *ATTRIBUTES})
"""What is taken at once, since no order of taking makes a difference to it."""

_GAINS = frozenset({"discard", "instant", "reward", "attack", "gain"})
"""The words of cards with printed rewards."""

DUES = (
    "suspicion", "take_debt", "tax", "tax_2", CRIMINAL, "discard_suspicion", "destroy_debt", "pay_debt",
    "pray", "pray_action", "free_recruit", "free_develop",
)  # fmt: skip
"""What a seat can owe or be owed for a while, besides choices; ``tax_2`` is two taxes that are taken together."""


C = TypeVar("C")


class Gain(Struct, frozen=True):
    """A reward: what is taken at once, and what becomes due."""

    plain: tuple[str, ...] = ()
    dues: tuple[tuple[str, int], ...] = ()


NOTHING = Gain()


class Choice(Struct, frozen=True):
    """A reward of which one option is taken: its id among the dues, and the options as they are printed."""

    id: str
    options: tuple[tuple[str, ...], ...]
    gains: tuple[Gain, ...]


class Filling(Struct, frozen=True):
    """A way to fill an action's free spaces.

    ``order`` is the order of placing, pairs of space (from 0) and what it asks for; ``colours`` are the colours that
    are asked for, as a mask of :data:`BIT`; ``begin`` is the command.
    """

    workers: int
    order: tuple[tuple[int, str], ...]
    colours: int
    begin: BeginAction

    def possible(self, workers: Mapping[str, int]) -> bool:
        """Whether workers are enough: so many in all, and criminals for the colours that are missing.

        No two coloured spaces of an action ask for the same colour. Source: paladins.workers.colours, .criminals.
        """
        missing = self.colours & ~colours(workers)
        return sum(workers.values()) >= self.workers and missing.bit_count() <= workers.get(CRIMINAL, 0)


class Action(Struct, frozen=True):
    """An action of the player board.

    ``slots`` is what its spaces ask for, ``fillings`` the ways to fill them, by the bits of the spaces with a workshop.
    """

    id: str
    slots: tuple[str, ...]
    fillings: dict[int, tuple[Filling, ...]]
    thresholds: tuple[int, ...]
    needs: str

    def filling(self, workshops: int, workers: int) -> Filling | None:
        """The way with so many workers, if there is one."""
        for filling in self.fillings[workshops]:
            if filling.workers == workers:
                return filling
        return None


class Space(Struct, frozen=True):
    """A space of the main board."""

    id: str
    region: int
    gains: tuple[str, ...]
    gain: Gain


class JarKind(Struct, frozen=True):
    """The spaces for jars that have one reward."""

    id: str
    spaces: int
    gains: tuple[str, ...]
    gain: Gain


class Townsfolk(Struct, frozen=True):
    """A townsfolk card; ``rewards`` is its reward as it is printed."""

    id: str
    discard: Gain
    instant: Gain
    trigger: str
    condition: str
    reward: Gain
    rewards: tuple[str, ...]


class Outsider(Struct, frozen=True):
    """An outsider card: the rewards of attacking and converting it, and what it counts for at the end."""

    id: str
    suit: str
    attack: Gain
    conversion: Gain
    scores: str


class Wall(Struct, frozen=True):
    """A wall card."""

    id: str
    gain: Gain
    points: int
    choice: Choice | None = None


class Favour(Struct, frozen=True, kw_only=True):
    """A King's Favour: the worker that it asks for, its price and what it gives."""

    id: str
    worker: str
    silver: int
    provisions: int = field(name="provision")
    gain: Gain
    choice: Choice | None = None


class Paladin(Struct, frozen=True):
    """A paladin: ``bonus`` is what it adds to attributes, ``bonus_gain`` what it gives for an action.

    ``silver`` and ``provisions`` are what actions cost with it, time after time, ``recruiting`` what each place costs.
    Source: paladins.paladins.free, .cheaper.
    """

    id: str
    workers: tuple[str, ...]
    bonus: dict[str, int]
    silver: dict[str, tuple[int, ...]]
    provisions: dict[str, tuple[int, ...]]
    recruiting: tuple[int, ...]
    bonus_action: str = ""
    bonus_gain: Gain = NOTHING

    def price(self, action: str, times: int) -> tuple[int, int]:
        """Silver and provisions that an action costs after so many times."""
        return nth(self.silver.get(action, ()), times), nth(self.provisions.get(action, ()), times)


def nth(values: tuple[int, ...], times: int) -> int:
    """What an action asks for after so many times; 0 where it asks for nothing, or there is no next time."""
    return values[times] if times < len(values) else 0


def gain(printed: Iterable[str]) -> Gain:
    """A printed reward, parted into what is taken at once and what becomes due."""
    counts = Counter(printed)
    taxes = counts["tax"]
    del counts["tax"]
    plain = tuple(id for id, count in counts.items() if id in _PLAIN for _ in range(count))
    dues = [(id, count) for id, count in counts.items() if id not in _PLAIN]
    if taxes:
        dues.append(("tax" if taxes == 1 else f"tax_{taxes}", 1))
    return Gain(plain, tuple(dues))


def choice(options: Iterable[Iterable[str]]) -> Choice:
    """A reward with options; its id says what they are, so that all cards with the same options share one."""
    printed = tuple(tuple(option) for option in options)
    id = "_or_".join("_".join(_counted(option)) for option in printed)
    return Choice(id, printed, tuple(map(gain, printed)))


def _counted(option: tuple[str, ...]) -> Iterable[str]:
    return (id if count == 1 else f"{count}_{id}" for id, count in Counter(option).items())


class Data:
    """All tables of one edition under one choice of readings and options."""

    def __init__(self, tables: dict[str, Any], readings: Chosen, options: Chosen) -> None:
        self.readings = readings
        self.options = options
        tables = altered_tables(__package__, tables, options)
        self.alone = options.opponent != "off"
        self.players: tuple[int, ...] = (2,) if self.alone else tuple(tables["edition"]["players"])
        self._read_board(tables)
        self._read_cards(tables)
        self._read_seats(tables)
        self.points: dict[str, Any] = tables["points"]
        self.attribute_points: tuple[int, ...] = tuple(tables["points"]["attributes"])
        self.tax: dict[int, int] = {people: tables["tax"][str(people)] for people in (1, *self.players)}
        self._read_supplies(tables)
        self.start_silver: int = tables["start"]["silver"]
        self.start_provisions: int = tables["start"]["provision"]
        self._read_opponent(tables)
        self.place: dict[str, PlaceWorker] = {worker: PlaceWorker(worker) for worker in WORKERS}

    # --- reading the tables ------------------------------------------------------------------------------

    def _read_supplies(self, tables: dict[str, Any]) -> None:
        """What can be taken: all that the box has, or without end (reading ``supply_limits``)."""
        self.limited = self.readings.supply_limits == "as_in_the_box"
        in_box = {id: table["in_box"] for id, table in tables["workers"].items()}
        self.supply: dict[str, int] = in_box if self.limited else dict.fromkeys(WORKERS, ENDLESS)
        self.box_silver: int = tables["supplies"]["silver"]
        self.box_provisions: int = tables["supplies"]["provisions"]
        self.debts: int = tables["supplies"]["debts"]

    def _read_board(self, tables: dict[str, Any]) -> None:
        first = int(self.readings.first_strength_flag)
        columns = tables["columns"]
        self.flags: dict[str, tuple[int, ...]] = {
            "faith": tuple(columns["faith"]),
            "strength": (first, *columns["strength"][1:]),
        }
        self.all_spaces = tuple(
            (Space(id, table["region"], tuple(table["gain"]), gain(table["gain"])), table["players"])
            for id, table in _entries(tables["spaces"])
        )
        self.row_silver: tuple[int, ...] = tuple(tables["townsfolk_row"]["silver"])
        self.row_debt: tuple[bool, ...] = tuple(tables["townsfolk_row"]["debt"])
        self.order_points: tuple[int, ...] = tuple(tables["order_places"]["points"])
        self.order_rounds: tuple[int, ...] = tuple(tables["order_places"]["rounds"])
        self.order_needs: int = tables["order_places"]["needed"]
        self.favour_rounds: tuple[int, ...] = tuple(tables["favour_places"]["rounds"])
        self.orders: tuple[str, ...] = tuple(id for id, _ in _entries(tables["orders"]))
        self.rounds: int = tables["game"]["rounds"]

    def _read_cards(self, tables: dict[str, Any]) -> None:
        self.townsfolk = _cards("townsfolk", tables, Townsfolk)
        self.outsiders = _cards("outsiders", tables, Outsider)
        self.walls = _cards("walls", tables, Wall)
        self.favours = _cards("favours", tables, Favour)
        self.paladins = {id: _paladin(id, table, tables) for id, table in _entries(tables["paladins"])}
        self.no_paladin = _paladin("", {"workers": ()} | dict.fromkeys(ATTRIBUTES, 0), tables)
        self.tavern: dict[str, tuple[str, ...]] = {
            id: tuple(table["workers"]) for id, table in _entries(tables["tavern"])
        }
        self.suspicion: dict[str, int] = {id: table["tax"] for id, table in _entries(tables["suspicion"])}
        self.suspicion_counts: dict[str, int] = {id: table["count"] for id, table in _entries(tables["suspicion"])}
        choices = [wall.choice for wall in self.walls.values()] + [card.choice for card in self.favours.values()]
        self.choices: dict[str, Choice] = {choice.id: choice for choice in choices if choice}
        self.dues: tuple[str, ...] = (*DUES, *sorted(self.choices))

    def _read_seats(self, tables: dict[str, Any]) -> None:
        self.action_gains = {id: _own_gain(tables["actions"][id]) for id in UNDER_PIECES}
        self.actions = {id: _action(id, tables["actions"][id]) for id in ACTIONS}
        self.hunt = {1: gain(tables["actions"]["hunt"]["one"]), 2: gain(tables["actions"]["hunt"]["two"])}
        self.trade = {1: gain(tables["actions"]["trade"]["one"]), 2: gain(tables["actions"]["trade"]["two"])}
        self.jar_numbers: tuple[int, ...] = tuple(tables["jars"]["numbers"])
        self.jar_kinds = _jar_kinds(tables["jar_spaces"])
        self.workshop_row: tuple[str, ...] = tuple(tables["workshops"]["row"])
        self.pieces: int = len(self.jar_numbers)

    def _read_opponent(self, tables: dict[str, Any]) -> None:
        table = tables["opponent"]
        self.opponent_workers: int = table["workers_plus"]
        self.fields: int = table["resource_fields"]
        self.opponent_orders: dict[str, int] = table["orders"]
        self.conspire_workers: int = table["conspire_workers"]
        self.space_priority: tuple[tuple[str, ...], ...] = tuple(map(tuple, table["priority"]))
        self.schemes: dict[str, int] = {id: scheme["count"] for id, scheme in _entries(tables["schemes"])}

    # --- questions of the rules --------------------------------------------------------------------------

    def spaces(self, players: int) -> tuple[Space, ...]:
        """The spaces that can be used with so many players, from left to right."""
        return tuple(space for space, fewest in self.all_spaces if fewest <= players)


def _entries(table: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The entries of a table that has facts of all of them besides."""
    return ((id, entry) for id, entry in table.items() if isinstance(entry, dict))


def _cards(group: str, tables: dict[str, Any], kind: type[C]) -> dict[str, C]:
    """Read the cards of a table, whose printed rewards become gains and choices."""
    made: dict[str, dict[str, Any]] = {}
    for id, printed in _entries(tables[group]):
        card = {word: gain(rewards) if word in _GAINS else rewards for word, rewards in printed.items()}
        card |= {"rewards": printed.get("reward", ()), "conversion": gain(["strength"] * printed.get("strength", 0))}
        if "choice" in printed:
            one_of = choice(printed["choice"])
            card |= {"choice": one_of, "gain": Gain(card["gain"].plain, (*card["gain"].dues, (one_of.id, 1)))}
        made[id] = card
    return read_entries(group, made, kind)


def _paladin(id: str, table: dict[str, Any], tables: dict[str, Any]) -> Paladin:
    """A paladin with the one thing that it does for the action of its own: nothing to pay, less to pay, or a gain."""
    free, cheaper, bonus = table.get("free"), table.get("cheaper"), table.get("bonus", {})
    less = {cheaper["action"]: cheaper["silver"]} if cheaper else {}
    actions = tables["actions"].items()
    return Paladin(
        id,
        tuple(table["workers"]),
        {attribute: table[attribute] for attribute in ATTRIBUTES},
        {act: _paid(each["silver"], act == free, less.get(act, 0)) for act, each in actions if "silver" in each},
        {act: _paid(each["provisions"], act == free) for act, each in actions if "provisions" in each},
        _paid(tables["townsfolk_row"]["silver"], free == "recruit"),
        bonus.get("action", ""),
        gain(bonus["gain"]) if bonus else NOTHING,
    )


def _paid(printed: Sequence[int], free: bool, less: int = 0) -> tuple[int, ...]:
    """What is paid of printed prices."""
    return tuple(0 if free else price - less for price in printed)


def _own_gain(table: dict[str, Any]) -> Gain:
    """What an action gives each time, whatever its target."""
    return gain((table["gain"], *table.get("also", ())))


def _filling(action: str, slots: tuple[str, ...], taken: int = 0) -> Filling:
    """How free spaces are filled: coloured ones first, so that looking ahead needs no search."""
    free = [(at, slot) for at, slot in enumerate(slots) if not taken & 1 << at]
    order = (*(space for space in free if space[1] != ANY), *(space for space in free if space[1] == ANY))
    return Filling(len(order), order, colours(slot for _, slot in order), BeginAction(action, len(order)))


def colours(workers: Iterable[str]) -> int:
    """Workers as a mask of their colours; a space for any is none."""
    mask = 0
    for worker in workers:
        mask |= BIT[worker]
    return mask


def _action(id: str, table: dict[str, Any]) -> Action:
    slots = tuple(table["slots"])
    fillings: dict[int, tuple[Filling, ...]]
    if id in RIGHT:
        fillings = {mask: (_filling(id, slots, mask),) for mask in range(4)}
    elif id in ("hunt", "trade", "recruit"):
        fillings = {0: (_filling(id, slots[:1]), _filling(id, slots))}
    else:
        fillings = {0: (_filling(id, slots),)}
    return Action(
        id,
        slots,
        fillings,
        tuple(table.get("thresholds", ())),
        table["needs"],
    )


def _jar_kinds(tables: dict[str, Any]) -> dict[str, JarKind]:
    """The spaces for jars by reward; a space's id is its reward's, with a number where there are several."""
    gains: dict[str, tuple[str, ...]] = {}
    spaces: Counter[str] = Counter()
    for id, table in _entries(tables):
        stem, _, number = id.rpartition("_")
        kind = stem if number.isdecimal() else id
        gains[kind] = tuple(table["gain"])
        spaces[kind] += 1
    return {kind: JarKind(kind, spaces[kind], printed, gain(printed)) for kind, printed in gains.items()}


data_for = data_reader(META, Readings, Options, lambda edition, *chosen: Data(tables_of(edition), *chosen))
"""The tables for a game; raises ``ValueError`` for an unknown edition, reading or choice."""
