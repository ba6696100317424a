"""The documentation site: its pages, their links, and the reference that is generated from the sources."""
