"""``boardkeeper migrate``: make the tables of a PostgreSQL, for a service that may not do so itself."""

from __future__ import annotations

from argparse import Namespace

from boardkeeper.operations.installed import from_the_service
from boardkeeper.terminal.output import DONE, CommandError, Output


def run(arguments: Namespace, output: Output) -> int:
    """Make the tables or bring them up to date, and grant a role what a service needs."""
    with from_the_service():
        from boardkeeper.operations.databases import configured  # noqa: PLC0415
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.admin import create_tables  # noqa: PLC0415
    try:
        name = create_tables(configured(arguments.db).database, arguments.grant or "")
    except StartupError as error:
        raise CommandError(str(error)) from error
    granted = f"; {arguments.grant} can now run the server" if arguments.grant else ""
    output.line(f"the tables of {name} are up to date{granted}")
    return DONE
