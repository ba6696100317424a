"""The ids of commands in action spaces do not change: trained programs depend on them."""

from __future__ import annotations

from tests.stability.action_spaces import read, spaces


def test_no_id_of_a_command_has_changed() -> None:
    stored, current = read(), dict(spaces())
    assert stored.keys() == current.keys(), "python -m tests.stability.action_spaces"
    changed = [id for id, (n_actions, version) in stored.items() if current[id].version_of(n_actions) != version]
    assert not changed, (
        "commands have other ids: append new ones at the end of command_space(); if that is impossible, name the change"
        " in the changelog and run python -m tests.stability.action_spaces"
    )
    appended = [id for id, (n_actions, _) in stored.items() if current[id].n_actions != n_actions]
    assert not appended, "commands were appended: python -m tests.stability.action_spaces"
