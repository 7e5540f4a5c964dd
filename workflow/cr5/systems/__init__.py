"""The systems: one module each, with `fit` and `DEFAULTS`; see cr5.fitting.contract."""
