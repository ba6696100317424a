"""Golden games: whole games as files, one stored event a line, and what each of them exercises."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import msgspec
from msgspec import Struct
from tests.kit.adapters import adapter_of

from boardkeeper.game.events import GAME_EVENTS, GameCreated, GameEnded, GameEvent, Given
from boardkeeper.game.seats import AUTOMA
from boardkeeper.table.effects import Effect
from boardkeeper.table.title import EditionMeta, Title, TitleMeta
from boardkeeper.testkit.setups import numbers
from boardkeeper.titles.registry import load_title

HERE = Path(__file__).parent


class Line(Struct, array_like=True):
    """One event as it is written; the detail is decoded when its topic is known."""

    version: int
    topic: str
    seat: int
    command_id: str
    time: int
    detail: msgspec.Raw
    effects: tuple[Effect, ...]
    given: Given | None = None


def encode(event: GameEvent) -> bytes:
    """An event as a line."""
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


def decode(game: UUID, line: bytes) -> GameEvent:
    """The event of a line."""
    found = msgspec.json.decode(line, type=Line)
    owner, _, name = found.topic.partition(".")
    kinds = {kind.__name__: kind for kind in GAME_EVENTS} if owner == "game" else load_title(owner).events
    detail = msgspec.json.decode(found.detail, type=kinds[name])
    head = (game, found.version, found.topic, found.seat, found.command_id, found.time)
    return GameEvent(*head, detail, found.effects, found.given)


def game_id(path: Path) -> UUID:
    """Every file has a game id of its own, made of its name."""
    return UUID(bytes=path.stem.encode().ljust(16, b".")[:16])


def read(path: Path) -> list[GameEvent]:
    """The events of a golden game."""
    return [decode(game_id(path), line) for line in path.read_bytes().splitlines()]


def folder(title: str) -> Path:
    """Where the golden games of a title are."""
    return HERE / title


def files(title: str) -> list[Path]:
    """All golden games of a title."""
    return sorted(folder(title).glob("*.jsonl"))


def secret_of(events: list[GameEvent]) -> bytes:
    """The dice secret, which the last event reveals."""
    ended = events[-1].detail
    assert isinstance(ended, GameEnded)
    return bytes.fromhex(ended.secret)


def created(events: list[GameEvent]) -> GameCreated:
    """What the game is played with."""
    detail = events[0].detail
    assert isinstance(detail, GameCreated)
    return detail


# --- what a game exercises ---------------------------------------------------------------------------------------


def features(events: list[GameEvent]) -> set[str]:
    """Everything in a game that the rules treat in a way of its own, as short words."""
    first = created(events)
    setup = first.setup
    shows = adapter_of(first.title).shows
    found = {played(setup.edition, people(first))}
    found |= {f"option:{id}:{choice}" for id, choice in setup.options.items()}
    found |= {f"reading:{id}:{choice}" for id, choice in setup.readings.items()}
    for event in events:
        found.add(f"event:{event.topic}")
        found |= set(shows(event))
        if event.given is not None:
            found |= {f"command:{name}" for name, _ in event.given.commands}
    return found


def played(edition: str, players: int) -> str:
    """What shows an edition with that number of players; 1 plays against the rules if the title has that."""
    return f"played:{edition}:{players}"


def people(first: GameCreated) -> int:
    """How many seats are not played by the rules."""
    return sum(kind != AUTOMA for kind in first.seats)


def registered(title: Title) -> set[str]:
    """What the golden games of a title should show by what it has registered."""
    meta = title.meta
    wanted = {f"event:game.{event.__name__}" for event in GAME_EVENTS}
    wanted |= {f"event:{meta.id}.{event}" for event in title.events} | {f"command:{name}" for name in title.commands}
    wanted |= {played(edition.id, players) for edition in meta.editions for players in numbers_of(meta, edition)}
    for kind, options in (("option", meta.options), ("reading", meta.readings)):
        wanted |= {f"{kind}:{option.id}:{choice.id}" for option in options for choice in option.choices}
    return wanted


def numbers_of(meta: TitleMeta, edition: EditionMeta) -> list[int]:
    """With how many people an edition can be played."""
    fewest, most = edition.players
    return [number for number in numbers(meta) if fewest <= number <= most or (number == 1 and meta.alone)]
