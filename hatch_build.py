"""The build hook: generated protobuf code is made here, for wheels and for editable installs alike."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GenerateProtos(BuildHookInterface):  # type: ignore[type-arg]
    """Run the shared generator before hatchling collects files."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Generate into the source tree; `artifacts` in pyproject.toml carries the result into the wheel."""
        sys.path.insert(0, str(Path(self.root) / "tools"))
        try:
            from generate_protos import generate  # noqa: PLC0415
        finally:
            sys.path.pop(0)
        generate(Path(self.root) / "proto", force=True)
