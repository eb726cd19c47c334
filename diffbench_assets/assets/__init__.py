"""The assets, one module per group. An asset reads, calls one domain function, writes, and attaches metadata."""
