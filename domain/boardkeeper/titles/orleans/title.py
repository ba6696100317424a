"""Orléans as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.title import Component, Difference, Rule, Setup, TitleMeta
from boardkeeper.table.visibility import sees
from boardkeeper.titles.orleans import bots, catalogue, differences, position, rules_catalogue, sentences, setup
from boardkeeper.titles.orleans.bindings import Orleans
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.commands import COMMANDS
from boardkeeper.titles.orleans.data import data_for
from boardkeeper.titles.orleans.events import EVENTS
from boardkeeper.titles.orleans.meta import META
from boardkeeper.titles.orleans.phases.flow import PHASES
from boardkeeper.titles.orleans.play import OrleansPlay


class OrleansTitle:
    """The rules and words of Orléans (see :class:`boardkeeper.table.title.Title`)."""

    meta: TitleMeta = META
    commands: Mapping[str, type[Struct]] = {command.__name__: command for command in COMMANDS}
    events: Mapping[str, type[Struct]] = {event.__name__: event for event in EVENTS}

    def automata(self, chosen: Setup) -> Sequence[int]:  # noqa: ARG002  # people and bots play them all
        """No seat is played by the rules."""
        return ()

    def layout(self, chosen: Setup) -> TableLayout:
        """The zones and markers of a table; raises ``ValueError`` for an unknown edition or player count."""
        data = data_for(chosen)
        if chosen.players not in data.supplies:
            counts = ", ".join(map(str, sorted(data.supplies)))
            raise ValueError(f"edition {chosen.edition} is for {counts} players, not {chosen.players}")
        return setup.layout(data, chosen.players)

    def position(self, chosen: Setup, board: Struct) -> TableLayout:
        """The layout of a table that begins as an operator's board shows it; raises :class:`PositionError`."""
        return position.layout_of(data_for(chosen), chosen.players, _own(board))

    def unknown(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """What a fork has to deal anew: nothing. Whoever watched knows what lies in every bag.

        Followers go to a bag, and come out of it, in everybody's sight. Only while others plan behind raised screens
        there is something that a seat cannot know, and that is decided, not dealt.
        """
        screens = (table.markers[f"seat.{seat}.screen"] for seat in range(1, len(table.decisions)))
        return () if all(sees(table, screen, viewer) for screen in screens) else None

    def play(self, table: Table, dice: Dice, chosen: Setup) -> OrleansPlay:
        """Bind the names of Orléans to a table."""
        return OrleansPlay(Orleans(table, dice, data_for(chosen), chosen.players, PHASES))

    def components(self, chosen: Setup) -> Sequence[Component]:
        """Every place, tile, follower, good, town, way, deed and other piece with its provenance."""
        return catalogue.components(chosen.edition)

    def rules(self) -> Sequence[Rule]:
        """Every rule with its id."""
        return list(rules_catalogue.rules().values())

    def differences(self) -> Sequence[Difference]:
        """Everything in which the editions differ."""
        return differences.differences()

    def sentence(self, language: str, names: Sequence[str], seat: int, detail: Struct) -> str:
        """A command or an event in plain words."""
        return sentences.sentence(language, names, seat, detail)

    def explain(self, language: str, names: Sequence[str], rejection: Rejection) -> str:
        """Why a command was refused: what failed, and the rule."""
        return sentences.explain(language, names, rejection)

    def choose(self, bot: str, board: Struct, seat: int, commands: Sequence[Struct], random: float) -> Struct:
        """What a bot does; raises ``ValueError`` for an unknown kind of bot."""
        return bots.choose(bot, _own(board), seat, commands, random)


def _own(board: Struct) -> Board:
    if not isinstance(board, Board):
        raise TypeError(f"not a board of Orléans: {type(board).__name__}")
    return board


TITLE = OrleansTitle()
