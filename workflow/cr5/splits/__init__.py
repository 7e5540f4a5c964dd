"""The draw of queries and candidates, and the training documents of each setting."""
