"""``boardkeeper serve``: run the service."""

from __future__ import annotations

from argparse import Namespace

from boardkeeper.client.cli.output import DONE, CommandError, Output
from boardkeeper.client.cli.setting_flags import given_settings
from boardkeeper.service.config.settings import Config
from boardkeeper.service.errors import SettingError, StartupError


def run(arguments: Namespace, output: Output) -> int:
    """Serve until interrupted. The service writes its own log; what a person has to know is said besides."""
    try:
        from boardkeeper.service import server  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise CommandError(f"the service is not installed: pip install 'boardkeeper[service]' ({error})") from error
    try:
        config = Config.read(given_settings(arguments))
        server.run(config, None if config.log == "json" else output.error)  # a log for machines has nothing else in it
    except SettingError as error:  # it says what to do
        raise CommandError(str(error)) from error
    except StartupError as error:
        raise CommandError(f"{error}. Choose others with --listen and --db.") from error
    return DONE
