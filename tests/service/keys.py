"""API keys for tests."""

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
OPERATOR_TOKEN = "an operator's token of forty characters!"


def store_changes(database: Path, changes: Iterable[Change]) -> None:
    """Write changes into a database without a running server."""
    application = GameApplication.open(database, load_title)
    try:
        application.writer.store(list(changes))
    finally:
        application.close()


def create_key_in(database: Path, name: str, *scopes: str, platform: str = "", certificate: str = "") -> CreatedKey:
    """Create a key in a database without a running server. It has all scopes unless some are named."""
    created = create_key(name, scopes or tuple(SCOPES), NOW, platform=platform, certificate=certificate)
    store_changes(database, created.changes)
    return created


def key_metadata(key: CreatedKey | str, token: str = "", **more: str) -> Metadata:
    """Return the metadata with a key and optionally a seat token."""
    secret = key if isinstance(key, str) else key.secret
    if token:
        return (("authorization", f"Bearer {token}"), ("x-boardkeeper-key", secret), *more.items())
    return (("authorization", f"Bearer {secret}"), *more.items())
