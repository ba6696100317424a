"""The documentation as a site: which page stands where, its links, and the reference that is made from the sources."""
