"""Lists of titles, and descriptions of one title."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from boardkeeper.client.client import Client
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.connections import as_record, explain_unreachable
from boardkeeper.terminal.drawing.captions import captions
from boardkeeper.terminal.drawing.phrases import phrases_of
from boardkeeper.terminal.environment import default_server
from boardkeeper.terminal.errors import DONE, USAGE, CommandError
from boardkeeper.terminal.local_server import run_server, temporary_folder
from boardkeeper.terminal.locations import Location, default_location, named_location, open_location
from boardkeeper.terminal.output import Output
from boardkeeper.v1 import catalog_pb2


def list_titles(arguments: Arguments, output: Output) -> int:
    """Print one line for each title, or the details of one title."""
    if arguments.edition and not arguments.title:
        raise CommandError(f"--edition needs a title: boardkeeper titles TITLE --edition {arguments.edition}", USAGE)
    with _catalogue(arguments, output) as client:
        if arguments.title:
            answer = client.title(arguments.title, arguments.edition)
            output.record(as_record(answer))
            _explain(answer, captions(arguments.language), arguments.language, output)
        else:
            for title in client.titles():
                output.record(as_record(title))
                players = f"{_players(title)} {captions(arguments.language)['players']}"
                output.text(Text.assemble((title.id, "bold"), f"  {title.text}, {title.designer}  ", players))
    return DONE


@contextmanager
def _catalogue(arguments: Arguments, output: Output) -> Iterator[Client]:
    """Connect to the named or default server, or else to a temporary one."""
    with ExitStack() as stack:
        location = named_location(arguments) or default_location()
        if location is None:
            if os.environ.get("BOARDKEEPER_SERVER"):
                output.remark(f"{explain_unreachable(default_server())}; these are the titles that are installed here.")
            folder = stack.enter_context(temporary_folder("titles"))
            location = Location(stack.enter_context(run_server(str(folder / "none.db"))))
        client, _ = stack.enter_context(open_location(location, arguments.language, output, at_rest=True))
        yield client


def _explain(answer: catalog_pb2.GetTitleResponse, words: Mapping[str, str], language: str, output: Output) -> None:
    is_default = f" ({words['default']})"
    title = answer.title
    output.text(Text.assemble((title.text, "bold"), f"  {title.designer}, {title.publisher} ({title.maturity})"))
    if title.maturity_text:
        output.show(title.maturity_text)
    editions = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for caption in ("edition", "name", "players_caption", "rulebook"):
        editions.add_column(words[caption])
    for edition in title.editions:
        default = is_default if edition.id == title.default_edition else ""
        players = _range(edition.players_min, edition.players_max)
        editions.add_row(edition.id + default, edition.text, players, edition.rulebook)
    output.show("", editions)
    _show_supplies(answer, words, language, output)
    for heading, entries in ((words["option"], title.options), (words["reading"], title.readings)):
        for option in entries:
            ids = ", ".join(option.editions)
            only = words["only_in"].format(editions=ids) if ids else ""
            output.show("", Text.assemble((f"{heading}: ", "dim"), (option.id, "bold"), f"{only}  {option.text}"))
            for choice in option.choices:
                default = is_default if choice.id == option.default else ""
                numbers = f" {words['or']} ".join(map(str, choice.players))
                only = words["only_with"].format(numbers=numbers) if numbers else ""
                _entry(choice.id, f"{default}{only}  {choice.text}", output)
    if title.alone:
        chosen = ", ".join(f"{id}={choice}" for id, choice in sorted(title.alone.items()))
        output.show("", Text.assemble((f"{words['solo']}: ", "dim"), (chosen, "cyan")))
    if title.bots:
        output.show("", Text(f"{words['bots']}: ", "dim"))
    for at, bot in enumerate(title.bots):
        _entry(bot.id, f"{'' if at else is_default}  {bot.text}", output)
    rest = words["components_and_rules"].format(components=len(answer.components), rules=len(answer.rules))
    output.show("", rest)


def _entry(id: str, says: str, output: Output) -> None:
    output.show(Padding(Text.assemble((id, "cyan"), says), (0, 0, 0, 2)))


def _show_supplies(
    answer: catalog_pb2.GetTitleResponse, words: Mapping[str, str], language: str, output: Output
) -> None:
    """Print the colours of the seats, and the supplies for each number of players of an edition."""
    (edition,) = (edition for edition in answer.title.editions if edition.id == answer.edition)
    if edition.seat_colors:
        colors = ", ".join(f"{color.seat} {color.text}" for color in edition.seat_colors)
        output.show("", Text.assemble((f"{words['seats']} ({edition.id}): ", "dim"), colors))
    if not edition.supplies:
        return
    names: dict[str, str] = {}
    phrases = phrases_of(answer.title.id, language).words
    for component in answer.components:  # copies such as station.1 and station.2 share a name
        names.setdefault(component.id.partition(".")[0], component.text)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    table.add_column(words["supply"])
    for supply in edition.supplies:
        table.add_column(f"{supply.players} {words['players']}", justify="right")
    for part in ("common", "each_seat"):
        table.add_row(Text(words[part], style="dim"))
        supplies = [getattr(supply, part) for supply in edition.supplies]
        for id in sorted(supplies[0], key=[*names, *supplies[0]].index):
            name = names.get(id) or phrases.get(id) or id.replace("_", " ").capitalize()
            table.add_row(Text(name), *(str(supply.get(id, 0)) for supply in supplies))
    output.show("", table)


def _players(title: catalog_pb2.Title) -> str:
    fewest = min(edition.players_min for edition in title.editions)
    most = max(edition.players_max for edition in title.editions)
    return _range(fewest, most)


def _range(fewest: int, most: int) -> str:
    return str(most) if fewest == most else f"{fewest}–{most}"
