"""The front: an ASGI application for gRPC, Connect, JSON and the web client, and its HTTP/1.1 and HTTP/2 server."""
