"""The service: gRPC servicers, command handling, storage, projections, auth and configuration."""
