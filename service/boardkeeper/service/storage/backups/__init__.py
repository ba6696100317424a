"""What a backup is: one file with everything that a database held at one moment, sealed with the service's key."""
