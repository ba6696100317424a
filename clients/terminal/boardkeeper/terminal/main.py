"""The command line ``boardkeeper``: reads the arguments, runs a command, and turns failures into one line."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from boardkeeper.terminal.arguments import parse

_EXTRA = "the command line needs more packages: pip install 'boardkeeper[client]' (missing: {})"

_MODULES = {"import": "import_record", "new-title": "new_title", "title-numbers": "title_numbers"}
"""Commands whose names no module can have."""


_OPERATIONS = frozenset(
    {
        "access",
        "archive",
        "backup",
        "check",
        "config",
        "conformance",
        "erase",
        "feed",
        "health",
        "import",
        "keys",
        "migrate",
        "move",
        "new-title",
        "rebuild",
        "remove",
        "restore",
        "results",
        "serve",
        "standings",
        "title-numbers",
        "unarchive",
        "webhooks",
    }
)

_OWN_TITLES = frozenset({"config", "serve"})
"""Commands that read the variable with the other settings of a server."""

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO})


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; see ``boardkeeper --help``."""
    _open_missing_descriptors()
    try:
        return _run(arguments)
    except KeyboardInterrupt:  # also before a command has begun: what it needs takes a while to import
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        _leave_output()  # whoever read it (head, less) has seen enough
        return 1
    except OSError as error:
        if error.errno not in _FULL:
            raise
        _leave_output()
        print(f"boardkeeper: cannot write: {error.strerror}.", file=sys.stderr)
        return 1


def _open_missing_descriptors() -> None:
    """Open the null device for each standard descriptor that is closed.

    Python leaves the stream ``None``, and the next socket gets the number: uvloop aborts when it closes that.
    """
    for descriptor, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one
            os.set_inheritable(descriptor, True)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8", closefd=False))


def _leave_output() -> None:
    """Let what is still to be written go, without a word from the interpreter."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str] | None) -> int:
    chosen = parse(arguments)
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # gRPC's own log lines; what went wrong is said by us
    try:
        from boardkeeper.terminal.output import CommandError, Output  # noqa: PLC0415
        from boardkeeper.terminal.tls_files import take_flags  # noqa: PLC0415

        package = "operations" if chosen.command in _OPERATIONS else "terminal"
        command = import_module(f"boardkeeper.{package}.{_MODULES.get(chosen.command, chosen.command)}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("boardkeeper"):
            raise
        print(f"boardkeeper: {_EXTRA.format(error.name)}", file=sys.stderr)
        return 1
    output = Output(
        color=not getattr(chosen, "no_color", False) and not os.environ.get("NO_COLOR"),
        as_json=getattr(chosen, "json", False),
    )
    try:
        take_flags(chosen)
        if chosen.command not in _OWN_TITLES and (listed := os.environ.get("BOARDKEEPER_TITLES")):
            from boardkeeper.titles.registry import allow_listed  # noqa: PLC0415

            for problem in allow_listed(listed)[1]:
                output.error(f"{problem}.")
        status: int = command.run(chosen, output)
        sys.stdout.flush()
    except CommandError as error:
        output.error(str(error))
        return error.status
    except ValueError as error:
        from boardkeeper.wire.errors import ConversionError  # noqa: PLC0415

        if not isinstance(error, ConversionError):
            raise
        output.error(f"the server sent something that this program does not know ({error}). Update this program.")
        return 1
    return status
