"""What a task asks: its searches by direction, and what a search is about."""


def by_direction(searches):
    return {(search.query_language, search.target_language): search for search in searches}


def query_ids(search):
    return search.queries.ids.tolist()


def candidate_ids(search):
    return search.candidates.ids.tolist()


def grades(search):
    """Queries x candidates."""
    return search.relevance.toarray().tolist()
