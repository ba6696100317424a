"""Sentences of events, commands and rejections, made from templates and the fields of structs.

The words of a language are a TOML file, ``words/<language>.toml``, with these tables:

* ``names``: the names of components by kind and id, in the grammatical forms that templates need:
  ``names.followers.monk = {a = "a monk", many = "monks"}``. Ids are unique across kinds. ``many`` follows a number.
* ``lookups``: further names by form and id: ``lookups.space.knight = "the knight space"``.
* ``numbers``: numbers by unit: ``numbers.coins = {none = "no coins", one = "1 coin", many = "{} coins"}``.
* ``fallbacks``: by form, a pattern for ids without a name in this form: ``fallbacks.no = "no “{}”"``.
* ``joints``: ``and`` and ``nothing`` for lists, ``seat`` for a seat without a name (``"Seat {}"``), and ``automaton``
  for a seat that the rules play.
* other tables, such as ``events``: templates by id. ``parts`` has the templates of entries of lists.

A template contains

* ``{field}``: the value of a field,
* ``{field|form}``: a component's name in a form, a number with its unit, or a list of counted components. If ``parts``
  has a template ``form``, it renders the entries of a list of structs; for other lists and tables it gets ``{key}``
  and ``{value}``,
* ``{field|seat}``: the name of a seat, or of each seat in a list,
* ``[…]``: an optional part. It appears if ``{?field}`` (is set) and ``{!field}`` (is not set) in it are true; without
  such conditions, if all its fields are set,
* ``<…;…>``: optional parts that are joined as a list.

A field is set unless it is empty, zero or false.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.rules_catalogue import language_or_default, read_rules
from boardkeeper.titlekit.title import Rule

Values = Mapping[str, object]
Names = Sequence[str]
"""The names of all seats, that of seat 1 first; may be empty."""

_SEAT = "seat"
"""The form of fields that are numbers of seats."""

_LISTS = frozenset({"missing", "deciding"})
"""Values of rejections that are lists, separated by spaces."""

_TOKEN = re.compile(r"\{([?!]?)(\w+)(?:\|(\w+))?\}|([\[\]<>;])")
_NO_TEMPLATES = frozenset({"names", "lookups", "numbers", "fallbacks", "joints"})


class Field:
    """A field in a template; ``test`` is ``?`` or ``!`` for a condition, otherwise empty."""

    __slots__ = ("form", "name", "test")

    def __init__(self, test: str, name: str, form: str) -> None:
        self.test = test
        self.name = name
        self.form = form


class Part:
    """A part of a template: texts, fields and nested parts. ``kind`` is its opening bracket, empty for the whole."""

    __slots__ = ("items", "kind")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.items: list[str | Field | Part] = []

    def fields(self) -> Iterable[Field]:
        """Yield all fields, including those of nested parts."""
        for item in self.items:
            if isinstance(item, Field):
                yield item
            elif isinstance(item, Part):
                yield from item.fields()

    def parts(self, kind: str) -> Iterable[Part]:
        """Return the direct parts of this kind."""
        return (item for item in self.items if isinstance(item, Part) and item.kind == kind)

    def is_filled_by(self, values: Values) -> bool:
        """Return whether all values exist, and those outside optional parts are set."""
        always = (item.name for item in self.items if isinstance(item, Field) and not item.test)
        return all(field.name in values for field in self.fields()) and all(values[name] for name in always)

    def appears(self, values: Values) -> bool:
        """Return whether an optional part appears."""
        fields = [item for item in self.items if isinstance(item, Field)]
        tests = [field for field in fields if field.test]
        if tests:
            return all(bool(values[field.name]) == (field.test == "?") for field in tests)
        lists = self.parts("<")
        return all(values[field.name] for field in fields) and all(
            any(entry.appears(values) for entry in list.parts(";")) for list in lists
        )


def parse(template: str) -> Part:
    """Parse a template; raises ``ValueError`` if its brackets do not match."""
    open_parts = [Part("")]
    at = 0
    for token in _TOKEN.finditer(template):
        literal = template[at : token.start()]
        at = token.end()
        if literal:
            open_parts[-1].items.append(literal)
        bracket = token[4]
        if bracket is None:
            open_parts[-1].items.append(Field(token[1], token[2], token[3] or ""))
        elif bracket == "[":
            open_parts.append(Part("["))
        elif bracket == "<":
            open_parts += [Part("<"), Part(";")]
        elif bracket == ";" and open_parts[-1].kind != ";":
            open_parts[-1].items.append(";")
        else:
            _close(open_parts, bracket, template)
    if at < len(template):
        open_parts[-1].items.append(template[at:])
    if len(open_parts) != 1:
        raise ValueError(f"unclosed bracket in {template!r}")
    return open_parts[0]


def _close(open_parts: list[Part], bracket: str, template: str) -> None:
    part = open_parts.pop()
    if part.kind != {"]": "[", ">": ";", ";": ";"}[bracket]:
        raise ValueError(f"unmatched {bracket} in {template!r}")
    open_parts[-1].items.append(part)
    if bracket == ";":
        open_parts.append(Part(";"))
    elif bracket == ">":
        entries = open_parts.pop()
        open_parts[-1].items.append(entries)


class Words:
    """The words of one language."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.forms: dict[str, dict[str, str]] = {form: dict(ids) for form, ids in tables.get("lookups", {}).items()}
        for kind in tables.get("names", {}).values():
            for id, forms in kind.items():
                for form, text in forms.items():
                    if self.forms.setdefault(form, {}).setdefault(id, text) != text:
                        raise ValueError(f"{id} is named twice")
        self.numbers: dict[str, dict[str, str]] = tables.get("numbers", {})
        self.fallbacks: dict[str, str] = tables.get("fallbacks", {})
        self.joints: dict[str, str] = tables["joints"]
        self._and: str = self.joints["and"]
        self._nothing: str = self.joints["nothing"]
        self._seat: str = self.joints["seat"]
        self.automaton: str = self.joints.get("automaton", "")
        self.templates: dict[str, dict[str, Part]] = {
            group: {id: parse(text) for id, text in entries.items()}
            for group, entries in tables.items()
            if group not in _NO_TEMPLATES
        }

    @classmethod
    def read(cls, package: str, language: str) -> Words:
        """Read the ``words/<language>.toml`` of a package."""
        from boardkeeper.titlekit.title_files import read_toml  # noqa: PLC0415  # saves start-up time

        return cls(read_toml(package, "words", f"{language}.toml"))

    def render(self, group: str, id: str, values: Values, names: Names = ()) -> str | None:
        """Render a template; ``None`` if it does not exist. Raises ``KeyError`` if a value is missing."""
        part = self.templates.get(group, {}).get(id)
        return None if part is None else self._render_part(part, values, names)

    def seat(self, seat: int, names: Names) -> str:
        """Return the name of a seat; empty for 0."""
        if seat == 0:
            return ""
        return (names[seat - 1] if seat <= len(names) else "") or self._seat.format(seat)

    def name(self, id: str, form: str = "name") -> str:
        """Return the name of a component in a form; without one, its id as a readable text."""
        text = self.forms.get(form, {}).get(id)
        return self.fallback(form).format(id.replace("_", " ")) if text is None else text

    def fallback(self, form: str) -> str:
        """Return the pattern for ids without a name in a form."""
        return self.fallbacks.get(form, "{}")

    # --- templates -----------------------------------------------------------------------------------------

    def _render_part(self, part: Part, values: Values, names: Names) -> str:
        pieces: list[str] = []
        for item in part.items:
            if isinstance(item, str):
                pieces.append(item)
            elif isinstance(item, Field):
                if not item.test:
                    pieces.append(self._value(values[item.name], item.form, names))
            elif item.kind == "<":
                entries = [entry for entry in item.parts(";") if entry.appears(values)]
                pieces.append(self._joined([self._render_part(entry, values, names) for entry in entries]))
            elif item.appears(values):
                pieces.append(self._render_part(item, values, names))
        return "".join(pieces)

    def _joined(self, texts: Sequence[str]) -> str:
        if len(texts) < 2:
            return "".join(texts)
        return f"{', '.join(texts[:-1])} {self._and} {texts[-1]}"

    # --- values --------------------------------------------------------------------------------------------

    def _value(self, value: object, form: str, names: Names) -> str:
        if form == _SEAT:
            seats = value if isinstance(value, (tuple, list)) else (value,)
            return self._joined([self.seat(int(str(seat)), names) for seat in seats])
        if isinstance(value, (tuple, list)) and value and isinstance(value[0], Struct):
            return self._joined([self.render("parts", form, asdict(entry), names) or "" for entry in value])
        if isinstance(value, (Mapping, tuple, list)) and form in self.templates.get("parts", {}):
            pairs = value.items() if isinstance(value, Mapping) else enumerate(value, 1)
            rendered = [self.render("parts", form, {"key": key, "value": entry}, names) or "" for key, entry in pairs]
            return self._joined(rendered) or self._nothing
        if isinstance(value, Mapping):
            return self._counted(value, form)
        if isinstance(value, (tuple, list)):
            counts: dict[str, int] = {}
            for component in value:
                counts[str(component)] = counts.get(str(component), 0) + 1
            return self._counted(counts, form)
        text = str(value)
        if not form:
            return text
        if form in self.numbers and text.lstrip("-").isdecimal():
            return self._number(int(text), form)
        return self.name(text, form)

    def _number(self, value: int, unit: str) -> str:
        forms = self.numbers[unit]
        if value == 0 and "none" in forms:
            return forms["none"]
        return forms["one" if value == 1 else "many"].format(value)

    def _counted(self, counts: Mapping[str, int], form: str) -> str:
        texts = [
            self.name(id, form) if count == 1 else f"{count} {self.name(id, 'many')}"
            for id, count in counts.items()
            if count
        ]
        return self._joined(texts) or self._nothing


