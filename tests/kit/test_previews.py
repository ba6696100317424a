"""Previews of legal commands: correct, without random results and secrets, and different for each command."""

from __future__ import annotations

import sys

import pytest
from tests.kit.adapters import EACH_TITLE, adapters

from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.playouts import playout
from boardkeeper.testkit.preview_checks import PreviewCounts, check_previews, check_previews_hide_secrets
from boardkeeper.testkit.setups import random_setup
from boardkeeper.titlekit import previews


def check_previews_in_games(adapter: Adapter, games: int) -> PreviewCounts:
    """Check and count the previews in random games of all setups."""
    counts = PreviewCounts()
    for seed in range(games):
        setup = random_setup(adapter.title, seed, adapter.players[seed % len(adapter.players)])
        with playout(adapter, seed, setup) as game:
            while not game.play.is_over():
                if game.random.random() < 0.1:
                    check_previews(game, counts)
                game.step()
    return counts


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_previews_distinguish_legal_commands(adapter: Adapter) -> None:
    counts = check_previews_in_games(adapter, 9)
    assert sum(counts.all.values()) > 1000
    assert not counts.alike
    can_be_empty = ("Draw", "Finish", "Decline", "Keep", "Use", "Suffer")  # nothing changes, or it is hidden
    assert not [name for name, count in counts.nothing.items() if count and not name.startswith(can_be_empty)]


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_a_preview_with_a_random_result_is_found(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "_known_effects", lambda _table, _seat, effects: effects)
    with pytest.raises(AssertionError, match="the preview shows a random result"):
        check_previews_in_games(adapter, 24)


EDITIONS = [
    pytest.param(it, edition.id, id=f"{it.id}-{edition.id}") for it in adapters() for edition in it.title.meta.editions
]


def compare_tables_in_games(adapter: Adapter, edition: str, games: int) -> int:
    """Compare previews on tables with other hidden contents in random games. Return the number of such tables."""
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
def test_hidden_contents_change_no_preview(adapter: Adapter, edition: str) -> None:
    differing = compare_tables_in_games(adapter, edition, 3)
    assert differing or edition in adapter.open_draws


@pytest.mark.parametrize(("adapter", "edition"), EDITIONS)
def test_a_preview_that_shows_hidden_contents_is_found(
    adapter: Adapter, edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previews, "_known_effects", lambda _table, _seat, effects: effects)
    with pytest.raises(AssertionError, match="if hidden components differ"):
        compare_tables_in_games(adapter, edition, 12)


@pytest.mark.soak
@pytest.mark.parametrize(("adapter", "edition"), EDITIONS)
def test_soak_hidden_contents_change_no_preview(adapter: Adapter, edition: str) -> None:
    differing = compare_tables_in_games(adapter, edition, 60)
    assert differing or edition in adapter.open_draws


@pytest.mark.soak
@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_soak_previews(adapter: Adapter, capsys: pytest.CaptureFixture[str]) -> None:
    counts = check_previews_in_games(adapter, 300)
    with capsys.disabled():
        sys.stdout.write(f"\n{adapter.id}: of {sum(counts.all.values())} legal commands, these have equal previews:")
        sys.stdout.write(f" {dict(counts.alike)}, and these have empty ones: {dict(+counts.nothing)} ")
    assert not counts.alike
