"""A module that ends the process."""

raise SystemExit(3)
