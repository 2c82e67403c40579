"""Laws are searched the same way on every machine, however busy it is."""

from hypothesis import settings

settings.register_profile("agewise", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("agewise")
