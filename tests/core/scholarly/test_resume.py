"""A run that is killed goes on where it was, and asks for nothing that it has."""

import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from core.scholarly.work import Registry
from tests.core.scholarly import said
from tests.core.scholarly.played import Played
from tests.loopback import Connection, Request, response

ROOT = Path(__file__).parents[3]

RUN = """
import sys
from pathlib import Path
from core.citations.model import Identifier, Scheme, WorkCitation
from core.egress import Door
from core.egress_policy import Allowance, EgressPolicy, Purpose
from core.scholarly.asking import Asker
from core.scholarly.endpoints import Endpoints
from core.scholarly.pace import Pace
from core.scholarly.registries import Registries
from core.scholarly.resolution import Resolved
from core.scholarly.resolve import Resolver
from core.scholarly.work import Registry
from core.storage.store import Store
from tests.core.scholarly.played import FakeTime

home, url, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
place = url.removeprefix("http://")
policy = EgressPolicy(online=True, allowed=(Allowance(Purpose.CITATION, frozenset({place})),))
endpoints = Endpoints({r: f"{url}/{r.value}" for r in Registry}, url)
time = FakeTime()
with Store.open(home) as store:
    asker = Asker(Door(policy, store.egress), store.answers, pace=Pace(time), timer=time)
    resolver = Resolver(Registries.over(asker, endpoints))
    for number in range(count):
        doi = Identifier(scheme=Scheme.DOI, value=f"10.1000/{number}")
        found = resolver.resolve(WorkCitation(identifiers=(doi,)))
        assert isinstance(found, Resolved) == (number % 5 != 0), found
print("done")
"""

COUNT = 60
KILL_AT = 35


def run(home: Path, played: Played) -> "subprocess.Popen[str]":
    url = played.server.url().rstrip("/")
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(home), url, str(COUNT)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_killed_run_resumes(home: Path, played: Played) -> None:
    running: list[subprocess.Popen[str]] = []
    killed: list[str] = []

    def crossref(request: Request, connection: Connection) -> None:
        number = request.target.rpartition("/")[2]
        if len(played.asked(Registry.CROSSREF)) == KILL_AT:
            killed.append(request.target)
            running[0].kill()
            connection.wait_for_the_client_to_leave()
        elif int(number) % 5 == 0:
            connection.send(response(404, b"Resource not found."))
        else:
            body = json.dumps(said.crossref(DOI=f"10.1000/{number}")).encode()
            connection.send(response(200, body))

    played.on("/crossref/works/", crossref)
    played.on("/doi_org/ra/", said.agency(status="DOI does not exist"))
    running.append(run(home, played))
    out, _ = running[0].communicate(timeout=60)
    assert running[0].returncode == -signal.SIGKILL
    assert out == ""
    second = run(home, played)
    out, errors = second.communicate(timeout=60)
    assert (second.returncode, out) == (0, "done\n"), errors
    asked = Counter(request.target for request in played.server.requests)
    assert len(killed) == 1
    assert {target for target, times in asked.items() if times > 1} == set(killed)
    assert len(played.asked(Registry.CROSSREF)) == COUNT + 1
    assert len(played.asked(Registry.DOI_ORG)) == COUNT // 5
