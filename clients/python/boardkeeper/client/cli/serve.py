"""``boardkeeper serve``: run the service."""

from __future__ import annotations

from argparse import Namespace

from boardkeeper.client.cli.output import DONE, CommandError, Output


def run(arguments: Namespace, output: Output) -> int:
    """Serve until interrupted. The service writes its own log; what a person has to know is said besides."""
    try:
        from boardkeeper.service import server  # noqa: PLC0415
        from boardkeeper.service.config import Config  # noqa: PLC0415
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise CommandError(f"the service is not installed: pip install 'boardkeeper[service]' ({error})") from error
    given = {
        "database": arguments.db,
        "listen": arguments.listen,
        "log": arguments.log_format,
        "metrics": arguments.metrics,
    }
    try:
        config = Config.read(given)
        server.run(config, None if config.log == "json" else output.error)  # a log for machines has nothing else in it
    except StartupError as error:
        raise CommandError(f"{error}. Choose others with --listen and --db.") from error
    return DONE
