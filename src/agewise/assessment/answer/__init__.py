"""The answer of an assessment: the model of `summary.json`, and how its sections are made."""
