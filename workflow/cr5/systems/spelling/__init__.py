"""Information from the spelling of words, treated the same in all languages."""
