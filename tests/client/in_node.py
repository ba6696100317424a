"""Scripts of the browser client that need no browser, run by the Node.js of the environment, and what they read."""

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
    """A script of the client with its arguments, as it ended; at the most after so many seconds."""
    # Node drops types by itself, but for those that also make code; and names of modules are as Vite reads them.
    reads = ["--experimental-transform-types", "--import", "./test/hooks.js"]
    return subprocess.run(
        [node(), *reads, *arguments],
        cwd=WEB, env={**environment(), "NODE_NO_WARNINGS": "1"}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip


def entry_of(
    meta: TitleMeta, edition: str, players: int, options: Mapping[str, str] | None = None
) -> catalog_pb2.GetTitleResponse:
    """What the catalogue tells of a title in English."""
    request = catalog_pb2.GetTitleRequest(title=meta.id, edition=edition, players=players, options=options)
    catalog = CatalogServicer(lambda: [meta], load_title)
    answer = asyncio.run(catalog.GetTitle(request, cast(Any, SimpleNamespace(language="en"))))
    return catalog_pb2.GetTitleResponse.FromString(answer)
