"""Exact one-sided bounds on a rate from counts (Clopper and Pearson, 1934)."""

import math

CONFIDENCE = 0.95

_HALVINGS = 200


def clopper_pearson_upper(errors: int, n: int, confidence: float = CONFIDENCE) -> float:
    """The upper bound on the rate of errors, in 0..1, after `errors` in `n` trials.

    It is the rate at which seeing so few errors has the probability 1 - `confidence`; 1 for n = 0.
    Never below the exact value. Raises ValueError unless 0 <= errors <= n and
    0 < confidence < 1.
    """
    _require(errors, n, confidence)
    if errors == n:
        return 1.0
    alpha = 1.0 - confidence
    low, high = errors / n, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if at_most(errors, n, middle) > alpha:
            low = middle
        else:
            high = middle
    return high


def at_most(errors: int, n: int, rate: float) -> float:
    """The probability of `errors` or fewer in `n` trials at this rate (0..1)."""
    if errors >= n or rate <= 0.0:
        return 1.0
    if rate >= 1.0 or errors < 0:
        return 0.0
    log_rate, log_rest = math.log(rate), math.log1p(-rate)
    total = 0.0
    for k in range(errors, -1, -1):
        chosen = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
        term = math.exp(chosen + k * log_rate + (n - k) * log_rest)
        total += term
        # Below the most likely count, terms only shrink.
        if k < n * rate and term < total * 1e-18:
            break
    return min(1.0, total)


def within(errors: int, n: int, target: float, confidence: float = CONFIDENCE) -> bool:
    """Whether the bound after `errors` in `n` trials is at or below `target` (0..1)."""
    _require(errors, n, confidence)
    return errors < n and at_most(errors, n, target) <= 1.0 - confidence


def allowed_errors(n: int, target: float, confidence: float = CONFIDENCE) -> int | None:
    """The most errors in `n` trials with a bound at or below `target`; None where even 0 is not."""
    most = None
    for errors in range(n):
        if not within(errors, n, target, confidence):
            break
        most = errors
    return most


def trials_needed(target: float, confidence: float = CONFIDENCE) -> int:
    """The fewest trials that, without an error, have a bound at or below `target` (0..1)."""
    if not 0.0 < target < 1.0:
        raise ValueError("the target is a rate between 0 and 1")
    n = max(1, math.ceil(math.log(1.0 - confidence) / math.log1p(-target)) - 1)
    while not within(0, n, target, confidence):
        n += 1
    return n


def _require(errors: int, n: int, confidence: float) -> None:
    if not 0 <= errors <= n:
        raise ValueError("errors are between 0 and the number of trials")
    if not 0.0 < confidence < 1.0:
        raise ValueError("confidence is between 0 and 1")
