"""Plain sentences from typed values: templates, names in the forms that a language needs, and numbers.

A language's words are a TOML file with these tables:

* ``names``: components by kind and id, each with its forms: ``names.followers.monk = {a = "a monk", many = "monks"}``.
  Ids are unique across kinds. ``many`` follows a number.
* ``lookups``: further forms, by form and id: ``lookups.space.knight = "the knight space"``.
* ``numbers``: ``numbers.coins = {none = "no coins", one = "1 coin", many = "{} coins"}``.
* ``fallbacks``: by form, what is said of an id that has no such form: ``fallbacks.no = "no “{}”"``; else the id itself.
* ``joints``: ``and`` and ``nothing``, for lists, and ``seat``, for a seat that has no name: ``seat = "Seat {}"``;
  where the rules play a seat also ``automaton``, what that one is called: ``automaton = "Opponent"``.
* any further table: templates by id; ``parts`` holds those of structs inside structs.

Templates hold

* ``{field}``         the value as it is,
* ``{field|form}``    a component's name in that form, a number with its unit, a list of counted components, or a list
  of structs, each said by the template ``parts.<form>``; so are, as ``{key}`` and ``{value}``, the entries of a table
  and of a list with one entry a seat, where ``parts`` has that form,
* ``{field|seat}``    the name of the seat of that number, or of each seat in a list,
* ``[…]``             a part that appears only if ``{?field}`` (given) and ``{!field}`` (not given) in it hold, or,
  where it has neither, only if all its fields are given,
* ``<…;…>``           parts that appear like those in brackets, joined as a list.

A field is given unless it is empty, zero or false.
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
"""What the seats of a game are called, that of seat 1 first; a title that has none to hand gives an empty one."""

_SEAT = "seat"
"""The form for numbers of seats."""

_SEVERAL = frozenset({"missing", "deciding"})
"""Values of rejections that hold several, separated by spaces."""

_TOKEN = re.compile(r"\{([?!]?)(\w+)(?:\|(\w+))?\}|([\[\]<>;])")
_NO_TEMPLATES = frozenset({"names", "lookups", "numbers", "fallbacks", "joints"})


class Field:
    """A value's place in a template; ``test`` is ``?`` or ``!`` for a mere condition."""

    __slots__ = ("form", "name", "test")

    def __init__(self, test: str, name: str, form: str) -> None:
        self.test = test
        self.name = name
        self.form = form


class Part:
    """A run of literals, fields and nested parts; ``kind`` is the bracket that opened it (empty: the whole)."""

    __slots__ = ("items", "kind")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.items: list[str | Field | Part] = []

    def fields(self) -> Iterable[Field]:
        """All fields, nested ones included."""
        for item in self.items:
            if isinstance(item, Field):
                yield item
            elif isinstance(item, Part):
                yield from item.fields()

    def parts(self, kind: str) -> Iterable[Part]:
        """The parts of that kind directly in this one."""
        return (item for item in self.items if isinstance(item, Part) and item.kind == kind)

    def is_filled_by(self, values: Values) -> bool:
        """Whether all values are there, and those given that are said in any case."""
        always = (item.name for item in self.items if isinstance(item, Field) and not item.test)
        return all(field.name in values for field in self.fields()) and all(values[name] for name in always)

    def appears(self, values: Values) -> bool:
        """Whether an optional part has something to say."""
        fields = [item for item in self.items if isinstance(item, Field)]
        tests = [field for field in fields if field.test]
        if tests:
            return all(bool(values[field.name]) == (field.test == "?") for field in tests)
        lists = self.parts("<")
        return all(values[field.name] for field in fields) and all(
            any(entry.appears(values) for entry in list.parts(";")) for list in lists
        )


