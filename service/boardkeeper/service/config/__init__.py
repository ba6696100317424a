"""The settings of a service.

Which there are (`settings`), what is said of each (`about`), where they come from (`sources`), what nobody else may
read (`secrets`), and how they are shown (`showing`).

``Config`` is all that most other rooms need.
"""

from boardkeeper.service.config.settings import (
    DEFAULT_DATABASE,
    DEFAULT_LISTEN,
    DEFAULT_METRICS,
    SHORTEST_OPERATOR_TOKEN,
    Config,
)

__all__ = ["DEFAULT_DATABASE", "DEFAULT_LISTEN", "DEFAULT_METRICS", "SHORTEST_OPERATOR_TOKEN", "Config"]
