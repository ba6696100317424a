"""The conformance kit: a service that makes trouble by the book, and judges what a client makes of it.

A *scenario* is written down (``scenarios/*.toml``): which answers are harmed, when and how, and what then *must* be
seen of the client (:mod:`.musts`). The rules are the true ones: clients speak to a whole service on a temporary file.
What harms answers stands between it and the wire (:mod:`.session`, :mod:`.harm`), so that it does so by gRPC and by
Connect; connections break where they pass through (:mod:`.front`).
"""
