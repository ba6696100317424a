"""Answers to "Why not?": what a seat can do with items on the table, and why other commands would be rejected."""

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

MAX_EXPLANATIONS = 20
"""The maximum number of explanations in an answer."""

_MAX_LEGAL = 5
_MAX_OUT_OF_PLACE = 3
_CHECKS_AT_ONCE = 50
"""Yield to the event loop after this many commands (about 2 ms)."""

_OUT_OF_PLACE = ("table.not_deciding", "table.wrong_decision", "table.known_ids")


class Explanation(NamedTuple):
    """A command and its rejection.

    A legal command has no rejection. A rejection without a command applies to all commands of the seat.
    """

    command: Struct | None
    rejection: Rejection | None


async def explain(handler: CommandHandler, live: LiveGame, seat: int, subjects: Sequence[str]) -> list[Explanation]:
    """Return what a seat can or cannot do with the subjects in a locked game, the most useful first; changes nothing.

    Legal commands about all of the subjects come first. Rejections follow: first those of commands that answer the open
    decision, then those about more of the subjects, then those that name more of them. Each kind of command has each
    reason once, for example if several followers cannot be placed for the same reason.
    """
    rejection = handler.decider.find_rejection(live, seat, ()) or _not_deciding(live.game, seat)
    if rejection is not None:
        return [Explanation(None, rejection)]
    legal = list(live.game.legal(seat))
    shown = await handler.decider.previews(live, seat, legal)
    legal_about = [
        command
        for command, effects in zip(legal, shown, strict=True)
        if all(is_about(command, effects, subject) for subject in subjects)
    ]
    assert live.game.play is not None
    candidates = command_candidates(live.game.title.commands.values(), live.game.play, seat, subjects, legal)
    rejected = await _check(handler, live, seat, candidates)
    allowed = [Explanation(command, None) for command in legal_about[:_MAX_LEGAL]]
    return [*allowed, *_select(rejected, subjects)][:MAX_EXPLANATIONS]


def _not_deciding(game: Game, seat: int) -> Rejection | None:
    """Return the rejection of a seat that has no decision."""
    if game.table.decisions[seat]:
        return None
    return Rejection(
        "OTHERS_DECIDE", "table.not_deciding", {"deciding": " ".join(map(str, seats_with_decisions(game)))}
    )


async def _check(
    handler: CommandHandler, live: LiveGame, seat: int, candidates: Sequence[CommandCandidate]
) -> list[tuple[CommandCandidate, Rejection]]:
    rejected: list[tuple[CommandCandidate, Rejection]] = []
    for count, candidate in enumerate(candidates, 1):
        rejection = handler.decider.find_rejection(live, seat, [candidate.command])
        if rejection is not None:
            rejected.append((candidate, rejection))
        if count % _CHECKS_AT_ONCE == 0:
            await asyncio.sleep(0)
    return rejected


def _select(rejected: Sequence[tuple[CommandCandidate, Rejection]], subjects: Sequence[str]) -> list[Explanation]:
    subject_parts = frozenset(part for subject in subjects for part in (subject, *subject.split(".")))
    ordered = sorted(rejected, key=lambda it: (it[1].rule in _OUT_OF_PLACE, -len(it[0].subjects), -it[0].score))
    found: list[Explanation] = []
    known: set[tuple[object, ...]] = set()
    out_of_place = 0
    for candidate, rejection in ordered:
        reason = _reason(candidate.command, rejection, subject_parts)
        if reason in known:
            continue
        known.add(reason)
        if rejection.rule in _OUT_OF_PLACE:
            out_of_place += 1
            if out_of_place > _MAX_OUT_OF_PLACE:
                break
        found.append(Explanation(candidate.command, rejection))
    return found


def _reason(command: Struct, rejection: Rejection, subject_parts: Collection[str]) -> tuple[object, ...]:
    """Return a key that is equal for rejections with the same reason.

    Values that repeat a guessed part of the command, such as the follower, are not in the key.
    """
    if rejection.rule == "table.wrong_decision":
        return rejection.code, rejection.values.get("decision", "")
    guessed = {str(value) for value in astuple(command)}.difference(subject_parts)
    values = sorted((key, value) for key, value in rejection.values.items() if value not in guessed)
    return (type(command), rejection.code, rejection.rule, *values)
