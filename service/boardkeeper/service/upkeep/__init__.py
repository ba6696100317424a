"""What the service does beside the calls: it warms up, checks all chains and watches its storage."""
