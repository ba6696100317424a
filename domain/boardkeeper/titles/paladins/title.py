"""The title of Paladins, which the registry loads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import redeal
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.titlekit.bound_title import Binding, BoundTitle
from boardkeeper.titlekit.title import Play, Setup
from boardkeeper.titles.paladins import soundness
from boardkeeper.titles.paladins.board import Board
from boardkeeper.titles.paladins.bots import policy
from boardkeeper.titles.paladins.catalogue import components, differences
from boardkeeper.titles.paladins.command_space import command_space
from boardkeeper.titles.paladins.commands import COMMANDS
from boardkeeper.titles.paladins.data import Data, data_for
from boardkeeper.titles.paladins.events import EVENTS
from boardkeeper.titles.paladins.material import MAX_UNDER_DECK, Paladins
from boardkeeper.titles.paladins.meta import META, WORDS
from boardkeeper.titles.paladins.phases.flow import PHASES
from boardkeeper.titles.paladins.play import PaladinsPlay


class PaladinsTitle(BoundTitle[Data, Paladins, PaladinsPlay]):
    """The rules and words of Paladins (see :class:`boardkeeper.titlekit.title.Title`)."""

    binding = Binding(
        data_for=data_for,
        bind=lambda m, data, players: Paladins(m, data, players, PHASES),
        play=PaladinsPlay,
        problems=soundness.problems,
        limits=soundness.limits,
        command_space=command_space,
    )

    def automata(self, setup: Setup) -> Sequence[int]:
        """Return the seat of the solo opponent. Source: paladins.opponent.seat."""
        return (2,) if data_for(setup).is_solo else ()

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """Return the zones that a fork deals again: hand and deck of each seat whose paladins the viewer does not see.

        Return ``None``, which forbids a fork, while another seat has chosen a paladin face down: choices are not dealt.
        """
        others = _others_with_hidden_decks(table, viewer)
        if any(table.zones[f"{own}.chosen"].total() for own in others):
            return None
        return [tuple(_hidden_zones(own)) for own in others]

    def determinise(self, play: Play, viewer: int, dice: Dice) -> None:
        """Deal the hidden paladins of each other seat again, including the one that it has chosen face down.

        The viewer has not seen the three cards of that choice, so it can be any hidden paladin.
        """
        groups = [(*_hidden_zones(own), f"{own}.chosen") for own in _others_with_hidden_decks(play.table, viewer)]
        redeal(play.table, viewer, groups, dice)


def _others_with_hidden_decks(table: Table, viewer: int) -> list[str]:
    """Return the seats whose paladin decks a viewer does not see."""
    seats = (f"seat.{seat}" for seat in range(1, len(table.decisions)))
    decks = ((own, table.zones.get(f"{own}.deck")) for own in seats)
    return [own for own, deck in decks if deck is not None and not sees(table, deck, viewer)]


def _hidden_zones(own: str) -> Iterator[str]:
    yield from (f"{own}.{zone}" for zone in ("deck", "again", "hand"))
    yield from (f"{own}.under.{at}" for at in range(1, MAX_UNDER_DECK + 1))


TITLE = PaladinsTitle(
    META, WORDS, COMMANDS, EVENTS, components, differences, board=Board, bots=policy.BOTS, policy=policy.POLICY
)
