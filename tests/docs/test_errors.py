"""docs/errors.md lists the rejections of all titles, which are in no generated table, and the limits of undo."""

from __future__ import annotations

import re
from pathlib import Path

from boardkeeper.game import undo
from boardkeeper.game.sentences import words


def test_every_rejection_of_all_titles_is_listed_once(repository: Path) -> None:
    listed = re.findall(r"^\| `([A-Z_]+)` \| [^A-Z]", (repository / "docs/errors.md").read_text("utf-8"), re.MULTILINE)
    assert {id.split()[0] for id in words("en").templates["rejections"]} - set(listed) == set()
    assert len(listed) == len(set(listed))


def test_the_limits_of_undo_are_those_of_the_code(repository: Path) -> None:
    text = (repository / "docs/errors.md").read_text("utf-8")
    assert f"a seat has {undo.SPARE_UNDOS} undos and {undo.UNDOS_PER_BATCH} more for each" in text
    assert f"asked {undo.MAX_REQUESTS} times" in text
    assert f"more than {undo.MAX_UNDONE_EVENTS:,} events" in text
