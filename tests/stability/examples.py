"""Stored examples of every event: one permanent row for each form that an event ever had.

``python -m tests.stability.examples`` adds the missing ones to the folder of the current version and never changes an
existing one. ``--refresh`` replaces examples whose form changed before its release. ``--release`` closes the folder
with checksums: from then on, new examples go to the folder of the next version. See ``docs/events.md``.
"""

from __future__ import annotations

import hashlib
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle
from pathlib import Path
from random import Random
from types import UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints
from uuid import UUID

import msgspec
from eventsourcing.persistence import MapperDeserialisationError
from msgspec import Struct

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GAME_EVENTS, GameEvent, Given
from boardkeeper.game.game import GAME
from boardkeeper.game.seats import AUTOMA, BOT, PERSON
from boardkeeper.service.storage.mapper import GameEventMapper
from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.rejections import Rejection
from boardkeeper.testkit.setups import default_setup, player_counts
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.title import Title
from boardkeeper.titles.registry import TITLES, load_title

HERE = Path(__file__).parent
SUMS = "SHA256SUMS"
ID = UUID(int=1)


class ReleasedError(Exception):
    """The folder is part of a release, so nothing in it may change."""


class Example(NamedTuple):
    """One stored row: its topic with its version, and its bytes."""

    topic: str
    state: bytes


def events_of(owner: str) -> Mapping[str, type[Struct]]:
    """Return the event details of a title, or of all games."""
    return {event.__name__: event for event in GAME_EVENTS} if owner == GAME else load_title(owner).events


def production_mapper() -> GameEventMapper:
    """Return a mapper as the service creates it."""
    return GameEventMapper(events_of)


def current_topics() -> dict[str, type[Struct]]:
    """Return every topic as it is stored today, with its type of detail."""
    mapper = production_mapper()
    return {
        mapper.stored_topic(f"{owner}.{name}"): detail
        for owner in (GAME, *TITLES)
        for name, detail in events_of(owner).items()
    }


# --- the files ------------------------------------------------------------------------------------------------


def folders(root: Path = HERE) -> list[Path]:
    return sorted(root.glob("v*"))


def read(root: Path = HERE) -> list[Example]:
    """Return the examples of all versions."""
    return [
        Example(row["topic"], row["state"].encode())
        for folder in folders(root)
        for file in sorted(folder.glob("*.jsonl"))
        for row in map(msgspec.json.decode, file.read_bytes().splitlines())
    ]


def add(examples: Iterable[Example], folder: Path) -> list[Example]:
    """Append the examples of new topics, a file for each owner, and return them; raises :class:`ReleasedError`."""
    known = {example.topic for example in read(folder.parent)}
    new = [example for example in examples if example.topic not in known]
    if new and (folder / SUMS).exists():
        raise ReleasedError(f"{folder.name} is released: raise the version in pyproject.toml")
    for example in new:
        folder.mkdir(exist_ok=True)
        line = msgspec.json.encode({"topic": example.topic, "state": example.state.decode()})
        with (folder / f"{example.topic.partition('.')[0]}.jsonl").open("ab") as file:
            file.write(line + b"\n")
    return new


def find_changed(examples: Iterable[Example]) -> list[Example]:
    """Return the examples at the current version of their topic that this build would write differently."""
    mapper, found = production_mapper(), []
    for example in examples:
        if example.topic in current_topics():
            try:
                (event,) = mapper.to_events(ID, [(1, *example)])
                same = _example(mapper, event) == example
            except MapperDeserialisationError:
                same = False
            if not same:
                found.append(example)
    return found


def remove(examples: Iterable[Example], folder: Path) -> None:
    """Remove examples from a folder; raises :class:`ReleasedError` if it is closed."""
    topics = {example.topic for example in examples}
    if topics and (folder / SUMS).exists():
        raise ReleasedError(f"{folder.name} is released: a changed event needs a new version of its topic")
    for file in folder.glob("*.jsonl") if topics else ():
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join(line for line in lines if msgspec.json.decode(line)["topic"] not in topics))


def checksums(folder: Path) -> str:
    """Return the checksums of a folder's files, in the format of ``sha256sum``."""
    return "".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(folder.glob("*.jsonl"))
    )


def release(folder: Path) -> None:
    """Close a folder; raises :class:`ReleasedError` if it is closed."""
    if (folder / SUMS).exists():
        raise ReleasedError(f"{folder.name} is released already")
    (folder / SUMS).write_text(checksums(folder))


# --- the examples ---------------------------------------------------------------------------------------------


