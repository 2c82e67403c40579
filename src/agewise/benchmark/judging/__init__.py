"""Methods on one problem, judged by its truth: errors, coverage, constants, noise and cost."""
