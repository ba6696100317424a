"""Golden games: whole games as files, one stored event a line, and what each of them exercises."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import msgspec
from msgspec import Struct

from boardkeeper.game.events import GAME_EVENTS, GameCreated, GameEnded, GameEvent, Given
from boardkeeper.table.effects import Effect, Move
from boardkeeper.titles.registry import load_title

FOLDER = Path(__file__).parent / "orleans"


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


def files() -> list[Path]:
    """All golden games."""
    return sorted(FOLDER.glob("*.jsonl"))


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
    setup = created(events).setup
    found = {f"played:{setup.edition}:{setup.players}"}
    found |= {f"option:{id}:{choice}" for id, choice in setup.options.items()}
    found |= {f"reading:{id}:{choice}" for id, choice in setup.readings.items()}
    for event in events:
        found.add(f"event:{event.topic}")
        found |= set(_of_detail(event.detail))
        if event.given is not None:
            found |= {f"command:{name}" for name, _ in event.given.commands}
        found |= {f"citizen:{home}" for effect in event.effects if (home := _citizen_from(effect))}
    return found


def _citizen_from(effect: Effect) -> str:
    """Where a seat took a citizen from, or nothing."""
    took = isinstance(effect, Move) and effect.component == "citizen" and effect.target.startswith("seat.")
    return effect.source if took and isinstance(effect, Move) else ""


def _of_detail(detail: Struct) -> Iterator[str]:
    name = type(detail).__name__
    place = getattr(detail, "place", "")
    if place and name in _USES:
        yield f"used:{place}"
    if name == "SacristyUsed":
        yield "used:sacristy"
    if name == "FollowerStored":
        yield "used:gunpowder_tower"
    if name == "FollowerRecruited":
        yield f"recruited:{getattr(detail, 'character', '')}"
        tile = getattr(detail, "place_tile", "")
        if tile:
            yield f"tile:{tile}"
    if name == "FollowerSentToDeed":
        yield f"deed:{getattr(detail, 'deed', '')}:{getattr(detail, 'follower', '')}"
    if name == "HourGlassTurned":
        yield f"hour_glass:{getattr(detail, 'event', '')}.{getattr(detail, 'strength', '')}"
    if name == "TradingStationSurrendered":
        yield "torture:station_built" if getattr(detail, "town", "") else "torture:station_supply"
    if name == "TechnologySurrendered":
        yield "torture:technology_placed" if place else "torture:technology_held"


_USES = (
    "FollowerRecruited",
    "MerchantMoved",
    "TradingStationBuilt",
    "PlaceUsed",
    "FollowerSentToDeed",
    "DevelopmentBought",
    "BathhouseVisited",
)
