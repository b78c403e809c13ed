"""Times as the database keeps them: ISO 8601 in UTC, of one width, so that they sort as text."""

from datetime import UTC, datetime

_FORM = "%Y-%m-%dT%H:%M:%S.%fZ"


def to_text(moment: datetime) -> str:
    """`moment` as text. Raises ValueError for a moment without a time zone."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone cannot be recorded")
    return moment.astimezone(UTC).strftime(_FORM)


def from_text(text: str) -> datetime:
    """The moment that `to_text` wrote, in UTC."""
    return datetime.strptime(text, _FORM).replace(tzinfo=UTC)
