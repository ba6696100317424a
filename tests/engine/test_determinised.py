"""Copies in which all that a viewer cannot know is another possibility: he is shown the same, and told nothing true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from random import Random
from typing import Any

import msgspec
import pytest
from tests.engine.playing import kinds, played, step

from boardkeeper import engine
from boardkeeper.game.choices import ChoiceError
from boardkeeper.table.forking import layout_of, redeal
from boardkeeper.titlekit.positions import problems
from boardkeeper.titles.orleans.title import OrleansTitle
from boardkeeper.titles.paladins.title import PaladinsTitle
from boardkeeper.titles.registry import load_title
from boardkeeper.titles.stories import title as stories
from boardkeeper.titles.stories.title import StoriesTitle

SECRETIVE = {"planning": "sealed", "look_is_public": "no"}
"""What can be chosen so that more is decided in secret."""

_encode = msgspec.msgpack.Encoder().encode


def secretive(title: str, edition: str, players: int, seed: int) -> engine.Game | None:
    """A new game in which as much as possible is decided in secret, or nothing where the edition is not for so many."""
    meta = engine.title(title)
    options = {it.id: SECRETIVE[it.id] for it in meta.options if it.id in SECRETIVE and it.is_for(edition)}
    readings = {it.id: SECRETIVE[it.id] for it in meta.readings if it.id in SECRETIVE and it.is_for(edition)}
    try:
        return engine.create(title, players, edition=edition, options=options, readings=readings, seed=seed)
    except ChoiceError:
        return None


SHOWN = ("board", "table", "to move", "legal", "sentences")


def shown(game: engine.Game, viewer: int) -> tuple[object, ...]:
    """All that a viewer is shown of a game, and what he can do in it, also in words."""
    legal = game.legal(viewer) if viewer else ()
    said = [game.sentence(command, language, seat=viewer) for command in legal[:3] for language in ("en", "de")]
    return game.board(viewer), game.table(viewer), game.to_move, legal, said


def expect_possible(game: engine.Game, viewer: int, seed: int) -> engine.Game:
    """A copy for a viewer is one that he cannot tell from the game, and that the rules can go on with."""
    copy = game.determinised(viewer, seed)
    told = zip(SHOWN, shown(copy, viewer), shown(game, viewer), strict=True)
    # By name: where one test wants this to fail, pytest would explain for minutes how two boards differ.
    assert [what for what, here, there in told if here != there] == []
    table = copy._game.table
    assert table.components() == game._game.table.components()
    assert not problems(load_title(game.title.id), game.setup, layout_of(table))
    assert copy.determinised(viewer, "again").digest() == game.determinised(viewer, "again").digest()
    played(copy.clone(), Random(seed), 12)
    return copy


def alike(game: engine.Game, viewer: int, random: Random) -> Iterator[list[engine.Game]]:
    """Games to which others may have brought this one, as many as look alike to the viewer together."""
    found: defaultdict[bytes, dict[str, engine.Game]] = defaultdict(dict)
    for _ in range(6):
        other = game.clone()
        for _ in range(random.randint(1, 3)):
            seats = [seat for seat in other.to_move if seat != viewer]
            if seats:
                step(other, random, seats[:1])
        if not other.is_over:
            found[_encode((other.table(viewer), other.to_move))][other.digest()] = other
    yield from (list(games.values()) for games in found.values() if len(games) > 1)


def expect_nothing_told(game: engine.Game, viewer: int, random: Random) -> int:
    """Whatever the others decided where the viewer does not see it, he has the same copies; how many were compared."""
    compared = 0
    for games in alike(game, viewer, random):
        for seed in range(2):
            assert len({it.determinised(viewer, seed).digest() for it in games}) == 1
        copies = {games[0].determinised(viewer, seed).digest() for seed in range(6)}
        assert len(copies) > 1, "there are at least two possibilities"
        compared += 1
    return compared


def examine(game: engine.Game, random: Random, steps: int) -> int:
    """Play at random, and look at copies where something is new to decide; how often secrets were compared."""
    asked: set[str] = set()
    compared = 0
    for number in range(steps):
        if game.is_over:
            break
        decisions = {decision for decision in game._game.table.decisions if decision}
        if decisions - asked or number % 40 == 0:
            asked |= decisions
            viewer = random.randint(engine.SPECTATOR, len(game.seats))
            expect_possible(game, viewer, number)
            compared += expect_nothing_told(game, viewer, random)
        step(game, random)
    return compared


def extremes() -> Iterator[tuple[str, str, int]]:
    """Every title and edition, for the fewest and for the most."""
    for _, group in groupby(kinds(), lambda kind: kind[:2]):
        every = list(group)
        yield from dict.fromkeys((every[0], every[-1]))


@pytest.mark.parametrize(("title", "edition", "players"), list(extremes()))
def test_a_copy_is_one_more_possibility(title: str, edition: str, players: int) -> None:
    game = secretive(title, edition, players, seed=1)
    if game is None:
        pytest.skip("not for so many")
    compared = examine(game, Random(f"{title} {edition} {players}"), 60)
    assert compared or players == 1, "nothing was decided in secret"


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("title", "edition", "players"), list(kinds()))
def test_many_copies_are_possibilities(title: str, edition: str, players: int, seed: int) -> None:
    game = secretive(title, edition, players, seed)
    if game is not None:
        examine(game, Random(f"{title} {edition} {players} {seed}"), 10_000)


def _keeps_plans(*_: object) -> None:
    """What was decided stays as it was."""


def _keeps_the_paladin(self: PaladinsTitle, play: Any, viewer: int, dice: Any) -> None:
    own = (f"seat.{seat}" for seat in range(1, len(play.table.decisions)) if seat != viewer)
    redeal(play.table, viewer, [(f"{seat}.deck", f"{seat}.again", f"{seat}.hand") for seat in own], dice)


def _deals_what_is_seen(self: StoriesTitle, play: Any, viewer: int, dice: Any) -> None:
    play.table.markers["seat.1.coins"].value += 1


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("title", "edition", "determinise"),
    [
        (OrleansTitle, "", _keeps_plans),
        (PaladinsTitle, "", _keeps_the_paladin),
        (StoriesTitle, "england-vs-france", _keeps_plans),
        (StoriesTitle, "england-vs-france", _deals_what_is_seen),
    ],
)
def test_a_copy_that_tells_the_truth_or_changes_what_is_seen_is_noticed(
    title: type, edition: str, determinise: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(title, "determinise", determinise)
    name = title.__module__.split(".")[2]
    meta = engine.title(name)
    game = secretive(name, edition or meta.default_edition, 4, seed=1)
    assert game is not None
    with pytest.raises(AssertionError):
        examine(game, Random(1), 60)


def looked() -> engine.Game:
    """A game in which somebody has looked at another's nation, and only he knows at whose."""
    game = secretive("stories", "england-vs-france", 4, seed=1)
    assert game is not None
    while not any(game._game.table.markers[f"seat.{seat}.noted"].value for seat in range(1, 5)):
        seat = game.to_move[0]
        looks = [it for it in game.legal(seat) if type(it).__name__ == "LookAtNation"]
        game.submit(seat, looks[-1] if looks else game.suggest(seat))
    return game


