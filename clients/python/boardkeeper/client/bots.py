"""Bots that play seats through the API, as any client can.

A :class:`Policy` picks one of the legal commands, and :func:`play` plays seats with policies until the game is over. A
call of :func:`play` decides for one seat after the other; to let seats decide at the same time, call it in a thread for
each seat.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping
from typing import Protocol

from boardkeeper.client.client import Seat
from boardkeeper.client.cursors import ENDED
from boardkeeper.client.errors import Closed, Rejected
from boardkeeper.v1 import command_pb2, event_pb2, game_pb2, games_pb2
from boardkeeper.wire.bots import bots_of, choose_command

RANDOM = "random"
MAX_ATTEMPTS = 5
"""The number of times that a bot decides if its command is rejected because another seat acted at the same time."""


class Policy(Protocol):
    """Decides for a bot."""

    def choose(self, seat: Seat, legal: games_pb2.ListLegalCommandsResponse) -> command_pb2.LegalCommand:
        """Return one of the legal commands, of which there is at least one."""


class Random:
    """Chooses legal commands at random, all with the same probability. Plays every title."""

    def __init__(self, seed: str | int) -> None:
        self._random = random.Random(seed)

    def choose(self, seat: Seat, legal: games_pb2.ListLegalCommandsResponse) -> command_pb2.LegalCommand:  # noqa: ARG002
        """See :meth:`Policy.choose`."""
        return self._random.choice(legal.commands)


class TitleBot:
    """A bot of a title that is installed on this machine. It only uses the information that the seat can see."""

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
        return choose_command(self.kind, self._game, table, seat.number, legal.commands, chance)


Advised = TitleBot
"""Deprecated name of :class:`TitleBot`."""


def policy(kind: str, seed: str | int, title: str = "") -> Policy:
    """Return a policy: ``random``, or one of the bots of an installed title (:func:`kinds`).

    The same seed makes the same choices in the same positions. Raises ``ValueError`` if the ``title`` does not have the
    bot; without a ``title`` the first decision raises it.
    """
    if kind == RANDOM:
        return Random(seed)
    if title and kind not in kinds(title):
        raise ValueError(f"{title} has no bot {kind!r}. It has: {', '.join(kinds(title))}")
    return TitleBot(kind, seed)


def kinds(title: str) -> list[str]:
    """Return the bots of an installed title, the best one first. Raises ``KeyError`` for an unknown title."""
    return bots_of(title)


def play(policies: Mapping[Seat, Policy], stop: threading.Event | None = None) -> None:
    """Play seats of one game until it is over, and wait while other seats decide.

    If several seats have to decide, the first one in the mapping decides first. So if ``policies`` contains all seats,
    games with the same dice and the same seeds are identical.

    After ``stop`` is set, the function returns before its next decision. If it waits for other seats, it only returns
    after their next event. To return at once, set ``stop`` and then close the clients of the seats; this raises no
    error.
    """
    _BotPlayer(policies, stop or threading.Event()).play()


class _BotPlayer:
    """Plays seats of one game, and tracks which of them have to decide."""

    def __init__(self, policies: Mapping[Seat, Policy], stop: threading.Event) -> None:
        self._seats = {seat.number: (seat, policy) for seat, policy in policies.items()}
        self._deciding = set(self._seats)
        self._stop = stop

    def play(self) -> None:
        try:
            self._play()
        except Closed:
            if not self._stop.is_set():
                raise

    def _play(self) -> None:
        while not self._stop.is_set():
            for number, (seat, policy) in self._seats.items():
                if number in self._deciding:
                    self._decide(seat, policy)
                    break
            else:
                if not self._wait():
                    return

    def _decide(self, seat: Seat, policy: Policy) -> None:
        """Take one decision if the seat has one."""
        for attempt in range(1, MAX_ATTEMPTS + 1):
            legal = seat.legal_commands()
            if not legal.commands:
                self._deciding.discard(seat.number)
                return
            try:
                outcome = seat.submit(policy.choose(seat, legal))
            except Rejected:
                if attempt == MAX_ATTEMPTS:
                    raise
                continue  # another seat acted between the two calls
            for event in outcome.events:
                self._process(event)
            return

    def _wait(self) -> bool:
        """Wait until one of the seats has to decide. Return false if the game is over."""
        seat, _ = next(iter(self._seats.values()))
        game = seat.game()
        self._deciding.update(self._seats.keys() & set(game.deciding))
        if game.status == game_pb2.GAME_STATUS_ENDED:
            return False
        if self._deciding:
            return True
        for event in seat.watch(after_version=game.version):
            self._process(event)
            if self._deciding or self._stop.is_set():
                return True
            if event.name == ENDED:
                return False
        return False

    def _process(self, event: event_pb2.Event) -> None:
        for effect in event.effects:
            if effect.WhichOneof("effect") == "ask" and effect.ask.seat in self._seats:
                if effect.ask.after:
                    self._deciding.add(effect.ask.seat)
                else:
                    self._deciding.discard(effect.ask.seat)
