"""The settings of a server.

`settings` defines the settings, `descriptions` their texts from ``settings.toml``, `sources` reads them, `secret_files`
checks the permissions of files, and `endpoints` parses addresses. Most packages need only ``Config``.
"""

from boardkeeper.service.config.settings import (
    DEFAULT_DATABASE,
    DEFAULT_LISTEN,
    DEFAULT_METRICS,
    Config,
)

__all__ = ["DEFAULT_DATABASE", "DEFAULT_LISTEN", "DEFAULT_METRICS", "Config"]
