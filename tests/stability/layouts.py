"""Digests of the layouts of every title: stored games fold onto them, so a layout that was played never changes.

``python -m tests.stability.layouts`` adds the missing ones to ``layouts/<title>.json`` and changes none that is there.
``docs/events.md`` tells what that means for whoever writes rules.
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


class Laid(Struct):
    """The layouts of one edition for so many players: the one of a setup, and those that differ from it in one choice.

    ``options`` and ``readings`` are those of the setup, all that there were when it was written down. ``alike`` are the
    choices that leave its layout as it is, ``otherwise`` those with a digest of their own; a choice is written
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
        """The setup, or that with another choice."""
        setup = Setup(self.edition, self.players, dict(self.options), dict(self.readings))
        if choice:
            field, _, chosen = choice.partition(".")
            id, _, value = chosen.partition("=")
            getattr(setup, field)[id] = value
        return setup

    def digests(self) -> dict[str, str]:
        """The digest of each choice; that of the setup itself is under an empty one."""
        return {"": self.digest, **dict.fromkeys(self.alike, self.digest), **self.otherwise}

    def covers(self, choice: str) -> bool:
        """Whether a choice is written down here."""
        return choice in {*_choices("options", self.options), *_choices("readings", self.readings), *self.digests()}

    def add(self, choice: str, digest: str) -> None:
        """Write a choice down that was not."""
        if digest == self.digest:
            self.alike = sorted([*self.alike, choice])
        else:
            self.otherwise = dict(sorted({**self.otherwise, choice: digest}.items()))


def _choices(field: str, chosen: dict[str, str]) -> Iterator[str]:
    return (f"{field}.{id}={value}" for id, value in chosen.items())


def digest(title: Title, setup: Setup) -> str:
    """SHA-256 of the layout of a setup on record, in hexadecimal."""
    layout = title.layout(title.meta.with_legacy_choices(setup))
    return hashlib.sha256(msgspec.json.encode(layout, order="deterministic")).hexdigest()


# --- what is written down ----------------------------------------------------------------------------------------


def read(title: str, folder: Path = FOLDER) -> list[Laid]:
    """What is written down of a title."""
    file = folder / f"{title}.json"
    return msgspec.json.decode(file.read_bytes(), type=list[Laid]) if file.exists() else []


def write(title: str, rows: Iterable[Laid], folder: Path = FOLDER) -> None:
    """Write down what is known of a title."""
    folder.mkdir(exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(list(rows)), indent=1)
    (folder / f"{title}.json").write_bytes(text + b"\n")


def changed(title: Title, rows: Iterable[Laid]) -> list[str]:
    """The setups whose layout is not what is written down."""
    return [
        f"{row.edition} with {row.players} players {choice}".rstrip()
        for row in rows
        for choice, stored in row.digests().items()
        if digest(title, row.setup(choice)) != stored
    ]


def missing(title: Title, rows: Iterable[Laid]) -> list[tuple[Setup, str]]:
    """The setups that can be played, by edition and number of players, and each choice of which nothing is known."""
    known = {(row.edition, row.players): row for row in rows}
    found = []
    for usual in _setups(title):
        row = known.get((usual.edition, usual.players))
        if row is None:
            found.append((usual, ""))
        found += [(usual, choice) for choice in _offered(title, usual) if row is None or not row.covers(choice)]
    return found


def add(title: Title, rows: Iterable[Laid]) -> list[Laid]:
    """What is written down and what is missing; nothing of the former is another."""
    known = {(row.edition, row.players): row for row in rows}
    for usual, choice in missing(title, known.values()):
        row = known.get((usual.edition, usual.players))
        if row is None:
            row = Laid(usual.edition, usual.players, usual.options, usual.readings, digest(title, usual))
            known[usual.edition, usual.players] = row
        elif not row.covers(choice):
            row.add(choice, digest(title, row.setup(choice)))
    return list(known.values())


def _setups(title: Title) -> Iterator[Setup]:
    for edition in title.meta.editions:
        fewest, most = edition.players
        for players in range(fewest, most + 1):
            usual = complete(title.meta, Setup(edition.id, players))
            if usual.players == players:  # alone against the rules is a game of two
                yield usual


def _offered(title: Title, usual: Setup) -> Iterator[str]:
    """Every single choice that goes with an edition and number of players."""
    fields: dict[str, tuple[OptionMeta, ...]] = {"options": title.meta.options, "readings": title.meta.readings}
    for field, options in fields.items():
        for option in options:
            for choice in option.choices:
                try:
                    complete(title.meta, Setup(usual.edition, usual.players, **{field: {option.id: choice.id}}))
                except ChoiceError:
                    continue
                yield f"{field}.{option.id}={choice.id}"


def main() -> None:
    """Add what is missing of every title."""
    for id in TITLES:
        title, rows = load_title(id), read(id)
        new = missing(title, rows)
        if new:
            write(id, add(title, rows))
        sys.stdout.write(f"{id}: {len(new)} setups and choices added\n")


if __name__ == "__main__":
    main()
