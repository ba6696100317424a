"""What can be measured of a running service, for Prometheus: read where it is counted, when somebody asks for it."""
