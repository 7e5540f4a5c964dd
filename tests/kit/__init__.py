"""What tests and benchmarks share: made-up data, and runs of the workflow from outside."""
