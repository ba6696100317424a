"""Settings without their secrets, for people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from boardkeeper.service.config.settings import SETTINGS
from boardkeeper.service.config.sources import Found


def text_of(value: Any) -> str:
    """Return the text of a value, as pages and help show it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value) or "none"


def records(found: Mapping[str, Found]) -> Iterator[dict[str, Any]]:
    """Each setting as a record for programs: its name, value, and the source and place that the value is from."""
    for name, each in found.items():
        yield {
            "setting": name,
            "value": SETTINGS[name].shown(each.value),
            "source": each.source,
            "from": each.where,
            "secret": SETTINGS[name].meaning.secret,
        }
