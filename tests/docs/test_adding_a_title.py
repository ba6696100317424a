"""docs/adding-a-title.md shows lines of the example title as they are."""

from __future__ import annotations

from pathlib import Path

from tests.docs.snippets import snippets

PAGE = "docs/adding-a-title.md"


def test_the_code_of_the_page_is_in_the_example(repository: Path) -> None:
    folder = repository / "examples" / "titles" / "liars_cards"
    example = "\n".join(path.read_text("utf-8") for path in sorted(folder.glob("*.py")))
    shown = [it for it in snippets(repository, PAGE) if it.language == "python" and "rules.allow" not in it.text]
    tutorial = [it for it in shown if "class " in it.text or "def " in it.text]
    assert len(tutorial) > 6
    for block in tutorial:
        if "Paladins" not in block.text:
            assert block.text in example, f"{PAGE}:{block.line} is not in the example"


def test_the_example_is_short(repository: Path) -> None:
    folder = repository / "examples" / "titles" / "liars_cards"
    files = [path for path in folder.iterdir() if path.suffix in (".py", ".toml")]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) < 250
