"""Names of seats: visible and distinguishable, in any script.

People trust sentences with names ("Anna has won"). So a name must contain a letter and no invisible characters, use one
script or scripts that are written together, and not look like the name of another seat of the game or like the server's
name for a seat without one. Scripts and similar characters are those of Unicode (UTS 39: the level "moderately
restrictive", and skeletons), from the package ``confusable_homoglyphs``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from itertools import product

from confusable_homoglyphs import categories, confusables

from boardkeeper.game.seats import BOT, PERSON, default_seat_name
from boardkeeper.service.requests.errors import problem
from boardkeeper.table.layout import MAX_SEATS
from boardkeeper.titlekit.rules_catalogue import LANGUAGES

MAX_NAME_LENGTH = 64

_MAX_MARKS = 4
_NEUTRAL = frozenset({"COMMON", "INHERITED"})
_EAST_ASIAN = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "BOPOMOFO"}),
    frozenset({"HAN", "HANGUL"}),
)
_WITH_LATIN = frozenset(
    [
        "ARABIC",
        "ARMENIAN",
        "BENGALI",
        "DEVANAGARI",
        "ETHIOPIC",
        "GEORGIAN",
        "GUJARATI",
        "GURMUKHI",
        "HEBREW",
        "KANNADA",
        "KHMER",
        "LAO",
        "MALAYALAM",
        "MYANMAR",
        "ORIYA",
        "SINHALA",
        "TAMIL",
        "TELUGU",
        "THAANA",
        "THAI",
        "TIBETAN",
    ]
)
"""The recommended scripts of UTS 39 whose characters do not look like Latin."""

_UNJOINED = frozenset({"LATIN", "GREEK", "CYRILLIC", "HEBREW", "HAN", "HIRAGANA", "KATAKANA", "HANGUL"})
"""Scripts in which a joiner between letters is invisible."""

_JOINERS = frozenset("\u200c\u200d")
_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0")
"""Invisible characters to which Unicode gives a visible category."""


class BadNameError(ValueError):
    """A name cannot be used; ``problem`` explains why, in each language."""

    def __init__(self, name: str, /, **values: object) -> None:
        self.problem = problem(name, **values)
        super().__init__(self.problem)


def normalize_name(text: str) -> str:
    """Return a name in NFC, with plain single spaces; it can be empty. Raises :class:`BadNameError`."""
    if len(text) > 4 * MAX_NAME_LENGTH:
        raise BadNameError("name_too_long", most=MAX_NAME_LENGTH)
    spaced = "".join(" " if unicodedata.category(it) == "Zs" else it for it in unicodedata.normalize("NFC", text))
    name = " ".join(part for part in spaced.split(" ") if part)
    if len(name) > MAX_NAME_LENGTH:
        raise BadNameError("name_too_long", most=MAX_NAME_LENGTH)
    if name:
        _check_characters(name)
        if not any(unicodedata.category(it) in ("Lu", "Ll", "Lt", "Lo") for it in name):
            raise BadNameError("name_without_letter")
        if not _can_mix({script(it) for it in name} - _NEUTRAL):
            raise BadNameError("name_of_mixed_scripts")
        if _compact(name) in _reserved():
            raise BadNameError("name_reserved")
    return name


def check_name_differs(name: str, others: Iterable[str]) -> None:
    """Raise :class:`BadNameError` if a name looks like one of the others. Seats without names do not count."""
    if name and any(other and _look_alike(name, other) for other in others):
        raise BadNameError("name_taken")


def _look_alike(one: str, other: str) -> bool:
    return skeleton(one) == skeleton(other) or _fold_case(one) == _fold_case(other)


def script(character: str) -> str:
    """Return the script of a character: Unicode's name in capitals."""
    found: str = categories.alias(character)
    return found.upper()


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """Return the skeleton of a name (UTS 39): names that look the same have the same skeleton."""
    visible = (it for it in unicodedata.normalize("NFD", name) if it not in _JOINERS and it not in _SELECTORS)
    shapes = "".join(_shape(it) for it in visible)
    return " ".join(unicodedata.normalize("NFD", shapes).split())


def _fold_case(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


# --- one name -----------------------------------------------------------------------------------------------


def _check_characters(name: str) -> None:
    """Check that no character is invisible, and that no letter has too many accents."""
    marks = 0
    before = ""
    for at, character in enumerate(name):
        category = unicodedata.category(character)
        if character in _JOINERS:
            _check_joiner(name, at)
        elif character in _SELECTORS:
            if not before or not (unicodedata.category(before) == "So" or script(before) == "HAN"):
                raise BadNameError("name_invisible")
        elif category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or character in _BLANK:
            raise BadNameError("name_invisible")
        elif category == "Me" or (category == "Mn" and (not before or before == " " or before == character)):
            raise BadNameError("name_accents", most=_MAX_MARKS)
        marks = marks + 1 if category == "Mn" and character not in _SELECTORS else 0
        if marks > _MAX_MARKS:
            raise BadNameError("name_accents", most=_MAX_MARKS)
        before = character


def _check_joiner(name: str, at: int) -> None:
    """Check that a joiner is between letters of a script with ligatures, or between emoji."""
    around = name[at - 1 : at] + name[at + 1 : at + 2]
    for beside in around:
        kind = unicodedata.category(beside)
        if not (kind[0] in "LM" and script(beside) not in _UNJOINED | {"COMMON"}) and not (
            kind == "So" or beside in _SELECTORS
        ):
            raise BadNameError("name_invisible")
    if len(around) < 2:
        raise BadNameError("name_invisible")


def _can_mix(scripts: Collection[str]) -> bool:
    """Return whether a name can contain all of these scripts."""
    if len(scripts) <= 1 or any(frozenset(scripts) - {"LATIN"} <= group for group in _EAST_ASIAN):
        return True
    return len(scripts) == 2 and "LATIN" in scripts and not frozenset(scripts) - {"LATIN"} - _WITH_LATIN


@cache
def _reserved() -> frozenset[str]:
    """Return the compact form of the names that the server gives to seats without a name."""
    numbers = range(1, MAX_SEATS + 1)
    return frozenset(_compact(default_seat_name(*it)) for it in product(LANGUAGES, (PERSON, BOT), numbers))


def _compact(name: str) -> str:
    """Return the skeleton of the letters and digits in lower case, without spaces and punctuation."""
    return "".join(it for it in skeleton(_fold_case(name)) if it.isalnum())


# --- shapes -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def _shape(character: str) -> str:
    """Return one representative of the characters that look the same as this one.

    The library lists similar characters of each character, so this follows the lists until it finds no new character.
    """
    alike = {character}
    found = [character]
    while found:
        for entry in confusables.confusables_data.get(found.pop(), ()):
            other = unicodedata.normalize("NFD", entry["c"])
            if other not in alike:
                alike.add(other)
                found.append(other)
    # An m looks like rn, so both get the same shape.
    several = [it for it in alike if len(it) > 1 and it.isascii() and it.isalnum()]
    if several:
        first = min(several, key=lambda it: (len(it), it))
        return "".join(_single(it) for it in first)
    return min(alike, key=lambda it: (len(it), not it.isascii(), it))


def _single(character: str) -> str:
    """Return the shape of a character of a pair such as ``rn``, or the character if its shape is a pair itself."""
    alike = _shape(character)
    return alike if len(alike) == 1 else character
