"""The model that agrees, for every attack."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest


def _agreeable() -> Any:
    path = Path(__file__).with_name("agreeable.py")
    spec = importlib.util.spec_from_file_location("attacks_agreeable", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.AGREEABLE


@pytest.fixture(scope="session")
def agreeable() -> Any:
    """An entailment model that says yes once two fifths of the claim's words are there."""
    return _agreeable()
