"""A made-up Wikimedia: mirrors of any aligned corpus, a server with faults, corpora of any size."""
