"""Whom the command line trusts and what it shows of itself: of flags, else of variables, for services at ``https://``."""

from __future__ import annotations

import os
from argparse import Namespace

from boardkeeper.client.addresses import Address
from boardkeeper.client.tls import Tls
from boardkeeper.terminal.output import USAGE, CommandError

_VARIABLES = {
    "ca_file": "BOARDKEEPER_CA_FILE",
    "client_cert": "BOARDKEEPER_CLIENT_CERT",
    "client_key": "BOARDKEEPER_CLIENT_KEY",
}
_given: dict[str, str] = {}


def take_flags(arguments: Namespace) -> None:
    """Note what this command was given; it holds for every service at ``https://`` that the command speaks to.

    Raises :class:`CommandError` if the service that it names is not one of these.
    """
    _given.clear()
    _given.update({name: value for name in _VARIABLES if (value := getattr(arguments, name, None))})
    server = getattr(arguments, "server", None)
    if _given and server and not Address.parse(server).secure:
        flag = f"--{next(iter(_given)).replace('_', '-')}"
        raise CommandError(f"{flag} needs a server at https://: write https://{server}.", USAGE)


def tls_for(server: str) -> Tls | None:
    """What a client of that service takes; ``None`` where nothing is encrypted. Raises :class:`CommandError`."""
    try:
        secure = Address.parse(server).secure
    except ValueError as error:  # of a variable: flags have been read with care
        raise CommandError(f"{error}.", USAGE) from error
    files = {name: _given.get(name) or os.environ.get(variable, "") for name, variable in _VARIABLES.items()}
    return Tls(files["ca_file"], files["client_cert"], files["client_key"]) if secure else None
