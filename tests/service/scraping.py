"""What Prometheus would read of a service."""

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
        """One sample of ours; 0 if there is none, as queries of Prometheus would take it."""
        return self._samples.get((f"boardkeeper_{name}", frozenset(labels.items())), 0.0)

    @property
    def names(self) -> set[str]:
        """The names of all samples, as queries call them."""
        return {name for name, _ in self._samples}


class MeasuredApi(Api):
    """Stubs, and the metrics of the service behind them."""

    def __init__(self, channel: grpc.aio.Channel, service: Service) -> None:
        super().__init__(channel, service.address)
        self.service = service

    async def scrape(self) -> Scrape:
        """What is told now."""
        return Scrape(await asyncio.to_thread(fetch_metrics, self.service.metrics_address))


def fetch_metrics(address: str) -> str:
    """The text that Prometheus gets."""
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=SECONDS) as answer:
        text: bytes = answer.read()
    return text.decode()


@asynccontextmanager
async def run_measured_server(database: Path | str, **settings: Any) -> AsyncIterator[MeasuredApi]:
    """A service with metrics on a free port, and a channel to it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metrics_server, "MOST_SECONDS", SECONDS)  # a scrape would be empty where the loop came to it late
        async with run_service(database, **{"metrics": "0"} | settings) as (service, channel):
            yield MeasuredApi(channel, service)
