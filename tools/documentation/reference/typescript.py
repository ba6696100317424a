"""The TypeScript reference, generated from the declarations of the SDK; without the compiler the page says so.

Generated messages are listed with links to the API reference, which describes them.
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
    "client": (
        "@boardkeeper/client",
        "index.d.ts",
        "The TypeScript SDK: play and watch games, and rebuild tables from events.",
    ),
    "verifier": ("@boardkeeper/client/verifier", "verifier/verify.d.ts", "The second verifier of game records."),
}
"""Entry points of the package by page: import name, declaration file and purpose."""

API = "boardkeeper.v1."
Declaration = Mapping[str, Any]
_LINK = re.compile(r"\{@link (?P<name>[\w.]+)(?: (?P<text>[^}]*))?\}")


def exports() -> Mapping[str, Sequence[Declaration]]:
    """Return the exports of each entry point by page; raises ``NotInstalledError`` if npm packages are unavailable."""
    build_web.build(build_web.COMPILED)
    declared = [build_web.SDK / "dist" / file for _, file, _ in ENTRIES.values()]
    ran = subprocess.run(
        [build_web.node(), SCRIPT, COMPILER, *declared],
        env=build_web.environment(), capture_output=True, check=True, encoding="utf-8",
    )  # fmt: skip
    return dict(zip(ENTRIES, json.loads(ran.stdout), strict=True))


def pages() -> Iterator[tuple[str, str]]:
    """Yield place and text of each page: a list of entry points, and a page for each one."""
    title = "# TypeScript reference"
    try:
        found = exports()
    except build_web.NotInstalledError as missing:
        if os.environ.get("CI"):
            raise SystemExit(f"The TypeScript reference was not built: {missing}.") from None
        yield "typescript", page(title, f"This reference was left out when the site was built: {missing}.")
        return
    tree = "```{toctree}\n:titlesonly:\n\n" + "\n".join(f"typescript/{name}" for name in found) + "\n```"
    rows = table(["import", "purpose"], [(code(ENTRIES[name][0]), ENTRIES[name][2]) for name in found])
    yield "typescript", page(title, "The exports of the package, generated from its comments.", rows, tree)
    for name, exported in found.items():
        yield f"typescript/{name}", _page(name, exported)


def _page(name: str, exported: Sequence[Declaration]) -> str:
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
            (f"[`{each['name']}`](#{_in_api(each)})", _linked(each["comment"].partition("\n\n")[0], known))
            for each in messages
            if not each["name"].startswith("file_")
        ]
        parts += [
            heading(2, "Messages"),
            "Generated from the protos; each links to the API reference.",
            table(["name", "purpose"], rows),
        ]
    return page(*parts)


def _exported(name: str, each: Declaration, known: Mapping[str, str]) -> Iterator[str]:
    yield heading(3, each["name"], _anchor(name, each))
    yield f"```ts\n{each['text']}\n```"
    yield _linked(each["comment"], known)
    fields = [it for it in each["members"] if it["type"]]
    yield table(
        ["field", "type", "meaning"],
        [
            (code(it["name"] + ("?" if it["optional"] else "")), code(" ".join(it["type"].split())),
             _linked(it["comment"], known))
            for it in fields
        ],
    )  # fmt: skip
    for it in each["members"]:
        if not it["type"]:
            yield heading(4, f"{each['name']}.{it['name']}")
            yield f"```ts\n{it['text']}\n```"
            yield _linked(it["comment"], known)


def _is_generated(each: Declaration) -> bool:
    return "/gen/" in Path(each["file"]).as_posix()


def _in_api(each: Declaration) -> str:
    return API + str(each["name"]).removesuffix("Schema")


def _anchor(page: str, each: Declaration) -> str:
    # Sphinx labels are lower case, so a function gets a prefix that separates it from a type of the same name.
    kind = "function." if each["name"][:1].islower() else ""
    return f"typescript.{page}.{kind}{each['name']}"


def _linked(text: str, known: Mapping[str, str]) -> str:
    """Return a comment with links to exports that the site documents; other names become code."""

    def link(found: re.Match[str]) -> str:
        shown = found["text"] or found["name"]
        target = known.get(found["name"].partition(".")[0])
        return f"[`{shown}`](#{target})" if target else f"`{shown}`"

    return _LINK.sub(link, text)
