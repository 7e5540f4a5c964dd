"""Topic models of documents in several languages (Platt, Toutanova, Yih 2010, 2.4 and 2.5)."""
