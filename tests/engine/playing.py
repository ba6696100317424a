"""Games of the façade that tests play at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from boardkeeper import engine
from boardkeeper.game.choices import ChoiceError


def kinds() -> Iterator[tuple[str, str, int]]:
    """Every title, edition and number of players, 1 where one can play against the rules."""
    for meta in engine.titles():
        for edition in meta.editions:
            fewest, most = edition.players
            for players in [*([1] if meta.alone else []), *range(fewest, most + 1)]:
                yield meta.id, edition.id, players


def begun(title: str, edition: str, players: int, seed: int = 1) -> engine.Game | None:
    """A new game, or nothing where the edition is not for so many."""
    try:
        return engine.create(title, players, edition=edition, seed=seed)
    except ChoiceError:
        return None


def step(game: engine.Game, random: Random, seats: Sequence[int] = ()) -> None:
    """Submit a random legal command of a random seat that has to decide, or of one of these."""
    seat = random.choice(seats or game.to_move)
    game.submit(seat, random.choice(game.legal(seat)))


def played(game: engine.Game, random: Random, steps: int) -> engine.Game:
    """The same game after so many random commands, or at its end."""
    for _ in range(steps):
        if game.is_over:
            break
        step(game, random)
    return game


def pushed(game: engine.Game, random: Random, steps: int) -> None:
    """Push so many random commands, fewer if the game ends by them."""
    for _ in range(steps):
        if game.is_over:
            break
        seat = random.choice(game.to_move)
        game.push(seat, random.choice(game.legal(seat)))
