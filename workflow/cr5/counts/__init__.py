"""From documents to tokens to bags of words, whole or part by part; and word weights."""
