"""Metrics in the words of Prometheus, made from plain numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.utils import floatToGoString

from boardkeeper.service.tallies import Spread

PREFIX = "boardkeeper_"


def gauge(name: str, says: str, value: float) -> GaugeMetricFamily:
    """How something is now."""
    return GaugeMetricFamily(PREFIX + name, says, value=value)


def gauges(name: str, says: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    """How several things of one kind are now."""
    family = GaugeMetricFamily(PREFIX + name, says, labels=(label,))
    for value, number in values.items():
        family.add_metric((value,), number)
    return family


def counter(name: str, says: str, value: float) -> CounterMetricFamily:
    """How often something has happened since the start; its name ends with ``_total`` when it is told."""
    return CounterMetricFamily(PREFIX + name, says, value=value)


def counters(
    name: str, says: str, labels: Sequence[str], values: Iterable[tuple[Sequence[str], float]]
) -> CounterMetricFamily:
    """How often several things of one kind have happened."""
    family = CounterMetricFamily(PREFIX + name, says, labels=labels)
    for value, number in values:
        family.add_metric(value, number)
    return family


def histogram(
    name: str, says: str, spreads: Mapping[Sequence[str], Spread], labels: Sequence[str] = ()
) -> HistogramMetricFamily:
    """How values spread, for each combination of labels."""
    family = HistogramMetricFamily(PREFIX + name, says, labels=labels)
    for values, spread in spreads.items():
        bounds = [*map(floatToGoString, spread.bounds), "+Inf"]
        family.add_metric(values, list(zip(bounds, accumulate(spread.counts), strict=True)), spread.total)
    return family
