"""The JSON Schema of `summary.json`, written from its model.

    python -m agewise.assessment.answer.write_schema

writes it anew into the package, after a change of the model.
"""

from pathlib import Path

from agewise.assessment.answer.summary import json_schema
from agewise.store.json_file import write_json

SCHEMA = Path(__file__).parents[1] / "summary.schema.json"
"""The file in the package, for programs that are not written in Python."""

if __name__ == "__main__":
    write_json(SCHEMA, json_schema())
