"""Logs, counters, Prometheus metrics and OpenTelemetry traces."""
