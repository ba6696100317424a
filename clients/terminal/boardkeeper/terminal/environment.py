"""Environment variables of the command line."""

import os

DEFAULT_SERVER = "localhost:8050"
LANGUAGES = ("en", "de")
STANDARD = "-"
"""The file name that stands for standard input or output."""

OPERATOR_TOKEN = "BOARDKEEPER_OPERATOR_TOKEN"  # a name, not a secret


def default_server() -> str:
    """Return the address of the server that commands use without ``--server``."""
    return os.environ.get("BOARDKEEPER_SERVER") or DEFAULT_SERVER


def default_language() -> str:
    """Return the language that commands use without ``--language``."""
    language = os.environ.get("BOARDKEEPER_LANGUAGE")
    return language if language in LANGUAGES else LANGUAGES[0]
