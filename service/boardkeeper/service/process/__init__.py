"""The server process: start, health checks, maintenance, shutdown, and the supervisor of several workers."""
