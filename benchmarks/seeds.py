"""Seeds of twins as a command line gives them; shared by the scripts beside it."""


def seeds_of(text: str) -> list[int]:
    """The seeds in a text such as `0-4`, `7` or `0,3,7-9`."""
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found.extend(range(int(first), int(last or first) + 1))
    return found
