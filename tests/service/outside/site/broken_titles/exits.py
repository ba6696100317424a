"""A module that raises ``SystemExit`` when it is imported."""

raise SystemExit(3)
