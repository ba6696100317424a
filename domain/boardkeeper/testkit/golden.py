"""Golden games: recorded games that every later version of the rules must decide in the same way.

A file is one game, a line one stored event as JSON, compressed with xz (:mod:`boardkeeper.testkit.packed_files`).
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GAME_DETAILS, GAME_EVENTS, GameCreated, GameEnded, GameEvent, Given
from boardkeeper.game.seats import AUTOMA
from boardkeeper.table import decoding
from boardkeeper.table.effects import Effect
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.testkit import packed_files
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.setups import player_counts
from boardkeeper.titlekit.title import EditionMeta, Title, TitleMeta
from boardkeeper.titles.registry import load_title


class Line(Struct, array_like=True):
    """An event in the file; the detail is decoded when its topic is known."""

    version: int
    topic: str
    seat: int
    command_id: str
    time: int
    detail: msgspec.Raw
    effects: tuple[Effect, ...]
    given: Given | None = None


def encode(event: GameEvent) -> bytes:
    """Return an event as a line of the file."""
    return msgspec.json.encode(
        (
            event.originator_version,
            event.topic,
            event.seat,
            event.command_id,
            event.time,
            event.detail,
            event.effects,
            event.given,
        )
    )


def decode(game: UUID, line: bytes, title: Title | None = None) -> GameEvent:
    """Return the event of a line. Pass ``title`` if the title is not registered."""
    found = decoding.decode(line, Line)
    owner, _, name = found.topic.partition(".")
    kinds = GAME_DETAILS if owner == "game" else (title or load_title(owner)).events
    detail = decoding.decode(found.detail, kinds[name])
    head = (game, found.version, found.topic, found.seat, found.command_id, found.time)
    return GameEvent(*head, detail, found.effects, found.given)


def game_id(path: Path) -> UUID:
    """Return the game id of a file, made from its name."""
    return UUID(bytes=packed_files.name_of(path).encode().ljust(16, b".")[:16])


def read(path: Path, title: Title | None = None) -> list[GameEvent]:
    """Return the events of a golden game. Pass ``title`` if the title is not registered."""
    return [decode(game_id(path), line, title) for line in packed_files.read(path).splitlines()]


def files(folder: Path) -> list[Path]:
    """Return the golden games in a folder."""
    return packed_files.find(folder, "*.jsonl")


def secret_of(events: list[GameEvent]) -> bytes:
    """Return the dice secret, which the last event reveals."""
    ended = events[-1].detail
    assert isinstance(ended, GameEnded)
    return bytes.fromhex(ended.secret)


def creation_of(events: list[GameEvent]) -> GameCreated:
    """Return the detail of the first event."""
    detail = events[0].detail
    assert isinstance(detail, GameCreated)
    return detail


# --- features ---------------------------------------------------------------------------------------


def features(adapter: Adapter, events: list[GameEvent]) -> set[str]:
    """Return the features of a game: its edition and choices, and its commands, events and special situations."""
    first = creation_of(events)
    setup = first.setup
    found = {played_feature(setup.edition, count_people(first))}
    found |= {f"option:{id}:{choice}" for id, choice in setup.options.items()}
    found |= {f"reading:{id}:{choice}" for id, choice in setup.readings.items()}
    for event in events:
        found.add(f"event:{event.topic}")
        found |= set(adapter.shows(event))
        if event.given is not None:
            found |= {f"command:{name}" for name, _ in event.given.commands}
    return found


def played_feature(edition: str, players: int) -> str:
    """Return the feature of an edition with a number of players."""
    return f"played:{edition}:{players}"


def count_people(first: GameCreated) -> int:
    """Return the number of seats that the rules do not play."""
    return sum(kind != AUTOMA for kind in first.seats)


def find_missing_features(adapter: Adapter, shown: set[str]) -> set[str]:
    """Return the features that golden games should have but lack; ``shown`` are those that they have."""
    wanted = {it for it in expected_features(adapter.title) if not it.startswith("event:game.")} | adapter.to_show
    return wanted - adapter.never_shown.keys() - shown


def expected_features(title: Title) -> set[str]:
    """Return the features of all commands, events, editions and choices of a title."""
    meta = title.meta
    wanted = {f"event:game.{event.__name__}" for event in GAME_EVENTS}
    wanted |= {f"event:{meta.id}.{event}" for event in title.events} | {f"command:{name}" for name in title.commands}
    wanted |= {
        played_feature(edition.id, players) for edition in meta.editions for players in numbers_of(meta, edition)
    }
    for kind, options in (("option", meta.options), ("reading", meta.readings)):
        wanted |= {f"{kind}:{option.id}:{choice.id}" for option in options for choice in option.choices}
    return wanted


def numbers_of(meta: TitleMeta, edition: EditionMeta) -> list[int]:
    """Return the numbers of people who can play an edition."""
    fewest, most = edition.players
    return [number for number in player_counts(meta) if fewest <= number <= most or (number == 1 and meta.alone)]


# --- checks --------------------------------------------------------------------------------------------------------


def check_replay_and_revert(path: Path, title: Title | None = None) -> None:
    """Check that the effects of a golden game can be applied and reverted without rules."""
    events = read(path, title)
    layout = creation_of(events).layout
    table = Table(layout)
    before = table.contents()
    components = table.components()
    for event in events:
        table.apply_all(event.effects)
        assert table.components() == components, f"{path.name}: {event} makes or loses components"
    for event in reversed(events):
        for effect in reversed(event.effects):
            table.revert(effect)
    assert table.contents() == before


def check_decisions(path: Path, title: Title | None = None) -> None:
    """Check that the rules decide the commands of a golden game as they did when it was recorded."""
    events = read(path, title)
    first = creation_of(events)
    title = title or load_title(first.title)
    setup = title.meta.with_legacy_choices(first.setup)
    game, found = create_game(game_id(path), title, setup, first.seats, secret_of(events), first.server_build, "", 0)
    # The newest version of the rules must decide the game like the version that recorded it.
    assert creation_of(found) == replace(first, setup=setup, rules_version=title.meta.rules_versions[-1])
    _compare(path, events[1 : len(found)], found[1:])
    game.commit(found)
    for command_id, group in groupby(events[len(found) :], key=lambda event: event.command_id):
        expected = list(group)
        submission = expected[0].given
        assert submission is not None
        commands = submission.structs(title.commands)
        decided = game.decide(submission.seat, commands, command_id, 0)
        assert not isinstance(decided, Rejection), (
            f"{path.name}: at version {game.version} {commands} of seat {submission.seat}: {decided}"
        )
        _compare(path, expected, decided)
        game.commit(decided)
    assert game.status == "ended"
    assert game.version == len(events)


def _compare(path: Path, expected: list[GameEvent], found: list[GameEvent]) -> None:
    for one, other in zip(expected, found, strict=False):
        assert one == other, (
            f"{path.name}: first differing event, version {one.originator_version}, caused by {expected[0].given}\n"
            f"recorded {one}\ndecided  {other}\n"
            f"File: {path}"
        )
    assert len(expected) == len(found), f"{path.name}: after version {expected[0].originator_version}"
