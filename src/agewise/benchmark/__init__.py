"""Every method on every known problem, judged by its truth: cells, one table, and verdicts."""
