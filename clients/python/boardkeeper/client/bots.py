"""Bots that are ordinary clients: they hold seats, and see and do what any client can.

A :class:`Policy` picks one of the legal commands; :func:`play` takes decisions by it until the game is over. One call
plays one seat or several; call it from a thread for each seat to play them at the same time.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping
from typing import Protocol

from boardkeeper.client.client import Seat
from boardkeeper.client.errors import Closed, Rejected
from boardkeeper.client.watching import ENDED
from boardkeeper.titles.registry import load_meta
from boardkeeper.v1 import command_pb2, event_pb2, game_pb2, games_pb2
from boardkeeper.wire.bots import choose

RANDOM = "random"
TRIES = 5
"""How often a decision is taken anew because the game moved on meanwhile."""


class Policy(Protocol):
    """How a bot decides."""

    def choose(self, seat: Seat, legal: games_pb2.ListLegalCommandsResponse) -> command_pb2.LegalCommand:
        """One of the legal commands, of which there is at least one."""


class Random:
    """Any legal command, each as likely. Plays every title, for it looks at nothing else."""

    def __init__(self, seed: str | int) -> None:
        self._random = random.Random(seed)

    def choose(self, seat: Seat, legal: games_pb2.ListLegalCommandsResponse) -> command_pb2.LegalCommand:  # noqa: ARG002
        """See :meth:`Policy.choose`."""
        return self._random.choice(legal.commands)


class Advised:
    """A bot of the title, which is installed here: it chooses from the table that the seat sees."""

    def __init__(self, kind: str, seed: str | int) -> None:
        self.kind = kind
        self._random = random.Random(seed)
        self._game = game_pb2.Game()

    def choose(self, seat: Seat, legal: games_pb2.ListLegalCommandsResponse) -> command_pb2.LegalCommand:
        """See :meth:`Policy.choose`."""
        chance = self._random.random()
        if len(legal.commands) == 1:
            return legal.commands[0]
        if self._game.game_id != seat.game_id:
            self._game = seat.game()
        table = seat.table(min_version=legal.version).table
        return choose(self.kind, self._game, table, seat.number, legal.commands, chance)


def policy(kind: str, seed: str | int, title: str = "") -> Policy:
    """The policy of that kind; equal seeds make equal choices in equal positions.

    Kinds are a title's own (``TitleMeta.bots``), but for ``random``, which plays every title. Raises ``ValueError`` if
    the ``title`` does not have it, or at the first decision if none is named.
    """
    if kind == RANDOM:
        return Random(seed)
    if title and kind not in kinds(title):
        raise ValueError(f"{title} has no bot {kind!r}. It has: {', '.join(kinds(title))}")
    return Advised(kind, seed)


def kinds(title: str) -> list[str]:
    """The kinds of bots of a title that is installed here, the one that plays best first; raises ``KeyError``."""
    return [bot.id for bot in load_meta(title).bots]


def play(policies: Mapping[Seat, Policy], stop: threading.Event | None = None) -> None:
    """Play seats of one game until it is over, waiting while others decide.

    Returns before the next decision once ``stop`` is set. A wait for others ends with their next event; to end it at
    once as well, close the seats' clients after setting ``stop``, which makes this raise no error.

    Of the seats that have to decide, the first of the mapping goes first. So if they are all seats of the game,
    equal dice and equal seeds make equal games.
    """
    Players(policies, stop or threading.Event()).play()


class Players:
    """Seats of one game and who of them is asked to decide, as far as is known."""

    def __init__(self, policies: Mapping[Seat, Policy], stop: threading.Event) -> None:
        self._seats = {seat.number: (seat, policy) for seat, policy in policies.items()}
        self._asked = set(self._seats)
        self._stop = stop

    def play(self) -> None:
        """Decide and wait in turn until the game is over, or until told to stop."""
        try:
            self._play()
        except Closed:
            if not self._stop.is_set():
                raise

    def _play(self) -> None:
        while not self._stop.is_set():
            for number, (seat, policy) in self._seats.items():
                if number in self._asked:
                    self._decide(seat, policy)
                    break
            else:
                if not self._wait():
                    return

    def _decide(self, seat: Seat, policy: Policy) -> None:
        """Take one decision, if the seat has one."""
        for attempt in range(1, TRIES + 1):
            legal = seat.legal_commands()
            if not legal.commands:
                self._asked.discard(seat.number)
                return
            try:
                outcome = seat.submit(policy.choose(seat, legal))
            except Rejected:
                if attempt == TRIES:
                    raise
                continue  # somebody else acted between looking and deciding
            for event in outcome.events:
                self._note(event)
            return

    def _wait(self) -> bool:
        """Wait until one of the seats is asked; false if the game is over."""
        seat, _ = next(iter(self._seats.values()))
        game = seat.game()
        self._asked.update(self._seats.keys() & set(game.deciding))
        if game.status == game_pb2.GAME_STATUS_ENDED:
            return False
        if self._asked:
            return True
        for event in seat.watch(after_version=game.version):
            self._note(event)
            if self._asked or self._stop.is_set():
                return True
            if event.name == ENDED:
                return False
        return False

    def _note(self, event: event_pb2.Event) -> None:
        for effect in event.effects:
            if effect.WhichOneof("effect") == "ask" and effect.ask.seat in self._seats:
                if effect.ask.after:
                    self._asked.add(effect.ask.seat)
                else:
                    self._asked.discard(effect.ask.seat)