def test_what_somebody_noted_is_true_in_every_copy() -> None:
    game = looked()
    for viewer in range(engine.SPECTATOR, 5):
        notes = set()
        for seed in range(12):
            table = expect_possible(game, viewer, seed)._game.table
            noted = [table.markers[f"seat.{seat}.noted"].value for seat in range(1, 5)]
            for note in " ".join(noted).split():
                seat, _, nation = note.partition(":")
                assert list(table.zones[f"seat.{seat}.nation"].counts()) == [nation]
            notes.add(tuple(noted))
        (own,) = [seat for seat in range(1, 5) if game._game.table.markers[f"seat.{seat}.noted"].value]
        assert (len(notes) == 1) == (viewer == own), "who looked knows, and nobody else"


@pytest.mark.interpreted
def test_a_note_that_stays_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stories, "sample_looks", _keeps_plans)
    with pytest.raises(AssertionError):
        test_what_somebody_noted_is_true_in_every_copy()


@pytest.mark.parametrize("title", ["orleans", "paladins", "stories"])
def test_there_is_a_copy_at_every_version(title: str) -> None:
    """Amid the events of a command as at its end; none only before the game has begun and after it has ended."""
    game = secretive(title, engine.title(title).default_edition, 2, seed=4)
    assert game is not None
    first = game.version
    played(game, Random(4), 40)
    for version in range(first, game.version + 1, 3):
        copy = game.determinised(1, seed=version, at=version)
        assert copy.to_move
        played(copy, Random(version), 3)
    with pytest.raises(engine.Rejected, match="GAME_NOT_STARTED"):
        game.determinised(1, at=1)
    played(game, Random(5), 10_000)
    with pytest.raises(engine.Rejected, match="GAME_OVER"):
        game.determinised(1)
