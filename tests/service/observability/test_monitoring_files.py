"""The dashboard and the alerts use exactly the metrics and logs that the server has."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.service.scraping import Scrape, run_measured_server

from boardkeeper.service.observability.metric_families import PREFIX, entries

pytestmark = pytest.mark.socket


@pytest.fixture
async def scrape(tmp_path: Path) -> Scrape:
    """The metrics of a new server."""
    async with run_measured_server(tmp_path / "games.db") as api:
        return await api.scrape()


async def test_the_server_has_the_metrics_of_its_catalogue(scrape: Scrape) -> None:
    kinds = {family.name: family.type for family in scrape.families.values() if family.name.startswith(PREFIX)}
    listed = {PREFIX + name: entry.kind for name, entry in entries().items()}
    assert kinds == listed | {f"{PREFIX}build_info": "gauge"}


def _queries(repository: Path) -> list[str]:
    """All queries of the dashboard."""
    board = json.loads((repository / "docs/monitoring/dashboard.json").read_text(encoding="utf-8"))
    return [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]


def _rules(repository: Path) -> list[dict[str, Any]]:
    """All rules of the file of alerts."""
    text = (repository / "docs/monitoring/alerts.yaml").read_text(encoding="utf-8")
    return [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]


def _metrics_in(query: str) -> set[str]:
    """Return the metrics in a query."""
    return set(re.findall(r"\b((?:boardkeeper|process|python)_\w+)", query)) - {"boardkeeper"}


def _available(scrape: Scrape) -> set[str]:
    """Return the names of all metrics, also of those without samples."""
    endings = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}
    return {
        family.name + ending for family in scrape.families.values() for ending in endings.get(family.type, ("",))
    } | scrape.names


async def test_the_dashboard_uses_only_existing_metrics(repository: Path, scrape: Scrape) -> None:
    used = [_metrics_in(query) for query in _queries(repository)]
    assert len(used) > 30
    assert all(used)
    assert set.union(*used) - _available(scrape) == set()


async def test_the_dashboard_shows_every_metric_of_the_server(repository: Path, scrape: Scrape) -> None:
    shown = set.union(*(_metrics_in(query) for query in _queries(repository)))
    for family in scrape.families.values():
        if family.name.startswith("boardkeeper_"):
            assert any(name.startswith(family.name) for name in shown), family.name


async def test_alerts_use_only_existing_metrics(repository: Path, scrape: Scrape) -> None:
    rules = _rules(repository)
    assert len(rules) > 10
    assert set.union(*(_metrics_in(rule["expr"]) for rule in rules)) - _available(scrape) == set()


async def test_labels_of_queries_are_those_of_the_metrics(repository: Path, tmp_path: Path) -> None:
    """Label values in queries exist from the start, so that the first event of a kind is an increase."""
    async with run_measured_server(tmp_path / "busy.db") as api:
        game, tokens = await api.create()
        await api.play_turn(game.game_id, tokens, random.Random(1))
        scrape = await api.scrape()
    for query in [*_queries(repository), *(rule["expr"] for rule in _rules(repository))]:
        for name, selector in re.findall(r"(boardkeeper_\w+)\{([^}]*)\}", query):
            wanted = dict(re.findall(r'(\w+)="([^"$]*)"', selector))
            wanted.pop("job", None)
            have = [
                sample.labels for family in scrape.families.values() for sample in family.samples if sample.name == name
            ]
            assert any(wanted.items() <= labels.items() for labels in have), query
        for by in re.findall(r"by \(([^)]*)\)", query):
            known = {
                label for family in scrape.families.values() for sample in family.samples for label in sample.labels
            }
            assert set(by.replace(" ", "").split(",")) <= known | {"job", "instance"}, query


def test_every_alert_has_one_section_in_the_documentation(repository: Path) -> None:
    text = (repository / "docs/monitoring.md").read_text(encoding="utf-8")
    sections = re.findall(r"^### (Boardkeeper\w+)$", text, re.MULTILINE)
    assert sections == [rule["alert"] for rule in _rules(repository)]
    for rule in _rules(repository):
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"]


def test_panels_of_the_dashboard_have_unique_places_and_ids(repository: Path) -> None:
    board = json.loads((repository / "docs/monitoring/dashboard.json").read_text(encoding="utf-8"))
    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells
