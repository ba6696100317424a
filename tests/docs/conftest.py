"""A server for tests of pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.docs.preconditions import OPERATOR
from tests.service.outside.conftest import on_the_path

from boardkeeper.service.process.server import Service, running
from boardkeeper.titles.registry import BUILT_IN, GROUP
from build_web import ROOT

EXAMPLE_TITLE = "liars_cards"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A server with our titles and the example title, which pages install with pip."""
    site_packages = tmp_path_factory.mktemp("site")
    shutil.copy(ROOT / "examples" / "titles" / EXAMPLE_TITLE / f"{EXAMPLE_TITLE}.py", site_packages)
    installed = site_packages / f"{EXAMPLE_TITLE}-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {EXAMPLE_TITLE}\nVersion: 1.0\n", "utf-8")
    (installed / "entry_points.txt").write_text(f"[{GROUP}]\n{EXAMPLE_TITLE} = {EXAMPLE_TITLE}\n", "utf-8")
    titles = f"{BUILT_IN},{EXAMPLE_TITLE}"
    with (
        pytest.MonkeyPatch.context() as patch,
        on_the_path(site_packages, patch),
        running(tmp_path_factory.mktemp("service") / "games.db", operator_token=OPERATOR, titles=titles) as service,
    ):
        yield service


@pytest.fixture(scope="session")
def demos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for records of demos, shared by all processes of the test run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "demos"
    folder.mkdir(exist_ok=True)
    return folder
