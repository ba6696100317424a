"""The tables of a story as the files have them: those of its edition, and over them those of a data set."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from boardkeeper.titlekit import title_files
from boardkeeper.titles.stories.data_sets import DATA_SETS, DEFAULT


@lru_cache(maxsize=32)
def tables_of(edition: str, data_set: str = DEFAULT) -> dict[str, Any]:
    """The raw tables of an edition with a data set, not to be changed; raises ``ValueError`` for unknown ones."""
    merged = title_files.merge_tables(
        title_files.tables_of(__package__, edition), DATA_SETS.of_edition(data_set, edition)
    )
    game = merged["game"]
    if game["start_base_places"] == "all":
        merged["game"] = {**game, "start_base_places": list(merged["base_places"])}
    return merged
