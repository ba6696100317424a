"""Sentences for events, commands and rejections: here those that all titles share; each title has its own."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from boardkeeper.game.choices import complete
from boardkeeper.game.events import GAME_EVENTS, GameCreated, GameEnded, Undone
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.drawing import drawing_of
from boardkeeper.titlekit.rules_catalogue import kernel_rules, language_or_default
from boardkeeper.titlekit.sentences import Words
from boardkeeper.titlekit.sentences import explain as explain_with
from boardkeeper.titlekit.title import Setup, Text, Title


@lru_cache(maxsize=4)
def words(language: str) -> Words:
    """Load the word file of a language."""
    return Words.read("boardkeeper.game", language)


def sentence(language: str, title: Title, names: Sequence[str], seat: int, detail: Struct) -> str:
    """Return the sentence for an event (in the past tense) or a command (in the imperative).

    ``names`` are the names of all seats; ``seat`` is the acting seat, or 0. For an unknown language, the sentence is in
    the default one.
    """
    if not isinstance(detail, GAME_EVENTS):
        return title.sentence(language, names, seat, detail)
    language = language_or_default(language)
    chosen = words(language)
    values = asdict(detail) | {"seat": chosen.seat(seat, names)}
    if isinstance(detail, GameCreated):
        values |= {"title_name": title.meta.text[language], "players": detail.setup.players}
    elif isinstance(detail, GameEnded):
        winners = [seat for seat, rank in enumerate(detail.ranks, 1) if rank == 1]
        values |= {"alone": len(winners) == 1, "winners": tuple(winners)}
    elif isinstance(detail, Undone):
        values |= {"several": detail.last_version > detail.first_version}
    name = type(detail).__name__
    return chosen.render("events", name, values, names) or name


def offered_commands(play: object, seat: int, commands: Sequence[Struct]) -> Sequence[Struct]:
    """Return legal commands with everything that :func:`sentence` needs, which ``Play.offer`` of a title can add."""
    offer = getattr(play, "offer", None)
    return commands if offer is None else [cast(Struct, offer(seat, command)) for command in commands]


def offered_command(play: object, seat: int, command: Struct) -> Struct:
    """Return one legal command with everything that :func:`sentence` needs."""
    return offered_commands(play, seat, (command,))[0]


def explain(language: str, title: Title, names: Sequence[str], rejection: Rejection) -> str:
    """Return a sentence that says why a command was rejected and names the rule."""
    language = language_or_default(language)
    rules = kernel_rules()
    if rejection.rule not in rules:
        return title.explain(language, names, rejection)
    if rejection.code == "WRONG_DECISION":
        text = _decisions(cast(Hashable, title)).get(rejection.values.get("decision", ""), {})
        rejection = replace(rejection, values={**rejection.values, "open": text.get(language, "")})
    return explain_with(words(language), rules, language, rejection, names)


@lru_cache(maxsize=16)
def _decisions(hashable: Hashable) -> Mapping[str, Text]:
    """Return the names of a title's decisions, the same for all editions; empty if the title does not name them."""
    title = cast(Title, hashable)
    (edition,) = (each for each in title.meta.editions if each.id == title.meta.default_edition)
    drawing = drawing_of(title, complete(title.meta, Setup("", edition.players[0])))
    return {decision.id: decision.text for decision in drawing.decisions}