def generate(wanted: Mapping[str, type[Struct]]) -> Iterator[Example]:
    """Yield an example of each wanted topic: from games of bots if it occurs there, else made from the field types."""
    mapper = production_mapper()
    left = dict(wanted)
    owners = {topic.partition(".")[0] for topic in wanted} - {GAME}
    for title in [load_title(id) for id in TITLES if id in owners or not owners]:
        for players, bot in bot_games(title):
            for event in play_game(title, players, bot) if left else ():
                if left.pop(mapper.stored_topic(event.topic), None):
                    yield _example(mapper, event)
    for topic, detail in left.items():
        bare = topic.partition("@")[0]
        yield _example(
            mapper, GameEvent(ID, 1, bare, 1, "1:made-up", 1_700_000_000_000, make_value(detail), EFFECTS, GIVEN)
        )


def bot_games(title: Title) -> Iterator[tuple[int, str]]:
    """Yield the numbers of players and the bots of the games: each number of players, with the title's bots in turn."""
    bots = [bot.id for bot in reversed(title.meta.bots)]
    return zip(player_counts(title.meta), cycle(bots), strict=False)


def play_game(title: Title, players: int, bot: str) -> list[GameEvent]:
    """Return the events of a whole game of bots, always the same one. Some of the seats join as people do."""
    secret = bytes([players]) * 32
    setup = default_setup(title, players)
    automata = title.automata(setup)
    every = range(1, setup.players + 1)
    *people, last = (seat for seat in every if seat not in automata)
    kinds = {last: f"{BOT}{bot}", **dict.fromkeys(automata, AUTOMA)}
    seats = [kinds.get(seat, PERSON) for seat in every]
    game, events = create_game(ID, title, setup, seats, secret, "boardkeeper 0.1.0", "", 1_700_000_000_000)
    game.commit(events)
    for seat in people:
        joined = game.join([seat], bytes([seat]) * 4, "", 1_700_000_000_000 + seat)
        game.commit(joined)
        events += joined
    rng = Random(players)
    while game.status != "ended":
        seat = game.table.deciding()[0]
        legal = game.legal(seat)
        command = ask_bot(title, game.created.setup, game.table, bot, seat, legal, rng.random())
        decided = game.decide(seat, [command], f"{seat}:c{game.version}", 1_700_000_000_000 + game.version)
        assert not isinstance(decided, Rejection), decided
        game.commit(decided)
        events += decided
    return events


EFFECTS: tuple[Effect, ...] = (
    Move("coin", 2, "supply.coins", "seat.1.coins"),
    Set("round", 1, 2),
    Set("phase", "planning", "actions"),
    Ask(1, "", "plan"),
    Draw("bag", 3, ("farmer", "monk")),
    Shuffle("deck", 0, ("a", "b"), ("b", "a")),
    Reveal("plan", "owner", "public"),
)
GIVEN = Given(1, (("MadeUp", msgspec.Raw(b'{"text":"Orl\xc3\xa9ans"}')),))


def make_value(kind: Any) -> Any:
    """Return a value of a type, with no field at its default."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is int:
        return 7
    if kind is str:
        return "Orléans"
    if kind is bool:
        return True
    if origin is tuple:
        return tuple(map(make_value, arguments[:1] * 2 if arguments[-1] is ... else arguments))
    if origin is dict:
        return {make_value(arguments[0]): make_value(arguments[1])}
    if origin in (Union, UnionType):
        return make_value(next(it for it in arguments if it is not type(None)))
    if isinstance(kind, type) and issubclass(kind, Struct):
        hints = get_type_hints(kind)
        return kind(**{field: make_value(hints[field]) for field in kind.__struct_fields__})
    raise TypeError(f"tests.stability.examples cannot make a value of {kind}: add this type")


def _example(mapper: GameEventMapper, event: GameEvent) -> Example:
    stored = mapper.to_stored_event(event)
    return Example(stored.topic, stored.state)


def _folder() -> Path:
    version: str = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text())["project"]["version"]
    return HERE / f"v{'.'.join(version.split('.')[:2])}"


def main(arguments: list[str]) -> int:
    """Add the missing examples, after removing changed ones on ``--refresh``; or close the folder."""
    folder = _folder()
    try:
        if arguments == ["--release"]:
            release(folder)
        else:
            if arguments == ["--refresh"]:
                remove(find_changed(read()), folder)
            known = {example.topic for example in read()}
            wanted = {topic: detail for topic, detail in current_topics().items() if topic not in known}
            for example in add(generate(wanted) if wanted else (), folder):
                sys.stdout.write(f"{folder.name}: {example.topic}\n")
    except ReleasedError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
