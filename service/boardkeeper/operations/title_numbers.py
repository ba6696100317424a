"""``boardkeeper title-numbers``: fix the field numbers of a title in the file ``wire.binpb`` of its package."""

from __future__ import annotations

from argparse import Namespace

from boardkeeper.terminal.output import DONE, FAILED, USAGE, CommandError, Output
from boardkeeper.titles.registry import TITLES, TitleError, allow, load_title
from boardkeeper.wire.numbers import file_of, numbers_of
from boardkeeper.wire.schema import SchemaError


def run(arguments: Namespace, output: Output) -> int:
    """Write the file, and say what changed; with ``--check`` only say it."""
    id: str = arguments.title
    if id in TITLES:
        raise CommandError(f"{id} is a title of Boardkeeper: its published .proto files fix its numbers", USAGE)
    try:
        allow(id)
        title = load_title(id)
        numbers = numbers_of(title)
    except TitleError as error:
        raise CommandError(str(error)) from error
    except SchemaError as error:
        raise CommandError(f"nothing was written: {error}") from error
    file = file_of(title)
    if file is None:
        raise CommandError(
            f"{id} is a single module, which has no place for wire.binpb: make it a package, a folder {id} with the "
            "module as __init__.py"
        )
    is_old = bool(numbers.changes)
    output.record({"file": str(file), "changes": numbers.changes, "written": is_old and not arguments.check})
    for change in numbers.changes:
        output.line(f"  {change}")
    if not is_old:
        output.line(f"{file} is up to date")
        return DONE
    if arguments.check:
        output.line(f"{file} is older than the structs: run boardkeeper title-numbers {id}", "red")
        return FAILED
    try:
        file.write_bytes(numbers.schema.SerializeToString(deterministic=True))
    except OSError as error:
        raise CommandError(f"cannot write {file}: {error.strerror}") from error
    output.line(f"{file} has these numbers now: commit it, and ship it with the package", "bold")
    return DONE
