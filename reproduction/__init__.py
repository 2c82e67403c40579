"""The paper's tables and figures: one file an experiment, with frozen settings."""
