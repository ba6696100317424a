"""The page has what the scenarios' files say."""

from __future__ import annotations

from pathlib import Path

from boardkeeper.service.conformance.scenarios import scenarios


def test_the_page_lists_all_scenarios_as_their_files_tell_them(repository: Path) -> None:
    page = (repository / "docs" / "conformance.md").read_text()
    rows = [f"| `{it.name}` | {it.story} | {it.why} |" for it in scenarios().values()]
    assert "\n".join(rows) + "\n" in page, "the table is:\n" + "\n".join(rows)
    assert page.count("\n| `") == len(rows)
