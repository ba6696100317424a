"""Title, edition, options and bots of a new game, from the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from boardkeeper.client import bots
from boardkeeper.client.client import Client
from boardkeeper.game.automata import NoOpponentError, automaton_seats
from boardkeeper.game.choices import ChoiceError
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.errors import USAGE, CommandError
from boardkeeper.titles.registry import load_meta, load_title, loaded_titles
from boardkeeper.v1 import catalog_pb2

USUAL_PLAYERS = {"demo": 4, "play": 3}
"""The default number of seats of a new game, by command."""

ALONE = 2
"""Options of a solo game against the rules are checked as if the game had this number of players."""


@dataclass
class GameOptions:
    """The options of a new game that differ from the defaults.

    ``bots`` are the kinds of bots, assigned to the seats in turn. ``automata`` are the seats that the rules play.
    """

    edition: str
    players: int
    options: dict[str, str] = field(default_factory=dict)
    readings: dict[str, str] = field(default_factory=dict)
    bots: tuple[str, ...] = ()
    automata: Sequence[int] = ()


def choose_options(client: Client, arguments: Arguments) -> GameOptions:
    """Return the choices of the flags. Raises :class:`CommandError` for unknown options, readings and choices."""
    title = client.title(arguments.title).title
    editions = {edition.id: edition for edition in title.editions}
    edition = editions.get(arguments.edition or title.default_edition)
    if edition is None:
        raise CommandError(f"{title.text} has no edition {arguments.edition!r}. It has: {', '.join(editions)}.")
    made = GameOptions(edition.id, _players(title, edition, arguments), bots=bots_of(title, arguments.bots))
    known = {option.id: (option, made.options) for option in title.options}
    known |= {reading.id: (reading, made.readings) for reading in title.readings}
    number = ALONE if title.alone and made.players == 1 else made.players
    for chosen in arguments.choose:
        id, _, choice = chosen.partition("=")
        if id not in known:
            raise CommandError(
                f"{title.text} has no option or rules interpretation {id!r}: see 'boardkeeper titles {title.id}'."
            )
        option, target = known[id]
        if option.editions and edition.id not in option.editions:
            raise CommandError(f"{id} can only be set in {' and '.join(option.editions)}, not in {edition.id}.")
        offered = {offer.id: tuple(offer.players) for offer in option.choices}
        if choice not in offered:
            raise CommandError(f"{id} must be {' or '.join(offered)}, not {choice!r}.")
        if offered[choice] and number not in offered[choice]:
            raise CommandError(f"{id}={choice} needs {' or '.join(map(str, offered[choice]))} players.")
        target[id] = choice
    if made.players == 1:
        _check_has_opponent(title, made)
    else:
        made.automata = automaton_seats_of(title.id, edition.id, made.players, made.options, made.readings)
    return made


def _players(title: catalog_pb2.Title, edition: catalog_pb2.Edition, arguments: Arguments) -> int:
    """Return the number of players: that of ``--players``, or the allowed number nearest to the default."""
    fewest, most = edition.players_min, edition.players_max
    if arguments.players is None:
        return min(max(fewest, USUAL_PLAYERS[arguments.command]), most)
    if fewest <= arguments.players <= most:
        return int(arguments.players)
    players = f"{fewest} to {most}" if fewest < most else str(most)
    raise CommandError(f"{title.text} ({edition.id}) is for {players} players.")


def _check_has_opponent(title: catalog_pb2.Title, made: GameOptions) -> None:
    """Raise :class:`CommandError` if the choices leave a single player without an opponent."""
    chosen = " ".join(f"--choose {id}={choice}" for id, choice in made.options.items() if id in title.alone)
    options = {**title.alone, **made.options}
    if chosen and _played(title.id, made.edition, ALONE, options, made.readings) == ():
        raise CommandError(f"with {chosen} you have no opponent: leave it out, or set --players 2.")


def bots_of(title: catalog_pb2.Title, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the requested kinds of bots, by default the strongest. Raises :class:`CommandError` for unknown kinds."""
    known = [bot.id for bot in title.bots] or installed_bots(title.id)  # servers of 0.1.0 do not list bots
    return check_bots(title.text, known, wanted)


def check_bots(title: str, known: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the requested kinds of bots, by default the first known one.

    Raises :class:`CommandError` for an unknown kind.
    """
    unknown = [kind for kind in wanted if kind not in known]
    if unknown:
        raise CommandError(f"{title} has no bot {unknown[0]!r}. It has: {', '.join(known)}.", USAGE)
    return tuple(wanted or known[:1])


def installed_bots(title: str) -> list[str]:
    """Return the kinds of bots of a title if it is installed."""
    return bots.kinds(title) if title in loaded_titles() else []


def automaton_seats_of(
    title: str, edition: str, players: int, options: Mapping[str, str], readings: Mapping[str, str]
) -> Sequence[int]:
    """Return the seats that the rules play in such a game; empty if the title is not installed."""
    return _played(title, edition, players, options, readings) or ()


def _played(
    title: str, edition: str, players: int, options: Mapping[str, str], readings: Mapping[str, str]
) -> Sequence[int] | None:
    """Return the seats that the rules play; ``None`` if the title is not installed or the options are invalid."""
    try:
        if not load_meta(title).alone:
            return ()
        return tuple(automaton_seats(load_title(title), edition, players, options, readings))
    except (KeyError, ChoiceError, NoOpponentError):  # the server reports the error
        return None
