"""Random games of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from boardkeeper import engine
from boardkeeper.game.choices import ChoiceError


def variants() -> Iterator[tuple[str, str, int]]:
    """Yield every title, edition and number of players, including solo games."""
    for meta in engine.titles():
        for edition in meta.editions:
            fewest, most = edition.players
            for players in [*([1] if meta.alone else []), *range(fewest, most + 1)]:
                yield meta.id, edition.id, players


def create(title: str, edition: str, players: int, seed: int = 1) -> engine.Game | None:
    """Create a game. Return ``None`` if the edition does not allow this number of players."""
    try:
        return engine.create(title, players, edition=edition, seed=seed)
    except ChoiceError:
        return None


def step(game: engine.Game, random: Random, seats: Sequence[int] = ()) -> None:
    """Submit a random legal command of one of ``seats``, or of any seat that has a decision."""
    seat = random.choice(seats or game.to_move)
    game.submit(seat, random.choice(game.legal(seat)))


def play(game: engine.Game, random: Random, steps: int) -> engine.Game:
    """Submit random commands until the game ends, at most ``steps``. Return the game."""
    for _ in range(steps):
        if game.is_over:
            break
        step(game, random)
    return game


def push(game: engine.Game, random: Random, steps: int) -> None:
    """Push random commands until the game ends, at most ``steps``."""
    for _ in range(steps):
        if game.is_over:
            break
        seat = random.choice(game.to_move)
        game.push(seat, random.choice(game.legal(seat)))
