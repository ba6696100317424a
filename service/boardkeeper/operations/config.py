"""The command ``boardkeeper config``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardkeeper.operations.setting_flags import setting_flags, settings_from_flags
from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal.errors import DONE, CommandError
from boardkeeper.terminal.output import Output

if TYPE_CHECKING:
    from boardkeeper.service.config.settings import Config


@cli.command()
@setting_flags
@cli.output_flags
def config(arguments: cli.Arguments, output: Output) -> int:
    """Show the settings that 'boardkeeper serve' would use with the same flags, and where each comes from.

    The sources are a flag, an environment variable, the settings file (--config) and the default. Secrets are hidden.

    The exit status is 0 if all settings are valid, else 1.

    examples:
      boardkeeper config
      boardkeeper config --config /etc/boardkeeper.toml
      boardkeeper config --json | jq -r 'select(.source!="default").setting'
    """
    from boardkeeper.service.config.descriptions import format_value
    from boardkeeper.service.config.settings import Config, describe_settings
    from boardkeeper.service.errors import StartupError

    try:
        found = Config.resolve(settings_from_flags(arguments))
    except StartupError as error:
        raise CommandError(str(error)) from error
    shown = list(describe_settings(found))
    names = max(len(record["setting"]) for record in shown)
    values = max(len(format_value(record["value"])) for record in shown)
    for record in shown:
        output.record(record)
        where = record["from"] or record["source"]
        style = "dim" if record["source"] == "default" else ""
        output.line(f"{record['setting']:{names}}  {format_value(record['value']):{values}}  {where}", style)
    try:
        _check(Config.from_values(found))
    except StartupError as error:
        raise CommandError(str(error)) from error
    return DONE


def _check(config: Config) -> None:
    """Check the settings as far as possible without starting a server. Raises :class:`StartupError`."""
    from boardkeeper.service.storage.database_urls import check_name

    check_name(config.database)
    _ = config.endpoints, config.metrics_address
    try:
        from boardkeeper.service.transport.tls import certificates_of
    except ModuleNotFoundError:  # the packages of the server are not installed
        return
    certificates_of(config)
