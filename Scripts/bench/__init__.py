"""Measures hikeshare."""
