"""What pages show to be typed: their fenced blocks, and how each kind of them is run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)

RUN = frozenset({"sh", "python", "ts"})
"""Languages of programs: they are run."""

EXCERPTS = frozenset({"go", "java", "rust", "cpp"})
"""Languages that need a compiler: a block shows lines of an example, which other tests build and run."""

READ = EXCERPTS | {"json", "toml", "yaml", "html", "nginx", "proto", "sql", "text", ""}
"""Languages of data, and of what programs print: they are read by what reads such data, where anything does."""


@dataclass(frozen=True)
class Snippet:
    """A fenced block: its language, its text, and the line of the page on which it begins."""

    page: str
    line: int
    language: str
    text: str


def snippets(repository: Path, page: str) -> Iterator[Snippet]:
    """Every fenced block of a page, from top to bottom; ``page`` is its path in the repository."""
    text = (repository / page).read_text("utf-8")
    for found in FENCE.finditer(text):
        indent, language, block = found.groups()
        lines = (line.removeprefix(indent) for line in block.splitlines(keepends=True))
        yield Snippet(page, text.count("\n", 0, found.start()) + 1, language, "".join(lines))
