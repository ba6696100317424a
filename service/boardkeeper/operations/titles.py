"""The commands ``boardkeeper new-title`` and ``boardkeeper title-numbers``."""

from __future__ import annotations

import keyword
import re
import shlex
import sys
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal.errors import DONE, FAILED, USAGE, CommandError
from boardkeeper.terminal.output import Output

_ID = re.compile(r"[a-z][a-z0-9_]{1,30}")
_RESERVED = frozenset({"game", "outside", "table", "boardkeeper"})


@cli.command("new-title")
@cli.argument("name", "NAME", help="id of the title")
@cli.file_flag("--folder", metavar="DIR", help="folder to write it in (default: the current folder)")
@cli.output_flags
def new_title(arguments: cli.Arguments, output: Output) -> int:
    """Write a folder NAME with a complete title of your own.

    It contains a small card game with hidden hands that plays at once, its tests, and pyproject.toml. Change its rules
    into those of your game: docs/adding-a-title.md explains all parts.

    NAME is the id of the title, and the name of its Python module: lower-case letters, digits and _.

    examples:
      boardkeeper new-title my_game
      boardkeeper new-title my_game --folder ~/titles
    """
    id: str = arguments.name
    _check(id)
    folder = Path(arguments.folder or ".") / id
    words = id.split("_")
    values = {
        "id": id,
        "package": id.replace("_", "-"),
        "name": " ".join(words).strip().title(),
        "class_name": "".join(word.capitalize() for word in words),
    }
    templates = files(__package__) / "skeleton"
    try:
        folder.mkdir(parents=True)
        for name, template in (("pyproject.toml", "pyproject"), (f"{id}.py", "title"), (f"test_{id}.py", "test")):
            source = (templates / f"{template}.txt").read_text("utf-8")
            (folder / name).write_text(Template(source).substitute(values), "utf-8")
    except FileExistsError as error:
        raise CommandError(f"{folder} exists already. Choose another name, or remove it") from error
    except OSError as error:
        raise CommandError(f"cannot write {folder}: {error.strerror}") from error
    output.record({"folder": str(folder), "id": id})
    for line in (
        f"{folder} has a complete title: the rules in {id}.py, tests in test_{id}.py. Next:",
        f"  pip install -e {shlex.quote(str(folder))} 'boardkeeper[testkit]'",
        f"  pytest {shlex.quote(str(folder))}",
        f"  boardkeeper serve --titles {id}",
        "Then change the rules. docs/adding-a-title.md explains all parts.",
    ):
        output.line(line)
    return DONE


def _check(id: str) -> None:
    """Raise :class:`CommandError` if the id cannot be used for a title and its module."""
    if not _ID.fullmatch(id):
        proposal = re.sub(r"[^a-z0-9]+", "_", id.lower()).strip("_")
        hint = f", for example {proposal}" if _ID.fullmatch(proposal) else ""
        raise CommandError(f"NAME must be 2 to 31 lower-case letters, digits and _, first a letter{hint}", USAGE)
    if id in _RESERVED or keyword.iskeyword(id) or id in sys.stdlib_module_names:
        raise CommandError(f"{id!r} is a reserved name. Choose another one", USAGE)
    if find_spec(f"boardkeeper.titles.{id}") is not None or find_spec(id) is not None:
        raise CommandError(f"there is a title or module {id!r} already. Choose another name", USAGE)


@cli.command("title-numbers")
@cli.argument("title", "TITLE", help="id of the title")
@cli.switch("--check", help="write nothing; exit with status 1 if the file is outdated")
@cli.output_flags
def title_numbers(arguments: cli.Arguments, output: Output) -> int:
    """Write the file wire.binpb into the package of an installed title, beside its structs, and list what was added.

    The file fixes the field numbers of the title's messages: run this before the first release, and after each change
    of a struct. Numbers never move. A removed field stays reserved: neither its number nor its name is used again.

    examples:
      boardkeeper title-numbers my_game
      boardkeeper title-numbers my_game --check
    """
    from boardkeeper.titles.registry import TITLES, TitleError, allow, load_title
    from boardkeeper.wire.numbers import file_of, numbers_of
    from boardkeeper.wire.schema import SchemaError

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
