"""The front: one ASGI application for gRPC, gRPC-Web, Connect, JSON and the browser client, and its server.

`application` dispatches requests. `listeners` opens addresses and accepts connections, `tls` has their certificates,
`http1` and `http2` are uvicorn's protocols with our limits, and `connections` counts connections.
"""
