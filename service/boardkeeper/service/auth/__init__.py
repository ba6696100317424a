"""Authentication and access: API keys, seat tokens, and which key may do what."""
