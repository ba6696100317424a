"""The titles that can be played: the built-in ones, and allowed ones of other packages.

Another package offers a title with an entry point in the group ``boardkeeper.titles``. Its name is the title's id, its
value a module with ``TITLE``, or a package with such a module ``title``. The code of a title has all rights of the
process, so it is imported only if :func:`allow` or :func:`allow_listed` names its id.

Built-in titles are imported when they are first needed, by one thread at a time: if two threads import different
modules of one package, Python may return a module that is only partly initialised.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from boardkeeper.table.layout import (
    MAX_COMPONENTS,
    MAX_NUMBER,
    MAX_SEATS,
    MarkerSpec,
    TableLayout,
    ZoneSpec,
)
from boardkeeper.table.visibility import is_visibility
from boardkeeper.titlekit.title import OptionMeta, Setup, Title, TitleMeta
from boardkeeper.titlekit.title_guard import guarded

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "orleans": "boardkeeper.titles.orleans",
        "paladins": "boardkeeper.titles.paladins",
        "stories": "boardkeeper.titles.stories",
    }
)
"""The package of each built-in title, by id. :func:`loaded_titles` also has the allowed titles of other packages."""

GROUP = "boardkeeper.titles"
"""The group of entry points in which other packages offer titles."""

BUILT_IN = "built-in"
"""The word for all built-in titles in a list of titles (:func:`allow_listed`)."""

_ID = re.compile(r"[a-z][a-z0-9_]{1,30}")
_WORD = re.compile(r"[ !#-\[\]-~]{1,200}")
_RESERVED = frozenset({"game", "outside"})
"""Ids that have another meaning in stored topics and on the wire."""


class TitleError(Exception):
    """A title cannot be loaded. The message is "title", the id and ``reason``, which begins with a verb."""

    def __init__(self, id: str, reason: str) -> None:
        super().__init__(f"title {id!r} {reason}")
        self.id = id
        self.reason = reason


class Source(Struct, frozen=True):
    """The distribution that a title comes from."""

    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


class _Outside:
    """A loaded title of another package, with a guard against its exceptions (see :mod:`title_guard`)."""

    def __init__(self, title: Title, source: Source) -> None:
        self.title = guarded(title, str(source))
        self.source = source


_outside: dict[str, _Outside] = {}
_import_lock = threading.RLock()


def load_title(id: str) -> Title:
    """Return a title; raises ``KeyError`` for an unknown id."""
    found = _outside.get(id)
    return _load_own_title(id) if found is None else found.title


@cache
def _load_own_title(id: str) -> Title:
    package = TITLES[id]
    with _import_lock:
        title: Title = import_module(f"{package}.title").TITLE
    return title


def load_meta(id: str) -> TitleMeta:
    """Return the catalogue entry of a title; raises ``KeyError`` for an unknown id. It loads no built-in rules."""
    found = _outside.get(id)
    return _load_own_meta(id) if found is None else found.title.meta


@cache
def _load_own_meta(id: str) -> TitleMeta:
    package = TITLES[id]
    with _import_lock:
        meta: TitleMeta = import_module(f"{package}.meta").META
    return meta


def loaded_titles() -> tuple[str, ...]:
    """Return the ids of all titles that can be played: the built-in ones, then the allowed ones."""
    return (*TITLES, *_outside)


def list_metas() -> tuple[TitleMeta, ...]:
    """Return the catalogue entries of all titles, in the order of :func:`loaded_titles`."""
    return tuple(map(load_meta, loaded_titles()))


# --- titles of other packages ----------------------------------------------------------------------------------------


def source_of(id: str) -> Source | None:
    """Return the distribution of an allowed title; ``None`` for built-in titles, and for titles that are not loaded."""
    found = _outside.get(id)
    return None if found is None else found.source


def build_of(id: str) -> str:
    """Return :func:`source_of` as text, for example ``lost-gold 1.2``; empty without a source."""
    source = source_of(id)
    return "" if source is None else str(source)


def installed_titles() -> tuple[str, ...]:
    """Return the ids of all installed titles, allowed or not: the built-in ones, then the others sorted by id."""
    return (*TITLES, *sorted({entry.name for entry in _entries()} - TITLES.keys()))


def allow(id: str) -> None:
    """Load a title of another package, so that it can be played in this process. Does nothing if it is loaded.

    Imports its code, and checks its metadata and layouts. Raises :class:`TitleError` and changes nothing on failure.
    """
    with _import_lock:
        if id not in TITLES and id not in _outside:
            _outside[id] = _load_outside(id)


def allow_listed(text: str) -> tuple[tuple[str, ...], tuple[TitleError, ...]]:
    """Allow the titles of a list such as ``built-in,lost_gold``.

    Returns the ids of the loaded titles, and an error for each other one.
    """
    ids: dict[str, None] = {}
    errors = []
    for id in filter(None, map(str.strip, text.split(","))):
        try:
            for each in TITLES if id == BUILT_IN else (id,):
                allow(each)
                ids[each] = None
        except TitleError as error:
            errors.append(error)
    return tuple(ids), tuple(errors)


def _load_outside(id: str) -> _Outside:
    entry = _entry_of(id)
    assert entry.dist is not None, "entries come from distributions"
    try:
        title = _import_title(entry.value)
        for problem in _problems(id, title):
            raise TitleError(id, problem)
    except TitleError:
        raise
    except (Exception, SystemExit) as error:  # code of another package may fail in any way
        message = f": {error}" if str(error) else ""
        raise TitleError(id, f"cannot be loaded from {entry.value}: {type(error).__name__}{message}") from error
    return _Outside(title, Source(entry.dist.name, entry.dist.version))


def _entries() -> EntryPoints:
    """Return the entry points of all installed titles of other packages."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # takes 20 ms to import

    return entry_points(group=GROUP)


