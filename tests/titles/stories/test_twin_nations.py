"""A viewer sees the same of two games that differ only in the nations or messages of other seats.

The games run in parallel until cards are opened, or the viewer looks at a card that differs. The legal commands and
all rejections are the same in both.
"""

from __future__ import annotations

from random import Random

import pytest
from tests.titles.stories.adapter import ADAPTER

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import RUNNING, Game
from boardkeeper.game.record import canonical, event_forms, form_index
from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import HiddenMarkersError, layout_of, redeal_hidden
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import SPECTATOR
from boardkeeper.testkit.histories import start_game
from boardkeeper.testkit.legal_checks import mutations
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.previews import preview
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.title import TITLE

SEATS = (1, 2, 3, 4)
ANYTHING = (
    c.DeclareMission(),
    c.KeepSilent(),
    c.DeclineBonus(),
    *(c.LookAtNation(seat) for seat in range(-1, 6)),
    *(c.KeepMessage(f"s{number}") for number in range(1, 13)),
)
STEPS = 500


def start_games(viewer: int, card: str, chance: Random, **readings: str) -> tuple[Game, Game]:
    """Return two games before the choice of messages; in the second the other seats have other cards."""
    setup = Setup("england-vs-france", 4, {}, readings)
    games = start_game(TITLE, setup)[0], start_game(TITLE, setup)[0]
    for game in games:  # so that looks at nations follow soon
        for seat, fame in zip(SEATS, (9, 11, 10, 12), strict=True):
            game.table.markers[f"seat.{seat}.fame"].value = fame
    zones = [games[1].table.zones[f"seat.{seat}.{card}"] for seat in SEATS if seat != viewer]
    dealt = [component for zone in zones for component in zone.counts()]
    if card == "nation":
        while dealt == [component for zone in zones for component in zone.counts()]:
            chance.shuffle(dealt)
    else:
        dealt = dealt[-1:] + dealt[:-1]
    for zone in zones:
        count = zone.total()
        for component in list(zone.counts()):
            zone.take(component, 1)
        for component in dealt[:count]:
            zone.put(component, 1)
        dealt = dealt[count:]
    return games


def publish(game: Game, events: list[GameEvent], viewer: int) -> list[bytes]:
    """Return what a viewer sees of new events."""
    for event in reversed(events):
        game.table.revert_all(event.effects)
    lines = []
    for event in events:
        game.table.apply_all(event.effects)
        lines.append(canonical(event_forms(game.table, event)[form_index(viewer)]))
    return lines


def fork(game: Game, viewer: int) -> TableLayout | tuple[str, ...]:
    """Return the layout from which a viewer's fork would start, or the markers that prevent the fork."""
    table = Table(layout_of(game.table))
    groups = TITLE.exchangeable_zones(table, viewer)
    assert groups is not None
    try:
        redeal_hidden(table, viewer, groups, Dice(b"fork"))
    except HiddenMarkersError as error:
        return error.markers
    return layout_of(table)


def compare(games: tuple[Game, Game], viewer: int, chance: Random, *, thoroughly: bool) -> None:
    """Compare legal commands, rejections and the viewer's board in both games."""
    one, other = games
    assert one.play is not None
    assert other.play is not None
    choosing = "message" in one.table.decisions
    for seat in SEATS if not choosing else (viewer,) if viewer else ():
        legal = list(one.legal(seat))
        assert legal == list(other.legal(seat))
        for command in legal if seat == viewer else ():
            assert preview(one.play, seat, command) == preview(other.play, seat, command), command
        assert repr(one.first_undo_version(seat)) == repr(other.first_undo_version(seat))
    assert one.table.deciding() == other.table.deciding()
    assert one.play.board(viewer) == other.play.board(viewer)
    if thoroughly and not choosing:
        legal = [command for seat in SEATS for command in one.legal(seat)]
        for command in (*mutations(chance, ADAPTER, legal), *ANYTHING):
            for seat in SEATS:
                assert one.check(seat, [command]) == other.check(seat, [command]), command
        assert fork(one, viewer) == fork(other, viewer)


def choose_command(game: Game, seat: int, chance: Random) -> int:
    """Return the index of a command: a sensible one, no declaration, any look or message."""
    legal = list(game.legal(seat))
    if c.KeepSilent() in legal:
        return legal.index(c.KeepSilent())
    if any(isinstance(command, c.LookAtNation | c.KeepMessage) for command in legal):
        return chance.randrange(len(legal))
    return legal.index(ask_bot(TITLE, game.created.setup, game.table, "sensible", seat, legal, chance.random()))


@pytest.mark.parametrize("look_is_public", ["yes", "no"])
@pytest.mark.parametrize("card", ["nation", "dealt"])
@pytest.mark.parametrize("viewer", [SPECTATOR, 1, 4])
def test_viewer_sees_the_same_for_all_nations_and_messages_of_other_seats(
    viewer: int, card: str, look_is_public: str
) -> None:
    chance = Random(f"{viewer} {card} {look_is_public}")
    games = start_games(viewer, card, chance, look_is_public=look_is_public)
    assert games[0].table.contents() != games[1].table.contents()
    looks = steps = 0
    while games[0].status == RUNNING and steps < STEPS:
        compare(games, viewer, chance, thoroughly=steps % 40 == 0 or "look" in games[0].table.decisions)
        seat = chance.choice(games[0].table.deciding())
        at = choose_command(games[0], seat, chance)
        commands = [game.legal(seat)[at] for game in games]
        lines, opened = [], False
        for game, command in zip(games, commands, strict=True):
            events = game.decide(seat, [command], "", 1)
            assert not isinstance(events, Rejection)
            lines.append(publish(game, events, viewer))
            game.commit(events)
            opened = any(event.topic == "stories.NationsRevealed" for event in events)
        looks += isinstance(commands[0], c.LookAtNation)
        steps += 1
        if lines[0] != lines[1]:
            assert opened or (seat == viewer and isinstance(commands[0], c.LookAtNation)), commands
            break
    assert looks
