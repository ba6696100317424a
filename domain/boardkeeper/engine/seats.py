"""Who sits at a game: persons with names, bots, and seats that the rules play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from boardkeeper.engine import arguments
from boardkeeper.engine.errors import MisuseError, UnknownNameError
from boardkeeper.game.seats import AUTOMA, BOT, PERSON
from boardkeeper.titlekit.title import TitleMeta

_MOST_SEATS = 1000
"""More than any title has, and few enough to be counted out."""

PlayedBy = Literal["person", "bot", "rules"]


class Bot(Struct, frozen=True):
    """A bot for a seat: one of the title's ``kind``, the one that plays best if none is named."""

    kind: str = ""
    name: str = ""


class Seat(Struct, frozen=True):
    """A seat of a game: its number from 1, what it is called, who plays it, and the kind of bot if one does."""

    number: int
    name: str
    played_by: PlayedBy
    bot: str = ""


def parse_seats(meta: TitleMeta, seats: int | Sequence[str | Bot]) -> tuple[list[str], list[str]]:
    """Who plays each seat, in the words of ``GameCreated.seats``, and their names; raises ``RulesError``."""
    if isinstance(seats, str):
        raise MisuseError("seats must be a number or a list of names and bots, not a single name")
    if type(seats) is int:
        if seats > _MOST_SEATS:
            raise MisuseError(f"no game has {seats} seats; see title({meta.id!r}).editions for the numbers of players")
        wanted: Sequence[str | Bot] = [""] * seats
    elif isinstance(seats, Sequence):
        wanted = seats
    else:
        raise MisuseError(f"seats must be a number or a list of names and bots, not {seats!r}")
    if not wanted:
        raise MisuseError("seats must name at least one seat")
    kinds: list[str] = []
    names: list[str] = []
    for each in wanted:
        if isinstance(each, Bot):
            kinds.append(BOT + bot_kind(meta, each.kind))
            names.append(arguments.check_text("a bot's name", each.name))
        elif isinstance(each, str):
            kinds.append(PERSON)
            names.append(arguments.check_text("a name", each))
        else:
            raise MisuseError(f"a seat must be a name or a Bot, not {each!r}")
    return kinds, names


def bot_kind(meta: TitleMeta, kind: str) -> str:
    """A kind of bot that the title has, the one that plays best if none is named; raises ``RulesError``."""
    known = [bot.id for bot in meta.bots]
    wanted = arguments.check_text("a kind of bot", kind) or (known[0] if known else "random")
    if wanted not in (*known, "random"):
        raise UnknownNameError(f"bot of {meta.id}", wanted, known)
    return wanted


def played_by(kind: str) -> PlayedBy:
    """Who plays a seat of that kind."""
    if kind == PERSON:
        return "person"
    return "rules" if kind == AUTOMA else "bot"
