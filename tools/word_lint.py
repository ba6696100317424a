"""Check texts and code for the words of ``tools/words.toml``.

In pages, messages and word files it reads the prose. In Python, TypeScript and Svelte it also reads docstrings,
comments and the names that the code defines. ``make check`` runs it over all files; ``python tools/word_lint.py
PATH ...`` checks only these files and folders. Each finding is printed as ``FILE:LINE: "WORD"`` with what to write
instead, and the exit status is 1 if there is one.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORDS_FILE = Path(__file__).with_name("words.toml")

Lines = Iterator[tuple[int, str]]
"""Line numbers from 1, each with the prose of that line."""

FENCE = re.compile(r"^ *(```|~~~|:::)")
CODE = re.compile(r"``[^`]*``|`[^`]*`|\]\([^)]*\)|<[^>]*>|https?://\S+")
TS_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
RELATIVE_CLAUSE = re.compile(r"(?:^|[.!?] )((?:What|Who|Whom|Whose) (?:[^.?!]|\.\w)*\.)(?= |$)")
"""A sentence that begins with a relative clause: it starts like a question and ends with a full stop."""


def markdown(text: str) -> Lines:
    """Yield the prose of a page without its code. A paragraph is one line, so that phrases across line ends match."""
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
    """Yield the comments of a ``.proto`` file; a block of comment lines is one line."""
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
    """Yield the strings of a TOML file that contain a space, without the fields of sentence templates."""
    tomllib.loads(text)
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.lstrip().startswith("#"):
            for string in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                if " " in string.strip():
                    yield number, re.sub(r"\{[^}]*\}", " {} ", string)


def yaml(text: str) -> Lines:
    """Yield all lines of a YAML file: templates of issues are mostly prose."""
    yield from enumerate(text.splitlines(), start=1)


def python(text: str) -> Lines:
    """Yield the string literals of a module that contain a space, without docstrings."""
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
    """Yield the string literals of a module that contain a space."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.lstrip().startswith(("//", "*", "/*", "import ")):
            for quoted, template in TS_STRING.findall(line):
                prose = re.sub(r"\$\{[^}]*\}", " {} ", quoted or template)
                if " " in prose.strip():
                    yield number, prose


DIRECTIVE = re.compile(r"^#!|#+ *(?:noqa|type:|pragma|mypy:|ruff:)[^#]*")
"""Comments, or the beginnings of comments, that tools read."""
WORD_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_+")
"""Borders between the words of a name."""
TS_COMMENT = re.compile(r"/\*\*?(.*?)\*/|<!--(.*?)-->|(?<![:\w\"'`])//([^\n]*)", re.DOTALL)
TS_NAME = re.compile(
    r"\b(?:const|let|var|function\*?|class|interface|type|enum)\s+([A-Za-z_$][\w$]*)|^\s+([a-z]\w+)\??[:(]",
    re.MULTILINE,
)


