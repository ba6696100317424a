"""The catalogue entry of Paladins, from the TOML files of this package."""

from __future__ import annotations

from boardkeeper.titlekit.meta import read_meta
from boardkeeper.titles.paladins.catalogue import supplies

META = read_meta(__package__, supplies)
