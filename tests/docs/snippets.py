"""The fenced blocks of pages, and how tests use each language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)

RUN = frozenset({"sh", "python", "ts"})
"""Languages of programs that tests run."""

EXCERPTS = frozenset({"go", "java", "rust", "cpp"})
"""Languages that need a compiler. A block shows lines of an example, which other tests build and run."""

READ = EXCERPTS | {"json", "toml", "yaml", "html", "nginx", "proto", "sql", "text", ""}
"""Languages of data and output of programs. Tests parse the data if a parser is available."""


@dataclass(frozen=True)
class Snippet:
    """A fenced block. ``line`` is the first line in the page."""

    page: str
    line: int
    language: str
    text: str


def snippets(repository: Path, page: str) -> Iterator[Snippet]:
    """Yield every fenced block of a page. ``page`` is its path in the repository."""
    text = (repository / page).read_text("utf-8")
    for found in FENCE.finditer(text):
        indent, language, block = found.groups()
        lines = (line.removeprefix(indent) for line in block.splitlines(keepends=True))
        yield Snippet(page, text.count("\n", 0, found.start()) + 1, language, "".join(lines))
