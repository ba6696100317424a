"""Pages of the reference, each made from the sources that it tells of."""
