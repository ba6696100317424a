"""Check the texts that users read for the words of ``tools/words.toml``.

``make check`` runs it over all texts; ``python tools/word_lint.py PATH ...`` checks only these files. It reads prose
only: not the code of Markdown pages, not docstrings and comments of Python. Each finding is printed as
``FILE:LINE: "WORD"`` with what to write instead, and the exit status is 1 if there is one.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LISTED = Path(__file__).with_name("words.toml")

Lines = Iterator[tuple[int, str]]
"""Line numbers from 1, each with the prose of that line."""

FENCE = re.compile(r"^ *(```|~~~|:::)")
CODE = re.compile(r"``[^`]*``|`[^`]*`|\]\([^)]*\)|<[^>]*>|https?://\S+")
TS_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
RELATIVE_CLAUSE = re.compile(r"(?:^|[.!?] )((?:What|Who|Whom|Whose) (?:[^.?!]|\.\w)*\.)(?= |$)")
"""A sentence that begins with a relative clause: it starts like a question and ends with a full stop."""


def markdown(text: str) -> Lines:
    """Prose of a page without its code; a paragraph is one line, so that phrases across line ends are found."""
    in_code = False
    start, paragraph = 0, ""
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        fence = FENCE.match(line)
        if fence and fence[1] != ":::":
            in_code = not in_code
        prose = "" if in_code or fence else line.strip()
        if not prose or prose[0] in "|#*-" or re.match(r"\d+\. ", prose):
            if paragraph:
                yield start, CODE.sub(" ` ", paragraph)
            start, paragraph = number, prose.lstrip("|#*- ") if prose else ""
        else:
            start, paragraph = (start, f"{paragraph} {prose}") if paragraph else (number, prose)


def proto(text: str) -> Lines:
    """Comments of a ``.proto`` file, a block of comment lines as one."""
    start, block = 0, ""
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        before, slashes, comment = line.partition("//")
        if slashes and not before.strip() and comment.strip():
            start, block = (start, f"{block} {comment.strip()}") if block else (number, comment.strip())
            continue
        if block:
            yield start, CODE.sub(" ` ", block)
        start, block = 0, ""
        if slashes:
            yield number, CODE.sub(" ` ", comment.strip())


def toml(text: str) -> Lines:
    """Strings of a TOML file, without ids (no blank in them) and without the fields of sentence templates."""
    tomllib.loads(text)
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.lstrip().startswith("#"):
            for string in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                if " " in string.strip():
                    yield number, re.sub(r"\{[^}]*\}", " {} ", string)


def yaml(text: str) -> Lines:
    """All lines of a YAML file: templates of issues hold little else than prose."""
    yield from enumerate(text.splitlines(), start=1)


def python(text: str) -> Lines:
    """String literals of a module, without docstrings and without what is no prose (no blank in it)."""
    tree = ast.parse(text)
    docstrings = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            prose = re.sub(r"\s+", " ", node.value)
            if " " in prose.strip():
                yield node.lineno, prose


def typescript(text: str) -> Lines:
    """String literals of a module's lines, without what is no prose (no blank in it)."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.lstrip().startswith(("//", "*", "/*", "import ")):
            for quoted, template in TS_STRING.findall(line):
                prose = re.sub(r"\$\{[^}]*\}", " {} ", quoted or template)
                if " " in prose.strip():
                    yield number, prose


READERS: dict[str, Callable[[str], Lines]] = {
    "markdown": markdown,
    "proto": proto,
    "toml": toml,
    "yaml": yaml,
    "python": python,
    "typescript": typescript,
}
SKIPPED = re.compile(r"/node_modules/|[/.]de\.ts$")
"""Files that the globs match, but that are not ours or not in English."""


def texts(listed: dict[str, list[str]]) -> dict[Path, str]:
    """Return every file that is checked, with its kind of text."""
    return {
        path: kind
        for kind, globs in listed.items()
        for glob in globs
        for path in sorted(ROOT.glob(glob))
        if not SKIPPED.search(path.as_posix())
    }


def findings(kind: str, text: str, listed: list[tuple[re.Pattern[str], str]]) -> Iterator[tuple[int, str, str]]:
    """Yield line, words found and advice for each finding in a text."""
    for line, prose in READERS[kind](text):
        for pattern, advice in listed:
            for found in pattern.finditer(prose):
                yield line, found[0], advice
        for clause in RELATIVE_CLAUSE.findall(prose):
            yield line, clause[:60], "start the sentence with its subject"


def words() -> dict[str, Any]:
    """Return the contents of ``tools/words.toml``; ``word`` is a list of compiled patterns, each with its advice."""
    listed = tomllib.loads(LISTED.read_text("utf-8"))
    listed["word"] = [(re.compile(rf"\b(?:{it['pattern']})\b", re.IGNORECASE), it["write"]) for it in listed["word"]]
    return listed


def main(arguments: list[str]) -> int:
    """Check the files named by ``arguments``, or all texts, and return the exit status."""
    listed = words()
    checked = texts(listed["texts"])
    chosen = {Path(it).resolve() for it in arguments}
    strange = [str(it) for it in chosen if it not in checked]
    if strange:
        print(f"not a text that tools/words.toml lists: {', '.join(strange)}", file=sys.stderr)
        return 2
    count = 0
    for path, kind in checked.items():
        if arguments and path not in chosen:
            continue
        name = path.relative_to(ROOT).as_posix()
        allowed = listed["except"].get(name, [])
        for line, found, advice in findings(kind, path.read_text("utf-8"), listed["word"]):
            if found.lower() not in allowed:
                count += 1
                print(f'{name}:{line}: "{found}": {advice}')
    if count:
        print(f"{count} findings of the word lint; tools/words.toml has the words and the exceptions")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
