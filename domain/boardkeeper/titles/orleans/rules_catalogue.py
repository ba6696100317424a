"""The rules of Orléans by id: what rejections cite, tests are named after and the catalogue lists."""

from __future__ import annotations

from functools import lru_cache

from boardkeeper.table.rules_catalogue import read_rules
from boardkeeper.table.title import Rule


@lru_cache(maxsize=1)
def rules() -> dict[str, Rule]:
    """Every rule by its id, in the order of the rulebook."""
    return {rule.id: rule for rule in read_rules("boardkeeper.titles.orleans")}
