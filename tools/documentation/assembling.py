"""Lays the pages out as the site has them: each in its place, with links that lead to the places of others.

In the repository pages lie where whoever works there looks for them, and link to each other as files do. A link to a
file that is a page leads to that page, one to a program that a page shows to where it stands there; one to a file of
``docs`` that is neither, such as a schema, to a copy of it; one to anything else of the repository becomes the file's
path, because the site is read without the repository.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from documentation.site import ROOT, Page, Section

LINK = re.compile(r"(?<!!)\[(?P<text>[^\]\[]*(?:\[[^\]]*\][^\]\[]*)*)\]\((?P<target>[^)\s]+)\)")
IMAGE = re.compile(r"!\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"^( *```.*?^ *```[^\n]*$)", re.MULTILINE | re.DOTALL)
FILES = (".json", ".jsonl", ".html", ".svg", ".png")
"""Endings of what is copied along where a page links to it."""


LANGUAGES = {".cpp": "cpp", ".go": "go", ".h": "cpp", ".java": "java", ".py": "python", ".rs": "rust", ".ts": "ts"}
"""How programs are coloured, by their endings."""


class Assembly:
    """The pages of a site in a folder, ready for the generator."""

    def __init__(self, folder: Path, pages: Mapping[str, Page]) -> None:
        """``pages`` are the pages by the path of their source in the repository."""
        self._folder = folder
        self._pages = pages
        self._shown = {program: page for page in pages.values() for program in page.programs}

    def add(self, page: Page) -> None:
        """Copy a page into its place."""
        text = (ROOT / page.source).read_text("utf-8")
        target = self._folder / f"{page.place}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join([self.linked(page, text), *map(_program, page.programs)]), "utf-8")

    def linked(self, page: Page, text: str) -> str:
        """A page's text with the links of its place; code is left as it is."""
        parts = FENCE.split(text)
        parts[::2] = [
            LINK.sub(lambda it: self._link(page, it), IMAGE.sub(lambda it: self._image(page, it), part))
            for part in parts[::2]
        ]
        return "".join(parts)

    def _link(self, page: Page, found: re.Match[str]) -> str:
        target, _, fragment = found["target"].partition("#")
        if "://" in target or target.startswith("mailto:") or not target:
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.source), target))
        readme = posixpath.join(path, "README.md")
        known = self._pages.get(path) or self._pages.get(readme) or self._shown.get(path)
        if known is not None:
            fragment = anchor(path) if path in known.programs else fragment
            there = posixpath.relpath(f"{known.place}.md", posixpath.dirname(page.place) or ".")
            return f"[{found['text']}]({there}{'#' + fragment if fragment else ''})"
        if path.endswith(FILES) and (ROOT / path).is_file():
            return f"[{found['text']}]({self._copied(page, path)})"
        text = found["text"].strip("`")
        return f"`{path}`" if text == path or text in path else f"{found['text']} (`{path}`)"

    def _image(self, page: Page, found: re.Match[str]) -> str:
        if "://" in found["target"]:
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.source), found["target"]))
        return f"![{found['text']}]({self._copied(page, path)})"

    def _copied(self, page: Page, path: str) -> str:
        place = posixpath.join("files", posixpath.basename(path))
        copy = self._folder / place
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, copy)
        return posixpath.relpath(place, posixpath.dirname(page.place) or ".")


def _program(path: str) -> str:
    """A program as the last section of a page, whole."""
    name = posixpath.basename(path)
    text = (ROOT / path).read_text("utf-8").rstrip()
    return f"## {name}\n\n```{LANGUAGES[posixpath.splitext(name)[1]]}\n{text}\n```\n"


def anchor(path: str) -> str:
    """Where on its page a program stands: its heading, as the generator of the site and GitHub name it."""
    return posixpath.basename(path).lower().replace(".", "")


def with_contents(text: str, sections: list[Section]) -> str:
    """The first page with the navigation, which names all sections."""
    trees = [
        f"```{{toctree}}\n:hidden:\n:caption: {section.title}\n\n"
        + "\n".join(f"{page.title} <{page.place}>" if page.title else page.place for page in section.pages)
        + "\n```"
        for section in sections
    ]
    return "\n\n".join([text.rstrip(), *trees]) + "\n"
