"""The service ``boardkeeper.v1.Catalog``: the titles with their components and rules."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence

from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.service.api.struct_messages import message_of
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, InvalidRequestError
from boardkeeper.service.storage.application import TitleLookup
from boardkeeper.service.transport.call import Call
from boardkeeper.titlekit.bots import bots_of
from boardkeeper.titlekit.drawing import drawing_of
from boardkeeper.titlekit.rules_catalogue import kernel_rules
from boardkeeper.titlekit.title import Setup, Title, TitleMeta
from boardkeeper.v1 import catalog_pb2 as pb
from boardkeeper.wire.convert import serialize
from boardkeeper.wire.title import load_schema

MAX_CACHED = 64
"""Cached answers: enough for the defaults of each title, edition and language, and for the games of some watchers."""

_Choices = tuple[tuple[str, str], ...]
_CacheKey = tuple[str, str, int, _Choices, _Choices, str]


class CatalogServicer:
    """Answers from the data of the titles. The first request for a title loads its rules."""

    def __init__(self, metas: Callable[[], Sequence[TitleMeta]], titles: TitleLookup) -> None:
        self._metas = metas
        self._titles = titles
        self._lock = asyncio.Lock()
        self._entries: OrderedDict[_CacheKey, bytes] = OrderedDict()

    async def ListTitles(self, request: pb.ListTitlesRequest, call: Call) -> pb.ListTitlesResponse:
        metas = sorted(self._metas(), key=lambda meta: meta.id)
        return pb.ListTitlesResponse(titles=[_title(meta, call.language) for meta in metas])

    async def GetTitle(self, request: pb.GetTitleRequest, call: Call) -> bytes:
        key = (
            validation.parse_id(request.title, "title"),
            validation.parse_id(request.edition, "edition"),
            request.players,
            tuple(sorted(validation.parse_choices(request.options, "options").items())),
            tuple(sorted(validation.parse_choices(request.readings, "readings").items())),
            call.language,
        )
        entry = self._entries.get(key)
        if entry is None:
            async with self._lock:  # one thread at a time
                entry = self._entries.get(key)
                if entry is None:
                    entry = await asyncio.to_thread(self._make_entry, *key)
        self._entries[key] = entry
        self._entries.move_to_end(key)
        while len(self._entries) > MAX_CACHED:
            self._entries.popitem(last=False)
        return entry

    async def GetSchema(self, request: pb.GetSchemaRequest, call: Call) -> pb.GetSchemaResponse:
        id = validation.parse_id(request.title, "title")
        self._title(id)
        return pb.GetSchemaResponse(schema=await asyncio.to_thread(load_schema, id))

    def _title(self, id: str) -> Title:
        try:
            return self._titles(id)
        except KeyError:
            raise ApiError("TITLE_NOT_FOUND", title=id) from None

    def _make_entry(
        self, id: str, edition_id: str, players: int, options: _Choices, readings: _Choices, language: str
    ) -> bytes:
        title = self._title(id)
        meta = title.meta
        try:
            edition = meta.edition(edition_id or meta.default_edition)
        except KeyError:
            raise ApiError("EDITION_NOT_FOUND", title=id, edition=edition_id) from None
        chosen = Setup(edition.id, players or edition.players[1], dict(options), dict(readings))
        try:
            setup = complete(meta, chosen)
            drawing = drawing_of(title, setup)
        except ChoiceError as error:
            field = "players" if error.field == "seats" else error.field
            raise InvalidRequestError({field: error.problem}) from error
        entry = pb.GetTitleResponse(
            title=_title(meta, language),
            edition=edition.id,
            components=[
                message_of(pb.Component, component, language, names=component.text)
                for component in title.components(setup)
            ],
            rules=[message_of(pb.Rule, rule, language) for rule in (*kernel_rules().values(), *title.rules())],
            differences=[message_of(pb.Difference, difference) for difference in title.differences()],
            players=setup.players,
            zones=[message_of(pb.ZoneEntry, zone, language) for zone in drawing.zones],
            markers=[message_of(pb.MarkerEntry, marker, language) for marker in drawing.markers],
            decisions=[message_of(pb.DecisionEntry, decision, language) for decision in drawing.decisions],
            map=None if drawing.map is None else message_of(pb.TitleMap, drawing.map, language),
        )
        return serialize(entry)


def _title(meta: TitleMeta, language: str) -> pb.Title:
    editions = [
        message_of(
            pb.Edition,
            edition,
            language,
            players_min=1 if meta.alone else edition.players[0],
            players_max=edition.players[1],
        )
        for edition in meta.editions
    ]
    bots = [message_of(pb.Bot, bot, language) for bot in bots_of(meta)]
    return message_of(pb.Title, meta, language, editions=editions, bots=bots)
