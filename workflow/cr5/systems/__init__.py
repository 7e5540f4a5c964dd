"""The systems: one module each, with `fit` and `OPTIONS`; see cr5.fitting.contract."""
