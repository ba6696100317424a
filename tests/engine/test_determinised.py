"""Determinised copies replace hidden contents by other possible ones. The viewer sees no difference and no secret."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from random import Random
from typing import Any

import msgspec
import pytest
from tests.engine.playing import play, step, variants

from boardkeeper import engine
from boardkeeper.game.choices import ChoiceError
from boardkeeper.table.forking import layout_of, redeal
from boardkeeper.titlekit.positions import problems
from boardkeeper.titles.orleans.title import OrleansTitle
from boardkeeper.titles.paladins.title import PaladinsTitle
from boardkeeper.titles.registry import load_title
from boardkeeper.titles.stories import title as stories
from boardkeeper.titles.stories.title import StoriesTitle

SECRET_CHOICES = {"planning": "sealed", "look_is_public": "no"}
"""Options and readings with which more decisions are secret."""

_encode = msgspec.msgpack.Encoder().encode


def create_secretive(title: str, edition: str, players: int, seed: int) -> engine.Game | None:
    """Create a game with as many secret decisions as possible.

    Return ``None`` if the edition does not allow this number of players.
    """
    meta = engine.title(title)
    options = {it.id: SECRET_CHOICES[it.id] for it in meta.options if it.id in SECRET_CHOICES and it.is_for(edition)}
    readings = {it.id: SECRET_CHOICES[it.id] for it in meta.readings if it.id in SECRET_CHOICES and it.is_for(edition)}
    try:
        return engine.create(title, players, edition=edition, options=options, readings=readings, seed=seed)
    except ChoiceError:
        return None


def view(game: engine.Game, viewer: int) -> dict[str, object]:
    """Return everything that a viewer sees of a game, with the legal commands and sentences."""
    legal = game.legal(viewer) if viewer else ()
    return {
        "board": game.board(viewer),
        "table": game.table(viewer),
        "to move": game.to_move,
        "legal": legal,
        "sentences": [game.sentence(it, language, seat=viewer) for it in legal[:3] for language in ("en", "de")],
    }


def check_copy(game: engine.Game, viewer: int, seed: int) -> engine.Game:
    """Check that a copy looks the same to the viewer, and that the rules can continue it. Return the copy."""
    copy = game.determinised(viewer, seed)
    expected = view(game, viewer)
    # Compare only names: in the test that expects a failure, pytest would need minutes to explain how boards differ.
    assert [name for name, value in view(copy, viewer).items() if value != expected[name]] == []
    table = copy._game.table
    assert table.components() == game._game.table.components()
    assert not problems(load_title(game.title.id), game.setup, layout_of(table))
    assert copy.determinised(viewer, "again").digest() == game.determinised(viewer, "again").digest()
    play(copy.clone(), Random(seed), 12)
    return copy


def indistinguishable(game: engine.Game, viewer: int, random: Random) -> Iterator[list[engine.Game]]:
    """Continue the game with random commands of other seats. Yield groups of games that look alike to the viewer."""
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


def check_hides_secrets(game: engine.Game, viewer: int, random: Random) -> int:
    """Check that games that look alike to the viewer have the same copies. Return the number of compared groups."""
    compared = 0
    for games in indistinguishable(game, viewer, random):
        for seed in range(2):
            assert len({it.determinised(viewer, seed).digest() for it in games}) == 1
        copies = {games[0].determinised(viewer, seed).digest() for seed in range(6)}
        assert len(copies) > 1, "there are at least two possibilities"
        compared += 1
    return compared


def check_copies(game: engine.Game, random: Random, steps: int) -> int:
    """Play at random, and check copies when a decision is new. Return the number of compared groups."""
    asked: set[str] = set()
    compared = 0
    for number in range(steps):
        if game.is_over:
            break
        decisions = {decision for decision in game._game.table.decisions if decision}
        if decisions - asked or number % 40 == 0:
            asked |= decisions
            viewer = random.randint(engine.SPECTATOR, len(game.seats))
            check_copy(game, viewer, number)
            compared += check_hides_secrets(game, viewer, random)
        step(game, random)
    return compared


def extremes() -> Iterator[tuple[str, str, int]]:
    """Yield every title and edition with the smallest and the largest number of players."""
    for _, group in groupby(variants(), lambda kind: kind[:2]):
        every = list(group)
        yield from dict.fromkeys((every[0], every[-1]))


@pytest.mark.parametrize(("title", "edition", "players"), list(extremes()))
def test_copies_look_alike_and_hide_secrets(title: str, edition: str, players: int) -> None:
    game = create_secretive(title, edition, players, seed=1)
    if game is None:
        pytest.skip("the edition does not allow this number of players")
    compared = check_copies(game, Random(f"{title} {edition} {players}"), 60)
    assert compared or players == 1, "no decision was secret"


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("title", "edition", "players"), list(variants()))
def test_soak_copies_look_alike_and_hide_secrets(title: str, edition: str, players: int, seed: int) -> None:
    game = create_secretive(title, edition, players, seed)
    if game is not None:
        check_copies(game, Random(f"{title} {edition} {players} {seed}"), 10_000)


def _change_nothing(*_: object) -> None:
    """Leave the secrets in the copy."""


def _keep_paladins(self: PaladinsTitle, play: Any, viewer: int, dice: Any) -> None:
    own = (f"seat.{seat}" for seat in range(1, len(play.table.decisions)) if seat != viewer)
    redeal(play.table, viewer, [(f"{seat}.deck", f"{seat}.again", f"{seat}.hand") for seat in own], dice)


def _change_visible_coins(self: StoriesTitle, play: Any, viewer: int, dice: Any) -> None:
    play.table.markers["seat.1.coins"].value += 1


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("title", "edition", "determinise"),
    [
        (OrleansTitle, "", _change_nothing),
        (PaladinsTitle, "", _keep_paladins),
        (StoriesTitle, "england-vs-france", _change_nothing),
        (StoriesTitle, "england-vs-france", _change_visible_coins),
    ],
)
def test_a_copy_with_secrets_or_visible_changes_is_found(
    title: type, edition: str, determinise: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(title, "determinise", determinise)
    name = title.__module__.split(".")[2]
    meta = engine.title(name)
    game = create_secretive(name, edition or meta.default_edition, 4, seed=1)
    assert game is not None
    with pytest.raises(AssertionError):
        check_copies(game, Random(1), 60)


def game_with_a_secret_look() -> engine.Game:
    """Return a game in which a seat has looked at the nation of another seat, and only this seat knows which one."""
    game = create_secretive("stories", "england-vs-france", 4, seed=1)
    assert game is not None
    while not any(game._game.table.markers[f"seat.{seat}.noted"].value for seat in range(1, 5)):
        seat = game.to_move[0]
        looks = [it for it in game.legal(seat) if type(it).__name__ == "LookAtNation"]
        game.submit(seat, looks[-1] if looks else game.suggest(seat))
    return game


def test_notes_are_true_in_every_copy() -> None:
    game = game_with_a_secret_look()
    for viewer in range(engine.SPECTATOR, 5):
        notes = set()
        for seed in range(12):
            table = check_copy(game, viewer, seed)._game.table
            noted = [table.markers[f"seat.{seat}.noted"].value for seat in range(1, 5)]
            for note in " ".join(noted).split():
                seat, _, nation = note.partition(":")
                assert list(table.zones[f"seat.{seat}.nation"].counts()) == [nation]
            notes.add(tuple(noted))
        (own,) = [seat for seat in range(1, 5) if game._game.table.markers[f"seat.{seat}.noted"].value]
        assert (len(notes) == 1) == (viewer == own), "only the seat that looked knows"


@pytest.mark.interpreted
def test_a_copy_with_unchanged_notes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stories, "sample_looks", _change_nothing)
    with pytest.raises(AssertionError):
        test_notes_are_true_in_every_copy()


@pytest.mark.parametrize("title", ["orleans", "paladins", "stories"])
def test_every_version_of_a_running_game_can_be_copied(title: str) -> None:
    """Also versions between the events of one command."""
    game = create_secretive(title, engine.title(title).default_edition, 2, seed=4)
    assert game is not None
    first = game.version
    play(game, Random(4), 40)
    for version in range(first, game.version + 1, 3):
        copy = game.determinised(1, seed=version, at=version)
        assert copy.to_move
        play(copy, Random(version), 3)
    with pytest.raises(engine.Rejected, match="GAME_NOT_STARTED"):
        game.determinised(1, at=1)
    play(game, Random(5), 10_000)
    with pytest.raises(engine.Rejected, match="GAME_OVER"):
        game.determinised(1)
