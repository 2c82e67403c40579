"""How fast a transformer's insulation ages, how long it will live, and how sure that answer is."""

from importlib.metadata import version

__version__ = version("agewise")