def parse(template: str) -> Part:
    """Compile a template; raises ``ValueError`` if its brackets do not match."""
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
    """The words of one language, and the sentences made of them."""

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
        """The words in ``words/<language>.toml`` of a package."""
        from boardkeeper.titlekit.title_files import read_toml  # noqa: PLC0415  # nothing is read by who only imports the rules

        return cls(read_toml(package, "words", f"{language}.toml"))

    def say(self, group: str, id: str, values: Values, names: Names = ()) -> str | None:
        """A filled template, or nothing if there is none of that id. Raises ``KeyError`` if a value is missing."""
        part = self.templates.get(group, {}).get(id)
        return None if part is None else self._render(part, values, names)

    def seat(self, seat: int, names: Names) -> str:
        """What a seat is called; empty for 0, the table as a whole."""
        if seat == 0:
            return ""
        return (names[seat - 1] if seat <= len(names) else "") or self._seat.format(seat)

    def name(self, id: str, form: str = "name") -> str:
        """A component's name in a form; its id, readably, if it has none."""
        text = self.forms.get(form, {}).get(id)
        return self.fallback(form).format(id.replace("_", " ")) if text is None else text

    def fallback(self, form: str) -> str:
        """What is said, with ``{}``, of what has no name in that form."""
        return self.fallbacks.get(form, "{}")

    # --- templates -----------------------------------------------------------------------------------------

    def _render(self, part: Part, values: Values, names: Names) -> str:
        pieces: list[str] = []
        for item in part.items:
            if isinstance(item, str):
                pieces.append(item)
            elif isinstance(item, Field):
                if not item.test:
                    pieces.append(self._value(values[item.name], item.form, names))
            elif item.kind == "<":
                entries = [entry for entry in item.parts(";") if entry.appears(values)]
                pieces.append(self._joined([self._render(entry, values, names) for entry in entries]))
            elif item.appears(values):
                pieces.append(self._render(item, values, names))
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
            return self._joined([self.say("parts", form, asdict(entry), names) or "" for entry in value])
        if isinstance(value, (Mapping, tuple, list)) and form in self.templates.get("parts", {}):
            pairs = value.items() if isinstance(value, Mapping) else enumerate(value, 1)
            said = [self.say("parts", form, {"key": key, "value": entry}, names) or "" for key, entry in pairs]
            return self._joined(said) or self._nothing
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
    """Why a command was refused: what failed, if the words have a template for it, and the rule.

    Templates stand in ``rejections`` by code, or by code and rule (``"SPACE_TAKEN title.topic.rule"``)
    where that says more. The values ``missing`` and ``deciding`` may hold several ids or seats, separated by spaces.
    """
    values: dict[str, object] = dict(rejection.values)
    for several in _SEVERAL & values.keys():
        values[several] = tuple(rejection.values[several].split())
    sentences: list[str] = []
    for id in (f"{rejection.code} {rejection.rule}", rejection.code):
        part = words.templates.get("rejections", {}).get(id)
        if part is not None and part.is_filled_by(values):
            sentences.append(f"{words.say('rejections', id, values, names)}.")
            break
    rule = rules.get(rejection.rule)
    if rule is not None:
        sentences.append(rule.text[language])
    return " ".join(sentence[:1].upper() + sentence[1:] for sentence in sentences) or rejection.code


class TitleWords:
    """What a title says: a sentence for every command, event and rejection, and its rules, from its package's files.

    The languages are those of ``words/``; others are answered in the default one. Nothing is read before
    somebody asks for it.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._rules: dict[str, Rule] = {}
        self._words: dict[str, Words] = {}

    def rules(self) -> Mapping[str, Rule]:
        """Every rule of the title by its id, in the order of its ``rules.toml``."""
        if not self._rules:
            self._rules = {rule.id: rule for rule in read_rules(self._package)}
        return self._rules

    def words(self, language: str) -> Words:
        """The words of a language that the title speaks; raises ``FileNotFoundError`` for any other."""
        words = self._words.get(language)
        if words is None:
            words = self._words[language] = Words.read(self._package, language)
        return words

    def sentence(self, language: str, names: Names, seat: int, detail: Struct) -> str:
        """A command (imperative), also as it is offered, or an event in plain words.

        ``names`` are those of all seats, ``seat`` is the one it belongs to, 0 for an event of the whole table.
        """
        words = self.words(language_or_default(language))
        name = type(detail).__name__
        values = asdict(detail) | {_SEAT: words.seat(seat, names)}
        for group in ("events", "commands", "offers"):
            text = words.say(group, name, values, names)
            if text:
                return text
        return words.name(name)

    def automaton(self, language: str) -> str:
        """What a seat that the rules play is called; empty if no word is given for it."""
        return self.words(language_or_default(language)).automaton

    def explain(self, language: str, names: Names, rejection: Rejection) -> str:
        """Why a command was refused: what failed, and the rule."""
        language = language_or_default(language)
        return explain(self.words(language), self.rules(), language, rejection, names)
