"""Write the catalogue and the words of each title for pages of the web client that have no server.

With these files a page can draw a dropped record and describe its events. They are JSON:

* ``words.LANGUAGE.json``        the words of the game itself;
* ``TITLE.LANGUAGE.json``        the words of a title: templates of events, names and numbers, in the form of
  ``boardkeeper/titlekit/sentences.py``, and the defaults of event fields;
* ``TITLE.EDITION.LANGUAGE.json``  the response of ``Catalog.GetTitle`` for the largest number of players and the
  defaults, without rules and differences; and ``variants``, the entries that differ with other setups.

Called by ``tools/build_web.py``: ``python tools/export_titles.py FOLDER``.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
from google.protobuf.json_format import MessageToDict
from msgspec import Struct

from boardkeeper.game.events import GAME_EVENTS
from boardkeeper.game.sentences import words as game_words
from boardkeeper.service.api.catalog import CatalogServicer
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.transport.call import Call
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.sentences import Field, Part, Words
from boardkeeper.titlekit.title import EditionMeta, TitleMeta
from boardkeeper.titles.registry import TITLES, list_metas, load_title
from boardkeeper.v1 import catalog_pb2

LISTS = ("components", "zones", "markers", "decisions")
"""Lists of the catalogue whose entries have ids."""

GROUPS = ("events", "commands", "offers")
"""Groups that are searched for the template of an event, in the order of ``TitleWords.sentence``."""


def template(part: Part) -> str:
    """Return the text that a template was parsed from."""
    return "".join(map(_item, part.items))


def _item(item: str | Field | Part) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, Field):
        return f"{{{item.test}{item.name}{'|' if item.form else ''}{item.form}}}"
    if item.kind == "<":
        return f"<{';'.join(template(entry) for entry in item.parts(';'))}>"
    return f"[{template(item)}]"


def words_of(words: Words, events: Iterable[type[Struct]], groups: Iterable[str]) -> dict[str, Any]:
    """Return the words of a language that sentences of events use, and the templates of ``groups``."""
    exported: dict[str, Any] = {
        "forms": words.forms,
        "numbers": words.numbers,
        "fallbacks": words.fallbacks,
        "joints": words.joints,
        "templates": {group: _texts(words.templates.get(group, {})) for group in groups},
        "defaults": {},
    }
    templates = exported["templates"]["events"] = {}
    for event in events:
        name = event.__name__
        found = next((words.templates[group][name] for group in GROUPS if name in words.templates.get(group, {})), None)
        if found is not None:
            templates[name] = template(found)
        defaults = {field.name: field.default for field in msgspec.structs.fields(event) if not field.required}
        plain = {name: it for name, it in defaults.items() if isinstance(it, str | int | bool | tuple)}
        plain |= {
            field.name: field.default_factory()
            for field in msgspec.structs.fields(event)
            if field.default_factory is not msgspec.NODEFAULT
        }
        if plain:
            exported["defaults"][name] = plain
    return exported


def _texts(group: dict[str, Part]) -> dict[str, str]:
    return {id: template(part) for id, part in group.items()}


class Catalogue:
    """The server's catalogue in one language."""

    def __init__(self, language: str) -> None:
        self._servicer = CatalogServicer(list_metas, load_title)
        self._call = cast(Call, SimpleNamespace(language=language))

    async def response(self, title: str, edition: str, **setup: Any) -> catalog_pb2.GetTitleResponse | None:
        """Return the exported part of the response; ``None`` if the edition does not have the setup."""
        request = catalog_pb2.GetTitleRequest(title=title, edition=edition, **setup)
        try:
            answer = catalog_pb2.GetTitleResponse.FromString(await self._servicer.GetTitle(request, self._call))
        except ApiError:
            return None
        answer.ClearField("rules")
        answer.ClearField("differences")
        return answer


async def export_edition(catalogue: Catalogue, meta: TitleMeta, edition: EditionMeta) -> dict[str, Any]:
    """Return the catalogue of an edition, and its differences with other setups."""
    base = await catalogue.response(meta.id, edition.id)
    assert base is not None
    variants = []
    for setup in setups(meta, edition):
        entry = await catalogue.response(meta.id, edition.id, **setup)
        other = catalog_pb2.GetTitleResponse() if entry is None else _difference(base, entry)
        if other.ByteSize():
            variants.append({"of": setup, **MessageToDict(other)})
    return {"catalogue": MessageToDict(base), "variants": variants}


def setups(meta: TitleMeta, edition: EditionMeta) -> Iterator[dict[str, Any]]:
    """Yield the arguments of ``GetTitle`` that differ from the defaults of an edition, one at a time."""
    fewest, most = edition.players
    for players in range(1 if meta.alone else fewest, most):
        yield {"players": players}
    for kind, options in (("options", meta.options), ("readings", meta.readings)):
        for option in options:
            default = edition.readings.get(option.id, option.default)
            for choice in option.choices:
                if choice.id != default:
                    yield {kind: {option.id: choice.id}}


def _difference(
    base: catalog_pb2.GetTitleResponse, other: catalog_pb2.GetTitleResponse
) -> catalog_pb2.GetTitleResponse:
    """Return the entries of another setup that are missing or different in the base."""
    found = catalog_pb2.GetTitleResponse()
    for name in LISTS:
        known = {entry.id: entry for entry in getattr(base, name)}
        getattr(found, name).extend(entry for entry in getattr(other, name) if known.get(entry.id) != entry)
    if other.map != base.map:
        found.map.CopyFrom(other.map)
    return found


async def library() -> dict[str, Any]:
    """Return the content of all files by name, without the suffix."""
    found: dict[str, Any] = {}
    for language in LANGUAGES:
        found[f"words.{language}"] = words_of(game_words(language), GAME_EVENTS, ["seats"])
        catalogue = Catalogue(language)
        for meta in list_metas():
            words = import_module(f"{TITLES[meta.id]}.meta").words(language)
            found[f"{meta.id}.{language}"] = words_of(words, load_title(meta.id).events.values(), ["parts"])
            for edition in meta.editions:
                found[f"{meta.id}.{edition.id}.{language}"] = await export_edition(catalogue, meta, edition)
    return found


def write(folder: Path) -> None:
    """Write all files into the folder, and delete its earlier content."""
    files = asyncio.run(library())
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, value in files.items():
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
