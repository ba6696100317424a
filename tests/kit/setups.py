"""What games of a title can be played with: as it is by default, and with whatever there is to choose."""

from __future__ import annotations

from random import Random

from boardkeeper.game.choices import complete
from boardkeeper.table.title import Setup, TitleMeta


def standard(meta: TitleMeta, players: int) -> Setup:
    """The default edition as it is."""
    return complete(meta, Setup("", players))


def varied(meta: TitleMeta, seed: int, players: int) -> Setup:
    """Some edition, options and readings that go with that number of players."""
    random = Random(f"setup {seed}")
    edition = random.choice([it for it in meta.editions if it.players[0] <= players <= it.players[1]])

    def some(kinds: str) -> dict[str, str]:
        chosen = {}
        for option in getattr(meta, kinds):
            fitting = [choice.id for choice in option.choices if not choice.players or players in choice.players]
            chosen[option.id] = random.choice(fitting)
        return chosen

    options = some("options")
    return complete(meta, Setup(edition.id, players, options, some("readings")))


def usual_or_not(meta: TitleMeta, seed: int, players: int) -> Setup:
    """Every third game is played with other choices than the usual ones."""
    return varied(meta, seed, players) if seed % 3 == 2 else standard(meta, players)
