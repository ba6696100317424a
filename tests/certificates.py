"""Authorities and certificates for tests, as files."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import trustme


class Files(NamedTuple):
    """A certificate chain and its key, in PEM."""

    certificate: str
    key: str


class Authority:
    """A certificate authority that writes files into a folder. ``file`` is its own certificate."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._ca = trustme.CA(organization_name=name, key_type=trustme.KeyType.ECDSA)
        self._ca.cert_pem.write_to_path(folder / f"{name}.pem")
        self.file = str(folder / f"{name}.pem")

    def sign(self, *names: str, common_name: str | None = None, until: datetime | None = None) -> Files:
        """Issue a certificate for these names."""
        number = len(list(self._folder.iterdir()))
        return self.sign_into(
            Files(str(self._folder / f"{number}.pem"), str(self._folder / f"{number}.key")),
            *names,
            common_name=common_name,
            until=until,
        )

    def sign_into(
        self, files: Files, *names: str, common_name: str | None = None, until: datetime | None = None
    ) -> Files:
        """Issue a certificate and replace the files of another one with it."""
        issued = self._ca.issue_cert(*names, common_name=common_name, key_type=trustme.KeyType.ECDSA, not_after=until)
        for path, data in (
            (files.certificate, b"".join(each.bytes() for each in issued.cert_chain_pems)),
            (files.key, issued.private_key_pem.bytes()),
        ):
            new = Path(f"{path}.new")
            new.write_bytes(data)
            new.chmod(0o600)
            new.replace(path)
        return files
