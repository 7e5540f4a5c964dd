"""Remote files: pinned, fetched resumably, verified."""
