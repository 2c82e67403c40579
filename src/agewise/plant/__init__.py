"""The nouns of a plant, and their files.

- `profile`, `timeline`, `sensors`: what was measured, when and at which height
- `nameplate`, `sections`, `quantity`, `nameplate_checks`, `guide_constants`, `nameplate_file`,
  `nameplate_text`, `cooling_names`: what the owner knows of the transformer
- `stage_sections`, `staged_unit`: stages of the cooling and taps, and which of them is on
- `winding_sections`, `oil_load`: windings with loads of their own, and the load that heats the oil
- `measures`: units of load, temperature and time, and their conversion
- `record`, `notes`: what a file holds before it is checked, and findings about it
- `field`, `tables`, `toml_file`: NetCDF, CSV and Parquet, TOML
"""
