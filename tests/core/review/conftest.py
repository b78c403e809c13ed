from collections.abc import Iterator

import pytest

from tests.core.scholarly.played import Played, playing


@pytest.fixture
def played() -> Iterator[Played]:
    with playing() as server:
        yield server
