"""Run scripts of the web client in Node.js, without a browser, and create their input."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from boardkeeper.service.api.catalog import CatalogServicer
from boardkeeper.titlekit.title import TitleMeta
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import catalog_pb2
from build_web import WEB, environment, node


def run_in_node(*arguments: str | Path, timeout: int) -> subprocess.CompletedProcess[str]:
    """Run a script of the web client; ``timeout`` is in seconds."""
    # Node.js removes types, but not enums and the like; hooks.js resolves module names as Vite does.
    flags = ["--experimental-transform-types", "--import", "./test/hooks.js"]
    return subprocess.run(
        [node(), *flags, *arguments],
        cwd=WEB, env={**environment(), "NODE_NO_WARNINGS": "1"}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, encoding="utf-8", timeout=timeout, check=False,
    )  # fmt: skip


def catalogue_entry(
    meta: TitleMeta, edition: str, players: int, options: Mapping[str, str] | None = None
) -> catalog_pb2.GetTitleResponse:
    """Return the English catalogue entry of a title."""
    request = catalog_pb2.GetTitleRequest(title=meta.id, edition=edition, players=players, options=options)
    catalog = CatalogServicer(lambda: [meta], load_title)
    answer = asyncio.run(catalog.GetTitle(request, cast(Any, SimpleNamespace(language="en"))))
    return catalog_pb2.GetTitleResponse.FromString(answer)
