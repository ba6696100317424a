"""Read the catalogue entry of a title from the TOML files of its package.

``title.toml`` has the title itself::

    id = "my_game"
    en = "My Game"                                # its name in every language
    de = "My Game"
    designer = "…"
    publisher = "…"
    maturity = "playable"                         # or "reconstructed"
    maturity_text = { en = "…", de = "…" }        # which facts are printed, and which are reconstructed
    editions = ["dlp-2014", "capstone-2021"]      # in this order; each has a file in ``editions/``
    default_edition = "capstone-2021"             # its ``sources`` explain the keys in provenances
    alone = { opponent = "standard" }             # optional: the options of a game with one player
    rules_versions = ["2", "3"]                   # optional: see ``TitleMeta``
    [bots.sensible]                               # the kinds of bots, the strongest first
    en = "…"
    de = "…"

``editions/*.toml`` has the editions, and ``choices.toml`` the options and readings: see
:mod:`boardkeeper.titlekit.choices`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from boardkeeper.titlekit.choices import edition_meta, read_choices
from boardkeeper.titlekit.entries import NonBlank, one_of, read_entry
from boardkeeper.titlekit.title import BotMeta, Supply, Text, TitleMeta
from boardkeeper.titlekit.title_files import read_toml, tables_of


class _Title(Struct, forbid_unknown_fields=True):
    id: NonBlank
    en: NonBlank
    de: NonBlank
    designer: str
    publisher: str
    maturity: Annotated[str, one_of("playable", "reconstructed")]
    maturity_text: Text
    editions: Annotated[tuple[str, ...], Meta(min_length=1)]
    default_edition: str
    bots: dict[str, Text]
    alone: dict[str, str] = {}
    rules_versions: tuple[str, ...] = ()


def read_meta(
    package: str,
    supplies: Callable[[dict[str, Any]], Iterable[Supply]] = lambda _: (),
    *,
    tables: Callable[[str], dict[str, Any]] | None = None,
    choices: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> TitleMeta:
    """Return the catalogue entry of the title in a package; raises ``ValueError`` for a wrong ``title.toml``.

    ``tables`` returns the tables of an edition (default: those of the files), and ``supplies`` makes the supplies for
    each number of players from them. ``choices`` has the choices that ``choices.toml`` leaves out.
    """
    title = read_entry("title.toml", read_toml(package, "title.toml"), _Title)
    found = read_choices(package, choices)
    read = tables or partial(tables_of, package)
    meta = TitleMeta(
        id=title.id,
        text={"en": title.en, "de": title.de},
        designer=title.designer,
        publisher=title.publisher,
        maturity=title.maturity,
        maturity_text=title.maturity_text,
        editions=tuple(edition_meta(id, read(id), supplies) for id in title.editions),
        default_edition=title.default_edition,
        options=found.options,
        readings=found.readings,
        sources=read(title.default_edition).get("sources", {}),
        alone=title.alone,
        bots=tuple(BotMeta(id, text) for id, text in title.bots.items()),
    )
    return replace(meta, rules_versions=title.rules_versions) if title.rules_versions else meta
