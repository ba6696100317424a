"""``boardkeeper new-title``: write a package with the smallest complete title."""

from __future__ import annotations

import keyword
import re
import shlex
import sys
from argparse import Namespace
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template

from boardkeeper.terminal.output import DONE, USAGE, CommandError, Output

_ID = re.compile(r"[a-z][a-z0-9_]{1,30}")
_RESERVED = frozenset({"game", "outside", "table", "boardkeeper"})


def run(arguments: Namespace, output: Output) -> int:
    """Write the files and say how to test and play the title."""
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
        "Then change the rules. docs/adding-a-title.md leads through all parts.",
    ):
        output.line(line)
    return DONE


def _check(id: str) -> None:
    """Raise :class:`CommandError` if a title cannot have that id, or its module that name."""
    if not _ID.fullmatch(id):
        proposal = re.sub(r"[^a-z0-9]+", "_", id.lower()).strip("_")
        hint = f", for example {proposal}" if _ID.fullmatch(proposal) else ""
        raise CommandError(f"NAME must be 2 to 31 lower-case letters, digits and _, first a letter{hint}", USAGE)
    if id in _RESERVED or keyword.iskeyword(id) or id in sys.stdlib_module_names:
        raise CommandError(f"{id!r} is a reserved name. Choose another one", USAGE)
    if find_spec(f"boardkeeper.titles.{id}") is not None or find_spec(id) is not None:
        raise CommandError(f"there is a title or module {id!r} already. Choose another name", USAGE)
