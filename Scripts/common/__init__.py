"""What the benchmark and the soak share."""
