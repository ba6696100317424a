"""The word lint finds listed words in prose of every kind of text, and nothing in code."""

from __future__ import annotations

import re
from fnmatch import fnmatch

import pytest

import word_lint

WORDS = [(re.compile(r"\banew\b", re.IGNORECASE), "again"), (re.compile(r"\bin vain\b"), "without effect")]


def found(kind: str, text: str) -> list[tuple[int, str]]:
    return [(line, word) for line, word, _ in word_lint.findings(kind, text, WORDS)]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("markdown", "# Title\n\nIt starts anew.\n"),
        ("markdown", "| a | b |\n| --- | --- |\n| `x` | starts anew |\n"),
        ("proto", "message A {\n  string a = 1;\n  // It starts anew.\n}\n"),
        ("proto", "message A {\n  string a = 1;\n  string b = 2; // starts anew\n}\n"),
        ("toml", "[a]\nb = 1\nc = 'x'\n".replace("'x'", '"It starts anew."')),
        ("yaml", "a: 1\nb: 2\ndescription: It starts anew.\n"),
        ("python", '"""A docstring."""\n\nHELP = "It starts anew."\n'),
        ("python", '"""A docstring."""\n\nHELP = f"{1} starts anew."\n'),
        ("typescript", '// words\nexport const en = {\n  a: "It starts anew.",\n};\n'),
        ("typescript", "// words\nexport const en = {\n  a: `${name} starts anew.`,\n};\n"),
        ("python_code", '"""Code."""\n\nx = 1  # starts anew\n'),
        ("python_code", '"""Code.\n\nIt starts anew.\n"""\n'),
        ("python_code", '"""Code."""\n\ndef start_anew(x): ...\n'),
        ("python_code", '"""Code."""\n\nclass StartAnew: ...\n'),
        ("python_code", '"""Code."""\n\ndef start(*, anew): ...\n'),
        ("python_code", '"""Code."""\n\nself.anew = 1\n'),
        ("typescript_code", "// words\n\n/** It starts anew. */\n"),
        ("typescript_code", "// words\n\nconst x = 1; // starts anew\n"),
        ("typescript_code", "// words\n\nexport function startAnew() {}\n"),
        ("typescript_code", "<b>\n\n<!-- starts anew -->\n"),
    ],
)
def test_a_listed_word_is_found_with_its_line(kind: str, text: str) -> None:
    assert [(line, word.lower()) for line, word in found(kind, text)] == [(3, "anew")]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("markdown", "```sh\nstart anew\n```\n\nRun `start anew`, or [this](anew.md).\n"),
        ("proto", 'import "anew.proto";\nmessage anew {}\n'),
        ("toml", '# anew\n"anew" = 1\na = "{anew}"\n'.replace('"anew" = 1', "anew = 1")),
        ("python", '"""It starts anew."""\n\n# anew\nanew = "anew"\n'),
        ("typescript", "// anew\nconst anew = `${anew}`;\n"),
        ("python_code", '"""Set ``anew``."""\n\nx = "anew"  # the flag `anew`\n'),
        ("typescript_code", '/** Sets `anew`. */\nconst x = "anew";\n'),
    ],
)
def test_code_is_not_prose(kind: str, text: str) -> None:
    assert found(kind, text) == []


def test_words_are_found_across_the_lines_of_a_paragraph() -> None:
    assert found("markdown", "\nIt was tried in\nvain.\n") == [(2, "in vain")]
    assert found("proto", "// It was tried in\n// vain.\n") == [(1, "in vain")]
    assert found("python_code", "# It was tried in\n# vain.\n") == [(1, "in vain")]
    assert found("python_code", '"""It was tried in\nvain."""\n') == [(1, "in vain")]
    assert found("typescript_code", "/**\n * It was tried in\n * vain.\n */\n") == [(1, "in vain")]


def test_a_sentence_that_begins_with_a_relative_clause_is_found() -> None:
    assert found("markdown", "Fine. What is stored stays.\n") == [(1, "What is stored stays.")]
    assert found("markdown", "What is stored? All events. See `a.b`.\n") == []


def test_every_listed_text_exists_and_every_exception_is_used() -> None:
    listed = word_lint.words()
    checked = word_lint.texts(listed["texts"])
    for kind, globs in listed["texts"].items():
        for glob in globs:
            assert list(word_lint.ROOT.glob(glob)), f"{kind}: {glob} names no file"
    for glob, allowed in listed["except"].items():
        found = {
            it[1].lower()
            for path, kind in checked
            if fnmatch(path.relative_to(word_lint.ROOT).as_posix(), glob)
            for it in word_lint.findings(kind, path.read_text("utf-8"), listed["word"])
        }
        assert set(allowed) <= found, f"{glob}: an exception is not needed any more"
