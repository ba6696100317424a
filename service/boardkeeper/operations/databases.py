"""Which database a command is about that works on one without a service."""

from __future__ import annotations

from boardkeeper.service.config import Config
from boardkeeper.service.config.sources import Found
from boardkeeper.service.errors import SettingError
from boardkeeper.service.storage.database_urls import has_password

SEEN = (
    "--db contains a password, which other users of this machine can see: set the URL as BOARDKEEPER_DATABASE,"
    " or the password as PGPASSWORD or in the file that PGPASSFILE names"
)


def configured(database: str | None, key_file: str | None = None) -> Config:
    """The settings with the database that ``--db`` names, or the variable; raises ``StartupError``."""
    found = Config.found({"database": database, "key_file": key_file})
    refuse_passwords(found["database"])
    return Config.of(found)


def refuse_passwords(database: Found) -> None:
    """Raises :class:`SettingError` for a flag that has a password."""
    if database.source == "flag" and has_password(database.value):
        raise SettingError(SEEN)