def _names(tree: ast.Module) -> Lines:
    """Yield the names of the functions, classes, parameters, variables and attributes of a module, split into words."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, WORD_BORDER.sub(" ", name)
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, WORD_BORDER.sub(" ", name)


def python_code(text: str) -> Lines:
    """Yield the docstrings, blocks of comments and names of a module."""
    tree = ast.parse(text)
    yield from _names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for paragraph, line in _paragraphs(node.value.value, node.lineno):
                yield line, CODE.sub(" ` ", paragraph)
    start, last, block = 0, 0, ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comment = DIRECTIVE.sub("", token.string).lstrip("# ")
            line = token.start[0]
            if block and line == last + 1 and not token.line[: token.start[1]].strip():
                block = f"{block} {comment}"
            else:
                if block:
                    yield start, CODE.sub(" ` ", block)
                start, block = line, comment
            last = line
    if block:
        yield start, CODE.sub(" ` ", block)


def _paragraphs(text: str, line: int) -> Iterator[tuple[str, int]]:
    """Yield the paragraphs of a docstring as single lines, each with the number of its first line."""
    paragraph, start = "", line
    for number, one in enumerate([*text.splitlines(), ""], start=line):
        if one.strip():
            paragraph, start = (f"{paragraph} {one.strip()}", start) if paragraph else (one.strip(), number)
        elif paragraph:
            yield paragraph, start
            paragraph = ""


def typescript_code(text: str) -> Lines:
    """Yield the comments and names of a TypeScript module or a Svelte component."""
    for found in TS_COMMENT.finditer(text):
        prose = re.sub(r"\s*\n\s*\*? ?", " ", found[1] or found[2] or found[3] or "")
        yield text.count("\n", 0, found.start()) + 1, CODE.sub(" ` ", prose.strip())
    for found in TS_NAME.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, WORD_BORDER.sub(" ", found[1] or found[2])


READERS: dict[str, Callable[[str], Lines]] = {
    "markdown": markdown,
    "proto": proto,
    "toml": toml,
    "yaml": yaml,
    "python": python,
    "typescript": typescript,
    "python_code": python_code,
    "typescript_code": typescript_code,
}
SKIPPED = re.compile(
    r"/node_modules/|[/.]de\.ts$|\.d\.ts$|_pb2(?:_grpc)?\.py$|/client/(?:client|blocking_connection)\.py$"
)
"""Files that the globs match, but that are external, generated or not in English."""
CODE_SUFFIXES = {".py": "python_code", ".ts": "typescript_code", ".svelte": "typescript_code"}


def texts(listed: dict[str, list[str]]) -> list[tuple[Path, str]]:
    """Return every file that is checked, once for each kind of text in it."""
    return [
        (path, kind)
        for kind, globs in listed.items()
        for glob in globs
        for path in sorted(ROOT.glob(glob))
        if not SKIPPED.search(path.as_posix())
    ]


def code_in(path: Path) -> list[tuple[Path, str]]:
    """Return a file of code, or all files of code in a folder, with their kinds."""
    files = [path] if path.is_file() else sorted(it for it in path.rglob("*") if it.suffix in CODE_SUFFIXES)
    return [(it, CODE_SUFFIXES[it.suffix]) for it in files if not SKIPPED.search(it.as_posix())]


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
    listed = tomllib.loads(WORDS_FILE.read_text("utf-8"))
    listed["word"] = [(re.compile(rf"\b(?:{it['pattern']})\b", re.IGNORECASE), it["write"]) for it in listed["word"]]
    return listed


def main(arguments: list[str]) -> int:
    """Check the files and folders named by ``arguments``, or all texts, and return the exit status."""
    listed = words()
    checked = texts(listed["texts"])
    if arguments:
        chosen = [Path(it).resolve() for it in arguments]
        unknown = [it for it in chosen if not it.exists() or (it.is_file() and not _kinds(it, checked))]
        if unknown:
            print(f"not a text that tools/words.toml lists: {', '.join(map(str, unknown))}", file=sys.stderr)
            return 2
        checked = sorted({kind for it in chosen for kind in _kinds(it, checked)})
    count = 0
    for path, kind in checked:
        name = path.relative_to(ROOT).as_posix()
        allowed = {word for glob, words in listed["except"].items() if fnmatch(name, glob) for word in words}
        for line, found, advice in findings(kind, path.read_text("utf-8"), listed["word"]):
            if found.lower() not in allowed:
                count += 1
                print(f'{name}:{line}: "{found}": {advice}')
    if count:
        print(f"{count} findings of the word lint; tools/words.toml has the words and the exceptions")
    return 1 if count else 0


def _kinds(path: Path, checked: list[tuple[Path, str]]) -> list[tuple[Path, str]]:
    """Return the texts of a file or folder: those that are listed, and all of its code."""
    inside = [(it, kind) for it, kind in checked if it == path or path in it.parents]
    return inside if path.is_file() and path.suffix not in CODE_SUFFIXES else inside + code_in(path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
