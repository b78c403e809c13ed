import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.claims.verdict import CheckResult, Evidence, Verdict
from core.storage.checks import page_query
from core.storage.errors import InvalidText, NotFound, StoreDamaged
from core.storage.records import text_sha256
from core.storage.rows import CheckRecord, Provenance, SourceKind
from core.storage.search import query
from core.storage.store import Store


@pytest.fixture
def workspace(store: Store) -> int:
    return store.workspaces.create("Review").id


@pytest.fixture
def record(store: Store, workspace: int, result: CheckResult, provenance: Provenance):
    """Record a check of a pasted text."""

    def make(claim: str = "A claim.", *, where: int = workspace, **values: Any) -> CheckRecord:
        return store.checks.record(
            workspace_id=where,
            claim=claim,
            source=values.pop("source", "The pasted text."),
            result=replace(result, **values),
            provenance=provenance,
        )

    return make


def test_a_record_comes_back_with_all_that_produced_it(
    store: Store, workspace: int, file, result: CheckResult, provenance: Provenance, home: Path
) -> None:
    document = store.documents.add(workspace, file("Risk fell.", "trial.txt")).document
    made = store.checks.record(
        workspace_id=workspace,
        claim="Risk fell.",
        source=document,
        result=result,
        provenance=provenance,
    )
    assert made.result == result
    assert made.provenance == provenance
    assert (made.claim, made.source_name) == ("Risk fell.", "trial.txt")
    assert (made.source_kind, made.document) == (SourceKind.DOCUMENT, document)
    assert made.source_sha256 == document.sha256
    assert made.claim_sha256 == text_sha256("Risk fell.")
    assert store.checks.source_text(made.check_id) is None
    with Store.open(home) as second:
        assert second.checks.verdict(made.verdict_id) == made
        assert second.checks.page(workspace) == [made]
        assert second.checks.verdicts(made.check_id) == [made]


def test_a_record_without_a_model_names_none(
    store: Store, workspace: int, result: CheckResult, provenance: Provenance
) -> None:
    without = replace(provenance, model_name=None, model_sha256=None, calibration=None)
    made = store.checks.record(
        workspace_id=workspace, claim="C.", source="T.", result=result, provenance=without
    )
    assert made.provenance == without
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        store.checks.record(
            workspace_id=workspace,
            claim="C.",
            source="T.",
            result=result,
            provenance=replace(provenance, model_name=None, model_sha256=None),
        )


def test_a_pasted_text_is_kept_once_and_whole(store: Store, record) -> None:
    text = "Line one.\r\nLine\x00two — “quoted” 降低 \U0001f9ea."
    one, two = record("One.", source=text), record("Two.", source=text)
    assert one.source_sha256 == two.source_sha256 == text_sha256(text)
    assert one.source_kind is SourceKind.TEXT
    assert store.checks.source_text(one.check_id) == text
    assert store.checks.source_text(two.check_id) == text
    assert store._database.row("SELECT count(*) AS n FROM source_texts") == {"n": 1}


@pytest.mark.parametrize("text", ["", "  \n", "half \ud800 pair"])
@pytest.mark.parametrize("what", ["claim", "source"])
def test_what_is_no_text_is_not_recorded(
    store: Store, workspace: int, record, what: str, text: str
) -> None:
    with pytest.raises(InvalidText, match="Nothing was done"):
        record(**{"claim": "A claim.", "source": "A text.", what: text})
    assert store.checks.page(workspace) == []


def test_evidence_with_half_a_surrogate_pair_is_kept(record) -> None:
    evidence = (Evidence("broken \ud800 text", 0, 13),)
    assert record(evidence=evidence).result.evidence == evidence


def test_a_reason_that_quotes_half_a_surrogate_pair_is_kept_readably(record) -> None:
    assert record(reason="It says \ud800 here.").result.reason == "It says ? here."


def test_a_search_stays_in_its_workspace(store: Store, record) -> None:
    ids = [store.workspaces.create(f"Number {number}").id for number in range(25)]
    made = {number: record("Aspirin.", where=number) for number in ids}
    assert {2, 22} <= set(ids)
    for number, one in made.items():
        assert store.checks.page(number, search="aspirin") == [one]


