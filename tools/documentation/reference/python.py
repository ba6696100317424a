"""The Python packages for users, from their docstrings; Sphinx reads these itself."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

from documentation.reference.markdown import page

MODULES = {
    "boardkeeper.rules": "The rules alone, embedded in a program of one's own.",
    "boardkeeper.client": "The SDK: games of a service, blocking.",
    "boardkeeper.client.aio": "The same for asyncio.",
    "boardkeeper.client.bots": "Bots of one's own.",
    "boardkeeper.client.clocks": "What the clocks of a game show.",
    "boardkeeper.client.feed": "All games of a platform in one stream.",
}
"""Modules by their names, in the order of the page."""


def pages() -> Iterator[tuple[str, str]]:
    """A page that leads to all, and one for each module, by their places below ``reference``."""
    there = {name: said for name, said in MODULES.items() if find_spec(name) is not None}
    tree = "```{toctree}\n:titlesonly:\n\n" + "\n".join(f"python/{name}" for name in there) + "\n```"
    yield "python", page("# Python", "Made from the docstrings of what is public.", tree)
    for name, said in there.items():
        # A module that says what is public may have it from elsewhere; of others only what is their own is shown.
        public = "   :imported-members:\n" if hasattr(import_module(name), "__all__") else ""
        directive = f"```{{eval-rst}}\n.. automodule:: {name}\n   :members:\n{public}```"
        yield f"python/{name}", page(f"# {name}", said, directive)
