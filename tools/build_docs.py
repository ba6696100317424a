"""Build the documentation as a static website with search: ``make docs``.

``docs/site.toml`` lists the pages. This program copies them to ``build/docs/pages`` and generates the reference there,
from the protos, the titles, the command line, Python docstrings and the TypeScript SDK. Then Sphinx builds
``build/docs/site``. Any Sphinx warning fails the build, above all a broken link. The site loads nothing from elsewhere.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from documentation import site
from documentation.assembling import Assembly, add_navigation
from documentation.reference import command_line, protos, python, titles, typescript

BUILD = site.ROOT / "build" / "docs"
PAGES = BUILD / "pages"
SITE = BUILD / "site"


def reference() -> Iterator[tuple[str, str]]:
    """Yield place and text of every generated page."""
    for module in (protos, titles, command_line, python, typescript):
        for place, text in module.pages():
            yield f"reference/{place}", text


def assemble(folder: Path = PAGES) -> None:
    """Write all pages into a folder, as Sphinx reads them."""
    shutil.rmtree(folder, ignore_errors=True)
    known = {page.source: page for page in site.pages() if page.source}
    assembly = Assembly(folder, known)
    for page in known.values():
        assembly.add(page)
    front = folder / f"{site.front().place}.md"
    front.write_text(add_navigation(front.read_text("utf-8"), site.sections()), "utf-8")
    for place, text in reference():
        target = folder / f"{place}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")


def build() -> int:
    """Build the site and return the exit status of Sphinx."""
    assemble()
    doctrees = BUILD / "doctrees"
    options: list[str | Path] = ["-q", "-W", "--keep-going", "-c", site.ROOT / "docs", "-d", doctrees, PAGES, SITE]
    return subprocess.run([sys.executable, "-m", "sphinx", *options], check=False).returncode


if __name__ == "__main__":
    status = build()
    if status == 0:
        place = SITE.relative_to(site.ROOT)
        print(f"Built the documentation. Open {place}/index.html in a browser.")
        print(f"For excerpts in search results, serve it: python -m http.server --directory {place}")
    sys.exit(status)
