"""Check that exactly the listed commands are accepted, and that trying a command leaves the table unchanged."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import fields, replace

from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.playouts import Playout
from boardkeeper.titlekit.rules_catalogue import kernel_rules
from boardkeeper.titlekit.title import Play, Title

NONSENSE = ("", "?", "Seat", "…" * 40)
"""Values that are invalid for every field."""


def known_rules(title: Title) -> frozenset[str]:
    """Return the ids of the rules that rejections may cite."""
    return frozenset({rule.id for rule in title.rules()} | set(kernel_rules()))


def mutate(random: Random, adapter: Adapter, command: Struct) -> Struct:
    """Return a command of the same type with another value in one field."""
    known = fields(command)
    if not known:
        return command
    field = random.choice(known).name
    value: Any = getattr(command, field)
    if isinstance(value, bool):
        value = not value
    elif isinstance(value, int):
        value = random.choice([-1, 0, 1, value + 1, 99, 2**40])
    elif random.random() < 0.8 or not isinstance(value, str):
        value = random.choice(adapter.values_of(type(command), field) or (value,))
    else:
        value = random.choice((*NONSENSE, *random.choice(_words(adapter))))
    return replace(command, **{field: value})


def _words(adapter: Adapter) -> list[list[str]]:
    """Return lists of ids, each valid for some field and invalid for others."""
    words = ([value for value in values if isinstance(value, str)] for values in adapter.values.values())
    return [ids for ids in words if ids] or [[]]


def mutations(random: Random, adapter: Adapter, commands: Sequence[Struct]) -> list[Struct]:
    """Return mutations of commands, four for each group of the adapter."""
    kinds: dict[Hashable, list[Struct]] = {}
    for command in commands:
        kinds.setdefault(adapter.alike(command), []).append(command)
    return [mutate(random, adapter, random.choice(alike)) for alike in kinds.values() for _ in range(4)]


def check_agreement(game: Playout[Play], others: Sequence[Struct]) -> int:
    """Try the listed commands, mutations of them, and ``others``, and roll each back.

    ``decide`` must accept exactly the commands that ``legal`` lists, and reject the others with a known rule. The table
    must be unchanged afterwards. Returns the number of tries.
    """
    play, table, adapter = game.play, game.table, game.adapter
    rules = known_rules(adapter.title)
    before = table.contents()
    tried = 0
    for seat in range(1, game.setup.players + 1):
        listed = list(play.legal(seat))
        assert bool(listed) == bool(table.decisions[seat]), f"seat {seat}: {listed}"
        assert len(set(listed)) == len(listed), f"seat {seat} has a command listed twice"
        legal = set(listed)
        for command in (*listed, *mutations(game.random, adapter, listed), *others):
            rejection = play.decide(seat, command)
            play.recorder.rollback()
            tried += 1
            if command in legal:
                assert rejection is None, f"seat {seat}: {command} is listed, but {rejection}"
                continue
            assert rejection is not None, f"seat {seat}: {command} is accepted, but not listed"
            assert rejection.rule in rules, f"{command}: unknown rule in {rejection}"
            assert all(isinstance(value, str) for value in rejection.values.values()), rejection
            if not legal:
                assert rejection.rule == "table.not_deciding", rejection
        assert list(play.legal(seat)) == listed, f"seat {seat}: trying commands changed the list"
    assert table.contents() == before, "trying commands changed the table"
    return tried
