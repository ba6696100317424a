"""The edition, options and readings of a new game, as chosen on the command line."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass, field

from boardkeeper.client.cli.output import CommandError
from boardkeeper.client.client import Client


@dataclass
class Choices:
    """What a new game is to be played with; what is not named keeps its default."""

    edition: str
    options: dict[str, str] = field(default_factory=dict)
    readings: dict[str, str] = field(default_factory=dict)


def choices(client: Client, arguments: Namespace) -> Choices:
    """Sort ``--choose ID=CHOICE`` into options and readings; raises :class:`CommandError` for what there is not."""
    title = client.title(arguments.title).title
    editions = {edition.id: edition for edition in title.editions}
    edition = editions.get(arguments.edition or title.default_edition)
    if edition is None:
        raise CommandError(f"there is no edition {arguments.edition!r} of {title.text}, only {', '.join(editions)}.")
    if not edition.players_min <= arguments.players <= edition.players_max:
        players = f"{edition.players_min} to {edition.players_max}"
        raise CommandError(f"{title.text} in the edition {edition.id} is for {players} players.")
    made = Choices(edition.id)
    known = {option.id: (option, made.options) for option in title.options}
    known |= {reading.id: (reading, made.readings) for reading in title.readings}
    for chosen in arguments.choose:
        id, _, choice = chosen.partition("=")
        if id not in known:
            raise CommandError(f"{title.text} has no option or reading {id!r}, only {', '.join(known)}.")
        option, target = known[id]
        offered = [offer.id for offer in option.choices]
        if choice not in offered:
            raise CommandError(f"{id} can be {' or '.join(offered)}, not {choice!r}.")
        target[id] = choice
    return made
