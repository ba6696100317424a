"""What the build makes beside the code: files of a folder, which a wheel has in one archive."""

from __future__ import annotations

import tarfile
from collections.abc import Mapping
from pathlib import Path


def built(folder: Path) -> Mapping[str, bytes]:
    """The files of a folder by their paths in it, or of the archive beside it; none if neither was built."""
    if folder.is_dir():
        files = (path for path in sorted(folder.rglob("*")) if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(folder.with_name(f"{folder.name}.tar.xz")) as archive:
            for entry in archive:
                content = archive.extractfile(entry)
                assert content is not None, "there are files alone"
                found[entry.name] = content.read()
    except FileNotFoundError:
        pass
    return found
