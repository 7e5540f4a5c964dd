"""Wikipedia at full size: from Wikimedia's dumps to bags of words.

One published file at a time, in memory independent of its size:

    pages      a file -> its documents that have a concept
    wikitext   a page's markup -> plain text
    concepts   the table page_props -> page id -> Wikidata's Q-id

`sources.wikipedia` finds the files, `fetch` fetches them.
"""
