"""Words of claims as the full-text index holds them, and queries to it."""

import re
import sqlite3

_UNSPACED = re.compile("([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")
"""Characters of scripts written without spaces: each is indexed as a word of its own."""


def searchable(text: str) -> str:
    """`text` with spaces around every character of a script that is written without them."""
    return _UNSPACED.sub(r" \1 ", text)


def tags(workspace_id: int, verdict: str) -> str:
    """The words by which an indexed verdict can be narrowed down."""
    return f"{workspace_tag(workspace_id)} {verdict_tag(verdict)}"


def workspace_tag(workspace_id: int) -> str:
    """The word for a workspace."""
    return f"workspace{workspace_id}"


def verdict_tag(verdict: str) -> str:
    """The word for a verdict."""
    return "verdict" + verdict.replace("_", "")


def query(search: str, workspace_id: int, verdict: str | None) -> str | None:
    """The full-text query for what a person typed: all its words, the last one as a beginning.

    None when nothing was typed that could be looked for.
    """
    words = [word for word in search.split() if any(map(str.isalnum, word))]
    if not words:
        return None
    phrases = ['"' + searchable(word).replace('"', " ") + '"' for word in words]
    narrowed = [workspace_tag(workspace_id)] + ([verdict_tag(verdict)] if verdict else [])
    return f"tags : ({' AND '.join(narrowed)}) AND claim : ({' AND '.join(phrases)} *)"


def add(connection: sqlite3.Connection, verdict_id: int, claim: str, tag_words: str) -> None:
    """Put a verdict into the index."""
    connection.execute(
        "INSERT INTO claim_search (rowid, claim, tags) VALUES (?, ?, ?)",
        (verdict_id, searchable(claim), tag_words),
    )