def test_unknown_keys_are_said_so(
    store: Store, record, result: CheckResult, provenance: Provenance
) -> None:
    for ask in (store.checks.verdict, store.checks.verdicts, store.checks.latest):
        with pytest.raises(NotFound):
            ask(5)
    with pytest.raises(NotFound):
        store.checks.source_text(5)
    with pytest.raises(NotFound):
        store.checks.add_triage(5, "Note.")
    with pytest.raises(NotFound):
        store.checks.record_again(5, result=result, provenance=provenance)
    with pytest.raises(NotFound):
        record(where=99)


def test_another_run_is_added_and_the_first_one_stays(
    store: Store, workspace: int, record, result: CheckResult, provenance: Provenance
) -> None:
    first = record()
    changed = replace(result, verdict=Verdict.CONTRADICTED)
    second = store.checks.record_again(first.check_id, result=changed, provenance=provenance)
    assert store.checks.verdicts(first.check_id) == [first, second]
    assert store.checks.latest(first.check_id) == second
    assert store.checks.page(workspace) == [second, first]
    assert (second.check_id, second.claim) == (first.check_id, first.claim)


def test_a_note_is_added_and_changes_no_verdict(store: Store, record) -> None:
    made = record()
    one = store.checks.add_triage(made.verdict_id, "Looks wrong.")
    two = store.checks.add_triage(made.verdict_id, "Asked the authors.")
    assert store.checks.triage(made.verdict_id) == [one, two]
    assert one.added < two.added
    assert store.checks.verdict(made.verdict_id) == made
    with pytest.raises(InvalidText):
        store.checks.add_triage(made.verdict_id, " ")


def test_pages_follow_each_other_without_gap_or_repeat(store: Store, record, workspace) -> None:
    other = store.workspaces.create("Other").id
    made = []
    for number in range(25):
        made.append(record(f"Claim {number}."))
        record("Elsewhere.", where=other)
    seen: list[CheckRecord] = []
    before = None
    while page := store.checks.page(workspace, before=before, limit=10):
        assert len(page) <= 10
        seen += page
        before = page[-1].verdict_id
    assert seen == made[::-1]


def test_a_page_is_not_moved_by_what_is_added_meanwhile(store: Store, record, workspace) -> None:
    made = [record(f"Claim {number}.") for number in range(6)]
    top = store.checks.page(workspace, limit=3)
    record("Newer.")
    assert store.checks.page(workspace, before=top[-1].verdict_id, limit=3) == made[2::-1]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_page_has_a_size(store: Store, workspace: int, limit: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        store.checks.page(workspace, limit=limit)


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("aspirin", ["aspirin", "both"]),
        ("ASPIRIN", ["aspirin", "both"]),
        ("asp", ["aspirin", "both"]),
        ("stroke asp", ["aspirin", "both"]),
        ("asp stroke", []),
        ("statin", ["statin", "both"]),
        ("statins aspirin", ["both"]),
        ("spirin", []),
        ("mortalite", ["french"]),
        ("mortalité", ["french"]),
        ("降低", ["chinese"]),
        ("中风风", ["chinese"]),
        ("低降", []),
        ("35 %", ["aspirin"]),
        ("35", ["aspirin"]),
        ('"aspirin"', ["aspirin", "both"]),
        ('asp" OR "x', []),
        ("aspirin OR statins", []),
        ("aspirin*", ["aspirin", "both"]),
        ("claim:aspirin", []),
        ("workspace1", []),
        ("verdictsupported", []),
        ("NOT aspirin", []),
        ("(aspirin", ["aspirin", "both"]),
        ("???", []),
        ("“”", []),
        ("   ", ["aspirin", "statin", "both", "french", "chinese"]),
        (None, ["aspirin", "statin", "both", "french", "chinese"]),
        ("\x00", []),
    ],
)
def test_words_of_claims_are_found(
    store: Store, workspace: int, record, search: str | None, found: list[str]
) -> None:
    claims = {
        "aspirin": "Aspirin lowered the risk of stroke by 35 %.",
        "statin": "Statins lowered mortality.",
        "both": "Stroke: statins and ASPIRIN differ.",
        "french": "La mortalité a baissé.",
        "chinese": "阿司匹林降低中风风险。",
    }
    other = store.workspaces.create("Other").id
    for claim in claims.values():
        record(claim)
        record(claim, where=other)
    page = store.checks.page(workspace, search=search)
    assert [r.claim for r in page] == [claims[name] for name in reversed(found)]
    assert all(r.workspace_id == workspace for r in page)


