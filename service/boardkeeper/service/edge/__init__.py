"""Where calls come in: parsing, the caller, limits of gRPC, and how refusals go over the wire."""
