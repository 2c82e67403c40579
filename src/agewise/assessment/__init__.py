"""Profile + nameplate + settings -> an answer: the pipeline, callable from Python."""
