"""The built-in titles. Each package has the same set of files (docs/adding-a-title.md)."""
