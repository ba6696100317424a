"""Data sets: tables of a title in files, of which an option of a game selects one, and checks of such files.

A data set is a file in a title's folder ``data_sets/``. Its *blocks* are its tables at the top, for every edition, and
those below ``editions.<edition>``, for that edition. ``[set]`` names it. A set with a ``base`` takes the blocks that
it lacks from the base. A title declares the form of each block (:class:`Block`); :func:`read_blocks` reports problems.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib.resources import files
from typing import Any

from msgspec import Struct

from boardkeeper.titlekit.entries import read_entries, read_entry, read_names
from boardkeeper.titlekit.title import Text
from boardkeeper.titlekit.title_files import merge_tables, read_toml, text_of

Table = Mapping[str, Any]

HEAD = "set"
EDITIONS = "editions"


class DataSets:
    """The data sets of a package. ``names`` has the default set first, then the others sorted by name."""

    def __init__(self, package: str, default: str) -> None:
        folder = files(package) / "data_sets"
        found = {entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")}
        self.package = package
        self.names = (default, *sorted(found - {default}))
        self._sets: dict[str, dict[str, Any]] = {}

    def choices(self) -> dict[str, Text]:
        """Return the texts of the sets in every language, by name, as choices of an option."""
        return {name: text_of(self.read(name)[HEAD]) for name in self.names}

    def read(self, name: str) -> dict[str, Any]:
        """Return a set with the blocks of its base, not to be changed; raises ``ValueError`` for an unknown name."""
        if name not in self.names:
            raise ValueError(f"{self.package.rpartition('.')[2]} has no data set {name!r}")
        if name not in self._sets:
            own = read_toml(self.package, "data_sets", f"{name}.toml")
            base = own[HEAD].get("base")
            self._sets[name] = with_base(self.read(base), own) if base else own
        return self._sets[name]

    def of_edition(self, name: str, edition: str) -> dict[str, Any]:
        """Return the tables that a set has for an edition; raises ``ValueError`` for an unknown set."""
        data_set = self.read(name)
        shared = {block: table for block, table in data_set.items() if block not in (HEAD, EDITIONS)}
        return merge_tables(shared, data_set[EDITIONS].get(edition, {}))


def with_base(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return the set ``own`` with the blocks of its base that it lacks; blocks are not merged."""
    of_editions = {**base[EDITIONS]}
    for edition, blocks in own.get(EDITIONS, {}).items():
        of_editions[edition] = {**of_editions.get(edition, {}), **blocks}
    return {**base, **own, EDITIONS: of_editions}


def entries_of(data_set: Table, names: Collection[str]) -> Iterator[tuple[str, str, Table]]:
    """Yield the entries of the blocks with these names, for all editions: path of the block, id and table."""
    for path, block in _blocks(data_set).items():
        if path.rpartition(".")[2] in names:
            yield from ((path, id, table) for id, table in block.items())


# --- checks ------------------------------------------------------------------------------------------------------

Entries = dict[str, dict[str, Any]]
"""The converted entries of all blocks, by the path of the block and the id of the entry."""


ID = "[A-Za-z][A-Za-z0-9_]*"
"""The usual pattern of ids."""


class Block(Struct, frozen=True):
    """The required form of a block of a data set."""

    kind: Any
    """The type of its entries."""
    count: int = 0
    """The number of entries. 0: any number."""
    ids: tuple[str, ...] = ()
    """The required ids of the entries, if these are not components themselves."""
    id_pattern: str = ID
    has_names: bool = True
    """Whether each entry has names and provenance."""
    is_entry: bool = False
    """Whether the block itself is one entry; its id is empty."""
    read: Callable[[str, Any], Any] | None = None
    """Converts an entry for which ``kind`` is not enough. Takes its path and its table; raises ``ValueError``."""


def read_blocks(data_set: Table, known: Mapping[str, Block]) -> tuple[Entries, list[str]]:
    """Convert all entries of a data set; return them and the problems of blocks and single entries.

    The path of a block is its name (``deeds``), with the edition if it has one (``editions.settlers.map``). A table
    within a block can be a separate block (``map.spaces``).
    """
    blocks = _blocks(data_set, known)
    found = [f"{path} is missing" for path in sorted({HEAD, *known} - {*data_set, *blocks})]
    found += [f"{path}: there is no such block" for path in sorted(blocks.keys() - known)]
    entries: Entries = {path: {} for path in known}
    for path, id, table in _entries(blocks, known):
        try:
            entries[path][id] = _read(path, id, table, known[path])
        except ValueError as error:
            found.append(str(error))
    return entries, found


def _blocks(data_set: Table, known: Collection[str] = ()) -> dict[str, Any]:
    blocks = {path: block for path, block in data_set.items() if path not in (HEAD, EDITIONS)}
    for edition, of_edition in _table(data_set.get(EDITIONS)).items():
        blocks |= {f"{EDITIONS}.{edition}.{name}": block for name, block in _table(of_edition).items()}
    for path in known:
        outer, _, name = path.rpartition(".")
        if name in _table(blocks.get(outer)):
            blocks[path] = blocks[outer][name]
    return blocks


def _table(value: Any) -> Table:
    return value if isinstance(value, dict) else {}


def _entries(blocks: Table, known: Mapping[str, Block]) -> Iterator[tuple[str, str, Any]]:
    """Yield all entries with the paths of their blocks and their ids; the id is empty for a block without ids."""
    for path, block in blocks.items():
        if path in known:
            has_ids = isinstance(block, dict) and not known[path].is_entry
            yield from ((path, id, entry) for id, entry in (block if has_ids else {"": block}).items())


def _read(path: str, id: str, entry: Any, block: Block) -> Any:
    if not id:
        return read_entry(path, entry, block.kind if block.is_entry else dict[str, Any])
    if block.has_names:
        read_names(f"{path}.{id}", entry)
    return block.read(f"{path}.{id}", entry) if block.read else read_entries(path, {id: entry}, block.kind)[id]


def find_id_problems(entries: Entries, known: Mapping[str, Block], taken: Collection[str]) -> Iterator[str]:
    """Yield the problems of ids and numbers of entries. ``taken`` are the ids of components outside data sets."""
    for path, block in known.items():
        if block.count and len(entries[path]) != block.count:
            yield f"{path} must have {block.count} entries, not {len(entries[path])}"
        if block.ids and set(entries[path]) != set(block.ids):
            yield f"{path} must have the entries {', '.join(block.ids)}, not {', '.join(entries[path])}"
    used = set(taken)
    for path, block in known.items():
        if block.ids or block.is_entry:
            continue
        expected = "letters, digits and underscores" if block.id_pattern == ID else block.id_pattern
        for id in entries[path]:
            if not re.fullmatch(block.id_pattern, id):
                yield f"{path}.{id}: the id must match {expected}"
            if id in used:
                yield f"{path}.{id}: another component has this id"
        used |= entries[path].keys()
