"""The settings of a service.

`settings` has the settings, `about` their descriptions from ``settings.toml``, `sources` reads them, `secrets` checks
files that only the owner may read, and `endpoints` parses addresses. Most packages need only ``Config``.
"""

from boardkeeper.service.config.settings import (
    DEFAULT_DATABASE,
    DEFAULT_LISTEN,
    DEFAULT_METRICS,
    Config,
)

__all__ = ["DEFAULT_DATABASE", "DEFAULT_LISTEN", "DEFAULT_METRICS", "Config"]
