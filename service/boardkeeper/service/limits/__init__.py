"""Rate limits, quotas and fair queues: what one client may use of the server."""
