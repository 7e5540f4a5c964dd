"""Steps: one module a kind of job, with a model of all that its result is made with."""
