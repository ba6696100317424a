"""``boardkeeper config``: which settings a service would have, and where each comes from."""

from __future__ import annotations

from argparse import Namespace

from boardkeeper.operations.setting_flags import given_settings
from boardkeeper.service.config.descriptions import text_of
from boardkeeper.service.config.settings import Config, records
from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.database_urls import check_name
from boardkeeper.terminal.output import DONE, CommandError, Output


def run(arguments: Namespace, output: Output) -> int:
    """Show every setting, secrets hidden; raises :class:`CommandError` if one cannot be used."""
    try:
        found = Config.found(given_settings(arguments))
    except StartupError as error:
        raise CommandError(str(error)) from error
    shown = list(records(found))
    names = max(len(record["setting"]) for record in shown)
    values = max(len(text_of(record["value"])) for record in shown)
    for record in shown:
        output.record(record)
        where = record["from"] or record["source"]
        style = "dim" if record["source"] == "default" else ""
        output.line(f"{record['setting']:{names}}  {text_of(record['value']):{values}}  {where}", style)
    try:
        _check(Config.of(found))
    except StartupError as error:
        raise CommandError(str(error)) from error
    return DONE


def _check(config: Config) -> None:
    """All that can be known without a start; raises :class:`StartupError`."""
    check_name(config.database)
    _ = config.endpoints, config.metrics_address
    try:
        from boardkeeper.service.transport.tls import certificates_of  # noqa: PLC0415
    except ModuleNotFoundError:  # where no service is installed, its settings can be looked at all the same
        return
    certificates_of(config)
