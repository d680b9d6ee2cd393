"""Transfers regions over a bad cable while faults happen."""
