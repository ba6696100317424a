"""The titles that Boardkeeper plays; each is a package of the same small set of files."""
