"""The seats of a game: people with names, bots, and seats that the rules play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from boardkeeper.engine import arguments
from boardkeeper.engine.errors import MisuseError, UnknownNameError
from boardkeeper.game.seats import AUTOMA, BOT, PERSON
from boardkeeper.titlekit.bots import bots_of
from boardkeeper.titlekit.title import TitleMeta

_MAX_SEATS = 1000
"""An upper limit that no title reaches, against mistaken numbers."""

PlayedBy = Literal["person", "bot", "rules"]


class Bot(Struct, frozen=True):
    """A bot for a seat. ``kind`` is one of the title's bots; if empty, its best one."""

    kind: str = ""
    name: str = ""


class Seat(Struct, frozen=True):
    """A seat of a game: its number from 1, its name, who plays it, and the kind of a bot that plays it."""

    number: int
    name: str
    played_by: PlayedBy
    bot: str = ""


def parse_seats(meta: TitleMeta, seats: int | Sequence[str | Bot]) -> tuple[list[str], list[str]]:
    """Return who plays each seat, as in ``GameCreated.seats``, and the names of the seats; raises ``RulesError``."""
    if isinstance(seats, str):
        raise MisuseError("seats must be a number or a list of names and bots, not a single name")
    if type(seats) is int:
        if seats > _MAX_SEATS:
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
    """Check a kind of bot; return the title's default if it is empty. Raises ``RulesError``."""
    known = [bot.id for bot in bots_of(meta)]
    wanted = arguments.check_text("a kind of bot", kind) or known[0]
    if wanted not in (*known, "random"):
        raise UnknownNameError(f"bot of {meta.id}", wanted, known)
    return wanted


def played_by(kind: str) -> PlayedBy:
    """Return who plays a seat of this kind."""
    if kind == PERSON:
        return "person"
    return "rules" if kind == AUTOMA else "bot"
