"""Build the documentation as a site of static pages, with search: ``make docs``.

``docs/site.toml`` says which pages there are. They are laid out in ``build/docs/pages``, the reference is made beside
them from protos, titles, the command line, docstrings and the SDK in TypeScript, and Sphinx makes ``build/docs/site``
of it all. Whatever it warns of, a link that leads nowhere above all, fails the build. Nothing on the site is fetched
from anywhere else.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from documentation import site
from documentation.assembling import Assembly, with_contents
from documentation.reference import command_line, protos, python, titles, typescript

MADE = site.ROOT / "build" / "docs"
PAGES = MADE / "pages"
SITE = MADE / "site"


def reference() -> Iterator[tuple[str, str]]:
    """Every generated page by its place on the site."""
    for made in (protos, titles, command_line, python, typescript):
        for place, text in made.pages():
            yield f"reference/{place}", text


def assemble(folder: Path = PAGES) -> None:
    """Lay all pages out, as they are in the repository today."""
    shutil.rmtree(folder, ignore_errors=True)
    known = {page.source: page for page in site.pages() if page.source}
    assembly = Assembly(folder, known)
    for page in known.values():
        assembly.add(page)
    front = folder / f"{site.front().place}.md"
    front.write_text(with_contents(front.read_text("utf-8"), site.sections()), "utf-8")
    for place, text in reference():
        target = folder / f"{place}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")


def build() -> int:
    """Build the site; the exit status of Sphinx."""
    assemble()
    doctrees = MADE / "doctrees"
    strictly: list[str | Path] = ["-q", "-W", "--keep-going", "-c", site.ROOT / "docs", "-d", doctrees, PAGES, SITE]
    return subprocess.run([sys.executable, "-m", "sphinx", *strictly], check=False).returncode


if __name__ == "__main__":
    failed = build()
    if not failed:
        place = SITE.relative_to(site.ROOT)
        print(f"Built {place}/index.html. For full-text search, serve it: python -m http.server --directory {place}")
    sys.exit(failed)
