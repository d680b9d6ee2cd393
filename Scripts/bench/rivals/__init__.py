"""The programs that hikeshare is compared with."""
