"""Forks: the table of a game as the start of another one.

These functions change the table of the game, so pass a game that is not used otherwise, for example a copy.
"""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct

from boardkeeper.game.game import Game
from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import layout_of
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titlekit.hidden_information import deal_again, redraw_hidden


class Fork(Struct, frozen=True):
    """The start of a fork: the game and version that it was taken from, and the table."""

    game: UUID
    version: int
    layout: TableLayout
    people: tuple[int, ...] = ()
    """For an exact fork: the seats that people had in that game."""


def fork_game(game: Game, viewer: int, chance: bytes) -> Fork | Rejection:
    """Return the table for a fork: exact for the operator; for other viewers hidden components are dealt again.

    ``chance`` is the key of the random deal.
    """
    play = game.play_or_rejection()
    if isinstance(play, Rejection):
        return play
    if viewer != OPERATOR:
        rejection = deal_again(game.title, game.table, viewer, Dice(chance), game.version)
        if rejection is not None:
            return rejection
    people = game.seats.owned_by_people if viewer == OPERATOR else ()
    return Fork(game.id, game.version, layout_of(game.table), people)


def determinise(game: Game, viewer: int, chance: bytes) -> Fork | Rejection:
    """Return a possible table for a search by a viewer: everything that the viewer does not know is drawn at random.

    Secret decisions of other seats are drawn too, if the title supports it; otherwise the table is that of
    :func:`fork_game`. ``chance`` is the key of the random draws.
    """
    play = game.play_or_rejection()
    if isinstance(play, Rejection):
        return play
    rejection = redraw_hidden(game.title, play, viewer, Dice(chance), game.version)
    return rejection or Fork(game.id, game.version, layout_of(game.table))
