"""Text of pages without their markup: Markdown, reStructuredText, HTML, plain text, PO catalogues.

What is no text goes: front matter, comments, addresses of links, tags, scripts, styles, navigation,
shortcodes of site generators; blocks of code go or stay.
"""
