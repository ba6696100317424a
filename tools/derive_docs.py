"""Write the tables of the docs that repeat the code: errors, rejections, limits, settings, scopes, metrics and others.

``python tools/derive_docs.py`` writes, ``--check`` fails if a page is out of date. In a page, the line
``<!-- table: NAME -->`` precedes the table, which ends at the next blank line.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from boardkeeper.conformance.scenarios import scenarios
from boardkeeper.game import undo
from boardkeeper.game.record_bounds import MAX_CHOICES
from boardkeeper.game.sentences import words
from boardkeeper.service.api import history, lobby
from boardkeeper.service.auth.scopes import SCOPES
from boardkeeper.service.config.descriptions import format_value
from boardkeeper.service.config.settings import SETTINGS
from boardkeeper.service.games import bots, explanations, invitations
from boardkeeper.service.limits import limits
from boardkeeper.service.observability import metric_families
from boardkeeper.service.requests import errors, seat_names, validation
from boardkeeper.service.storage.database_move import NOT_COPIED
from boardkeeper.service.transport.framing import MAX_REQUEST_BYTES
from boardkeeper.service.transport.grpcio_server import MAX_STREAMS
from boardkeeper.service.transport.guard import MAX_METADATA_BYTES, MAX_METADATA_ENTRIES
from boardkeeper.service.transport.http2 import MAX_CALLS, MAX_OPENED_STREAMS, MAX_RESETS
from boardkeeper.service.transport.read_timeouts import REQUEST_SECONDS
from boardkeeper.table.layout import MAX_SEATS

DOCS = Path(__file__).resolve().parent.parent / "docs"
REJECTIONS = Path(__file__).with_name("rejections.toml")
MARKED = re.compile(r"(^<!-- table: (\S+) -->\n)(.*?)(?=\n\n|\n?\Z)", re.MULTILINE | re.DOTALL)

Row = tuple[str, ...]


def table_of_errors(section: str) -> Iterator[Row]:
    """Yield the errors of a section of ``errors.toml``."""
    has_metadata = section != "limits"  # all limits have the same metadata
    yield ("reason", "code", *["metadata"] * has_metadata, "what to do")
    for name, entry in errors.sections()[section].items():
        if entry.advice:
            notes = (f"`{key}`" + f" ({note})" * bool(note) for key, note in entry.metadata.items())
            metadata = [", ".join(notes) or "–"] * has_metadata
            yield (f"`{entry.reason or name}`", entry.code, *metadata, entry.advice)


@cache
def rejections() -> dict[str, dict[str, Any]]:
    """Return the entries of ``rejections.toml`` by section and reason.

    Raises ``SystemExit`` unless it has each rejection that the words of the game describe once.
    """
    sections = tomllib.loads(REJECTIONS.read_text("utf-8"))
    listed = sorted(reason for section in sections.values() for reason in section)
    expected = sorted({id.split()[0] for id in words("en").templates["rejections"]})
    if listed != expected:
        raise SystemExit(f"derive_docs: {REJECTIONS.name} has {listed}, but must have {expected}")
    return sections


def table_of_rejections(section: str) -> Iterator[Row]:
    """Yield the rejections of a section of ``rejections.toml``."""
    yield "reason", "metadata", "what to do"
    for reason, entry in rejections()[section].items():
        metadata = ", ".join(f"`{name}`" for name in entry.get("metadata", ()))
        yield f"`{reason}`", metadata or "–", entry["advice"].format_map(vars(undo))


def table_of_limits() -> Iterator[Row]:
    """Yield the rate limits and quotas with their defaults."""
    yield "limit", "a key", "an address", "what counts", "reason"
    of_a_key, of_an_address = (
        limits.parse_figures(limits.KEY_LIMITS_TEXT),
        limits.parse_figures(limits.ADDRESS_LIMITS_TEXT),
    )
    for limit, name in errors.limit_error_names().items():
        defaults = (f"`{figures[limit]}`" if limit in figures else "–" for figures in (of_a_key, of_an_address))
        yield (f"`{limit}`", *defaults, errors.entries()[name].counts, f"`{name}`")


def table_of_request_limits() -> Iterator[Row]:
    """Yield what a request may contain and what a client may have open."""
    characters = "visible ASCII characters"
    connections = SETTINGS["connections"].default
    yield "what", "limit"
    yield "a request", f"{MAX_REQUEST_BYTES // 1024} KiB"
    yield "commands of one submission", str(validation.MAX_COMMANDS)
    yield "subjects of `ExplainRefusals`", f"1 to {validation.MAX_SUBJECTS}; {explanations.MAX_EXPLANATIONS} answers"
    yield "seats", f"{MAX_SEATS}, and what the edition allows"
    yield "options, readings", f"{MAX_CHOICES} each, and what the edition offers"
    yield "`command_id`", f"1 to {validation.MAX_ID_LENGTH} {characters}"
    yield "`request_id`", f"{validation.MIN_REQUEST_ID_LENGTH} to {validation.MAX_ID_LENGTH} {characters}"
    of_names = f"{seat_names.MAX_NAME_LENGTH} printable characters with a letter, without unusual mixes of scripts"
    yield "names", f"{of_names}; not similar to another name in the game"
    yield "entropy of a seat", f"{validation.MAX_ENTROPY_BYTES} bytes"
    yield "invitations made to a game", str(invitations.MAX_INVITATIONS)
    yield "`player_id`", f"1 to {validation.MAX_PLAYER_ID_LENGTH} {characters}"
    yield "games, events on a page", f"{lobby.MAX_PAGE_SIZE}, {history.MAX_PAGE_SIZE}"
    yield "games in progress with only bots", f"{bots.MAX_BOT_GAMES}, played one after the other"
    yield "a position", f"{validation.MAX_POSITION_BYTES // 1024} KiB; usually 15 to 30 KiB"
    yield "metadata of a call", f"{MAX_METADATA_ENTRIES} entries, {MAX_METADATA_BYTES // 1024} KiB"
    yield "time from the headers of a request to its message", f"{REQUEST_SECONDS:g} seconds"
    of_calls = f"{MAX_STREAMS} (more wait in the client), {MAX_CALLS:,}"
    yield "calls at the same time, per connection and in total", of_calls
    of_connection = f"{MAX_OPENED_STREAMS:,}, or {MAX_RESETS} that the client cancelled"
    reconnect = "clients reconnect automatically"
    yield "calls of a connection in its life", f"{of_connection}; then {reconnect}, and open streams continue"
    yield "connections at the same time", f"{connections} by default"
    yield "a connection without a call", f"2 minutes; {reconnect}"


def table_of_settings() -> Iterator[Row]:
    """Yield the settings of the server; a secret has one more row, for its file."""
    yield "key", "flag", "variable", "default", ""
    for about in SETTINGS.values():
        is_secret = about.meaning.secret
        default = format_value(about.default)
        yield (
            f"`{about.name}`",
            "–" if is_secret else f"`{about.flag}`",
            f"`{about.variable}`",
            default if default == "none" else f"`{default}`",
            about.meaning.text,
        )
        if is_secret:
            yield f"`{about.file_key}`", f"`{about.flag}`", f"`{about.file_variable}`", "none", "file that contains it"


def table_of_scopes() -> Iterator[Row]:
    """Yield the scopes of API keys."""
    yield "scope", "allows, in the games of the platform"
    yield from ((f"`{scope}`", meaning) for scope, meaning in SCOPES.items())


def table_of_scenarios() -> Iterator[Row]:
    """Yield the scenarios of ``boardkeeper conformance``."""
    yield "scenario", "what happens", "why it matters"
    for each in scenarios().values():
        yield f"`{each.name}`", each.story, each.why


def table_of_metrics() -> Iterator[Row]:
    """Yield the metrics of the server."""
    yield "metric", "labels", "meaning"
    for name, entry in metric_families.entries().items():
        suffix = "_total" if entry.kind == "counter" else ""
        labels = ", ".join(f"`{label}`" for label in entry.labels)
        prefix = "histogram: " if entry.kind == "histogram" else ""
        yield f"`{metric_families.PREFIX}{name}{suffix}`", labels, prefix + entry.meaning


def table_of_data_not_copied() -> Iterator[Row]:
    """Yield the data that ``boardkeeper move`` does not copy."""
    yield "not moved", "consequence"
    yield from NOT_COPIED.items()


TABLES: dict[str, Callable[[], Iterable[Row]]] = {
    "limits": table_of_limits,
    "request-limits": table_of_request_limits,
    "settings": table_of_settings,
    "scopes": table_of_scopes,
    "scenarios": table_of_scenarios,
    "metrics": table_of_metrics,
    "not-copied": table_of_data_not_copied,
}


SECTION_TABLES: dict[str, Callable[[str], Iterable[Row]]] = {
    "errors": table_of_errors,
    "rejections": table_of_rejections,
}
"""Tables with a section in their names, such as ``errors/games``."""


def names() -> set[str]:
    """Return the names of all tables."""
    sections = {"errors": errors.sections(), "rejections": rejections()}
    return {*TABLES, *(f"{kind}/{section}" for kind in SECTION_TABLES for section in sections[kind])}


def table(name: str) -> str:
    """Return a table in Markdown."""
    kind, _, section = name.partition("/")
    heading, *rows = SECTION_TABLES[kind](section) if section else TABLES[name]()
    ruled = (heading, ("---",) * len(heading), *rows)
    return "\n".join("|" + "|".join(f" {cell} " if cell else " " for cell in row) + "|" for row in ruled)


def main(arguments: list[str] | None = None) -> int:
    """Run as a command and return the exit code."""
    parser = argparse.ArgumentParser(description="Write the tables of the docs that repeat the code.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is out of date")
    check = parser.parse_args(arguments).check
    outdated, missing = [], names()
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text("utf-8")
        missing -= {found[2] for found in MARKED.finditer(text)}
        derived = MARKED.sub(lambda found: found[1] + table(found[2]), text)
        if derived != text:
            outdated.append(page)
            if not check:
                page.write_text(derived, "utf-8")
    if missing:
        print(f"No page of docs has the table {', '.join(sorted(missing))}.", file=sys.stderr)
    if outdated and check:
        pages = ", ".join(f"docs/{page.name}" for page in outdated)
        print(f"Out of date: {pages}. Run make derive.", file=sys.stderr)
    return 1 if missing or (outdated and check) else 0


if __name__ == "__main__":
    sys.exit(main())
