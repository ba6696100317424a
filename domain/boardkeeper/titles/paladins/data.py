"""The data of one edition with chosen readings and options, as the rules need it.

Rules never check which edition a game has: they use :class:`Data`. It never changes; all games with the same edition,
readings and options share it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec import Struct, field

from boardkeeper.titlekit.alternatives import apply_alternatives
from boardkeeper.titlekit.choices import Chosen, chosen_type, data_reader
from boardkeeper.titlekit.entries import read_entries
from boardkeeper.titles.paladins.commands import BeginAction, PlaceWorker
from boardkeeper.titles.paladins.meta import META, tables_of

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
"""The actions whose reward is printed under the piece that they remove; other rewards are printed on cards."""
ENDLESS = 200
"""Number of each worker in a supply that does not run out: more than a game can use."""
MAX_KEPT_WORKERS = 3
"""Maximum number of unused workers that a seat keeps for the next round."""

_IMMEDIATE = frozenset({"labourer", "scout", "merchant", "fighter", "cleric", "silver", "provision", *ATTRIBUTES})
"""Rewards that a seat receives immediately, because their order makes no difference."""

_REWARD_FIELDS = frozenset({"discard", "instant", "reward", "attack", "gain"})
"""Fields of cards that contain rewards."""

PENDING_KINDS = (
    "suspicion", "take_debt", "tax", "tax_2", CRIMINAL, "discard_suspicion", "destroy_debt", "pay_debt",
    "pray", "pray_action", "free_recruit", "free_develop",
)  # fmt: skip
"""Kinds of pending rewards, besides choices. ``tax_2`` is two taxes that are taken together."""

C = TypeVar("C")


class Gain(Struct, frozen=True):
    """A reward: what the seat receives immediately, and the pending rewards by kind."""

    immediate: tuple[str, ...] = ()
    pending: tuple[tuple[str, int], ...] = ()


NOTHING = Gain()


class Choice(Struct, frozen=True):
    """A reward with options: its kind as a pending reward, the printed options, and the gain of each option."""

    id: str
    options: tuple[tuple[str, ...], ...]
    gains: tuple[Gain, ...]


class Filling(Struct, frozen=True):
    """A way to fill the free spaces of an action with a number of workers.

    ``order`` has the spaces in the order of placing: the index (from 0) and the worker that the space needs.
    ``colour_mask`` has the bit of each needed colour (:data:`BIT`). ``begin`` is the command that begins the action.
    """

    workers: int
    order: tuple[tuple[int, str], ...]
    colour_mask: int
    begin: BeginAction


class Action(Struct, frozen=True):
    """An action of the player board.

    ``slots`` has the worker that each space needs, ``fillings`` the ways to fill the spaces, by the bit mask of the
    spaces with a workshop. ``bits`` has a bit for each space that is unique on the player board, ``mask`` all of them.
    """

    id: str
    slots: tuple[str, ...]
    bits: tuple[int, ...]
    mask: int
    fillings: dict[int, tuple[Filling, ...]]
    thresholds: tuple[int, ...]
    needs: str


PossibleFillings = tuple[str, dict[int, list[Filling]]]
"""An action, and those of its :attr:`Action.fillings` for which there are enough workers."""


class Space(Struct, frozen=True):
    """A space of the main board."""

    id: str
    region: int
    gains: tuple[str, ...]
    gain: Gain


class JarKind(Struct, frozen=True):
    """The jar spaces with the same reward; ``spaces`` is their number."""

    id: str
    spaces: int
    gains: tuple[str, ...]
    gain: Gain


class Townsfolk(Struct, frozen=True):
    """A townsfolk card.

    ``discard``: the reward for discarding it. ``instant``: the reward for hiring it. ``reward``: the reward for each
    action ``trigger`` of its owner, under ``condition``; ``rewards`` has it as printed.
    """

    id: str
    discard: Gain
    instant: Gain
    trigger: str
    condition: str
    reward: Gain
    rewards: tuple[str, ...]


class Outsider(Struct, frozen=True):
    """An outsider card: the rewards of attacking and converting it, and what a converted card scores for."""

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
    """A King's Favour: the worker that it needs, its price and its reward."""

    id: str
    worker: str
    silver: int
    provisions: int = field(name="provision")
    gain: Gain
    choice: Choice | None = None


