"""Golden games can be recorded for every title, also if the rules play a seat."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from msgspec import Struct
from tests.service.rival_title import RIVAL, RIVAL_TITLE

from boardkeeper.game.choices import complete
from boardkeeper.game.events import GameEnded
from boardkeeper.game.seats import AUTOMA
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.golden import count_people, creation_of, expected_features, numbers_of, played_feature
from boardkeeper.testkit.recording import RecordedGame
from boardkeeper.titlekit.title import Setup


def check_nothing(*_: object) -> None:
    """Check nothing."""


def choose_first(random: Random, play: object, seat: int, legal: Sequence[Struct]) -> Struct:
    """Return the first legal command."""
    return legal[0]


ADAPTER = Adapter(
    title=RIVAL_TITLE,
    decisions=("turn",),
    eager=choose_first,
    holds=check_nothing,
    ended=check_nothing,
    values={"to": (1, 2)},
    most_legal=10,
)


def test_an_automaton_makes_no_decision() -> None:
    setup = complete(RIVAL_TITLE.meta, Setup("", 2, {"rival": "keen"}))
    for bots in ((), ("eager",)):
        events = RecordedGame(ADAPTER, Path("alone.jsonl"), 1, setup, bots).record()
        assert creation_of(events).seats == ("bot.eager" if bots else "bot.random", AUTOMA)
        assert count_people(creation_of(events)) == 1
        assert {event.given.seat for event in events if event.given} == {1}
        assert any(event.seat == RIVAL for event in events)
        assert isinstance(events[-1].detail, GameEnded)


def test_bots_are_assigned_to_the_seats_in_turn() -> None:
    setup = complete(RIVAL_TITLE.meta, Setup("", 3))
    events = RecordedGame(ADAPTER, Path("mixed.jsonl"), 1, setup, ("eager", "random")).record()
    assert creation_of(events).seats == ("bot.eager", "bot.random", "bot.eager")
    assert events == RecordedGame(ADAPTER, Path("mixed.jsonl"), 1, setup, ("eager", "random")).record()


def test_a_title_with_solo_games_must_show_one() -> None:
    (edition,) = RIVAL_TITLE.meta.editions
    assert numbers_of(RIVAL_TITLE.meta, edition) == [1, 2, 3, 4]
    assert played_feature("first", 1) in expected_features(RIVAL_TITLE)
