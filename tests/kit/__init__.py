"""What tests and benchmarks share: made-up data, runs of the workflow, a door to the inside."""
