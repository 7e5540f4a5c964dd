"""Documents to tokens to bags of words, whole or part by part; and their weights."""
