"""Conformance tests of clients: a server that causes faults on purpose, and judges how a client handles them.

A *scenario* (``scenarios/*.toml``) says which responses are faulty, when and how, and what the client then *must* do
(:mod:`.musts`). The rules are the real ones: clients call a whole server on a temporary file. The faults are made
between the server and the network (:mod:`.session`, :mod:`.harm`), for gRPC and for Connect; connections break where
they pass through (:mod:`.front`). The package is not a part of the server: it starts one.
"""
