"""The command ``boardkeeper serve``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardkeeper.operations.setting_flags import passed_flags, setting_flags, settings_from_flags
from boardkeeper.operations.support import server_imports
from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal.errors import DONE, CommandError
from boardkeeper.terminal.output import Output

if TYPE_CHECKING:
    from boardkeeper.service.config.settings import Config
    from boardkeeper.service.process.parent_process import WorkerLink


@cli.command()
@setting_flags
@cli.flag("--worker", hidden=True)  # set by the supervisor of several processes
def serve(arguments: cli.Arguments, output: Output) -> int:
    """Run the server until it is interrupted (Ctrl-C or SIGTERM).

    Stored games survive a restart and a crash. One process uses one SQLite file; several processes can share one
    PostgreSQL database (--workers).

    Each flag is a setting that can also be set with an environment variable or in a TOML file (--config). A flag
    overrides a variable, a variable overrides the file. 'boardkeeper config' shows the result.

    examples:
      boardkeeper serve
      boardkeeper serve --db /var/lib/boardkeeper/games.db --listen 127.0.0.1:8050 --log-format json
      boardkeeper serve --config /etc/boardkeeper.toml
      boardkeeper serve --db postgresql://boardkeeper@db.internal/games --key-file /etc/boardkeeper.key --workers 4
    """
    from boardkeeper.operations.support import check_password
    from boardkeeper.service.config.settings import Config
    from boardkeeper.service.errors import StartupError
    from boardkeeper.service.process.parent_process import WorkerLink

    link = WorkerLink.parse(arguments.worker) if arguments.worker else None
    try:
        with server_imports():
            found = Config.resolve(settings_from_flags(arguments))
            config = Config.from_values(found)
            check_password(found["database"])
            if link is None and config.workers > 1:
                return _supervise(config, arguments)
            _serve(config, link, output)
    except StartupError as error:
        raise CommandError(str(error)) from error
    return DONE


def _serve(config: Config, link: WorkerLink | None, output: Output) -> None:
    from boardkeeper.service.process import server

    # A JSON log must not contain other text.
    server.run(config, None if config.log == "json" else output.error, link)


def _supervise(config: Config, arguments: cli.Arguments) -> int:
    from boardkeeper.service.errors import SettingError
    from boardkeeper.service.process.supervisor import supervise_workers

    if not config.database.startswith(("postgres://", "postgresql://")):
        raise SettingError(
            f"{config.workers} workers need a PostgreSQL database: set its URL with --db, or leave --workers out."
            " Only one process can use a SQLite file"
        )

    def command(number: int, addresses: Sequence[str], link: WorkerLink) -> Sequence[str]:
        metrics = config.metrics_address
        own = ["--listen", addresses[0], "--grpc-listen", *(addresses[1:] or ["off"]), "--worker", str(link)]
        if config.has_web:  # an address in --web is the old form of --listen
            own += ["--web", "auto"]
        if metrics is not None:  # each process serves its own metrics
            own += ["--metrics", f"{metrics[0]}:{metrics[1] + number - 1 if metrics[1] else 0}"]
        return [sys.executable, "-m", "boardkeeper", "serve", *passed_flags(arguments), *own]

    return supervise_workers(config, command)
