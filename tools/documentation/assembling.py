"""Copy the pages into the layout of the site and rewrite their links.

In the repository, pages link to each other as files. On the site, a link to a page leads to its place there, and a link
to a program that a page shows leads to its section. A link to another file of ``docs``, such as a schema, leads to a
copy of it. A link to any other file becomes the path of the file, because readers of the site have no repository.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from documentation.site import ROOT, Page, Section

LINK = re.compile(r"(?<!!)\[(?P<text>[^\]\[]*(?:\[[^\]]*\][^\]\[]*)*)\]\((?P<target>[^)\s]+)\)")
IMAGE = re.compile(r"!\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
HTML_IMAGE = re.compile(
    r'^(?:<picture><source [^>]*srcset="(?P<dark>[^"]+)">)?<img src="(?P<target>[^"]+)" width="(?P<width>\d+)"'
    r' alt="(?P<text>[^"]*)">(?:</picture>)?$',
    re.MULTILINE,
)
"""An image in HTML on a separate line, with its width, and with another file for dark pages if it is a picture."""
FENCE = re.compile(r"^( *```.*?^ *```[^\n]*$)", re.MULTILINE | re.DOTALL)
FILES = (".json", ".jsonl", ".html", ".svg", ".png")
"""Endings of files that are copied to the site if a page links to them."""


LANGUAGES = {".cpp": "cpp", ".go": "go", ".h": "cpp", ".java": "java", ".py": "python", ".rs": "rust", ".ts": "ts"}
"""Languages for syntax highlighting, by file ending."""


class Assembly:
    """The pages of a site in a folder, ready for Sphinx."""

    def __init__(self, folder: Path, pages: Mapping[str, Page]) -> None:
        """``pages`` maps paths of sources in the repository to pages."""
        self._folder = folder
        self._pages = pages
        self._shown = {program: page for page in pages.values() for program in page.programs}

    def add(self, page: Page) -> None:
        """Copy a page to its place on the site."""
        text = (ROOT / page.source).read_text("utf-8")
        target = self._folder / f"{page.place}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join([self.rewrite_links(page, text), *map(_program, page.programs)]), "utf-8")

    def rewrite_links(self, page: Page, text: str) -> str:
        """Return the text of a page with links and images for its place on the site; code is unchanged."""
        parts = FENCE.split(text)
        for of, rewritten in ((IMAGE, self._image), (LINK, self._link), (HTML_IMAGE, self._html_image)):
            parts[::2] = [of.sub(partial(rewritten, page), part) for part in parts[::2]]
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
        text = found["text"].strip("`").rstrip("/")
        return f"`{path}`" if text == path or text in path else f"{found['text']} (`{path}`)"

    def _image(self, page: Page, found: re.Match[str]) -> str:
        if "://" in found["target"]:
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.source), found["target"]))
        return f"![{found['text']}]({self._copied(page, path)})"

    def _html_image(self, page: Page, found: re.Match[str]) -> str:
        """Return directives for an image in HTML, whose paths Sphinx would not follow."""
        files = {"": found["target"]}
        if found["dark"]:
            files = {"only-light": found["target"], "only-dark": found["dark"]}
        folder = posixpath.dirname(page.source)
        return "\n\n".join(
            f"```{{image}} {self._copied(page, posixpath.normpath(posixpath.join(folder, file)))}\n"
            f":alt: {found['text']}\n:width: {found['width']}px\n" + f":class: {shown}\n" * bool(shown) + "```"
            for shown, file in files.items()
        )

    def _copied(self, page: Page, path: str) -> str:
        place = posixpath.join("files", posixpath.basename(path))
        copy = self._folder / place
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, copy)
        return posixpath.relpath(place, posixpath.dirname(page.place) or ".")


def _program(path: str) -> str:
    """Return the section that shows a program."""
    name = posixpath.basename(path)
    text = (ROOT / path).read_text("utf-8").rstrip()
    return f"## {name}\n\n```{LANGUAGES[posixpath.splitext(name)[1]]}\n{text}\n```\n"


def anchor(path: str) -> str:
    """Return the anchor of the section that shows a program, as Sphinx and GitHub name it."""
    return posixpath.basename(path).lower().replace(".", "")


def add_navigation(text: str, sections: list[Section]) -> str:
    """Return the text of the front page with the navigation of all sections."""
    trees = [
        f"```{{toctree}}\n:hidden:\n:caption: {section.title}\n\n"
        + "\n".join(f"{page.title} <{page.place}>" if page.title else page.place for page in section.pages)
        + "\n```"
        for section in sections
    ]
    return "\n\n".join([text.rstrip(), *trees]) + "\n"
