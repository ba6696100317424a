"""How tests look at a table that they draw: with the catalogue of the title, and with no service."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.client.drawing.drawing import Drawing
from boardkeeper.client.drawing.look import Look
from boardkeeper.table.title import Setup, Title

NAMES = {1: "Anna", 2: "Bruno", 3: "Clara", 4: "David"}
LONG = {seat: f"Bartholomäus-Maximilian von und zu Hohenlohe {seat}" for seat in NAMES}

Catalogue = tuple[dict[str, str], dict[str, dict[str, str]]]
"""The names of components and their facts, by their ids; those that are told apart by seats have one."""


def catalogue(drawing: Drawing, title: Title, setup: Setup, language: str) -> Catalogue:
    """What a drawing is told of an edition with that number of players."""
    names = drawing.extra_names(language)
    facts: dict[str, dict[str, str]] = {}
    for component in title.components(setup):
        id = component.id.partition(".")[0]
        names.setdefault(id, component.text[language])
        facts.setdefault(id, component.facts)
    return names, facts


def look(
    drawing: Drawing, known: Catalogue, setup: Setup, viewer: int, language: str, called: Mapping[int, str]
) -> Look:
    """How somebody looks at a table with that setup, with seats that are called so."""
    names, facts = known
    choices = {**setup.options, **setup.readings}
    return Look(
        words=drawing.words(language),
        names=names,
        plurals=drawing.several(language),
        facts=drawing.facts(facts, choices),
        seats={seat: called[seat] for seat in range(1, setup.players + 1)},
        viewer=viewer,
        choices=choices,
    )
