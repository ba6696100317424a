"""Build artifacts: folders of files, which a wheel contains as archives."""

from __future__ import annotations

import tarfile
from collections.abc import Mapping
from pathlib import Path


def read_built_files(folder: Path) -> Mapping[str, bytes]:
    """Return the files of a folder, or of the archive beside it, by relative path; empty if neither exists."""
    if folder.is_dir():
        paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    files: dict[str, bytes] = {}
    try:
        with tarfile.open(folder.with_name(f"{folder.name}.tar.xz")) as archive:
            for entry in archive:
                content = archive.extractfile(entry)
                assert content is not None, "the archive contains only files"
                files[entry.name] = content.read()
    except FileNotFoundError:
        pass
    return files
