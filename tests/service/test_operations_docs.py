"""docs/operations.md, the dashboard and the alerts speak of what the service tells, and of nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.service.scraping import Scrape, measured

pytestmark = pytest.mark.socket


@pytest.fixture
async def scrape(tmp_path: Path) -> Scrape:
    """The metrics of a service that has done nothing yet."""
    async with measured(tmp_path / "games.db") as api:
        return await api.scrape()


async def test_every_metric_is_in_the_docs_and_no_other(repository: Path, scrape: Scrape) -> None:
    text = (repository / "docs/operations.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(boardkeeper_\w+)` \|", text, re.MULTILINE)
    told = [
        family.name + ("_total" if family.type == "counter" else "")
        for family in scrape.families.values()
        if family.name.startswith("boardkeeper_")
    ]
    assert sorted(listed) == sorted(told)


async def test_every_histogram_is_said_to_be_one(repository: Path, scrape: Scrape) -> None:
    text = (repository / "docs/operations.md").read_text(encoding="utf-8")
    said = re.findall(r"^\| `(boardkeeper_\w+)` \|[^|]*\| histogram: ", text, re.MULTILINE)
    assert sorted(said) == sorted(
        family.name
        for family in scrape.families.values()
        if family.type == "histogram" and family.name.startswith("boardkeeper_")
    )
