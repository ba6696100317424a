"""Run the verifier in TypeScript on records."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from build_web import node

Verifier = Callable[[Sequence[bytes | Sequence[bytes]]], list[dict[str, Any]]]
"""A function that verifies records, each as bytes or lines, and returns the results."""

HEAP = 512
"""The memory limit of the verifier, in MiB."""


def verify_records(
    dist: Path, records: Sequence[bytes | Sequence[bytes]], seconds: float = 100
) -> list[dict[str, Any]]:
    """Return the verifier's result for each record, within a time limit and :data:`HEAP`."""
    with TemporaryDirectory() as folder:
        files = [Path(folder) / f"{at}.jsonl" for at in range(len(records))]
        for file, record in zip(files, records, strict=True):
            file.write_bytes(record if isinstance(record, bytes) else b"".join(record))
        command = [str(node()), f"--max-old-space-size={HEAP}", str(dist / "main.js"), *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.stderr == ""
    assert len(found) == len(records)
    assert done.returncode == (0 if all(it["holds"] for it in found) else 1)
    assert all(it["holds"] or it["problem"] for it in found)
    return found
