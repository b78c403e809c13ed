"""Read what is shipped and not code, from `resources/`."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load_json(path: str) -> Any:
    """The parsed JSON file at `path` inside `resources/`, such as "gates/units.json"."""
    return json.loads(files("resources").joinpath(path).read_text(encoding="utf-8"))
