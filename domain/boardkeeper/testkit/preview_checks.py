"""Check that the previews of legal commands are correct, and count those that are empty or equal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Ask, Draw, Effect, Shuffle
from boardkeeper.table.forking import hidden_markers, layout_of, redeal_hidden
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import HIDDEN
from boardkeeper.testkit.playouts import Playout
from boardkeeper.titlekit.previews import preview
from boardkeeper.titlekit.title import Play


@dataclass
class PreviewCounts:
    """Counts of legal commands by type."""

    all: Counter[str] = field(default_factory=Counter)
    nothing: Counter[str] = field(default_factory=Counter)
    """Commands with an empty preview."""
    alike: Counter[str] = field(default_factory=Counter)
    """Commands whose preview equals that of another command of the seat, by all types that share it."""

    def add(self, previews: Sequence[tuple[Struct, tuple[Effect, ...]]]) -> None:
        """Count the legal commands of a seat."""
        sharing: dict[tuple[Effect, ...], list[str]] = defaultdict(list)
        for command, effects in previews:
            name = type(command).__name__
            self.all[name] += 1
            self.nothing[name] += not effects
            sharing[effects].append(name)
        for names in sharing.values():
            if len(names) > 1:
                self.alike[", ".join(sorted(set(names)))] += len(names)


def check_previews(game: Playout[Play], counts: PreviewCounts) -> None:
    """Preview all legal commands; raises ``AssertionError`` if a preview is wrong or changes the table."""
    before = game.table.contents()
    for seat in game.table.deciding():
        previews = [(command, preview(game.play, seat, command)) for command in game.play.legal(seat)]
        counts.add(previews)
        assert game.table.contents() == before, "a preview changed the table"
        assert not game.play.recorder.take()
        for command, effects in previews:
            _check_preview(game, seat, command, effects)
    assert game.table.contents() == before


def _check_preview(game: Playout[Play], seat: int, command: Struct, effects: tuple[Effect, ...]) -> None:
    """Check that a preview equals the first effects of the command, up to its first random effect."""
    assert game.play.decide(seat, command) is None
    coming = [it for event in game.play.recorder.pending_events() for it in event.effects if not isinstance(it, Ask)]
    game.play.recorder.rollback()
    for shown, true in zip(effects, coming, strict=False):
        if isinstance(true, Draw | Shuffle):
            picked = shown.drawn if isinstance(shown, Draw) else shown.after if isinstance(shown, Shuffle) else ()
            assert set(picked) <= {HIDDEN}, f"{command}: the preview shows a random result: {shown}"
            assert shown is effects[-1]
        else:
            assert shown == true, f"{command}: the preview shows {shown}, but the effect is {true}"


def check_previews_hide_secrets(game: Playout[Play], key: bytes) -> int:
    """Preview all legal commands on tables that differ only in what the seat cannot see, and in the dice.

    Raises ``AssertionError`` if a preview differs. Returns how many of the tables were different.
    """
    title, differing = game.adapter.title, 0
    for seat in game.table.deciding():
        groups = title.exchangeable_zones(game.table, seat)
        if groups is None or hidden_markers(game.table, seat):
            continue  # secret decisions cannot be dealt again
        # Both tables are made from layouts, which sort piles: rules may list components in the order of arrival.
        one, table = Table(layout_of(game.table)), Table(layout_of(game.table))
        redeal_hidden(table, seat, groups, Dice(key))
        true = title.play(one, game.play.recorder.dice, game.setup)
        play = title.play(table, Dice(key), game.setup)
        legal = true.legal(seat)
        assert play.legal(seat) == legal
        for command in legal:
            here, there = preview(true, seat, command), preview(play, seat, command)
            assert here == there, f"{command}: the preview is {here}, but {there} if hidden components differ"
        differing += table.contents() != game.table.contents()
    return differing
