"""Random games of Orléans (:mod:`boardkeeper.testkit.playouts`)."""

from __future__ import annotations

from contextlib import AbstractContextManager

from tests.titles.orleans.adapter import ADAPTER

from boardkeeper.testkit import playouts, setups
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.title import TITLE

META = TITLE.meta


def standard(players: int) -> Setup:
    """Return the setup of the default edition."""
    return setups.default_setup(TITLE, players)


def varied(seed: int, players: int) -> Setup:
    """Return a setup with random edition, options and readings."""
    return setups.random_setup(TITLE, seed, players)


class Playout(playouts.Playout[OrleansPlay]):
    """One random game of Orléans."""

    def __init__(self, seed: int, setup: Setup) -> None:
        super().__init__(ADAPTER, seed, setup)


def playout(seed: int, setup: Setup) -> AbstractContextManager[Playout]:
    """Return a game; errors note how to reproduce it."""
    return playouts.with_reproduction(Playout(seed, setup))
