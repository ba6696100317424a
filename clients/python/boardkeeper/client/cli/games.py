"""``boardkeeper games``: list the games of a service."""

from __future__ import annotations

from argparse import Namespace
from itertools import islice

from rich.cells import cell_len
from rich.table import Table

from boardkeeper.client.cli.output import DONE, Output
from boardkeeper.client.cli.session import as_record, connect, seat_names
from boardkeeper.client.drawing.words import captions
from boardkeeper.client.requests import PAGE_SIZE
from boardkeeper.v1 import game_pb2

COLUMNS = ("game", "title", "state", "version", "seats", "last_event")
NARROW_COLUMNS = ("game", "state", "version", "seats")
WIDE = 100
"""How wide a terminal has to be for all columns; a narrower one shows how each game's id begins, which is enough."""
SHORT_ID = 8


def run(arguments: Namespace, output: Output) -> int:
    """One line for each game, the newest first; they are shown as they come, page by page."""
    listing = _Listing(output, arguments.language)
    with connect(arguments.server, arguments.language) as client:
        games = client.games()
        shown = games if arguments.all else islice(games, arguments.limit)
        for game in shown:
            output.record(as_record(game))
            listing.add(game)
        listing.flush()
        there_are_more = not arguments.all and next(games, None) is not None
    if listing.is_empty:
        output.show("No games yet. 'boardkeeper play --server …' or any gRPC client can make one.")
    elif there_are_more:
        output.remark(f"These are the newest {arguments.limit}. '--all' lists every game, '--limit N' more of them.")
    return DONE


class _Listing:
    """A table for people that is shown a page at a time; its columns may grow, but never shrink, from page to page."""

    def __init__(self, output: Output, language: str) -> None:
        self.is_empty = True
        self._output = output
        self._language = language
        self._words = captions(language)
        self._columns = NARROW_COLUMNS if output.console.width < WIDE else COLUMNS
        self._widths = dict.fromkeys(self._columns, 0)
        self._rows: list[dict[str, str]] = []

    def add(self, game: game_pb2.Game) -> None:
        """The next line."""
        cells = {
            "game": game.game_id[:SHORT_ID] if self._columns is NARROW_COLUMNS else game.game_id,
            "title": game.title,
            "state": self._words[status(game)],
            "version": str(game.version),
            "seats": ", ".join(_seat(game, seat, self._language) for seat in game.seats),
            "last_event": game.update_time.ToDatetime().strftime("%Y-%m-%d %H:%M UTC"),
        }
        self._rows.append(cells)
        if len(self._rows) == PAGE_SIZE:
            self.flush()

    def flush(self) -> None:
        """Show what has not been shown."""
        if not self._rows:
            return
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False, show_header=self.is_empty)
        for column in self._columns:
            if column != "seats":
                self._widths[column] = max(self._widths[column], *(cell_len(row[column]) for row in self._rows))
            table.add_column(
                self._words[column],
                no_wrap=column != "seats",
                min_width=max(self._widths[column], cell_len(self._words[column])),
                justify="right" if column == "version" else "left",
            )
        for row in self._rows:
            table.add_row(*(row[column] for column in self._columns))
        self._output.show(table)
        self._rows.clear()
        self.is_empty = False


def status(game: game_pb2.Game) -> str:
    """``open``, ``running`` or ``ended``."""
    return game_pb2.GameStatus.Name(game.status).removeprefix("GAME_STATUS_").lower()


def _seat(game: game_pb2.Game, seat: game_pb2.Seat, language: str) -> str:
    free = f"({captions(language)['free']})"
    name = seat.name or (f"{seat.bot} bot" if seat.bot else "" if seat.taken else free)
    name = name or seat_names(game, language)[seat.seat]
    ranks = [standing for standing in game.standings if standing.seat == seat.seat]
    return f"{name} {ranks[0].points}" if ranks else name
