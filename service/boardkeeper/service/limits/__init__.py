"""What one caller may take of the service: rates, open calls and streams, quotas. The edge asks here for every call."""
