"""The SDK in TypeScript, from the declarations that the compiler makes of it; without the compiler the page says so.

What is exported of the generated messages is named with a link to the API, which tells all of them once.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import build_web
from documentation.reference.markdown import code, heading, page, table

SCRIPT = Path(__file__).with_suffix(".mjs")
COMPILER = build_web.CLIENTS / "node_modules" / "typescript" / "lib" / "typescript.js"
ENTRIES = {
    "client": ("@boardkeeper/client", "index.d.ts", "The SDK: games, live streams and the fold of a table."),
    "verifier": ("@boardkeeper/client/verifier", "verifier/verify.d.ts", "A second verifier of records."),
}
"""Entry points of the package by their pages: what is imported, what declares it, and what it is for."""

API = "boardkeeper.v1."
Told = Mapping[str, Any]
_LINK = re.compile(r"\{@link (?P<name>[\w.]+)(?: (?P<text>[^}]*))?\}")


def exports() -> Mapping[str, Sequence[Told]]:
    """What each entry point exports, by its page; raises ``NotInstalledError`` where npm's packages cannot be had."""
    build_web.build(build_web.COMPILED)
    declared = [build_web.SDK / "dist" / file for _, file, _ in ENTRIES.values()]
    ran = subprocess.run(
        [build_web.node(), SCRIPT, COMPILER, *declared],
        env=build_web.environment(), capture_output=True, check=True, encoding="utf-8",
    )  # fmt: skip
    return dict(zip(ENTRIES, json.loads(ran.stdout), strict=True))


def pages() -> Iterator[tuple[str, str]]:
    """A page that leads to all, and one for each entry point, by their places below ``reference``."""
    title = "# TypeScript"
    try:
        found = exports()
    except build_web.NotInstalledError as missing:
        if os.environ.get("CI"):
            raise SystemExit(f"The reference of the SDK in TypeScript is not made: {missing}.") from None
        yield "typescript", page(title, f"It was left out when this site was built: {missing}.")
        return
    tree = "```{toctree}\n:titlesonly:\n\n" + "\n".join(f"typescript/{name}" for name in found) + "\n```"
    yield "typescript", page(title, "Made from what the package exports, and the comments there.", tree)
    for name, exported in found.items():
        yield f"typescript/{name}", _page(name, exported)


def _page(name: str, exported: Sequence[Told]) -> str:
    imported, _, about = ENTRIES[name]
    own = [each for each in exported if not _is_generated(each)]
    known = {each["name"]: _anchor(name, each) for each in own}
    messages = [each for each in exported if _is_generated(each)]
    known |= {each["name"]: _in_api(each) for each in messages}
    parts = [f"# {imported}", about]
    for module, group in groupby(own, lambda each: str(each["module"])):
        members = list(group)
        parts += [heading(2, module), _linked(members[0]["about"], known)]
        parts += [part for each in members for part in _exported(name, each, known)]
    if messages:
        rows = [
            (f"[`{each['name']}`](#{_in_api(each)})", _linked(each["said"].partition("\n\n")[0], known))
            for each in messages
            if not each["name"].startswith("file_")
        ]
        parts += [heading(2, "Messages"), "Made of the protos, which tell more of them.", table(["name", ""], rows)]
    return page(*parts)


def _exported(name: str, each: Told, known: Mapping[str, str]) -> Iterator[str]:
    yield heading(3, each["name"], _anchor(name, each))
    yield f"```ts\n{each['text']}\n```"
    yield _linked(each["said"], known)
    fields = [it for it in each["members"] if it["type"]]
    yield table(
        ["", "type", ""],
        [
            (code(it["name"] + ("?" if it["optional"] else "")), code(" ".join(it["type"].split())),
             _linked(it["said"], known))
            for it in fields
        ],
    )  # fmt: skip
    for it in each["members"]:
        if not it["type"]:
            yield heading(4, f"{each['name']}.{it['name']}")
            yield f"```ts\n{it['text']}\n```"
            yield _linked(it["said"], known)


def _is_generated(each: Told) -> bool:
    return "/gen/" in Path(each["file"]).as_posix()


def _in_api(each: Told) -> str:
    return API + str(each["name"]).removesuffix("Schema")


def _anchor(page: str, each: Told) -> str:
    # Labels of a site have no upper case: a function stands apart from the type that is called so.
    kind = "function." if each["name"][:1].islower() else ""
    return f"typescript.{page}.{kind}{each['name']}"


def _linked(text: str, known: Mapping[str, str]) -> str:
    """A comment whose links lead to what is on the site, and are names elsewhere."""

    def link(found: re.Match[str]) -> str:
        shown = found["text"] or found["name"]
        target = known.get(found["name"].partition(".")[0])
        return f"[`{shown}`](#{target})" if target else f"`{shown}`"

    return _LINK.sub(link, text)
