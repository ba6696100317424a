"""Sending the feed to where platforms want it, after the Standard Webhooks specification."""
