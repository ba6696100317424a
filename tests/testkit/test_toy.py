"""The toy tests find typical mistakes: each case is a copy of the example with one wrong line."""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from boardkeeper.testkit import toy
from boardkeeper.testkit.adapters import Adapter

PLAYERS = 3


def create_changed_title(repository: Path, old: str, new: str) -> Any:
    """Return the example's title with one line changed."""
    source = (repository / "examples" / "titles" / "liars_cards" / "liars_cards.py").read_text("utf-8")
    assert source.count(old) == 1, f"{source.count(old)} times in the example: {old}"
    module = ModuleType("changed_liars_cards")
    exec(compile(source.replace(old, new), "changed.py", "exec"), module.__dict__)
    return module.TITLE


def run(title: Any, test: str) -> None:
    """Run one test of a title with three players."""

    class TestChanged(toy.TitleTests):
        games = 2

    adapter = Adapter(title, most_commands=1_000)
    method = getattr(TestChanged(), test)
    if "players" in signature(method).parameters:
        method(adapter, PLAYERS)
    else:
        method(adapter)


MISTAKES = {
    "a public change in a hidden event": (
        "        self.emit(first, RoundBegun())\n        for",
        "        self.emit(first, RoundBegun())\n        self.set(self.value, 1)\n        for",
        "test_hidden_changes_have_their_own_event",
    ),
    "a rule that reads hidden cards": (
        "for value in VALUES)\n",
        "for value in VALUES if value > 1 or t.next_seat(seat).hand.counts().get('card_1'))\n",
        "test_hidden_information_changes_no_answer",
    ),
    "the same rule, with cards dealt again": (
        "for value in VALUES)\n",
        "for value in VALUES if value > 1 or t.next_seat(seat).hand.counts().get('card_1'))\n",
        "test_hidden_components_change_no_legal_command_or_preview",
    ),
    "no seat with a decision": (
        "    t.give_turn(t.next_seat(seat))\n",
        "    t.ask(seat, '')\n",
        "test_random_games_end",
    ),
    "a game without an end": (
        "    t.set(loser.cards, loser.cards.value - 1)\n",
        "    t.set(loser.cards, max(loser.cards.value - 1, 1))\n",
        "test_random_games_end",
    ),
    "two commands with the same sentence": (
        '    """Bid {count} × {value}."""\n',
        '    """Bid {count}."""\n',
        "test_every_sentence_reads_well",
    ),
    "a sentence without a full stop": (
        '    """{seat} bids {count} × {value}."""\n',
        '    """{seat} bids {count} × {value}"""\n',
        "test_every_sentence_reads_well",
    ),
    "an event that never happens": (
        "        self.emit(first, RoundBegun())\n        for",
        "        self.emit(first, HandDealt(0))\n        for",
        "test_every_command_and_event_occurs",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found(repository: Path, mistake: str) -> None:
    old, new, test = MISTAKES[mistake]
    with pytest.raises(AssertionError):
        run(create_changed_title(repository, old, new), test)


def test_a_failure_prints_its_reproduction(repository: Path) -> None:
    """The error contains the seed, the setup and all commands."""
    old, new, test = MISTAKES["two commands with the same sentence"]
    with pytest.raises(AssertionError) as raised:
        run(create_changed_title(repository, old, new), test)
    (note,) = raised.value.__notes__
    assert "Reproduce with Playout(Adapter('liars_cards'), 0, Setup(edition='standard', players=3" in note
