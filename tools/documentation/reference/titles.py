"""The title reference: editions, options, readings, rules, components, errors, zones, markers and ids of each title."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TypeVar

from boardkeeper.game.choices import complete
from boardkeeper.game.sentences import words as game_words
from boardkeeper.table.dice import SECRET_BYTES, Dice
from boardkeeper.table.table import Table
from boardkeeper.titlekit.command_candidates import known_ids
from boardkeeper.titlekit.drawing import Drawing, MarkerEntry, ZoneEntry, drawing_of
from boardkeeper.titlekit.rules_catalogue import LANGUAGES, kernel_rules
from boardkeeper.titlekit.sentences import Words
from boardkeeper.titlekit.title import EditionMeta, OptionMeta, Rule, Setup, Text, Title
from boardkeeper.titles.registry import TITLES, load_title
from documentation.reference.markdown import code, heading, page, table
from export_titles import template

ENGLISH, GERMAN = LANGUAGES
Entry = TypeVar("Entry", ZoneEntry, MarkerEntry)


def pages() -> Iterator[tuple[str, str]]:
    """Yield place and text of each page; places are below ``reference``."""
    titles = {id: load_title(id) for id in TITLES}
    yield "titles", _contents(titles.values())
    yield "titles/every-table", _every_table()
    for id, title in titles.items():
        yield f"titles/{id}", _overview(title)
        yield f"titles/{id}/rules", _rules(title)
        yield f"titles/{id}/components", _components(title)
        yield f"titles/{id}/errors", _errors(title)
        yield f"titles/{id}/tables", _tables(title)


def _short_name(title: Title) -> str:
    return title.meta.text[ENGLISH].partition(" of ")[0]


def _tree(places: Iterable[str]) -> str:
    return "```{toctree}\n:titlesonly:\n\n" + "\n".join(places) + "\n```"


def _contents(titles: Iterable[Title]) -> str:
    return page(
        "# Title reference",
        "Editions, options, rules, components, errors, zones and markers of every title. These pages are generated "
        "from the data that `GetTitle` also returns, in English and German. Each fact about a component has its source "
        "(provenance); the page *Title catalogue* explains the values.",
        _tree([*(f"titles/{title.meta.id}" for title in titles), "titles/every-table"]),
    )


# --- one title ---------------------------------------------------------------------------------------------------


def _overview(title: Title) -> str:
    meta = title.meta
    contents = _tree(f"{meta.id}/{each}" for each in ("rules", "components", "errors", "tables"))
    facts = [
        ("id", code(meta.id)),
        ("German name", meta.text[GERMAN]),
        ("designer", meta.designer),
        ("publisher", meta.publisher),
        ("maturity", f"{meta.maturity}. {meta.maturity_text.get(ENGLISH, '')}"),
        ("bots", ", ".join(f"{code(bot.id)} ({bot.text[ENGLISH]})" for bot in meta.bots)),
    ]
    return page(
        f"# {meta.text[ENGLISH]}",
        table(["property", "value"], facts),
        contents,
        "## Editions",
        table(["id", "name", "players", "rulebook", "default"], _editions(meta.editions, meta.default_edition)),
        *_choices("Options", "You choose these when you create a game.", meta.options),
        *_choices(
            "Readings",
            "A reading answers a question that rulebooks leave open or answer differently. You can choose it when you "
            "create a game.",
            meta.readings,
        ),
        *_differences(title),
        "## Sources",
        table(["key in provenances", "source"], [(code(key), source) for key, source in meta.sources.items()]),
    )


def _editions(editions: Iterable[EditionMeta], default: str) -> Iterator[Sequence[str]]:
    for edition in editions:
        fewest, most = edition.players
        players = str(fewest) if fewest == most else f"{fewest} to {most}"
        is_default = "yes" if edition.id == default else ""
        yield code(edition.id), edition.text[ENGLISH], players, edition.rulebook[ENGLISH], is_default


def _choices(what: str, about: str, offered: Sequence[OptionMeta]) -> Iterator[str]:
    if not offered:
        return
    yield f"## {what}"
    yield about
    for option in offered:
        of = f" Only in {', '.join(map(code, option.editions))}." if option.editions else ""
        rule = f" Rule [{code(option.rule)}](#{option.rule})." if option.rule else ""
        yield heading(3, code(option.id))
        yield f"{option.text[ENGLISH]}{rule}{of}"
        yield table(
            ["choice", "meaning", "only with"],
            [
                (
                    code(choice.id) + (" (default)" if choice.id == option.default else ""),
                    choice.text[ENGLISH],
                    f"{', '.join(map(str, choice.players))} players" if choice.players else "",
                )
                for choice in option.choices
            ],
        )


def _differences(title: Title) -> Iterator[str]:
    found = title.differences()
    editions = [edition.id for edition in title.meta.editions]
    if len(editions) < 2:
        return
    yield "## Differences between editions"
    yield table(
        ["difference", *map(code, editions), "rules"],
        [
            (
                code(each.id),
                *(each.values.get(edition, "–") for edition in editions),
                ", ".join(f"[{code(rule)}](#{rule})" for rule in each.rules),
            )
            for each in found
        ],
    )


def _rules(title: Title) -> str:
    return page(
        f"# Rules of {_short_name(title)}",
        "The rules of the title in our own words, by rule id, with the place in the rulebook of each edition. If the "
        "rules reject a command, the error contains the rule id.",
        *(part for rule in title.rules() for part in _rule(rule)),
    )


def _rule(rule: Rule) -> Iterator[str]:
    yield heading(2, code(rule.id), rule.id)
    yield rule.text[ENGLISH]
    yield f"*{rule.text[GERMAN]}*"
    yield "\n".join(f"- {code(edition)}: {place}" for edition, place in rule.references.items())


def _components(title: Title) -> str:
    entries: dict[str, tuple[str, Text, str]] = {}
    boxes: dict[str, dict[str, int]] = {}
    for edition in title.meta.editions:
        for component in title.components(_setup(title, edition)):
            facts = "; ".join(f"{name}: {value}" for name, value in component.facts.items())
            entries.setdefault(component.id, (component.kind, component.text, f"{facts} ({component.provenance})"))
            boxes.setdefault(component.id, {})[edition.id] = component.in_box
    kinds = list(dict.fromkeys(kind for kind, _, _ in entries.values()))
    editions = [edition.id for edition in title.meta.editions]
    return page(
        f"# Components of {_short_name(title)}",
        "The columns of the editions show how many of the component are in the box. 0: it is printed on another "
        "component. –: the edition does not have it. The facts are those of the first edition that has the component; "
        "`GetTitle` returns the facts of each edition.",
        *(
            part
            for kind in kinds
            for part in (
                f"## {code(kind)}",
                table(
                    ["id", "English", "German", *map(code, editions), "facts (provenance)"],
                    [
                        (
                            code(id),
                            text[ENGLISH],
                            text[GERMAN],
                            *(str(boxes[id].get(edition, "–")) for edition in editions),
                            facts,
                        )
                        for id, (of, text, facts) in entries.items()
                        if of == kind
                    ],
                ),
            )
        ),
    )


def _setup(title: Title, edition: EditionMeta) -> Setup:
    """Return the setup of an edition with the most players and all defaults."""
    return complete(title.meta, Setup(edition.id, edition.players[1]))


# --- errors -------------------------------------------------------------------------------------------------------


def _errors(title: Title) -> str:
    package = TITLES[title.meta.id]
    by_language = [import_module(f"{package}.meta").words(language) for language in LANGUAGES]
    return page(
        f"# Errors of {_short_name(title)}",
        "The rules of this title reject commands with the code FAILED_PRECONDITION and one of these reasons "
        "(`ErrorInfo.reason`). Names in braces are values in `ErrorInfo.metadata`. If a reason has a different message "
        "for one rule, the id of that rule follows the reason. If a reason has no message, the message is the text of "
        "the rule.",
        _reasons(by_language),
    )


def _reasons(by_language: Sequence[Words]) -> str:
    english, german = ({id: template(part) for id, part in it.templates["rejections"].items()} for it in by_language)
    return table(
        ["reason", "message", "message in German"],
        [
            (" ".join(map(code, id.split())), code(text), code(german.get(id, "")))
            for id, text in sorted(english.items())
        ],
    )


def _every_table() -> str:
    return page(
        "# Rules and errors of every title",
        "These rules and reasons apply to all titles.",
        "## Rules",
        *(
            part
            for rule in kernel_rules().values()
            for part in (heading(3, code(rule.id), rule.id), rule.text[ENGLISH], f"*{rule.text[GERMAN]}*")
        ),
        "## Errors",
        _reasons([game_words(language) for language in LANGUAGES]),
    )


# --- zones, markers and ids --------------------------------------------------------------------------------------


def _tables(title: Title) -> str:
    return page(
        f"# Zones, markers and ids of {_short_name(title)}",
        "These ids occur in effects, in `GetTable` and in records. Each list is for the most players and the default "
        "options. Zones and markers of a seat are listed for seat 1 only; for another seat, replace the number. The "
        "last tables of each edition list the ids that commands can contain; any other id is rejected with "
        "`UNKNOWN_ID`.",
        *(part for edition in title.meta.editions for part in _edition_tables(title, edition)),
    )


def _edition_tables(title: Title, edition: EditionMeta) -> Iterator[str]:
    drawing: Drawing = drawing_of(title, _setup(title, edition))
    yield heading(2, edition.text[ENGLISH])
    yield "### Zones"
    yield _entries(drawing.zones, "order", lambda it: (it.kind, it.component, "stack" if it.stack else "pile"))
    yield "### Markers"
    yield _entries(
        drawing.markers, "values", lambda it: (it.kind, it.component, ", ".join(word.id for word in it.words))
    )
    yield "### Decisions"
    yield table(["id", "name"], [(code(each.id), each.text[ENGLISH]) for each in drawing.decisions])
    yield "### Ids in commands"
    yield from _command_ids(title, edition, drawing)


def _command_ids(title: Title, edition: EditionMeta, drawing: Drawing) -> Iterator[str]:
    """Yield a table of the ids for each field of commands, and the meaning of ids that are not components."""
    setup = _setup(title, edition)
    play = title.play(Table(title.layout(setup)), Dice(bytes(SECRET_BYTES)), setup)
    fields = {field: sorted(filter(None, ids)) for field, ids in known_ids(play).items()}
    yield table(
        ["field of a command", "ids"], [(code(field), ", ".join(map(code, ids))) for field, ids in fields.items()]
    )
    components = {component.id for component in title.components(setup)}
    others = {id for ids in fields.values() for id in ids} - components
    if others:
        marked = {marker.id.rpartition(".")[2]: marker.text for marker in drawing.markers}
        yield "The page with the components explains most of these ids. The others are:"
        rows = [(code(id), marked[id][ENGLISH], marked[id][GERMAN]) for id in sorted(others)]
        yield table(["id", "English", "German"], rows)


def _entries(entries: Iterable[Entry], last_head: str, more: Callable[[Entry], tuple[str, str, str]]) -> str:
    rows = []
    for entry in entries:
        if entry.seat <= 1:
            kind, component, last = more(entry)
            rows.append((code(entry.id), entry.text[ENGLISH], code(kind), code(component), last))
    return table(["id", "name", "kind", "printed on", last_head], rows)
