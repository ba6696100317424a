"""The metrics of a server, as Prometheus reads them."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.service.api_server import Api, run_service
from tests.waiting import SECONDS

from boardkeeper.service.observability import metrics_server
from boardkeeper.service.process.server import Service


class Scrape:
    """The samples of one scrape."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.families = {family.name: family for family in text_string_to_metric_families(text)}
        self._samples = {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in self.families.values()
            for sample in family.samples
        }

    def get(self, name: str, **labels: str) -> float:
        """Return one of our samples, or 0 if it does not exist, as Prometheus queries do."""
        return self._samples.get((f"boardkeeper_{name}", frozenset(labels.items())), 0.0)

    @property
    def names(self) -> set[str]:
        """The names of all samples."""
        return {name for name, _ in self._samples}


class MeasuredApi(Api):
    """Stubs of a server, and its metrics."""

    def __init__(self, channel: grpc.aio.Channel, service: Service) -> None:
        super().__init__(channel, service.address)
        self.service = service

    async def scrape(self) -> Scrape:
        """Read the metrics."""
        return Scrape(await asyncio.to_thread(fetch_metrics, self.service.metrics_address))


def fetch_metrics(address: str) -> str:
    """Return the text that Prometheus gets."""
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=SECONDS) as answer:
        text: bytes = answer.read()
    return text.decode()


@asynccontextmanager
async def run_measured_server(database: Path | str, **settings: Any) -> AsyncIterator[MeasuredApi]:
    """Run a server with metrics on a free port, with stubs for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            metrics_server, "SCRAPE_SECONDS", SECONDS
        )  # on a busy machine a scrape would time out and be empty
        async with run_service(database, **{"metrics": "0"} | settings) as (service, channel):
            yield MeasuredApi(channel, service)
