"""Wikipedia at full size: from Wikimedia's dumps to bags of words.

One published file at a time, in memory that does not depend on its size:

    settings, sources, pins   which files are published
    download                  fetching them
    compressed, pages         a file -> bytes -> pages (XML exports, CirrusSearch indices)
    namespaces, wikitext      a page's markup -> plain text
    sql, concepts             the table page_props -> page id -> Wikidata's Q-id
    text, counting            a file -> its documents that have a concept -> their words, counted
    merging, assembly         the counts of all files of a language -> its bags
    part_documents            the texts themselves, for systems that want them
"""
