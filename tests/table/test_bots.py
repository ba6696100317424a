"""Bots choose commands of seats by their kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec import Struct
from tests.service.tiny_title import TinyPlay, TinyTitle

from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import NOBODY
from boardkeeper.titlekit.bots import ask_bot, choose
from boardkeeper.titlekit.title import Setup


class Step(Struct, frozen=True):
    to: int


STEPS = [Step(1), Step(2), Step(3)]
SETUP = Setup("first", 2)


def tiny_play(title: TinyTitle) -> TinyPlay:
    play = title.play(Table(title.layout(SETUP)), Dice(b"true"), SETUP)
    play.set_up()
    play.recorder.take()
    return play


PLAY = tiny_play(TinyTitle())


def farthest(play: TinyPlay, seat: int, commands: Sequence[Struct]) -> Struct:
    assert (play, seat) == (PLAY, 2), "the play of the seat"
    assert len(commands) > 1, "a single command needs no policy"
    return commands[-1]


def test_a_policy_chooses_only_among_several_commands() -> None:
    policies = {"eager": farthest}
    assert choose(policies, "eager", PLAY, 2, STEPS, 0.0) == Step(3)
    assert choose(policies, "eager", PLAY, 2, STEPS[:1], 0.0) == Step(1)


@pytest.mark.parametrize(("chance", "to"), [(0.0, 1), (0.34, 2), (0.999, 3)])
def test_every_title_has_a_random_bot(chance: float, to: int) -> None:
    assert choose({}, "random", PLAY, 2, STEPS, chance) == Step(to)
    assert ask_bot(TinyTitle(), SETUP, PLAY.table, "random", 2, STEPS, chance) == Step(to)


def test_an_unknown_kind_of_bot_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown bot 'clever'"):
        choose({"eager": farthest}, "clever", PLAY, 2, STEPS[:1], 0.0)


class BotTitle(TinyTitle):
    """A title with a bot of the test."""

    def __init__(self, bot: Callable[[Any, int], None]) -> None:
        self.bot = bot

    def choose(self, bot: str, play: Any, seat: int, commands: Sequence[Struct], random: float) -> Any:  # noqa: ARG002
        self.bot(play, seat)
        return commands[0]


def test_a_bot_gets_its_own_table_and_other_dice() -> None:
    calls: list[Any] = []

    def bot(play: Any, seat: int) -> None:
        zone = next(iter(play.table.zones.values()))
        calls.append((play, zone.counts(), play.recorder.dice.number("any", 0, 1 << 30)))
        zone.set_contents({"of the bot": 7})
        play.recorder.set(next(iter(play.table.markers.values())), 77)
        play.table.decisions[:] = ["", "of the bot", ""]

    title = BotTitle(bot)
    play = tiny_play(title)
    before = play.table.contents()
    assert ask_bot(title, SETUP, play.table, "eager", 1, STEPS, 0.0) == Step(1)
    assert ask_bot(title, SETUP, play.table, "eager", 1, STEPS, 0.0) == Step(1)
    assert play.table.contents() == before
    (own, first, number), (again, second, _) = calls
    assert own.table is not play.table
    assert again is own, "the play is used again"
    assert first == second, "without the changes of the earlier call"
    assert number != play.recorder.dice.number("any", 0, 1 << 30)


def test_a_bot_does_not_see_hidden_components() -> None:
    def bot(play: Any, seat: int) -> None:
        zone = play.table.zones[hidden.id]
        assert zone.visibility == NOBODY
        assert not zone.counts()

    title = BotTitle(bot)
    play = tiny_play(title)
    hidden = next(zone for zone in play.table.zones.values() if zone.counts())
    hidden.visibility = NOBODY
    ask_bot(title, SETUP, play.table, "eager", 1, STEPS, 0.0)


def test_a_bot_that_fails_changes_nothing() -> None:
    def bot(play: Any, seat: int) -> None:
        play.table.zones.values()[0].set_contents({"of the bot": 7})
        raise KeyError(seat)

    title = BotTitle(bot)
    play = tiny_play(title)
    before = play.table.contents()
    for _ in range(2):
        with pytest.raises(KeyError):
            ask_bot(title, SETUP, play.table, "eager", 1, STEPS, 0.0)
    assert play.table.contents() == before
