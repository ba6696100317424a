"""The pages of the reference, generated from the sources that they describe."""
