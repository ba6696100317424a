"""The creation of games."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from msgspec import UNSET

from boardkeeper.game.automata import add_automata, complete_setup
from boardkeeper.game.events import GameCreated, GameEvent
from boardkeeper.game.forking import Fork
from boardkeeper.game.game import GAME, Game
from boardkeeper.game.seats import AUTOMA, PERSON
from boardkeeper.game.time_control import TimeControl
from boardkeeper.table import dice
from boardkeeper.table.visible_table import VisibleTable
from boardkeeper.titlekit import positions
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.titles.registry import build_of


def create_game(
    id: UUID,
    title: Title,
    setup: Setup,
    seats: Sequence[str],
    secret: bytes,
    server_build: str,
    command_id: str,
    time: int,
    position: VisibleTable | None = None,
    fork: Fork | None = None,
    server_key: str = "",
    time_control: TimeControl | None = None,
) -> tuple[Game, list[GameEvent]]:
    """Create a game and its first events, which are not committed yet. A game without people starts immediately.

    ``seats`` are ``person`` or ``bot.<kind>``; the last seats can be left out if the rules play them. With a single
    seat, the player plays against the rules. ``position`` is a table to start from, ``fork`` the table of another game;
    without both, the title sets up the table. ``server_key`` is the id of the key that signs the game's records.
    ``time`` is in milliseconds since 1970.

    Raises ``ChoiceError``, ``NoOpponentError``, ``AutomaSeatError``, ``SeatCountError``, or ``PositionError`` for an
    impossible table.
    """
    setup = complete_setup(title, setup if fork is None else title.meta.with_legacy_choices(setup))
    kinds = add_automata(title, setup, seats)
    if fork is not None:
        layout = fork.layout
    else:
        layout = title.layout(setup) if position is None else positions.read(title, setup, position)
    created = GameCreated(
        title=title.meta.id,
        setup=setup,
        seats=kinds,
        rules_version=title.meta.rules_versions[-1],
        dice=dice.ALGORITHM,
        commitment=dice.commitment(secret),
        server_build=server_build,
        layout=layout,
        position=position is not None or fork is not None,
        forked_game=str(fork.game) if fork is not None else "",
        forked_version=fork.version if fork is not None else 0,
        server_key=server_key or UNSET,
        time_control=time_control or UNSET,
        stand_ins=_stand_ins(fork, kinds) or UNSET,
        title_build=build_of(title.meta.id) or UNSET,
    )
    game = Game(id, title, created, secret)
    events = [game.new_event(1, GAME, 0, created, (), command_id, time)]
    return game, events + game.start_if_full(command_id, time)


def _stand_ins(fork: Fork | None, kinds: Sequence[str]) -> tuple[int, ...]:
    """Return the seats of an exact fork that bots play and people had in the other game."""
    people = () if fork is None else fork.people
    return tuple(seat for seat, kind in enumerate(kinds, 1) if seat in people and kind not in (PERSON, AUTOMA))
