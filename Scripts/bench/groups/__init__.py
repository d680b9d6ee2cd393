"""The groups of measurements: each module has a function `measure`."""
