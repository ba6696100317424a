"""Verification of record files and of games."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec.structs import replace
from rich.text import Text

from boardkeeper.game.audit import FAILS, HOLDS, NOT_YET, SIGNED, Level, Problem, Report, audit
from boardkeeper.game.record_reading import split_lines
from boardkeeper.game.record_replay import OtherReadings
from boardkeeper.terminal import record_files
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.environment import STANDARD
from boardkeeper.terminal.errors import DONE, FAILED, UNCHECKED, UNREACHABLE, USAGE, CommandError
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.paths import exists
from boardkeeper.titles.registry import load_title
from boardkeeper.wire.signatures import verify

UNSETTLED = 4
"""Exit status: no fault found, but not everything can be verified yet."""
_WORST_FIRST = (FAILED, UNCHECKED, UNREACHABLE, UNSETTLED, DONE)

_GAME = re.compile(r"[0-9a-f]{4}[0-9a-f-]*[….]*", re.IGNORECASE)
_BLOCK = 64 * 1024
_STYLES = {HOLDS: "green", FAILS: "bold red", NOT_YET: "yellow"}


def verify_records(arguments: Arguments, output: Output) -> int:
    """Verify each file. Return the exit status of the worst result."""
    statuses = [_check(file, arguments, output) for file in arguments.files]
    return next(status for status in _WORST_FIRST if status in statuses)


def _check(file: str, arguments: Arguments, output: Output) -> int:
    try:
        if file != STANDARD and _is_game(file, arguments):
            report = audit_record(io.BytesIO(_fetch(file, arguments, output)))
        else:
            with record_files.open_input(file) as opened:
                report = audit_record(opened)
    except OSError as error:
        return _unchecked(file, f"cannot read {file}: {error.strerror}.", UNCHECKED, output)
    except CommandError as error:
        if error.status == USAGE:
            raise
        return _unchecked(file, str(error), UNREACHABLE if error.status == UNREACHABLE else UNCHECKED, output)
    report = _trusting(report, arguments.key)
    output.record({"file": file, "holds": report.holds, "fails": report.fails, **msgspec.to_builtins(report)})
    show_report(file, report, output)
    if not report.game:
        return UNCHECKED
    return DONE if report.holds else FAILED if report.fails else UNSETTLED


def _unchecked(file: str, problem: str, status: int, output: Output) -> int:
    output.record({"file": file, "holds": False, "fails": True, "error": problem})
    output.error(problem)
    return status


def _is_game(name: str, arguments: Arguments) -> bool:
    """Return whether a name is the id of a game and not a file."""
    return not exists(Path(name)) and bool(arguments.server or arguments.db or _GAME.fullmatch(name))


def _fetch(game: str, arguments: Arguments, output: Output) -> bytes:
    from boardkeeper.terminal.export import fetch_record  # checking files needs no gRPC
    from boardkeeper.terminal.locations import open_game

    with open_game(Arguments(**{**vars(arguments), "game": game}), output) as found:
        return fetch_record(found)


def audit_record(file: BinaryIO) -> Report:
    """Return the audit report of a record."""
    return audit(split_lines(_blocks(file)), load_title, verify)


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    return iter(partial(file.read, _BLOCK), b"")


def _trusting(report: Report, keys: Sequence[str]) -> Report:
    """Return the report with a problem if the record is signed with a key that is not one of ``keys``."""
    if not keys or not report.key_id or report.key_id.startswith(tuple(keys)):
        return report
    problem = Problem(
        SIGNED, report.events + 2, 0, f"it is signed with the key {report.key_id}, which --key does not accept"
    )
    levels = tuple(Level(SIGNED, FAILS, "1 problem") if level.name == SIGNED else level for level in report.levels)
    return replace(report, levels=levels, problems=(*report.problems, problem))


def show_report(file: str, report: Report, output: Output) -> None:
    """Print a report for people."""
    what = f"{report.title} {report.game}, {report.events} events" if report.game else "not a record"
    output.line(f"{file}: {what}", "bold")
    for level in report.levels:
        output.text(
            Text.assemble(
                f"  {level.name:<12} ", (f"{level.status:<12}", _STYLES.get(level.status, "")), (level.note, "dim")
            )
        )
    for problem in report.problems:
        where = f"line {problem.line}" if problem.line else "the file"
        version = f", event {problem.version}" if problem.version else ""
        output.line(f"  {problem.level}: {where}{version}: {problem.message}", "red")
    if report.standings:
        scores = ", ".join(f"seat {standing.seat} {standing.points}" for standing in report.standings)
        output.line(f"  result: {scores}")
    if report.title_build:
        output.line(f"  played with the rules of the package {report.title_build}", "dim")
    if report.key_id and not report.fails:
        output.line(f"  signed with the key {report.key_id}", "dim")
    if report.other_readings is not None:
        for line in _otherwise(report.other_readings):
            output.line(f"  {line}")
    output.line(f"  {_verdict(report)}", "bold")


def _verdict(report: Report) -> str:
    if report.holds:
        return "Verified: the record passes every check."
    if not report.game:
        return "Not verified: this is not a game record."
    if report.fails:
        return "Not verified: the record fails at least one check."
    return "No fault found, but not everything can be verified yet."


def _otherwise(otherwise: OtherReadings) -> Iterator[str]:
    changes = ", ".join(f"{it.id}: {it.own} in this record, {it.default} by default today" for it in otherwise.readings)
    yield f"rules interpretations differ from today's defaults: {changes}"
    if not otherwise.version:
        yield "with today's defaults every command would give the same result"
        return
    yield f"with today's defaults the game would differ from event {otherwise.version} on: {otherwise.difference}"
    if otherwise.scores:
        scores = ", ".join(f"seat {it.seat} {it.otherwise} instead of {it.points}" for it in otherwise.scores)
        yield f"the same commands would then score: {scores}"
    else:
        yield f"the same commands would then not finish the game: {otherwise.rejected} would be rejected"
