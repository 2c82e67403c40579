"""Many transformers: assessed side by side, kept in one catalogue, ranked.

What this room needs beyond plain agewise is the extra `fleet`; nothing below imports it.
"""
