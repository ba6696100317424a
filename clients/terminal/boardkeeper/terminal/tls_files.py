"""TLS files for servers at ``https://``, from flags or environment variables."""

from __future__ import annotations

import os

from boardkeeper.client.addresses import Address
from boardkeeper.client.tls import Tls
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.errors import USAGE, CommandError

_VARIABLES = {
    "ca_file": "BOARDKEEPER_CA_FILE",
    "client_cert": "BOARDKEEPER_CLIENT_CERT",
    "client_key": "BOARDKEEPER_CLIENT_KEY",
}
_flags: dict[str, str] = {}


def set_tls_files(arguments: Arguments) -> None:
    """Save the TLS flags of the command for all its connections.

    Raises :class:`CommandError` if the named server is not at ``https://``.
    """
    _flags.clear()
    _flags.update({name: value for name in _VARIABLES if (value := getattr(arguments, name, None))})
    server = getattr(arguments, "server", None)
    if _flags and server and not Address.parse(server).secure:
        flag = f"--{next(iter(_flags)).replace('_', '-')}"
        raise CommandError(f"{flag} needs a server at https://: write https://{server}.", USAGE)


def tls_for(server: str) -> Tls | None:
    """Return the TLS files for a server, or ``None`` for a server without TLS. Raises :class:`CommandError`."""
    try:
        secure = Address.parse(server).secure
    except ValueError as error:  # the address is from a variable: flags were checked before
        raise CommandError(f"{error}.", USAGE) from error
    files = {name: _flags.get(name) or os.environ.get(variable, "") for name, variable in _VARIABLES.items()}
    return Tls(files["ca_file"], files["client_cert"], files["client_key"]) if secure else None