@pytest.mark.parametrize("search", [None, "claim"])
def test_a_page_can_be_narrowed_to_a_verdict(
    store: Store, workspace: int, record, search: str | None
) -> None:
    made = {verdict: [] for verdict in Verdict}
    for number in range(9):
        verdict = list(Verdict)[number % 3]
        made[verdict].append(record(f"Claim {number}.", verdict=verdict))
    for verdict, records in made.items():
        page = store.checks.page(workspace, verdict=verdict, search=search, limit=2)
        assert page == records[:0:-1]
        rest = store.checks.page(
            workspace, verdict=verdict, search=search, before=page[-1].verdict_id
        )
        assert rest == records[:1]


def test_a_search_pages_like_the_list(store: Store, workspace: int, record) -> None:
    made = [record(f"Claim {number}.") for number in range(7)]
    page = store.checks.page(workspace, search="claim", limit=4)
    rest = store.checks.page(workspace, search="claim", limit=4, before=page[-1].verdict_id)
    assert page + rest == made[::-1]


def test_a_record_that_cannot_be_read_whole_is_an_error_and_no_verdict(
    store: Store, workspace: int, record, home: Path
) -> None:
    good, bad = record("Good."), record("Bad.")
    with closing(sqlite3.connect(home / "countersign.db")) as db:
        db.execute("DROP TRIGGER verdicts_no_update")
        db.execute("UPDATE verdicts SET trace = '[{}]' WHERE id = ?", (bad.verdict_id,))
        db.commit()
    with pytest.raises(StoreDamaged, match="rest of the history is kept"):
        store.checks.verdict(bad.verdict_id)
    assert store.checks.verdict(good.verdict_id) == good


FORMS = [
    (None, None),
    (None, "supported"),
    ("aspirin stro", None),
    ("aspirin stro", "not_verifiable"),
]


