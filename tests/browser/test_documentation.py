"""The search of the documentation site works, also if the site is opened as a file."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_search_works_on_a_site_opened_as_a_file(browser: Browser, repository: Path, tmp_path: Path) -> None:
    if importlib.util.find_spec("furo") is None and not os.environ.get("CI"):
        pytest.skip("Sphinx is missing (pip install -r docs/requirements.lock)")
    pages, site = tmp_path / "pages", tmp_path / "site"
    pages.mkdir()
    (pages / "index.md").write_text("# Welcome\n\nHere is a needle.\n")
    sphinx = [sys.executable, "-W", "ignore", "-m", "sphinx", "-q"]
    subprocess.run([*sphinx, "-c", repository / "docs", pages, site], check=True)
    problems: list[str] = []
    page = browser.new_page()
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.goto(f"{(site / 'search.html').as_uri()}?q=needle")
    expect(page.locator("#search-results li a")).to_have_text(["Welcome"])
    expect(page.locator("#search-results")).to_contain_text("Search finished")
    page.close()
    assert problems == []
