"""What a command would change at once: told truly, without what chance would pick, and unlike any other's."""

from __future__ import annotations

import sys

import pytest
from tests.kit.adapters import adapters

from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.playouts import playout
from boardkeeper.testkit.preview_checks import PreviewCounts, check_previews, check_previews_hide_secrets
from boardkeeper.testkit.setups import random_setup
from boardkeeper.titlekit import previews

TITLES = [pytest.param(it, id=it.id) for it in adapters()]


def told_in_games(adapter: Adapter, games: int) -> PreviewCounts:
    """What is told of the commands in random games of all setups."""
    told = PreviewCounts()
    for seed in range(games):
        setup = random_setup(adapter.title, seed, adapter.players[seed % len(adapter.players)])
        with playout(adapter, seed, setup) as game:
            while not game.play.is_over():
                if game.random.random() < 0.1:
                    check_previews(game, told)
                game.step()
    return told


@pytest.mark.parametrize("adapter", TITLES)
def test_previews_tell_legal_commands_apart(adapter: Adapter) -> None:
    told = told_in_games(adapter, 9)
    assert sum(told.all.values()) > 1000
    assert not told.alike
    ends = ("Draw", "Finish", "Decline", "Keep", "Use", "Suffer")  # none drawn, no more done, kept as it is, hidden
    assert not [name for name, count in told.nothing.items() if count and not name.startswith(ends)]


@pytest.mark.parametrize("adapter", TITLES)
def test_a_preview_that_tells_what_chance_would_pick_is_found(
    adapter: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previews, "_known", lambda _table, _seat, effects: effects)
    with pytest.raises(AssertionError, match="the preview shows a random result"):
        told_in_games(adapter, 24)


EDITIONS = [
    pytest.param(it, edition.id, id=f"{it.id}-{edition.id}") for it in adapters() for edition in it.title.meta.editions
]


def compared_in_games(adapter: Adapter, edition: str, games: int) -> int:
    """On how many tables with something else hidden previews were looked at in random games of an edition."""
    differing = 0
    players = range(*adapter.title.meta.edition(edition).players)
    for seed in range(games):
        setup = random_setup(adapter.title, seed, (*players, players.stop)[seed % (len(players) + 1)], (edition,))
        with playout(adapter, seed, setup) as game:
            while not game.play.is_over():
                if game.random.random() < 0.1:
                    differing += check_previews_hide_secrets(game, f"otherwise {seed}".encode())
                game.step()
    return differing


@pytest.mark.parametrize(("adapter", "edition"), EDITIONS)
def test_what_a_seat_cannot_see_changes_no_preview(adapter: Adapter, edition: str) -> None:
    differing = compared_in_games(adapter, edition, 3)
    assert differing or edition in adapter.open_draws


@pytest.mark.parametrize(("adapter", "edition"), EDITIONS)
def test_a_preview_that_tells_what_is_hidden_is_found(
    adapter: Adapter, edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previews, "_known", lambda _table, _seat, effects: effects)
    with pytest.raises(AssertionError, match="if hidden components differ"):
        compared_in_games(adapter, edition, 12)


@pytest.mark.soak
@pytest.mark.parametrize(("adapter", "edition"), EDITIONS)
def test_soak_what_a_seat_cannot_see_changes_no_preview(adapter: Adapter, edition: str) -> None:
    differing = compared_in_games(adapter, edition, 60)
    assert differing or edition in adapter.open_draws


@pytest.mark.soak
@pytest.mark.parametrize("adapter", TITLES)
def test_soak_previews(adapter: Adapter, capsys: pytest.CaptureFixture[str]) -> None:
    """Hundreds of games of each title, and what their previews are like."""
    told = told_in_games(adapter, 300)
    with capsys.disabled():
        sys.stdout.write(f"\n{adapter.id}: of {sum(told.all.values())} legal commands the same is told of")
        sys.stdout.write(f" {dict(told.alike)}, nothing of {dict(+told.nothing)} ")
    assert not told.alike
