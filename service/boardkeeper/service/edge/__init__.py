"""Where calls come in: parsing, the caller, limits of gRPC, and how errors are sent."""
