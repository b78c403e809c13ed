"""Clopper-Pearson against published values, and against what it is by definition."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calibration.bounds import (
    allowed_errors,
    at_most,
    clopper_pearson_upper,
    trials_needed,
    within,
)

# One-sided 95 % upper limits; the upper ends of two-sided 90 % intervals in tables of the binomial.
KNOWN = [
    (0, 1, 0.95),
    (0, 10, 0.258866),
    (1, 10, 0.394163),
    (2, 10, 0.506901),
    (5, 10, 0.777559),
    (9, 10, 0.994884),
    (10, 10, 1.0),
    (0, 0, 1.0),
    (0, 100, 0.029513),
    (1, 100, 0.046560),
    (5, 100, 0.102253),
    (0, 299, 0.009969),
    (0, 298, 0.010002),
]


@pytest.mark.parametrize(("errors", "n", "bound"), KNOWN)
def test_known_values(errors: int, n: int, bound: float) -> None:
    assert clopper_pearson_upper(errors, n) == pytest.approx(bound, abs=2e-6)


def test_without_errors_it_is_the_closed_form() -> None:
    for n in (1, 7, 299, 5000, 1_000_000):
        assert clopper_pearson_upper(0, n) == pytest.approx(1 - 0.05 ** (1 / n), rel=1e-9)


@given(st.integers(0, 400), st.integers(1, 400), st.floats(0.5, 0.999))
def test_it_is_the_rate_at_which_so_few_are_just_that_unlikely(
    errors: int, n: int, confidence: float
) -> None:
    errors = min(errors, n - 1)
    bound = clopper_pearson_upper(errors, n, confidence)
    exact = sum(math.comb(n, k) * bound**k * (1 - bound) ** (n - k) for k in range(errors + 1))
    assert exact == pytest.approx(1 - confidence, rel=1e-6)
    assert errors / n < bound <= 1.0


@given(st.integers(0, 60), st.integers(1, 60))
def test_more_errors_and_fewer_trials_raise_it(errors: int, n: int) -> None:
    errors = min(errors, n - 1)
    assert clopper_pearson_upper(errors, n) < clopper_pearson_upper(errors + 1, n)
    assert clopper_pearson_upper(errors, n + 1) < clopper_pearson_upper(errors, n)


@given(st.integers(0, 2000), st.floats(0.001, 0.2))
def test_allowed_errors_is_the_most_that_keeps_the_bound(n: int, target: float) -> None:
    most = allowed_errors(n, target)
    if most is None:
        assert not within(0, n, target)
        assert n < trials_needed(target)
        return
    assert clopper_pearson_upper(most, n) <= target * (1 + 1e-9)
    assert clopper_pearson_upper(most + 1, n) > target * (1 - 1e-9)


def test_trials_needed() -> None:
    assert trials_needed(0.01) == 299
    assert trials_needed(0.05) == 59
    assert trials_needed(0.10) == 29


def test_the_tail_of_large_counts() -> None:
    assert at_most(5_000, 10_000, 0.5) == pytest.approx(0.50399, abs=1e-4)
    assert at_most(0, 10, 0.0) == 1.0
    assert at_most(3, 10, 1.0) == 0.0


@pytest.mark.parametrize(
    ("errors", "n", "confidence"), [(-1, 5, 0.95), (6, 5, 0.95), (1, 5, 1.0), (1, 5, 0.0)]
)
def test_senseless_counts_are_refused(errors: int, n: int, confidence: float) -> None:
    with pytest.raises(ValueError, match="between"):
        clopper_pearson_upper(errors, n, confidence)