def _entry_of(id: str) -> EntryPoint:
    """Return the entry point of a title; raises :class:`TitleError` unless exactly one package offers the title."""
    if id in _RESERVED:
        raise TitleError(id, "has an id that is reserved")
    if not _ID.fullmatch(id):
        raise TitleError(id, "is not a title id: 2 to 31 lower-case letters, digits and _, starting with a letter")
    found = tuple({entry.value: entry for entry in _entries().select(name=id)}.values())
    if not found:
        raise TitleError(id, f"is not installed; installed: {', '.join(installed_titles())}")
    if len(found) > 1:
        packages = " and ".join(sorted(str(entry.dist.name) for entry in found if entry.dist))
        raise TitleError(id, f"is offered by more than one package: {packages}; uninstall all but one")
    return found[0]


def _import_title(place: str) -> Title:
    """Import ``TITLE`` from the module ``title`` of a package, or from a module."""
    module = import_module(place)
    if hasattr(module, "__path__") and find_spec(f"{place}.title") is not None:
        module = import_module(f"{place}.title")
    title: Title | None = getattr(module, "TITLE", None)
    if title is None:
        raise AttributeError(f"{module.__name__} has no TITLE")
    return title


def _problems(id: str, title: Any) -> Iterator[str]:
    """Yield the problems of a title of another package, each as the ``reason`` of a :class:`TitleError`."""
    meta = title.meta
    if not isinstance(meta, TitleMeta):
        yield f"has no TitleMeta as meta, but {type(meta).__name__}"
    if meta.id != id:
        yield f"has another id in its metadata: {meta.id!r}"
    if meta.default_edition not in (edition.id for edition in meta.editions):
        yield f"has no edition {meta.default_edition!r}, which is its default edition"
    if not meta.rules_versions:
        yield "has no rules_versions"
    for kind, named in (("command", title.commands), ("event", title.events)):
        for name, struct in named.items():
            if not (isinstance(struct, type) and issubclass(struct, Struct) and struct.__name__ == name):
                yield f"has a {kind} {name!r} that is not a struct of this name"
    for edition in meta.editions:
        fewest, most = edition.players
        if not 1 <= fewest <= most <= MAX_SEATS:
            yield f"has {fewest} to {most} players in {edition.id!r}; the smallest is 1, the largest {MAX_SEATS}"
            continue
        for players in range(fewest, most + 1):
            setup = _default_setup(meta, edition.id, players)
            try:
                layout = title.layout(setup)
            except Exception as error:  # noqa: BLE001  # code of another package may fail in any way
                yield f"has no layout for {players} players in {edition.id!r}: {type(error).__name__}: {error}"
                continue
            if not isinstance(layout, TableLayout) or layout.seats != players:
                yield f"has a layout for {players} players in {edition.id!r} that is not a TableLayout with these seats"
                continue
            if title.layout(setup) != layout:
                yield f"has a layout for {players} players in {edition.id!r} that changes from call to call"
            yield from _layout_problems(layout)


def _layout_problems(layout: TableLayout) -> Iterator[str]:
    """Yield the problems of a layout that stored games and records cannot represent, as in :func:`_problems`."""
    markers = {marker.id for marker in layout.markers}
    all_specs: tuple[tuple[str, Sequence[ZoneSpec | MarkerSpec]], ...]
    all_specs = (("zones", layout.zones), ("markers", layout.markers))
    for kind, specs in all_specs:
        names = [spec.id for spec in specs]
        if twice := {name for name in names if names.count(name) > 1}:
            yield f"has several {kind} of the same id in its layout: {', '.join(sorted(twice))}"
        for spec in specs:
            if not _WORD.fullmatch(spec.id):
                yield f'has the id {spec.id[:50]!r} in its layout; use up to 200 printable ASCII characters, no " or \\'
            if not is_visibility(spec.visibility, markers, layout.seats):
                yield f"has the visibility {spec.visibility!r} in its layout, for {spec.id!r}"
    for zone in layout.zones:
        for component, count in zone.contents.items():
            if not _WORD.fullmatch(component) or type(count) is not int or not 1 <= count <= MAX_COMPONENTS:
                yield f"has {count!r} of {component[:50]!r} in the zone {zone.id!r}; use 1 to {MAX_COMPONENTS}"
    for marker in layout.markers:
        value = marker.value
        if (type(value) is int and abs(value) <= MAX_NUMBER) or (type(value) is str and _WORD.fullmatch(value or "-")):
            continue
        yield f"has a marker {marker.id!r} with the value {str(value)[:50]!r}, which no record can hold"


def _default_setup(meta: TitleMeta, edition_id: str, players: int) -> Setup:
    """Return a setup with default choices; where one is not for this number of players, the first that is."""
    selected = meta.edition(edition_id).readings

    def defaults(offered: tuple[OptionMeta, ...]) -> dict[str, str]:
        chosen = {}
        for option in offered:
            if option.is_for(edition_id):
                choices = [each.id for each in option.choices if not each.players or players in each.players]
                default = selected.get(option.id, option.default)
                chosen[option.id] = default if default in choices else choices[0]
        return chosen

    return Setup(edition_id, players, defaults(meta.options), defaults(meta.readings))
