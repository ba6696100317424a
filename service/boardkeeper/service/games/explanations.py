"""Why not? What cannot be done with things on the table: commands that somebody may mean, and why they are refused."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import astuple

from boardkeeper.game.game import Game
from boardkeeper.service.cache.live_game import LiveGame, seats_with_decisions
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.command_candidates import CommandCandidate, command_candidates, is_about

MOST = 20
"""So many explanations are given."""

_MOST_LEGAL = 5
_MOST_OUT_OF_PLACE = 3
_AT_ONCE = 50
"""So many commands are judged before others have their turn: a millisecond or two."""

_OUT_OF_PLACE = ("table.not_deciding", "table.wrong_decision", "table.known_ids")


class Explanation(NamedTuple):
    """A command and why it is refused: one of the two is not there where it can be given, or where none can."""

    command: Struct | None
    rejection: Rejection | None


async def explained(handler: CommandHandler, live: LiveGame, seat: int, subjects: Sequence[str]) -> list[Explanation]:
    """Return what a seat can or cannot do with the subjects in a held game, the most useful first; changes nothing.

    Legal commands about all of the subjects come first. Rejections follow: first those of commands that answer the open
    decision, then those about more of the subjects, then those that name more of them. Each kind of command has each
    reason once, for example if several followers cannot be placed for the same reason.
    """
    refused = handler.decider.find_rejection(live, seat, ()) or _not_asked(live.game, seat)
    if refused is not None:
        return [Explanation(None, refused)]
    legal = list(live.game.legal(seat))
    shown = await handler.decider.previews(live, seat, legal)
    lit = [
        command
        for command, effects in zip(legal, shown, strict=True)
        if all(is_about(command, effects, subject) for subject in subjects)
    ]
    assert live.game.play is not None
    guessed = command_candidates(live.game.title.commands.values(), live.game.play, seat, subjects, legal)
    rejected = await _judged(handler, live, seat, guessed)
    able = [Explanation(command, None) for command in lit[:_MOST_LEGAL]]
    return [*able, *_most_telling(rejected, subjects)][:MOST]


def _not_asked(game: Game, seat: int) -> Rejection | None:
    """Whom a seat that has nothing to decide waits for."""
    if game.table.decisions[seat]:
        return None
    return Rejection(
        "OTHERS_DECIDE", "table.not_deciding", {"deciding": " ".join(map(str, seats_with_decisions(game)))}
    )


async def _judged(
    handler: CommandHandler, live: LiveGame, seat: int, guessed: Sequence[CommandCandidate]
) -> list[tuple[CommandCandidate, Rejection]]:
    rejected: list[tuple[CommandCandidate, Rejection]] = []
    for at, guess in enumerate(guessed, 1):
        rejection = handler.decider.find_rejection(live, seat, [guess.command])
        if rejection is not None:
            rejected.append((guess, rejection))
        if at % _AT_ONCE == 0:
            await asyncio.sleep(0)
    return rejected


def _most_telling(rejected: Sequence[tuple[CommandCandidate, Rejection]], subjects: Sequence[str]) -> list[Explanation]:
    asked_about = frozenset(part for subject in subjects for part in (subject, *subject.split(".")))
    ordered = sorted(rejected, key=lambda it: (it[1].rule in _OUT_OF_PLACE, -len(it[0].subjects), -it[0].score))
    found: list[Explanation] = []
    known: set[tuple[object, ...]] = set()
    out_of_place = 0
    for guess, rejection in ordered:
        reason = _reason(guess.command, rejection, asked_about)
        if reason in known:
            continue
        known.add(reason)
        if rejection.rule in _OUT_OF_PLACE:
            out_of_place += 1
            if out_of_place > _MOST_OUT_OF_PLACE:
                break
        found.append(Explanation(guess.command, rejection))
    return found


def _reason(command: Struct, rejection: Rejection, asked_about: Collection[str]) -> tuple[object, ...]:
    """Return a key that is equal for rejections with the same reason.

    Values that repeat a guessed part of the command, such as the follower, are not in the key.
    """
    if rejection.rule == "table.wrong_decision":
        return rejection.code, rejection.values.get("decision", "")
    guessed = {str(value) for value in astuple(command)}.difference(asked_about)
    values = sorted((key, value) for key, value in rejection.values.items() if value not in guessed)
    return (type(command), rejection.code, rejection.rule, *values)
