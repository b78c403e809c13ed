"""The tables, in numbered steps. A step that has been released is never edited; add another.

History (source_texts, checks, verdicts, triage) is append-only. The guards hold against raw SQL
too: UPDATE and DELETE are refused, and so is an INSERT onto an existing key, because REPLACE would
otherwise delete the old row without firing a delete trigger.
"""

APPLICATION_ID = 0x43534731
"""Marks the file as this program's (SQLite header, bytes 68 to 71)."""

_HISTORY_KEYS = {
    "source_texts": ("id", "sha256"),
    "checks": ("id",),
    "verdicts": ("id",),
    "triage": ("id",),
}


def _append_only(table: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    same = " OR ".join(f"{key} = NEW.{key}" for key in keys)
    refuse = "RAISE(ABORT, 'history is append-only')"
    return (
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} BEGIN SELECT {refuse}; END",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} BEGIN SELECT {refuse}; END",
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
        f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) BEGIN SELECT {refuse}; END",
    )


LIBRARY = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    """
    CREATE TABLE workspaces (
        id INTEGER PRIMARY KEY CHECK (id > 0),
        name TEXT NOT NULL,
        name_key TEXT NOT NULL UNIQUE,
        confidential INTEGER NOT NULL CHECK (confidential IN (0, 1)),
        created TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE documents (
        id INTEGER PRIMARY KEY CHECK (id > 0),
        sha256 TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64),
        size INTEGER NOT NULL CHECK (size >= 0),
        name TEXT NOT NULL,
        suffix TEXT NOT NULL,
        format TEXT,
        added TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE workspace_documents (
        workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
        document_id INTEGER NOT NULL REFERENCES documents (id),
        name TEXT NOT NULL,
        added TEXT NOT NULL,
        PRIMARY KEY (workspace_id, document_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX workspace_documents_by_document ON workspace_documents (document_id)",
    """
    CREATE TABLE parsed_documents (
        sha256 TEXT NOT NULL REFERENCES documents (sha256),
        reader_version TEXT NOT NULL,
        piece INTEGER NOT NULL CHECK (piece >= 0),
        pieces INTEGER NOT NULL CHECK (pieces > piece),
        data BLOB NOT NULL,
        UNIQUE (sha256, reader_version, piece)
    ) STRICT
    """,
    """
    CREATE TRIGGER documents_same_content
    BEFORE UPDATE OF id, sha256, size, name, suffix, added ON documents
    BEGIN SELECT RAISE(ABORT, 'a document keeps its content'); END
    """,
    """
    CREATE TRIGGER documents_no_replace BEFORE INSERT ON documents
    WHEN EXISTS (SELECT 1 FROM documents WHERE id = NEW.id OR sha256 = NEW.sha256)
    BEGIN SELECT RAISE(ABORT, 'a document keeps its content'); END
    """,
)

HISTORY = (
    """
    CREATE TABLE source_texts (
        id INTEGER PRIMARY KEY CHECK (id > 0),
        sha256 TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64),
        text TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE checks (
        id INTEGER PRIMARY KEY CHECK (id > 0),
        workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
        claim TEXT NOT NULL,
        source_kind TEXT NOT NULL CHECK (source_kind IN ('document', 'text')),
        source_name TEXT NOT NULL,
        document_sha256 TEXT REFERENCES documents (sha256),
        text_sha256 TEXT REFERENCES source_texts (sha256),
        created TEXT NOT NULL,
        UNIQUE (id, workspace_id),
        CHECK ((source_kind = 'document') = (document_sha256 IS NOT NULL)),
        CHECK ((source_kind = 'text') = (text_sha256 IS NOT NULL))
    ) STRICT
    """,
    "CREATE INDEX checks_by_workspace ON checks (workspace_id, id)",
    "CREATE INDEX checks_by_document ON checks (document_sha256, id)",
    "CREATE INDEX checks_by_text ON checks (text_sha256, id)",
    """
    CREATE TABLE verdicts (
        id INTEGER PRIMARY KEY CHECK (id > 0),
        check_id INTEGER NOT NULL,
        workspace_id INTEGER NOT NULL,
        verdict TEXT NOT NULL CHECK (verdict IN ('supported', 'contradicted', 'not_verifiable')),
        gate TEXT NOT NULL,
        reason TEXT NOT NULL,
        evidence TEXT NOT NULL,
        scores TEXT NOT NULL,
        trace TEXT NOT NULL,
        scope TEXT NOT NULL,
        claim_sha256 TEXT NOT NULL CHECK (length(claim_sha256) = 64),
        source_sha256 TEXT NOT NULL CHECK (length(source_sha256) = 64),
        model_name TEXT,
        model_sha256 TEXT,
        calibration TEXT,
        contract_version TEXT NOT NULL,
        reader_version TEXT NOT NULL,
        app_version TEXT NOT NULL,
        started TEXT NOT NULL,
        finished TEXT NOT NULL,
        CHECK ((model_name IS NULL) = (model_sha256 IS NULL)),
        CHECK (calibration IS NULL OR model_sha256 IS NOT NULL),
        FOREIGN KEY (check_id, workspace_id) REFERENCES checks (id, workspace_id)
    ) STRICT
    """,
    "CREATE INDEX verdicts_by_workspace ON verdicts (workspace_id, id)",
    "CREATE INDEX verdicts_by_answer ON verdicts (workspace_id, verdict, id)",
    "CREATE INDEX verdicts_by_check ON verdicts (check_id, id)",
    """
    CREATE TABLE triage (
        id INTEGER PRIMARY KEY CHECK (id > 0),
        verdict_id INTEGER NOT NULL REFERENCES verdicts (id),
        note TEXT NOT NULL,
        added TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX triage_by_verdict ON triage (verdict_id, id)",
    """
    CREATE TRIGGER documents_of_history BEFORE DELETE ON documents
    WHEN EXISTS (SELECT 1 FROM checks WHERE document_sha256 = OLD.sha256)
    BEGIN SELECT RAISE(ABORT, 'history is append-only'); END
    """,
    """
    CREATE TRIGGER workspaces_of_history BEFORE DELETE ON workspaces
    WHEN EXISTS (SELECT 1 FROM checks WHERE workspace_id = OLD.id)
    BEGIN SELECT RAISE(ABORT, 'history is append-only'); END
    """,
    """
    CREATE TRIGGER workspaces_no_replace BEFORE INSERT ON workspaces
    WHEN EXISTS (SELECT 1 FROM workspaces WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'history is append-only'); END
    """,
    *(
        statement
        for table, keys in _HISTORY_KEYS.items()
        for statement in _append_only(table, keys)
    ),
)