def explain(words: Words, rules: Mapping[str, Rule], language: str, rejection: Rejection, names: Names = ()) -> str:
    """Return the reason of a rejection: the sentence of its template, if it has one, and that of the rule.

    Templates are in ``rejections`` by code and rule (``"SPACE_TAKEN title.topic.rule"``) or by code. The values
    ``missing`` and ``deciding`` may be lists of ids or seats, separated by spaces.
    """
    values: dict[str, object] = dict(rejection.values)
    for key in _LISTS & values.keys():
        values[key] = tuple(rejection.values[key].split())
    sentences: list[str] = []
    for id in (f"{rejection.code} {rejection.rule}", rejection.code):
        part = words.templates.get("rejections", {}).get(id)
        if part is not None and part.is_filled_by(values):
            sentences.append(f"{words.render('rejections', id, values, names)}.")
            break
    rule = rules.get(rejection.rule)
    if rule is not None:
        sentences.append(rule.text[language])
    return " ".join(sentence[:1].upper() + sentence[1:] for sentence in sentences) or rejection.code


class TitleWords:
    """The texts and rules of a title, read from the files of its package when they are first needed.

    It implements :class:`boardkeeper.titlekit.title.TitleTexts`, which uses the default language for unknown ones.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._rules: dict[str, Rule] = {}
        self._words: dict[str, Words] = {}

    def rules(self) -> Mapping[str, Rule]:
        """Return all rules by id, in the order of ``rules.toml``."""
        if not self._rules:
            self._rules = {rule.id: rule for rule in read_rules(self._package)}
        return self._rules

    def words(self, language: str) -> Words:
        """Return the words of a language; raises ``FileNotFoundError`` for an unknown one."""
        words = self._words.get(language)
        if words is None:
            words = self._words[language] = Words.read(self._package, language)
        return words

    def sentence(self, language: str, names: Names, seat: int, detail: Struct) -> str:
        """Return a command, offer or event as a sentence; ``seat`` is 0 for an event of the whole table."""
        words = self.words(language_or_default(language))
        name = type(detail).__name__
        values = asdict(detail) | {_SEAT: words.seat(seat, names)}
        for group in ("events", "commands", "offers"):
            text = words.render(group, name, values, names)
            if text:
                return text
        return words.name(name)

    def automaton_name(self, language: str) -> str:
        return self.words(language_or_default(language)).automaton

    def explain(self, language: str, names: Names, rejection: Rejection) -> str:
        language = language_or_default(language)
        return explain(self.words(language), self.rules(), language, rejection, names)
