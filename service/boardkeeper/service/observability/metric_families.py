"""Metrics as types of Prometheus' library, described in ``metrics.toml``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import Literal

import msgspec
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.utils import floatToGoString

from boardkeeper.service.observability.counters import Histogram
from boardkeeper.table.decoding import convert
from boardkeeper.titlekit.title_files import read_toml

PREFIX = "boardkeeper_"
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A metric of ``metrics.toml``; the heading of the file explains the fields."""

    kind: Literal["counter", "gauge", "histogram", "info"]
    meaning: str
    labels: tuple[str, ...] = ()

    @property
    def help(self) -> str:
        """The meaning as plain text."""
        plain = _LINK.sub(r"\1", self.meaning).replace("`", "")
        return f"{plain[:1].upper()}{plain[1:]}."


@cache
def entries() -> dict[str, Entry]:
    """Return the entries of ``metrics.toml`` by name."""
    return convert(read_toml(__package__, "metrics.toml"), dict[str, Entry])


def metric(name: str, values: float | Iterable[tuple[Sequence[str], float]]) -> CounterMetricFamily | GaugeMetricFamily:
    """Return a counter or gauge: with one number, or with a number for each combination of labels."""
    entry = entries()[name]
    kind = CounterMetricFamily if entry.kind == "counter" else GaugeMetricFamily
    family = kind(PREFIX + name, entry.help, labels=entry.labels)
    for labels, number in values if isinstance(values, Iterable) else (((), values),):
        family.add_metric(labels, number)
    return family


def histogram(name: str, histograms: Mapping[Sequence[str], Histogram]) -> HistogramMetricFamily:
    """Return a histogram with the values of each combination of labels."""
    entry = entries()[name]
    family = HistogramMetricFamily(PREFIX + name, entry.help, labels=entry.labels)
    for labels, each in histograms.items():
        bounds = [*map(floatToGoString, each.bounds), "+Inf"]
        family.add_metric(labels, list(zip(bounds, accumulate(each.counts), strict=True)), each.total)
    return family
