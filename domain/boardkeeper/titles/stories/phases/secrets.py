"""Dealing nations, missions and secret messages before the first round. Source: stories.secrets.*."""

from __future__ import annotations

from boardkeeper.families.followers.events import PhaseBegun
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import Command, KeepMessage
from boardkeeper.titles.stories.events import CardsDealt, MessageChosen, MessageKept, SecretsDealt
from boardkeeper.titles.stories.material import Seat, Stories


def begin(t: Stories) -> None:
    """Deal a nation and messages to each seat and a mission to each nation. Source: stories.secrets.*.

    The cards are hidden, so the rules must not use them until they are revealed.
    """
    t.set(t.phase, "secrets")
    t.emit(None, PhaseBegun("secrets"))
    missions = {}
    for seat in t.seats:
        (nation,) = t.recorder.draw(t.nations, seat.nation)
        messages = t.recorder.draw(t.messages, seat.dealt, t.data.messages_dealt)
        t.emit(seat, CardsDealt(nation, tuple(messages)))
    for nation, home in t.mission.items():
        (missions[nation],) = t.recorder.draw(t.missions, home)
    for seat in t.seats:
        t.ask(seat, "message")
    t.emit(None, SecretsDealt(missions))


def proceed(t: Stories) -> None:
    """Begin the first round after all seats have chosen a message."""
    t.enter("dawn")


def keep_message(t: Stories, seat: Seat, command: KeepMessage) -> Rejection | None:
    """Keep a message and return the others unseen. Source: stories.secrets.message."""
    if command.message not in seat.dealt.items:
        return Rejection("NOT_DEALT", "stories.secrets.message", {"message": command.message})
    t.move(command.message, seat.dealt, seat.message)
    for message in seat.dealt.counts():
        t.move(message, seat.dealt, seat.returned)
    t.emit(seat, MessageKept(command.message))
    t.ask(seat, "")
    t.emit(seat, MessageChosen())
    t.advance()
    return None


def legal_message(t: Stories, seat: Seat) -> list[Command]:
    """Return a command for each message dealt to the seat."""
    return [KeepMessage(message) for message in sorted(seat.dealt.items)]
