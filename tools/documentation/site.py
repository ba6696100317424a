"""What the site is made of: ``docs/site.toml`` names every page once, with its place."""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "docs" / "site.toml"

USERS = "users"
MAINTAINERS = "maintainers"


@dataclass(frozen=True)
class Page:
    """One page: where it stands on the site without its ending, and the file that it is made from.

    ``source`` is relative to the repository; a page that is generated has none. ``title`` is what the navigation calls
    it; empty: as its heading does. ``programs`` are files of the repository that the page shows whole at its end.
    """

    place: str
    source: str = ""
    title: str = ""
    programs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """Pages that belong together, under one heading of the navigation; ``readers`` are users or maintainers."""

    title: str
    readers: str
    pages: tuple[Page, ...]


def sections(site: Path = SITE) -> list[Section]:
    """All sections in the order of the navigation."""
    told = tomllib.loads(site.read_text("utf-8"))
    return [
        Section(
            section["title"],
            section.get("for", USERS),
            tuple(_page(place, told) for place, told in section["pages"].items()),
        )
        for section in told["section"]
    ]


def _page(place: str, told: str | dict[str, Any]) -> Page:
    if isinstance(told, str):
        return Page(place, told)
    folder = posixpath.dirname(told["from"])
    programs = tuple(posixpath.join(folder, program) for program in told.get("programs", ()))
    return Page(place, told["from"], told["title"], programs)


def front(site: Path = SITE) -> Page:
    """The page that comes first; it is in no section."""
    return Page("index", tomllib.loads(site.read_text("utf-8"))["front"])


def pages(site: Path = SITE) -> Iterator[Page]:
    """Every page of the site, the first one first."""
    yield front(site)
    for section in sections(site):
        yield from section.pages
