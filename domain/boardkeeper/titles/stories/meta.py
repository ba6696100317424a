"""The catalogue entry of Orléans Stories, from the TOML files of this package, with the default data set."""

from __future__ import annotations

from boardkeeper.titlekit.meta import read_meta
from boardkeeper.titles.stories.supplies import supplies
from boardkeeper.titles.stories.tables import DATA_SETS, tables_of

META = read_meta(__package__, supplies, tables=tables_of, choices={"data_set": DATA_SETS.choices()})
