"""Every version reads what any released version stored, with the same meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.service.rival_title import RIVAL_TITLE
from tests.stability import examples
from tests.stability.examples import ID, SUMS, Example, ReleasedError

from boardkeeper.game.events import GameEnded, GameEvent, SeatJoined
from boardkeeper.service.storage.mapper import UPCASTERS, VERSIONS, GameEventMapper
from boardkeeper.table.effects import Ask, Draw, Move, Reveal, Set, Shuffle

ALL = examples.read()
CHANGED = (
    "the stored form of an event has changed: give its topic a new version (docs/events.md), or, if this form is in no"
    " release yet: python -m tests.stability.examples --refresh"
)


def read_back(example: Example, mapper: GameEventMapper) -> GameEvent:
    (event,) = mapper.to_events(ID, [(1, *example)])
    return event


@pytest.mark.parametrize("example", ALL, ids=[example.topic for example in ALL])
def test_a_stored_event_is_read_and_written_unchanged(example: Example) -> None:
    mapper = examples.production_mapper()
    event = read_back(example, mapper)
    stored = mapper.to_stored_event(event)
    if mapper.stored_topic(event.topic) == example.topic:
        assert (stored.topic, stored.state) == example, CHANGED
    else:  # an older version, which the mapper upgrades
        assert stored.topic == mapper.stored_topic(event.topic)
        assert mapper.to_domain_event(stored) == event


def test_every_event_has_an_example() -> None:
    missing = examples.current_topics().keys() - {example.topic for example in ALL}
    assert not missing, "make examples of new events: python -m tests.stability.examples"


def test_the_examples_contain_every_effect_and_a_submission() -> None:
    mapper = examples.production_mapper()
    events = [read_back(example, mapper) for example in ALL]
    effects = {type(effect) for event in events for effect in event.effects}
    assert effects == {Move, Set, Ask, Draw, Shuffle, Reveal}
    assert any(event.given for event in events)


def test_every_older_version_has_an_upcaster() -> None:
    assert set(UPCASTERS) == {(topic, step) for topic, present in VERSIONS.items() for step in range(1, present)}


@pytest.mark.parametrize("folder", examples.folders(), ids=lambda folder: folder.name)
def test_a_released_version_is_unchanged(folder: Path) -> None:
    if (folder / SUMS).exists():
        assert (folder / SUMS).read_text() == examples.checksums(folder)


def test_a_changed_event_is_stored_with_a_new_version() -> None:
    """The whole path: an old row, a detail that has changed since, and the upcaster between them."""

    def change_secret(state: list[Any]) -> list[Any]:
        return [*state[:3], {**state[3], "secret": "00" + state[3]["secret"]}, *state[4:]]

    (old,) = [example for example in ALL if example.topic == "game.GameEnded"]
    mapper = GameEventMapper(examples.events_of, {"game.GameEnded": 2}, {("game.GameEnded", 1): change_secret})
    event = read_back(old, mapper)
    assert isinstance(event.detail, GameEnded)
    assert event.detail.secret.startswith("00")
    stored = mapper.to_stored_event(event)
    assert stored.topic == "game.GameEnded@2"
    assert mapper.to_domain_event(stored) == event


# --- the generator ------------------------------------------------------------------------------------------------


def test_examples_are_added_and_never_changed(tmp_path: Path) -> None:
    folder = tmp_path / "v0.1"
    first = Example("game.GameStarted", b'[0,"",1,{},[]]')
    assert examples.add([first], folder) == [first]
    other = Example("game.GameStarted", b'[0,"",2,{},[]]')
    new = Example("title.CensusHeld", '[0,"é",2,{"leader":1,"last":2},[]]'.encode())
    assert examples.add([other, new], folder) == [new]
    assert examples.read(tmp_path) == [first, new]


def test_a_released_folder_cannot_change(tmp_path: Path) -> None:
    folder = tmp_path / "v0.1"
    examples.add([Example("game.GameStarted", b'[0,"",1,{},[]]')], folder)
    examples.release(folder)
    before = {file: file.read_bytes() for file in folder.iterdir()}
    with pytest.raises(ReleasedError, match="is released"):
        examples.add([Example("game.New", b"[]")], folder)
    with pytest.raises(ReleasedError):
        examples.release(folder)
    with pytest.raises(ReleasedError, match="new version of its topic"):
        examples.remove([Example("game.GameStarted", b"")], folder)
    assert {file: file.read_bytes() for file in folder.iterdir()} == before
    later = Example("game.New", b"[]")
    assert examples.add([later], tmp_path / "v0.2") == [later]


def test_changed_examples_without_a_release_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "v0.1"
    good = Example("game.SeatJoined", b'[1,"",1,{"entropy":"ff"},[]]')
    stale = Example("game.GameStarted", b'[0,"",1,{"why":"so"},[]]')
    unreadable = Example("game.GameEnded", b'[0,"",1,{"how":"so"},[]]')
    examples.add([good, stale, unreadable], folder)
    assert examples.find_changed(examples.read(tmp_path)) == [stale, unreadable]
    examples.remove([stale, unreadable], folder)
    assert examples.read(tmp_path) == [good]


def test_a_value_of_every_event_can_be_made() -> None:
    for detail in examples.current_topics().values():
        value = examples.make_value(detail)
        assert msgspec.json.decode(msgspec.json.encode(value), type=detail) == value


def test_examples_come_from_games_with_every_number_of_players_and_every_bot() -> None:
    """A game of one player is played against the rules."""
    games = list(examples.bot_games(RIVAL_TITLE))
    assert games == [(1, "random"), (2, "eager"), (3, "random"), (4, "eager")]
    for players, bot in games:
        events = examples.play_game(RIVAL_TITLE, players, bot)
        assert isinstance(events[-1].detail, GameEnded)
        assert sum(isinstance(event.detail, SeatJoined) for event in events) == players - 1
        assert events == examples.play_game(RIVAL_TITLE, players, bot)
