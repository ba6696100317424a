"""Random games of Orléans, played beside independent checks of what the rules did.

Games with an even seed choose uniformly among the legal commands; hardly a place is ever activated in them, but many
odd things happen. Those with an odd seed are eager: seats plan whole places and act as long as they can, and so come to
where tiles run out, deeds are completed and tracks end.

A playout keeps every command and event. If a check fails, the error carries a note with all that is needed to play the
same game again: setup, seed and the commands so far.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Effect
from boardkeeper.table.events import Event
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.rules_catalogue import table_rules
from boardkeeper.table.table import Table
from boardkeeper.table.title import Setup
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans.bindings import BoundPlace, Seat
from boardkeeper.titles.orleans.data import (
    ANY,
    CHARACTERS,
    CITIZEN,
    GOODS,
    MONK,
    OWN,
    STATION,
    TECHNOLOGY,
    data_for,
    is_marked,
)
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.title import TITLE

META = TITLE.meta
EFFECTS = msgspec.json.Decoder(tuple[Effect, ...])
DETAILS = {name: msgspec.json.Decoder(kind) for name, kind in TITLE.events.items()}
RULES = {rule.id for rule in TITLE.rules()} | set(table_rules())


def standard(players: int) -> Setup:
    """The default edition as it is."""
    return complete(META, Setup("", players))


def varied(seed: int, players: int) -> Setup:
    """Some edition, options and readings."""
    random = Random(f"setup {seed}")
    edition = random.choice([edition for edition in META.editions if players <= edition.players[1]])
    options = {option.id: random.choice(option.choices).id for option in META.options}
    readings = {reading.id: random.choice(reading.choices).id for reading in META.readings}
    return complete(META, Setup(edition.id, players, options, readings))


class Playout:
    """One random game: the table, and everything that was done to it."""

    def __init__(self, seed: int, setup: Setup) -> None:
        self.seed = seed
        self.setup = setup
        self.random = Random(f"game {seed}")
        self.layout: TableLayout = TITLE.layout(setup)
        self.table = Table(self.layout)
        self.play = self.bind(self.table)
        self.play.set_up()
        self.commands: list[tuple[int, Struct]] = []
        self.events: list[Event] = self.play.recorder.take()
        self.marks = [(0, len(self.events))]
        """After how many commands there were how many events, from the beginning of the game."""

    def bind(self, table: Table) -> OrleansPlay:
        """The rules of this game on another table."""
        return TITLE.play(table, Dice(str(self.seed).encode()), self.setup)

    def at(self, events: int) -> Table:
        """The table after that many events, folded without any rules."""
        table = Table(self.layout)
        for event in self.events[:events]:
            table.apply_all(event.effects)
        return table

    def choose(self) -> tuple[int, Struct]:
        """A seat that has to decide, and one of its commands."""
        deciding = self.table.deciding()
        assert deciding, "the game is not over and nobody has to decide"
        seat = deciding[int(self.random.random() * len(deciding))]
        legal = self.play.legal(seat)
        assert legal, f"seat {seat} has to decide ({self.table.decisions[seat]}) and no legal command"
        if self.seed % 2 and self.random.random() < 0.97:
            return seat, self._eager(self.play.t.seats[seat - 1], legal)
        return seat, legal[int(self.random.random() * len(legal))]

    def _eager(self, seat: Seat, legal: Sequence[Struct]) -> Struct:
        """What brings the seat on: whole places when planning, then actions."""
        if self.table.decisions[seat.number] == "draw":
            back = [command for command in legal if isinstance(command, c.TakeBackFollower)]
            if back and self.random.random() < 0.6:
                return self.random.choice(back)
            return max((command for command in legal if isinstance(command, c.DrawFollowers)), key=_count)
        if c.FinishPlanning() in legal:
            placement = self._placement(seat)
            return placement if placement is not None and placement in legal else c.FinishPlanning()
        if self.random.random() < 0.8:
            legal = [command for command in legal if type(command) not in RELUCTANT] or legal
        return self.random.choice(legal)

    def _placement(self, seat: Seat) -> Struct | None:
        """A step towards some place that the market can fill; places that are begun come first."""
        fits = seat.estate().hand.fits
        places = list(seat.estate().places.values())
        self.random.shuffle(places)
        places.sort(key=_is_empty)
        for place in places:
            if place.id == "town_hall" and self.random.random() < 0.9:
                continue  # what goes to the deeds is missing afterwards
            market = dict(seat.market.items)
            first: Struct | None = None
            for space in place.spaces:
                if space.items:
                    continue
                follower = next((one for one, count in market.items() if count and fits[one] & space.bit), "")
                if not follower:
                    break
                market[follower] -= 1
                first = first or c.PlaceFollower(follower, place.id, space.id)
            else:
                if first:
                    return first
        return None

    def step(self) -> list[Event]:
        """Give a random legal command; returns its events."""
        seat, command = self.choose()
        self.commands.append((seat, command))
        rejection = self.play.decide(seat, command)
        assert rejection is None, f"seat {seat} may not {command} though it is listed: {rejection}"
        events = self.play.recorder.take()
        assert events, f"seat {seat}: {command} had no event"
        self.events += events
        self.marks.append((len(self.commands), len(self.events)))
        return events

    def finish(self) -> None:
        """Play to the end."""
        while not self.play.is_over():
            self.step()

    def reproduction(self) -> str:
        """Everything that is needed to play the same game again."""
        given = [[seat, type(command).__name__, msgspec.to_builtins(command)] for seat, command in self.commands]
        last = [f"  {seat}: {command}" for seat, command in self.commands[-5:]]
        t = self.play.t
        lines = [
            f"Reproduce with Playout({self.seed}, {self.setup}):",
            f"{len(self.commands)} commands, {len(self.events)} events, round {t.round.value}, {t.phase.value}; last:",
            *last,
            "All commands: " + msgspec.json.encode(given).decode(),
        ]
        return "\n".join(lines)


RELUCTANT = (c.Pass, c.FinishDeeds)
"""What an eager seat leaves for last."""


def _is_empty(place: BoundPlace) -> bool:
    return not any(space.items for space in place.spaces)


def _count(command: c.DrawFollowers) -> int:
    return command.count


@contextmanager
def playout(seed: int, setup: Setup) -> Iterator[Playout]:
    """A game whose reproduction is noted on any error."""
    game = Playout(seed, setup)
    try:
        yield game
    except Exception as error:
        error.add_note(game.reproduction())
        raise


def same_history(expected: Sequence[Event], found: Sequence[Event]) -> None:
    """Fail at the first event that differs."""
    for index, (one, other) in enumerate(zip(expected, found, strict=False)):
        assert one == other, f"first differing event: {index}\nexpected {one}\nfound    {other}"
    assert len(expected) == len(found), f"{len(expected)} events expected, {len(found)} found"


def stored(event: Event) -> Event:
    """An event after a journey through JSON."""
    detail = DETAILS[event.name].decode(msgspec.json.encode(event.detail))
    effects = EFFECTS.decode(msgspec.json.encode(event.effects))
    return Event(event.seat, detail, effects)


# --- what is true of every table -------------------------------------------------------------------------------


def check_components(game: Playout) -> None:
    """The counts of the rulebook for this number of players, wherever the components lie. Source: orleans.setup.*."""
    players = game.setup.players
    t = game.play.t
    in_play = Counter(game.table.components())
    in_play.subtract(t.box.items)
    neutral = {
        2: (12, 6, 6, 6, 8, 8, 8),
        3: (14, 8, 8, 8, 11, 11, 11),
        4: (16, 10, 10, 10, 14, 14, 14),
        5: (18, 12, 12, 12, 17, 17, 17),
    }[players]
    characters = ("farmer", "boatman", "craftsman", "trader", "knight", "scholar", "monk")
    for character, count in zip(characters, neutral, strict=True):
        assert in_play[character] == count, character
    for character in characters[:4]:
        assert in_play[OWN + character] == players, character
    followers = [*characters, *(OWN + character for character in characters[:4])]
    assert sum(in_play[follower] for follower in followers) == sum(neutral) + 4 * players
    goods = ("grain", "cheese", "wine", "wool", "brocade")
    assert sum(in_play[good] for good in goods) == {2: 78, 3: 84}.get(players, 90)
    total = game.table.components()
    assert [total[good] for good in goods] == [24, 21, 18, 15, 12]
    assert in_play[TECHNOLOGY] == {5: 20}.get(players, 16)
    assert in_play[CITIZEN] == 14
    assert all(in_play[f"{STATION}.{seat}"] == 10 for seat in range(1, players + 1))
    assert all(in_play[tile] == 1 for tile in t.data.place_tiles)
    assert len(t.data.place_tiles) == 20
    hour_glass = [tile for pile in (*t.hour_glass.values(), t.turned, t.turned_now) for tile in pile.items.items()]
    assert sum(count for _, count in hour_glass) == 18
    assert t.turned.total() + t.turned_now.total() == t.round.value


def check_invariants(game: Playout) -> None:
    """What no sequence of commands may break, whatever is read into the open rules."""
    t = game.play.t
    for seat in t.seats:
        _check_seat(game, seat)
    for town, pile in t.towns.items():
        stations = pile.counts()
        assert all(count == 1 for count in stations.values()), f"two stations of one seat in {town}"
        assert len(stations) <= 1 or town == "orleans", f"{len(stations)} stations in {town}"
    for way in t.data.ways:
        assert t.ways[way.id].total() <= len(way.spaces), f"too many goods on {way.id}"
    for deed in t.data.deeds.values():
        lying = t.deeds[deed.id].counts()
        complete = all(lying.get(character, 0) == count for character, count in deed.spaces.items())
        assert lying.pop(CITIZEN, 0) == (not complete), f"the citizen of {deed.id}"
        assert all(count <= deed.spaces[character] for character, count in lying.items()), deed.id
    assert sum(1 for seat in t.seats if seat.station in t.towns["orleans"].items) == len(t.towns["orleans"].items)
    assert t.goods_pile.total() == 0


def _check_seat(game: Playout, seat: Seat) -> None:
    t = game.play.t
    name = f"seat {seat.number}"
    decision = game.table.decisions[seat.number]
    spaces = seat.estate().spaces.values()
    own = Counter[str]()
    for pile in (seat.bag, seat.market, seat.drawn, *(space.pile for space in spaces)):
        own.update({follower: count for follower, count in pile.items.items() if is_marked(follower)})
    four = {OWN + character: 1 for character in ("farmer", "boatman", "craftsman", "trader")}
    assert dict(own) == four, f"the own followers of {name}: {own}"
    limit = t.data.market_size + (2 if decision in ("draw", "take_back", "keep", "store") else 0)
    assert seat.market.total() <= limit, f"the market of {name}"
    for space in spaces:
        assert sum(space.items.values()) <= 1, f"{name} has {space.items} on {space.place}.{space.id}"
        occupant = space.occupant()
        if occupant == TECHNOLOGY:
            assert space.requires != MONK, f"{name} has technology for a monk"
        elif occupant and space.requires == MONK:
            assert occupant == MONK, f"{name} has {occupant} for a monk"
        elif space.requires == ANY and space.place == "town_hall":
            assert not is_marked(occupant), f"{name} has an own follower in the Town Hall"
    for place in seat.estate().places.values():
        assert sum(TECHNOLOGY in space.items for space in place.spaces) <= 1, f"{name}, technology at {place.id}"
    assert seat.coins.value >= 0, f"coins of {name}"
    assert (seat.debt.value > 0) == (decision == "torture"), f"debt of {name}"
    assert 0 <= seat.development.value <= 30, name
    for track, marker in seat.track.items():
        assert 0 <= marker.value <= t.data.track_length[track], f"{track} of {name}"
    assert seat.drawn.total() == 0 or decision in ("bathhouse", "keep"), f"drawn followers of {name}"
    assert seat.merchant.value in t.towns
    assert seat.place_tiles.total() <= seat.track["traders"].value, f"place tiles of {name}"


# --- legal and decide ------------------------------------------------------------------------------------------

DATA = data_for(standard(5))
NONSENSE = ("", "?", "technology", "Farmer", "…" * 40)
VALUES: dict[str, tuple[str, ...]] = {
    "follower": DATA.followers,
    "character": CHARACTERS,
    "place": tuple(DATA.places),
    "place_tile": DATA.place_tiles,
    "space": tuple(dict.fromkeys(space for _, space in DATA.space)),
    "good": GOODS,
    "town": DATA.towns,
    "deed": tuple(DATA.deeds),
    "reward": ("coins", "development"),
}
"""What a field of a command may name."""


def mutated(random: Random, command: Struct) -> Struct:
    """A command of the same kind with another value in one of its fields."""
    known = fields(command)
    if not known:
        return command
    field = random.choice(known).name
    value: Any = getattr(command, field)
    if isinstance(value, bool):
        value = not value
    elif isinstance(value, int):
        value = random.choice([-1, 0, 1, value + 1, 99, 2**40])
    else:
        value = random.choice(VALUES[field] if random.random() < 0.8 else NONSENSE)
    return replace(command, **{field: value})


def mutations(random: Random, commands: Sequence[Struct]) -> list[Struct]:
    """Some mutations of each kind of command, and one of each place that can be used."""
    kinds: dict[tuple[type[Struct], str], list[Struct]] = {}
    for command in commands:
        place = "" if isinstance(command, c.PlaceFollower) else getattr(command, "place", "")
        kinds.setdefault((type(command), place), []).append(command)
    return [mutated(random, random.choice(alike)) for alike in kinds.values() for _ in range(4)]


def check_agreement(game: Playout, others: Sequence[Struct]) -> int:
    """Try what is listed, what was listed elsewhere and what nobody listed, and take it all back.

    ``decide`` has to accept exactly what ``legal`` lists, name a known rule for everything else, and leave no trace
    when it is rolled back. Returns how many commands were tried.
    """
    play, table = game.play, game.table
    before = table.contents()
    tried = 0
    for seat in range(1, game.setup.players + 1):
        listed = list(play.legal(seat))
        assert bool(listed) == bool(table.decisions[seat]), f"seat {seat}: {listed}"
        assert len(set(listed)) == len(listed), f"seat {seat} has a command listed twice"
        legal = set(listed)
        for command in (*listed, *mutations(game.random, listed), *others):
            rejection = play.decide(seat, command)
            play.recorder.rollback()
            tried += 1
            if command in legal:
                assert rejection is None, f"seat {seat}: {command} is listed, but {rejection}"
                continue
            assert rejection is not None, f"seat {seat}: {command} is accepted, but not listed"
            assert rejection.rule in RULES, f"{command}: unknown rule in {rejection}"
            assert all(isinstance(value, str) for value in rejection.values.values()), rejection
            if not legal:
                assert rejection.rule == "table.not_deciding", rejection
        assert list(play.legal(seat)) == listed, f"seat {seat}: the list depends on what was tried"
    assert table.contents() == before, "trying left a trace"
    return tried
