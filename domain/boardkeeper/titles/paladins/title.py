"""Paladins as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boardkeeper.table.catalogued import Catalogued
from boardkeeper.table.dice import Dice
from boardkeeper.table.drawing import Drawing
from boardkeeper.table.forking import deal
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.material import Material
from boardkeeper.table.table import Table
from boardkeeper.table.title import Play, PositionProblem, Setup
from boardkeeper.table.visibility import sees
from boardkeeper.titles.paladins import setup, soundness
from boardkeeper.titles.paladins.board import Board
from boardkeeper.titles.paladins.bots import POLICIES
from boardkeeper.titles.paladins.catalogue import components, differences
from boardkeeper.titles.paladins.commands import COMMANDS
from boardkeeper.titles.paladins.data import data_for
from boardkeeper.titles.paladins.events import EVENTS
from boardkeeper.titles.paladins.material import UNDER, Paladins
from boardkeeper.titles.paladins.meta import META
from boardkeeper.titles.paladins.phases.flow import PHASES
from boardkeeper.titles.paladins.play import PaladinsPlay
from boardkeeper.titles.paladins.sentences import WORDS


class PaladinsTitle(Catalogued):
    """The rules and words of Paladins (see :class:`boardkeeper.table.title.Title`)."""

    board_type = Board
    policies = POLICIES

    def automata(self, setup: Setup) -> Sequence[int]:
        """The second seat, if there is an opponent. Source: paladins.opponent.seat."""
        return (2,) if data_for(setup).alone else ()

    def layout(self, chosen: Setup) -> TableLayout:
        """The zones and markers of a table; raises ``ValueError`` for an unknown edition or player count."""
        data = data_for(chosen)
        counts = (2,) if data.alone else data.players
        if chosen.players not in counts:
            known = ", ".join(map(str, counts))
            raise ValueError(f"{chosen.edition} is for {known} players, not {chosen.players}")
        return setup.declared(data, chosen.players).layout

    def unsound(self, table: Table, chosen: Setup) -> Sequence[PositionProblem]:
        """Return what the rules contradict on a table that another program wrote."""
        return soundness.problems(self.play(table, Dice(b""), chosen).t)

    def unknown(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """What a fork has to deal anew: the paladins of each other seat among its hand and its deck.

        What others have laid face down was decided, not dealt.
        """
        others = _others(table, viewer)
        if any(table.zones[f"{own}.chosen"].total() for own in others):
            return None
        return [tuple(_hidden(own)) for own in others]

    def suppose(self, play: Play, viewer: int, dice: Dice) -> None:
        """Deal the paladins of each other seat anew, also the one that it has laid face down.

        That was decided, but from three of which the viewer knows nothing: any paladin that he has not seen may lie
        there, as on top of the deck and under it. See :class:`boardkeeper.table.supposing.SupposingTitle`.
        """
        groups = [(*_hidden(own), f"{own}.chosen") for own in _others(play.table, viewer)]
        deal(play.table, viewer, groups, dice)

    def drawing(self, chosen: Setup) -> Drawing:
        """What lies where on its table."""
        return setup.declared(data_for(chosen), chosen.players).drawing(self.components(chosen))

    def play(self, table: Table, dice: Dice, chosen: Setup) -> PaladinsPlay:
        """Bind the names of Paladins to a table."""
        return PaladinsPlay(Paladins(Material(table, dice), data_for(chosen), chosen.players, PHASES))


def _others(table: Table, viewer: int) -> list[str]:
    """The seats with paladins whose decks a viewer does not see."""
    seats = (f"seat.{seat}" for seat in range(1, len(table.decisions)))
    decks = ((own, table.zones.get(f"{own}.deck")) for own in seats)
    return [own for own, deck in decks if deck is not None and not sees(table, deck, viewer)]


def _hidden(own: str) -> Iterator[str]:
    yield from (f"{own}.{zone}" for zone in ("deck", "again", "hand"))
    yield from (f"{own}.under.{at}" for at in range(1, UNDER + 1))


TITLE = PaladinsTitle(META, WORDS, COMMANDS, EVENTS, components, differences)
