"""Conformance tests of clients: a server that injects faults, and verdicts about how a client handles them.

A scenario (``scenarios/*.toml``) contains the faults to inject and the expectations of the client
(:mod:`.expectations`). Clients call a real server on a temporary database. The faults are injected between the server
and the network (:mod:`.session`, :mod:`.faults`), for gRPC and Connect; :mod:`.tcp_proxy` breaks connections.
"""
