from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.models.download.hub_server import Hub, hub_of
from tests.models.download.steps import CONTENT, Pauses


@pytest.fixture
def hub() -> Iterator[Hub]:
    with hub_of(CONTENT) as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models" / "new"


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()