class Paladin(Struct, frozen=True):
    """A paladin: ``bonus`` has the points that it adds to attributes, ``bonus_gain`` its reward for ``bonus_action``.

    ``silver`` and ``provisions`` have the prices of actions for the first and each further time, ``recruiting`` the
    silver for each place of the townsfolk row. Source: paladins.paladins.free, .cheaper.
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
        """Return the silver and provisions that an action costs after it was carried out ``times`` times."""
        return nth_or_zero(self.silver.get(action, ()), times), nth_or_zero(self.provisions.get(action, ()), times)


def nth_or_zero(values: tuple[int, ...], times: int) -> int:
    """Return the value at the index ``times``, or 0 if there is none."""
    return values[times] if times < len(values) else 0


def gain(printed: Iterable[str]) -> Gain:
    """Split a printed reward into immediate and pending rewards."""
    counts = Counter(printed)
    taxes = counts["tax"]
    del counts["tax"]
    immediate = tuple(id for id, count in counts.items() if id in _IMMEDIATE for _ in range(count))
    pending = [(id, count) for id, count in counts.items() if id not in _IMMEDIATE]
    if taxes:
        pending.append(("tax" if taxes == 1 else f"tax_{taxes}", 1))
    return Gain(immediate, tuple(pending))


def choice(options: Iterable[Iterable[str]]) -> Choice:
    """Return a reward with options. Its id is made of the options: cards with the same options share it."""
    printed = tuple(tuple(option) for option in options)
    id = "_or_".join("_".join(_option_words(option)) for option in printed)
    return Choice(id, printed, tuple(map(gain, printed)))


def _option_words(option: tuple[str, ...]) -> Iterable[str]:
    return (id if count == 1 else f"{count}_{id}" for id, count in Counter(option).items())


class Data:
    """The data of one edition with chosen readings and options."""

    def __init__(self, tables: dict[str, Any], readings: Chosen, options: Chosen) -> None:
        self.readings = readings
        self.options = options
        tables = apply_alternatives(__package__, tables, options)
        self.is_solo = options.opponent != "off"
        self.players: tuple[int, ...] = (2,) if self.is_solo else tuple(tables["edition"]["players"])
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
        self.most_slots = max(len(action.slots) for action in self.actions.values())
        self.possible_fillings: dict[tuple[int, int, int], tuple[PossibleFillings, ...]] = {}
        """The results of :func:`boardkeeper.titles.paladins.phases.fillings.possible_fillings`."""

    # --- reading the tables -------------------------------------------------------------------------------------------

    def _read_supplies(self, tables: dict[str, Any]) -> None:
        """Read the supplies. They are unlimited unless the reading ``supply_limits`` is ``as_in_the_box``."""
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
        self.reward_kinds: tuple[str, ...] = (*PENDING_KINDS, *sorted(self.choices))

    def _read_seats(self, tables: dict[str, Any]) -> None:
        self.action_gains = {id: _fixed_gain(tables["actions"][id]) for id in UNDER_PIECES}
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

    def spaces(self, players: int) -> tuple[Space, ...]:
        """Return the spaces of the main board for a number of players, from left to right."""
        return tuple(space for space, fewest in self.all_spaces if fewest <= players)


def _entries(table: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the entries of a table that are tables themselves; the others are facts about all entries."""
    return ((id, entry) for id, entry in table.items() if isinstance(entry, dict))


def _cards(group: str, tables: dict[str, Any], kind: type[C]) -> dict[str, C]:
    """Read the cards of a table. Printed rewards become gains and choices."""
    made: dict[str, dict[str, Any]] = {}
    for id, printed in _entries(tables[group]):
        card = {word: gain(rewards) if word in _REWARD_FIELDS else rewards for word, rewards in printed.items()}
        card |= {"rewards": printed.get("reward", ()), "conversion": gain(["strength"] * printed.get("strength", 0))}
        if "choice" in printed:
            one_of = choice(printed["choice"])
            card |= {"choice": one_of, "gain": Gain(card["gain"].immediate, (*card["gain"].pending, (one_of.id, 1)))}
        made[id] = card
    return read_entries(group, made, kind)


def _paladin(id: str, table: dict[str, Any], tables: dict[str, Any]) -> Paladin:
    """Read a paladin. Its ability is a free action, a cheaper action or a reward for an action."""
    free, cheaper, bonus = table.get("free"), table.get("cheaper"), table.get("bonus", {})
    less = {cheaper["action"]: cheaper["silver"]} if cheaper else {}
    actions = tables["actions"].items()
    return Paladin(
        id,
        tuple(table["workers"]),
        {attribute: table[attribute] for attribute in ATTRIBUTES},
        {act: _prices(each["silver"], act == free, less.get(act, 0)) for act, each in actions if "silver" in each},
        {act: _prices(each["provisions"], act == free) for act, each in actions if "provisions" in each},
        _prices(tables["townsfolk_row"]["silver"], free == "recruit"),
        bonus.get("action", ""),
        gain(bonus["gain"]) if bonus else NOTHING,
    )


def _prices(printed: Sequence[int], free: bool, less: int = 0) -> tuple[int, ...]:
    """Return printed prices of an action, reduced by the ability of a paladin."""
    return tuple(0 if free else price - less for price in printed)


def _fixed_gain(table: dict[str, Any]) -> Gain:
    """Return the reward of an action that does not depend on its target."""
    return gain((table["gain"], *table.get("also", ())))


def _filling(action: str, slots: tuple[str, ...], taken: int = 0) -> Filling:
    """Return how to fill the spaces that are not in the mask ``taken``, those that need a colour first."""
    free = [(at, slot) for at, slot in enumerate(slots) if not taken & 1 << at]
    order = (*(space for space in free if space[1] != ANY), *(space for space in free if space[1] == ANY))
    return Filling(len(order), order, colour_mask(slot for _, slot in order), BeginAction(action, len(order)))


def colour_mask(workers: Iterable[str]) -> int:
    """Return the bit mask of the colours of workers; ``any`` has no bit."""
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
    first = 3 * ACTIONS.index(id)  # actions have at most three spaces
    bits = tuple(1 << (first + at) for at in range(len(slots)))
    return Action(
        id,
        slots,
        bits,
        sum(bits),
        fillings,
        tuple(table.get("thresholds", ())),
        table["needs"],
    )


def _jar_kinds(tables: dict[str, Any]) -> dict[str, JarKind]:
    """Group the jar spaces by reward. The id of a space is its reward, with a number if several have the reward."""
    gains: dict[str, tuple[str, ...]] = {}
    spaces: Counter[str] = Counter()
    for id, table in _entries(tables):
        stem, _, number = id.rpartition("_")
        kind = stem if number.isdecimal() else id
        gains[kind] = tuple(table["gain"])
        spaces[kind] += 1
    return {kind: JarKind(kind, spaces[kind], printed, gain(printed)) for kind, printed in gains.items()}


data_for = data_reader(META, Readings, Options, lambda edition, *chosen: Data(tables_of(edition), *chosen))
"""Return the data for a :class:`Setup`; raises ``ValueError`` for an unknown edition, reading or choice."""
