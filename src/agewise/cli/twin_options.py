"""What plant a twin is, for every command that makes twins."""

from typing import Annotated

from typer import Option

Case = Annotated[str, Option(help="floating-pv or aged-substation.")]
"""Option for the bundled case."""
Noise = Annotated[float, Option(help="Factor on the thermometers' noise.")]
"""Option for how noisy the thermometers are."""
NoiseLaw = Annotated[
    str, Option(help="temperature, daily or share (--noise 0.02: 2 % of each maximum).")
]
"""Option for how that noise varies."""
Mismatch = Annotated[float, Option(help="Departure from the heat equation; 1 is 2 K rms inside.")]
"""Option for how wrong the heat equation is."""
RoughAmbient = Annotated[
    bool, Option("--rough-ambient", help="Air that also varies within minutes.")
]
"""Option for air that is not smooth."""
