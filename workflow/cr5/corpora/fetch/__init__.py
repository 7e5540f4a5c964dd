"""Files from elsewhere: pinned, fetched resumably, verified."""
