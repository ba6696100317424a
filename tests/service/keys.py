"""Keys of platforms for tests: put into a database, and sent with calls."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.service.api_server import Metadata

from boardkeeper.service.auth.key_management import CreatedKey, create_key
from boardkeeper.service.auth.scopes import SCOPES
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.sql import Change
from boardkeeper.titles.registry import load_title

NOW = 1_800_000_000_000


def store_changes(database: Path, changes: Iterable[Change]) -> None:
    """Write into a database that nobody serves."""
    application = GameApplication.open(database, load_title)
    try:
        application.writer.store(list(changes))
    finally:
        application.close()


def create_key_in(database: Path, name: str, *scopes: str, platform: str = "", certificate: str = "") -> CreatedKey:
    """A key in a database that nobody serves yet, with all scopes unless some are named."""
    made = create_key(name, scopes or tuple(SCOPES), NOW, platform=platform, certificate=certificate)
    store_changes(database, made.changes)
    return made


def key_metadata(made: CreatedKey | str, token: str = "", **more: str) -> Metadata:
    """The metadata of a platform, with a seat's token beside the key if there is one."""
    secret = made if isinstance(made, str) else made.secret
    if token:
        return (("authorization", f"Bearer {token}"), ("x-boardkeeper-key", secret), *more.items())
    return (("authorization", f"Bearer {secret}"), *more.items())
