"""The folders of tests and of the domain."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent.parent
DOMAIN = TESTS.parent / "domain" / "boardkeeper"
