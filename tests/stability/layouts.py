"""Digests of the layouts of every title. Stored games start from their layout, so a layout never changes.

``python -m tests.stability.layouts`` adds the missing ones to ``layouts/<title>.json`` and never changes an
existing one. ``docs/events.md`` explains what this means for authors of rules.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.titlekit.title import OptionMeta, Setup, Title
from boardkeeper.titles.registry import TITLES, load_title

FOLDER = Path(__file__).parent / "layouts"


class LayoutDigests(Struct):
    """The layouts of one edition and number of players: of a setup, and of each that differs in one choice.

    ``options`` and ``readings`` are those of the setup, complete when the entry was stored. ``alike`` lists the choices
    that do not change the layout, ``otherwise`` those with another digest. A choice has the form
    ``options.planning=sealed``.
    """

    edition: str
    players: int
    options: dict[str, str]
    readings: dict[str, str]
    digest: str
    alike: list[str] = []
    otherwise: dict[str, str] = {}

    def setup(self, choice: str = "") -> Setup:
        """Return the setup, with another choice if one is given."""
        setup = Setup(self.edition, self.players, dict(self.options), dict(self.readings))
        if choice:
            field, _, chosen = choice.partition(".")
            id, _, value = chosen.partition("=")
            getattr(setup, field)[id] = value
        return setup

    def digests(self) -> dict[str, str]:
        """Return the digest of each choice; the setup itself has the empty key."""
        return {"": self.digest, **dict.fromkeys(self.alike, self.digest), **self.otherwise}

    def covers(self, choice: str) -> bool:
        """Return whether a choice is stored here."""
        return choice in {*_choices("options", self.options), *_choices("readings", self.readings), *self.digests()}

    def add(self, choice: str, digest: str) -> None:
        """Store a new choice."""
        if digest == self.digest:
            self.alike = sorted([*self.alike, choice])
        else:
            self.otherwise = dict(sorted({**self.otherwise, choice: digest}.items()))


def _choices(field: str, chosen: dict[str, str]) -> Iterator[str]:
    return (f"{field}.{id}={value}" for id, value in chosen.items())


def digest(title: Title, setup: Setup) -> str:
    """Return the SHA-256 of the layout of a stored setup, in hexadecimal."""
    layout = title.layout(title.meta.with_legacy_choices(setup))
    return hashlib.sha256(msgspec.json.encode(layout, order="deterministic")).hexdigest()


# --- the files ----------------------------------------------------------------------------------------------------


def read(title: str, folder: Path = FOLDER) -> list[LayoutDigests]:
    """Return the stored digests of a title."""
    file = folder / f"{title}.json"
    return msgspec.json.decode(file.read_bytes(), type=list[LayoutDigests]) if file.exists() else []


def write(title: str, rows: Iterable[LayoutDigests], folder: Path = FOLDER) -> None:
    """Store the digests of a title."""
    folder.mkdir(exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(list(rows)), indent=1)
    (folder / f"{title}.json").write_bytes(text + b"\n")


def find_changed(title: Title, rows: Iterable[LayoutDigests]) -> list[str]:
    """Return the setups whose layout does not have the stored digest."""
    return [
        f"{row.edition} with {row.players} players {choice}".rstrip()
        for row in rows
        for choice, stored in row.digests().items()
        if digest(title, row.setup(choice)) != stored
    ]


def find_missing(title: Title, rows: Iterable[LayoutDigests]) -> list[tuple[Setup, str]]:
    """Return each setup (edition and number of players) and each choice that has no stored digest."""
    known = {(row.edition, row.players): row for row in rows}
    found = []
    for default in _default_setups(title):
        row = known.get((default.edition, default.players))
        if row is None:
            found.append((default, ""))
        found += [
            (default, choice) for choice in _available_choices(title, default) if row is None or not row.covers(choice)
        ]
    return found


def add(title: Title, rows: Iterable[LayoutDigests]) -> list[LayoutDigests]:
    """Return the stored digests with the missing ones added; stored ones do not change."""
    known = {(row.edition, row.players): row for row in rows}
    for default, choice in find_missing(title, known.values()):
        row = known.get((default.edition, default.players))
        if row is None:
            row = LayoutDigests(
                default.edition, default.players, default.options, default.readings, digest(title, default)
            )
            known[default.edition, default.players] = row
        elif not row.covers(choice):
            row.add(choice, digest(title, row.setup(choice)))
    return list(known.values())


def _default_setups(title: Title) -> Iterator[Setup]:
    for edition in title.meta.editions:
        fewest, most = edition.players
        for players in range(fewest, most + 1):
            default = complete(title.meta, Setup(edition.id, players))
            if default.players == players:  # a solo game against the rules has two seats
                yield default


def _available_choices(title: Title, default: Setup) -> Iterator[str]:
    """Yield every single choice that an edition and number of players allow."""
    fields: dict[str, tuple[OptionMeta, ...]] = {"options": title.meta.options, "readings": title.meta.readings}
    for field, options in fields.items():
        for option in options:
            for choice in option.choices:
                try:
                    complete(title.meta, Setup(default.edition, default.players, **{field: {option.id: choice.id}}))
                except ChoiceError:
                    continue
                yield f"{field}.{option.id}={choice.id}"


def main() -> None:
    """Add the missing digests of every title."""
    for id in TITLES:
        title, rows = load_title(id), read(id)
        new = find_missing(title, rows)
        if new:
            write(id, add(title, rows))
        sys.stdout.write(f"{id}: {len(new)} setups and choices added\n")


if __name__ == "__main__":
    main()
