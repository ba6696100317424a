"""``boardkeeper.v1.Catalog``: what can be played."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence

from google.protobuf import struct_pb2

from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.service.edge.call import Call
from boardkeeper.service.requests import checks
from boardkeeper.service.requests.errors import ApiError, InvalidRequestError
from boardkeeper.service.storage.application import TitleLoader
from boardkeeper.table.drawing import drawing_of
from boardkeeper.table.rules_catalogue import LANGUAGES, table_rules
from boardkeeper.table.title import Component, EditionMeta, OptionMeta, Setup, Text, Title, TitleMeta
from boardkeeper.v1 import catalog_pb2
from boardkeeper.wire.drawings import drawing_entries
from boardkeeper.wire.serialized import serialized
from boardkeeper.wire.title import load_schema

KEPT = 64
"""So many answers are kept: each title, edition and language as it is by default, and what games are watched now."""

_Choices = tuple[tuple[str, str], ...]
_Asked = tuple[str, str, int, _Choices, _Choices, str]


class CatalogServicer:
    """Answers from the titles' own data; a title's rules are loaded when somebody asks for them."""

    def __init__(self, metas: Callable[[], Sequence[TitleMeta]], titles: TitleLoader) -> None:
        self._metas = metas
        self._titles = titles
        self._making = asyncio.Lock()
        self._entries: OrderedDict[_Asked, bytes] = OrderedDict()

    async def ListTitles(self, request: catalog_pb2.ListTitlesRequest, call: Call) -> catalog_pb2.ListTitlesResponse:
        """The titles by their ids."""
        metas = sorted(self._metas(), key=lambda meta: meta.id)
        return catalog_pb2.ListTitlesResponse(titles=[_title(meta, call.language) for meta in metas])

    async def GetTitle(self, request: catalog_pb2.GetTitleRequest, call: Call) -> bytes:
        """One title with its components and rules."""
        asked = (
            checks.id(request.title, "title"),
            checks.id(request.edition, "edition"),
            request.players,
            tuple(sorted(checks.choices(request.options, "options").items())),
            tuple(sorted(checks.choices(request.readings, "readings").items())),
            call.language,
        )
        entry = self._entries.get(asked)
        if entry is None:
            async with self._making:  # by one thread, and while it works on a new one the loop does other things
                entry = self._entries.get(asked)
                if entry is None:
                    entry = await asyncio.to_thread(self._make_entry, *asked)
        self._entries[asked] = entry
        self._entries.move_to_end(asked)
        while len(self._entries) > KEPT:
            self._entries.popitem(last=False)
        return entry

    async def GetSchema(self, request: catalog_pb2.GetSchemaRequest, call: Call) -> catalog_pb2.GetSchemaResponse:
        """The message types of a title."""
        id = checks.id(request.title, "title")
        self._title(id)
        return catalog_pb2.GetSchemaResponse(schema=await asyncio.to_thread(load_schema, id))

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
        entry = catalog_pb2.GetTitleResponse(
            title=_title(meta, language),
            edition=edition.id,
            components=[_component(component, language) for component in title.components(setup)],
            rules=[
                catalog_pb2.Rule(id=rule.id, text=_in(rule.text, language), references=rule.references)
                for rule in (*table_rules().values(), *title.rules())
            ],
            differences=[
                catalog_pb2.Difference(
                    id=difference.id,
                    values=difference.values,
                    rules=difference.rules,
                    references=difference.references,
                )
                for difference in title.differences()
            ],
            players=setup.players,
            **drawing_entries(drawing, language),
        )
        return serialized(entry)


def _title(meta: TitleMeta, language: str) -> catalog_pb2.Title:
    return catalog_pb2.Title(
        id=meta.id,
        text=_in(meta.text, language),
        designer=meta.designer,
        publisher=meta.publisher,
        maturity=meta.maturity,
        editions=[_edition(meta, edition, language) for edition in meta.editions],
        default_edition=meta.default_edition,
        options=[_option(option, language) for option in meta.options],
        readings=[_option(reading, language) for reading in meta.readings],
        sources=meta.sources,
        bots=[catalog_pb2.Bot(id=bot.id, text=_in(bot.text, language)) for bot in meta.bots],
        alone=meta.alone,
        maturity_text=_in(meta.maturity_text, language),
    )


def _edition(meta: TitleMeta, edition: EditionMeta, language: str) -> catalog_pb2.Edition:
    return catalog_pb2.Edition(
        id=edition.id,
        text=_in(edition.text, language),
        players_min=1 if meta.alone else edition.players[0],
        players_max=edition.players[1],
        rulebook=_in(edition.rulebook, language),
        readings=edition.readings,
        seat_colors=[
            catalog_pb2.SeatColor(
                seat=color.seat, id=color.id, text=_in(color.text, language), provenance=color.provenance
            )
            for color in edition.seat_colors
        ],
        supplies=[
            catalog_pb2.Supply(
                players=supply.players,
                common=supply.common,
                each_seat=supply.each_seat,
                unused=supply.unused,
                provenance=supply.provenance,
            )
            for supply in edition.supplies
        ],
    )


def _component(component: Component, language: str) -> catalog_pb2.Component:
    values = struct_pb2.Struct()
    values.update(component.values)
    return catalog_pb2.Component(
        id=component.id,
        kind=component.kind,
        text=_in(component.text, language),
        facts=component.facts,
        provenance=component.provenance,
        names=component.text,
        values=values,
        in_box=component.in_box,
    )


def _option(option: OptionMeta, language: str) -> catalog_pb2.Option:
    return catalog_pb2.Option(
        id=option.id,
        text=_in(option.text, language),
        choices=[
            catalog_pb2.Choice(id=choice.id, text=_in(choice.text, language), players=choice.players)
            for choice in option.choices
        ],
        default=option.default,
        rule=option.rule,
        editions=option.editions,
    )


def _in(text: Text, language: str) -> str:
    return text.get(language) or text.get(LANGUAGES[0], "")
