"""The command ids that a game has accepted."""

from __future__ import annotations

import pytest

from boardkeeper.game import command_ids
from boardkeeper.game.command_ids import SeenCommands


def test_the_version_of_each_id_is_found() -> None:
    seen = SeenCommands("key")
    for number in range(2000):
        seen.add(f"command {number}", 3 * number + 1)
    assert seen.find("command 0") == [1]
    assert seen.find("command 1999") == [5998]
    assert seen.find("command 1234") == [3703]
    assert seen.find("command 2000") == []
    assert seen.find("") == []
    assert seen.last == "command 1999"


def test_a_match_across_two_digests_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of one digest and the start of the next can form a third one."""
    digests = {"one": b"aaabb", "two": b"cccdd", "between": b"bbccc"}
    monkeypatch.setattr(command_ids, "_digest", lambda id, _: digests[id])
    seen = SeenCommands("key")
    seen.add("one", 1)
    seen.add("two", 2)
    assert seen.find("between") == []
    seen.add("between", 3)
    assert seen.find("between") == [3], "the search continues after the false match"
    assert seen.find("two") == [2]


def test_overlapping_false_matches_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    digests = {"first": b"xaaaa", "second": b"aaaaa"}
    monkeypatch.setattr(command_ids, "_digest", lambda id, _: digests[id])
    seen = SeenCommands("key")
    seen.add("first", 1)
    seen.add("second", 2)
    assert seen.find("second") == [2]


def test_ids_with_one_digest_are_all_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller reads the events to find the right one."""
    monkeypatch.setattr(command_ids, "_digest", lambda *_: b"12345")
    seen = SeenCommands("key")
    seen.add("one", 4)
    seen.add("other", 9)
    assert seen.find("one") == seen.find("other") == [4, 9]


def test_the_first_version_of_a_command_and_of_the_next_are_found() -> None:
    seen = SeenCommands("key")
    for version in (4, 5, 9):
        seen.add(f"at {version}", version)
    assert [seen.first_of(version) for version in (1, 3, 4, 5, 8, 9, 20)] == [1, 1, 4, 5, 5, 9, 9]
    assert [seen.next_after(version, 99) for version in (1, 3, 4, 5, 8, 9, 20)] == [4, 4, 5, 9, 9, 99, 99]


def test_digests_depend_on_the_key() -> None:
    """Without the secret of the game an attacker cannot find ids that collide."""
    digests = {command_ids._digest("plan", chr(key)) for key in range(1, 50)}
    assert len(digests) == 49