def plan(db: sqlite3.Connection, sql: str, parameters: tuple[Any, ...]) -> list[str]:
    return [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", parameters)]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with 200,000 verdicts in two workspaces, after three of a third one."""
    home = tmp_path_factory.mktemp("many") / "home"
    with Store.open(home) as store:
        for name in ("One", "Two", "Three"):
            store.workspaces.create(name)
    count = 200_000
    words = ["aspirin", "statin", "placebo", "warfarin", "insulin"]
    answers = ["supported", "contradicted", "not_verifiable"]

    def where(number: int) -> int:
        return 3 if number <= 3 else 1 + number % 2

    with closing(sqlite3.connect(home / "countersign.db")) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("INSERT INTO source_texts VALUES (1, ?, 'Text.')", ("f" * 64,))
        claims = (
            (n, where(n), f"{words[n % 5]} lowered the risk of stroke {n}.", "f" * 64)
            for n in range(1, count + 1)
        )
        db.executemany("INSERT INTO checks VALUES (?, ?, ?, 'text', '', NULL, ?, 't')", claims)
        verdicts = ((n, n, where(n), answers[n % 3]) for n in range(1, count + 1))
        moment = "2026-03-01T12:00:00.000000Z"
        db.executemany(
            "INSERT INTO verdicts VALUES (?, ?, ?, ?, 'g', 'r', '[]', '{}', '[]', "
            f"'{{\"text\":\"full_text\",\"notices\":[]}}', '{'c' * 64}', '{'f' * 64}', "
            f"NULL, NULL, NULL, '1', '1', '1', '{moment}', '{moment}')",
            verdicts,
        )
        found = (
            (
                n,
                f"{words[n % 5]} lowered the risk of stroke {n}.",
                f"workspace{where(n)} verdict{answers[n % 3].replace('_', '')}",
            )
            for n in range(1, count + 1)
        )
        db.executemany("INSERT INTO claim_search (rowid, claim, tags) VALUES (?, ?, ?)", found)
        db.commit()
    return home


@pytest.mark.parametrize(("search", "verdict"), FORMS)
@pytest.mark.parametrize("analysed", [False, True])
def test_no_page_scans_or_sorts(
    many: Path, tmp_path: Path, search: str | None, verdict: str | None, analysed: bool
) -> None:
    words = query(search, 1, verdict) if search else None
    sql, parameters = page_query(1, 150_000, 100, words, verdict)
    with closing(sqlite3.connect(tmp_path / "statistics.db")) as db:
        with closing(sqlite3.connect(many / "countersign.db")) as source:
            for (statement,) in source.execute(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL "
                "AND name NOT LIKE 'claim_search_%' AND type IN ('table', 'index')"
            ).fetchall():
                db.execute(statement)
        if analysed:
            db.execute("ANALYZE")
            statistics = [
                ("verdicts", "verdicts_by_workspace", "1000000 500000 1"),
                ("verdicts", "verdicts_by_answer", "1000000 500000 160000 1"),
                ("verdicts", "verdicts_by_check", "1000000 1 1"),
                ("checks", "checks_by_workspace", "1000000 500000 1"),
                ("documents", None, "1000"),
            ]
            db.executemany("INSERT INTO sqlite_stat1 VALUES (?, ?, ?)", statistics)
            db.execute("ANALYZE sqlite_master")
        steps = plan(db, sql, parameters)
    assert steps
    assert not [s for s in steps if "TEMP B-TREE" in s or "AUTOMATIC" in s], steps
    scans = [s for s in steps if s.startswith("SCAN")]
    # SQLite calls every walk of a virtual table a scan; M is the match, < the key it starts from.
    if search:
        assert len(scans) == 1, steps
        assert "VIRTUAL TABLE INDEX" in scans[0]
        assert "M" in scans[0].rsplit(":", 1)[1]
        assert "<" in scans[0].rsplit(":", 1)[1]
    else:
        assert scans == []
        assert f"USING INDEX verdicts_by_{'answer' if verdict else 'workspace'}" in steps[0]


def cost(home: Path, sql: str, parameters: tuple[Any, ...]) -> tuple[int, int]:
    """Rows, and hundreds of steps of SQLite's machine that they took."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    with closing(sqlite3.connect(home / "countersign.db")) as db:
        db.set_progress_handler(count, 100)
        return len(db.execute(sql, parameters).fetchall()), steps


@pytest.mark.parametrize("verdict", [None, "supported"])
@pytest.mark.parametrize("before", [None, 199_000, 100_000, 1_000])
def test_a_page_costs_the_same_wherever_it_stands(
    many: Path, verdict: str | None, before: int | None
) -> None:
    rows, steps = cost(many, *page_query(1, before, 100, None, verdict))
    assert rows == 100
    # 100 rows of some 40 columns; a walk through the table takes over 10,000 hundreds of steps.
    assert steps < 200


@pytest.mark.parametrize(
    ("search", "verdict", "rows"),
    [
        (None, None, 3),
        (None, "supported", 1),
        ("lowered", None, 3),
        ("lowered", "supported", 1),
    ],
)
def test_a_small_workspace_is_not_looked_for_among_the_others(
    many: Path, search: str | None, verdict: str | None, rows: int
) -> None:
    words = query(search, 3, verdict) if search else None
    found, steps = cost(many, *page_query(3, None, 100, words, verdict))
    assert found == rows
    assert steps < 20


@pytest.mark.parametrize(("search", "verdict"), FORMS)
def test_pages_of_a_long_history_hold_the_right_records(
    many: Path, search: str | None, verdict: str | None
) -> None:
    expected = [
        n
        for n in range(200_000, 0, -1)
        if n % 2 == 0
        and n > 3
        and (search is None or n % 5 == 0)
        and (
            verdict is None
            or n % 3 == ["supported", "contradicted", "not_verifiable"].index(verdict)
        )
    ]
    with Store.open(many) as store:
        wanted = None if verdict is None else Verdict(verdict)
        for start in (0, len(expected) // 2, len(expected) - 150):
            before = expected[start - 1] if start else None
            page = store.checks.page(1, before=before, limit=100, search=search, verdict=wanted)
            assert [r.verdict_id for r in page] == expected[start : start + 100]
        last = store.checks.page(1, before=expected[-1], search=search, verdict=wanted)
        assert last == []
