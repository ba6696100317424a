"""Read ``docs/site.toml``, which lists every page of the site with its place."""

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
    """A page: its place on the site without file ending, and the file that it is made from.

    ``source`` is relative to the repository and empty for a generated page. ``title`` is the name in the navigation; if
    empty, it is the heading of the page. ``programs`` are files of the repository that the page shows at its end.
    """

    place: str
    source: str = ""
    title: str = ""
    programs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """A group of pages under one heading of the navigation; ``readers`` is ``USERS`` or ``MAINTAINERS``."""

    title: str
    readers: str
    pages: tuple[Page, ...]


def sections(site: Path = SITE) -> list[Section]:
    """Return all sections in the order of the navigation."""
    listed = tomllib.loads(site.read_text("utf-8"))
    return [
        Section(
            section["title"],
            section.get("for", USERS),
            tuple(_page(place, entry) for place, entry in section["pages"].items()),
        )
        for section in listed["section"]
    ]


def _page(place: str, entry: str | dict[str, Any]) -> Page:
    if isinstance(entry, str):
        return Page(place, entry)
    folder = posixpath.dirname(entry["from"])
    programs = tuple(posixpath.join(folder, program) for program in entry.get("programs", ()))
    return Page(place, entry["from"], entry["title"], programs)


def front(site: Path = SITE) -> Page:
    """Return the front page; it is in no section."""
    return Page("index", tomllib.loads(site.read_text("utf-8"))["front"])


def pages(site: Path = SITE) -> Iterator[Page]:
    """Yield every page of the site, the front page first."""
    yield front(site)
    for section in sections(site):
        yield from section.pages
