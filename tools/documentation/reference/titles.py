"""The catalogue, from the titles: editions, choices, rules, components, refusals, zones and markers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TypeVar

from boardkeeper.game.choices import complete
from boardkeeper.game.sentences import words as game_words
from boardkeeper.table.dice import SECRET_BYTES, Dice
from boardkeeper.table.drawing import Drawing, MarkerEntry, ZoneEntry, drawing_of
from boardkeeper.table.guesses import known_ids
from boardkeeper.table.rules_catalogue import LANGUAGES, table_rules
from boardkeeper.table.sentences import Words
from boardkeeper.table.table import Table
from boardkeeper.table.title import EditionMeta, OptionMeta, Rule, Setup, Text, Title
from boardkeeper.titles.registry import TITLES, load_title
from documentation.reference.markdown import code, heading, page, table
from export_titles import template

ENGLISH, GERMAN = LANGUAGES
Entry = TypeVar("Entry", ZoneEntry, MarkerEntry)


def pages() -> Iterator[tuple[str, str]]:
    """Every page by its place below ``reference``."""
    titles = {id: load_title(id) for id in TITLES}
    yield "titles", _contents(titles.values())
    yield "titles/every-table", _every_table()
    for id, title in titles.items():
        yield f"titles/{id}", _overview(title)
        yield f"titles/{id}/rules", _rules(title)
        yield f"titles/{id}/components", _components(title)
        yield f"titles/{id}/refusals", _refusals(title)
        yield f"titles/{id}/tables", _tables(title)


def _tree(places: Iterable[str]) -> str:
    return "```{toctree}\n:titlesonly:\n\n" + "\n".join(places) + "\n```"


def _contents(titles: Iterable[Title]) -> str:
    return page(
        "# The catalogue",
        "Made from the titles' own data, which `GetTitle` answers from too, in English and German. How sure each "
        "fact is stands beside it: see the page on the catalogue for what the words of provenances mean.",
        _tree([*(f"titles/{title.meta.id}" for title in titles), "titles/every-table"]),
    )


# --- one title ---------------------------------------------------------------------------------------------------


def _overview(title: Title) -> str:
    meta = title.meta
    within = _tree(f"{meta.id}/{each}" for each in ("rules", "components", "refusals", "tables"))
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
        table(["", ""], facts),
        within,
        "## Editions",
        table(["id", "", "players", "rulebook", "default"], _editions(meta.editions, meta.default_edition)),
        "## What can be chosen",
        *_choices("Options", meta.options),
        *_choices("Readings", meta.readings),
        *_differences(title),
        "## Sources",
        table(["in provenances", ""], [(code(key), said) for key, said in meta.sources.items()]),
    )


def _editions(editions: Iterable[EditionMeta], default: str) -> Iterator[Sequence[str]]:
    for edition in editions:
        fewest, most = edition.players
        players = str(fewest) if fewest == most else f"{fewest} to {most}"
        is_default = "yes" if edition.id == default else ""
        yield code(edition.id), edition.text[ENGLISH], players, edition.rulebook[ENGLISH], is_default


def _choices(what: str, offered: Sequence[OptionMeta]) -> Iterator[str]:
    if not offered:
        return
    yield f"### {what}"
    for option in offered:
        of = f" Only in {', '.join(map(code, option.editions))}." if option.editions else ""
        rule = f" Rule [{code(option.rule)}](#{option.rule})." if option.rule else ""
        yield f"**{code(option.id)}**: {option.text[ENGLISH]}{rule}{of}"
        yield table(
            ["", "", "with"],
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
    yield "## In what the editions differ"
    yield table(
        ["", *map(code, editions), "rules"],
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
        f"# {title.meta.text[ENGLISH]}: rules",
        "Every rule that a rejection can cite, in our own words, with its place in the rulebook of each edition.",
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
        f"# {title.meta.text[ENGLISH]}: components",
        "How many the box of each edition holds; 0 is what is printed on something else, – is not in that edition. "
        "Facts are those of the first edition that has the component; `GetTitle` tells each edition's.",
        *(
            part
            for kind in kinds
            for part in (
                f"## {code(kind)}",
                table(
                    ["id", "English", "German", *map(code, editions), "what it says (how sure that is)"],
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
    """The edition with the most players, and the defaults."""
    return complete(title.meta, Setup(edition.id, edition.players[1]))


# --- refusals -----------------------------------------------------------------------------------------------------


def _refusals(title: Title) -> str:
    package = TITLES[title.meta.id]
    by_language = [import_module(f"{package}.sentences").words(language) for language in LANGUAGES]
    return page(
        f"# {title.meta.text[ENGLISH]}: refusals",
        "Reasons of FAILED_PRECONDITION that are this title's own, by `ErrorInfo.reason`, with the sentence that is "
        "said; names in braces are values in `ErrorInfo.metadata`. Where one reason says something else under one "
        "rule, that rule's id stands behind it. A reason without a sentence of its own says the rule.",
        _reasons(by_language),
    )


def _reasons(by_language: Sequence[Words]) -> str:
    english, german = ({id: template(part) for id, part in it.templates["rejections"].items()} for it in by_language)
    return table(
        ["reason", "English", "German"],
        [
            (" ".join(map(code, id.split())), code(text), code(german.get(id, "")))
            for id, text in sorted(english.items())
        ],
    )


def _every_table() -> str:
    return page(
        "# At every table",
        "Rules and refusals that hold whatever is played.",
        "## Rules",
        *(
            part
            for rule in table_rules().values()
            for part in (heading(3, code(rule.id), rule.id), rule.text[ENGLISH], f"*{rule.text[GERMAN]}*")
        ),
        "## Refusals",
        _reasons([game_words(language) for language in LANGUAGES]),
    )


# --- what lies on a table ----------------------------------------------------------------------------------------


def _tables(title: Title) -> str:
    return page(
        f"# {title.meta.text[ENGLISH]}: zones, markers, decisions and what commands name",
        "Ids as effects, `GetTable` and records have them, with the most players and the defaults. Of what each seat "
        "has, that of seat 1 is listed: the others' have their seat's number in its place. At the end of each edition "
        "is what the fields of commands can name; any other id is refused as `UNKNOWN_ID`.",
        *(part for edition in title.meta.editions for part in _laid(title, edition)),
    )


def _laid(title: Title, edition: EditionMeta) -> Iterator[str]:
    drawing: Drawing = drawing_of(title, _setup(title, edition))
    yield heading(2, edition.text[ENGLISH])
    yield "### Zones"
    yield _entries(drawing.zones, lambda it: (it.kind, it.component, "stack" if it.stack else "pile"))
    yield "### Markers"
    yield _entries(drawing.markers, lambda it: (it.kind, it.component, ", ".join(word.id for word in it.words)))
    yield "### Decisions"
    yield table(["id", ""], [(code(each.id), each.text[ENGLISH]) for each in drawing.decisions])
    yield "### What commands name"
    yield from _named(title, edition, drawing)


def _named(title: Title, edition: EditionMeta, drawing: Drawing) -> Iterator[str]:
    """The ids that each field of a command takes, and what those mean that are no components."""
    setup = _setup(title, edition)
    play = title.play(Table(title.layout(setup)), Dice(bytes(SECRET_BYTES)), setup)
    fields = {field: sorted(filter(None, ids)) for field, ids in known_ids(play).items()}
    yield table(["field", "ids"], [(code(field), ", ".join(map(code, ids))) for field, ids in fields.items()])
    components = {component.id for component in title.components(setup)}
    others = {id for ids in fields.values() for id in ids} - components
    if others:
        marked = {marker.id.rpartition(".")[2]: marker.text for marker in drawing.markers}
        yield "Components stand on their own page. The other ids are:"
        rows = [(code(id), marked[id][ENGLISH], marked[id][GERMAN]) for id in sorted(others)]
        yield table(["id", "English", "German"], rows)


def _entries(entries: Iterable[Entry], more: Callable[[Entry], tuple[str, str, str]]) -> str:
    rows = []
    for entry in entries:
        if entry.seat <= 1:
            kind, component, last = more(entry)
            rows.append((code(entry.id), entry.text[ENGLISH], code(kind), code(component), last))
    return table(["id", "", "kind", "at", ""], rows)
