"""What tests share: one made-up corpus, runs of the workflow, and a door to the package's inside."""