SEARCH = (
    """
    CREATE VIRTUAL TABLE claim_search USING fts5 (
        claim, tags, content = '', prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
    )
    """,
)
"""`claim_search.rowid` is `verdicts.id`, so that results come in the order of the history."""

EGRESS = (
    """
    CREATE TABLE egress (
        id INTEGER PRIMARY KEY CHECK (id > 0),
        started TEXT NOT NULL,
        host TEXT NOT NULL,
        purpose TEXT NOT NULL,
        outcome TEXT NOT NULL,
        sent INTEGER NOT NULL CHECK (sent >= 0),
        received INTEGER NOT NULL CHECK (received >= 0),
        status INTEGER
    ) STRICT
    """,
    """
    CREATE TRIGGER egress_finish_once BEFORE UPDATE ON egress
    WHEN OLD.outcome <> 'under_way' OR NEW.id <> OLD.id OR NEW.started <> OLD.started
        OR NEW.host <> OLD.host OR NEW.purpose <> OLD.purpose
    BEGIN SELECT RAISE(ABORT, 'a request is finished once and keeps what it was'); END
    """,
    *_append_only("egress", ("id",))[1:],
)
"""Requests to a network. A row is written before its request is sent, and finished once."""

ANSWERS = (
    """
    CREATE TABLE registry_answers (
        id INTEGER PRIMARY KEY CHECK (id > 0),
        place TEXT NOT NULL,
        question TEXT NOT NULL CHECK (length(question) = 64),
        asked TEXT NOT NULL,
        status INTEGER NOT NULL,
        media_type TEXT NOT NULL,
        body BLOB NOT NULL,
        size INTEGER NOT NULL CHECK (size = length(body)),
        UNIQUE (place, question)
    ) STRICT
    """,
    "CREATE INDEX registry_answers_by_age ON registry_answers (asked, id, size)",
)
"""What registries answered, kept for a time. `question` is a SHA-256; `body` is packed by zlib."""

FRAMEWORKS = (
    """
    CREATE TABLE framework_lists (
        id INTEGER PRIMARY KEY CHECK (id > 0),
        framework TEXT NOT NULL,
        edition TEXT NOT NULL,
        name_key TEXT NOT NULL UNIQUE,
        takes_place INTEGER NOT NULL CHECK (takes_place IN (0, 1)),
        licence TEXT NOT NULL,
        origin TEXT NOT NULL,
        added TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE framework_numbers (
        list_id INTEGER NOT NULL REFERENCES framework_lists (id) ON DELETE CASCADE,
        position INTEGER NOT NULL CHECK (position >= 0),
        number TEXT NOT NULL CHECK (number <> ''),
        title TEXT NOT NULL,
        withdrawn INTEGER NOT NULL CHECK (withdrawn IN (0, 1)),
        replaced_by TEXT NOT NULL,
        PRIMARY KEY (list_id, position),
        UNIQUE (list_id, number)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE framework_choices (
        workspace_id INTEGER PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
        chosen TEXT NOT NULL,
        changed TEXT NOT NULL
    ) STRICT
    """,
)
"""A person's own closed lists, and which lists a workspace works with.

`name_key` is the framework and the edition as they are compared; `replaced_by` and `chosen` are
JSON lists of texts. A workspace that has no row has not chosen.
"""

REVIEWS = (
    """
    CREATE TABLE reviews (
        id INTEGER PRIMARY KEY CHECK (id > 0),
        key TEXT NOT NULL UNIQUE CHECK (length(key) = 64),
        document TEXT NOT NULL,
        started TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE review_rows (
        review_id INTEGER NOT NULL REFERENCES reviews (id) ON DELETE CASCADE,
        number INTEGER NOT NULL CHECK (number > 0),
        row TEXT NOT NULL CHECK (json_valid(row)),
        PRIMARY KEY (review_id, number)
    ) STRICT, WITHOUT ROWID
    """,
)
"""Reviews of whole documents, so that one that was stopped goes on. `key` is a SHA-256 of all that
a row depends on: the document, the sources, the model and the gates."""
