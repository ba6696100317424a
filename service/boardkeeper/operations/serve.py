"""``boardkeeper serve``: run the service, in this process or in several that this one looks after."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence

from boardkeeper.operations.databases import refuse_passwords
from boardkeeper.operations.installed import from_the_service
from boardkeeper.operations.setting_flags import given_flags, given_settings
from boardkeeper.service.config.settings import Config
from boardkeeper.service.errors import SettingError, StartupError
from boardkeeper.service.process.worker_link import WorkerLink
from boardkeeper.terminal.output import DONE, CommandError, Output


def run(arguments: Namespace, output: Output) -> int:
    """Serve until interrupted. The service writes its own log; what a person has to know is said besides."""
    link = WorkerLink.parse(arguments.worker) if arguments.worker else None
    try:
        with from_the_service():
            found = Config.found(given_settings(arguments))
            config = Config.of(found)
            refuse_passwords(found["database"])
            if link is None and config.workers > 1:
                return _keep(config, arguments)
            _serve(config, link, output)
    except StartupError as error:
        raise CommandError(str(error)) from error
    return DONE


def _serve(config: Config, link: WorkerLink | None, output: Output) -> None:
    from boardkeeper.service.process import server  # noqa: PLC0415

    # A log for machines has nothing else in it.
    server.run(config, None if config.log == "json" else output.error, link)


def _keep(config: Config, arguments: Namespace) -> int:
    from boardkeeper.service.process.supervisor import supervise_workers  # noqa: PLC0415

    if not config.database.startswith(("postgres://", "postgresql://")):
        raise SettingError(
            f"{config.workers} workers need a PostgreSQL database: set its URL with --db, or leave --workers out."
            " Only one process can use a SQLite file"
        )

    def command(number: int, addresses: Sequence[str], link: WorkerLink) -> Sequence[str]:
        metrics = config.metrics_address
        own = ["--listen", addresses[0], "--grpc-listen", *(addresses[1:] or ["off"]), "--worker", str(link)]
        if config.has_web:  # an address there is the old form of --listen
            own += ["--web", "auto"]
        if metrics is not None:  # each has its own numbers
            own += ["--metrics", f"{metrics[0]}:{metrics[1] + number - 1 if metrics[1] else 0}"]
        return [sys.executable, "-m", "boardkeeper", "serve", *given_flags(arguments), *own]

    return supervise_workers(config, command)
