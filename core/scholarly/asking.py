"""Put one question to one registry: cache, pace, retries, limits, and named errors.

    asker = Asker(door, cache, access=Access(contact="someone@example.org"))
    work = asker.ask(question, read, Enquiry())

Questions are made by this package's clients alone, out of `WorkCitation` and `Identifier`.
"""

import hashlib
import random
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import TypeVar
from urllib.parse import quote, urlencode

from core.cancellation import Cancellation
from core.clock import SystemClock
from core.egress import Answer, Door, Silent, Unreachable, Untrusted
from core.egress_policy import Confidential, EgressError, EgressRefused, Offline, Purpose
from core.ports import Clock, SecretStore
from core.scholarly import errors
from core.scholarly.pace import Pace, SystemTimer, Timer
from core.scholarly.reply import AnswerCache, Reply
from core.scholarly.work import Registry

T = TypeVar("T")

MOST_METADATA_BYTES = 8 << 20
MOST_TEXT_BYTES = 100 << 20

MOST_KEPT_BYTES = 32 << 20
"""A larger answer is asked for again rather than kept."""

LONGEST_ANSWER_SECONDS = 120.0
"""How long one answer may take to come whole, however steadily it trickles."""

FOUND_AGE = timedelta(days=7)
"""How old an answer may be. A retraction becomes known after that time at the latest."""

MISSING_AGE = timedelta(days=1)
"""The same for the answer that there is no such work."""

TEXT_AGE = timedelta(days=90)
"""The same for full texts, whose versions are pinned or final."""

_MISSING = frozenset({404, 410})
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
_NO_KEY = frozenset({401, 402, 403, 407, 422})

TOOL_NAME = "Countersign"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. `url` holds neither keys nor addresses of the person.

    `place` is the registry, or the host of a publisher; `age` says how old a kept answer may be.
    """

    url: str
    registry: Registry | None
    parameters: tuple[tuple[str, str], ...] = ()
    accept: str = "application/json"
    most_bytes: int = MOST_METADATA_BYTES
    age: timedelta = FOUND_AGE

    @property
    def place(self) -> str:
        """What is paced together."""
        return self.registry or self.host

    @property
    def host(self) -> str:
        """The host of the address, with its port where one is named."""
        return self.url.partition("://")[2].partition("/")[0].partition("?")[0].casefold()

    @property
    def target(self) -> str:
        """The whole address."""
        return _with(self.url, self.parameters)

    @property
    def key(self) -> str:
        """Names the question in the cache, without saying what it is."""
        asked = f"{self.accept}\n{self.target}"
        return hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()


KEYED = (Registry.OPENALEX, Registry.SEMANTIC_SCHOLAR, Registry.PUBMED)
"""The registries that give keys. OpenAlex answers only with one, the others faster with one."""


@dataclass(frozen=True, slots=True)
class Access:
    """How the person is known to the registries: with a contact address and with keys, or not.

    The address makes for better service at Crossref and NCBI, and Unpaywall does not answer
    without one. Keys are looked up when they are needed and kept nowhere.
    """

    contact: str = ""
    secrets: SecretStore | None = None

    def parameters(self, registry: Registry | None) -> tuple[tuple[str, str], ...]:
        """What goes to a registry beside the question."""
        found: list[tuple[str, str]] = []
        if registry is Registry.CROSSREF and self.contact:
            found.append(("mailto", self.contact))
        elif registry is Registry.UNPAYWALL and self.contact:
            found.append(("email", self.contact))
        elif registry is Registry.PUBMED:
            found.append(("tool", TOOL_NAME))
            found += [("email", self.contact)] if self.contact else []
            found += [("api_key", key)] if (key := self.key(registry)) else []
        elif registry is Registry.OPENALEX and (key := self.key(registry)):
            found.append(("api_key", key))
        return tuple(found)

    def headers(self, registry: Registry | None) -> dict[str, str]:
        """Headers for a registry alone; the door drops them where it is pointed elsewhere."""
        if registry is Registry.SEMANTIC_SCHOLAR and (key := self.key(registry)):
            return {"x-api-key": key}
        return {}

    def key(self, registry: Registry) -> str:
        """The person's key, "" where there is none; a blank one counts as none."""
        if self.secrets is None:
            return ""
        key = (self.secrets.get(secret_name(registry)) or "").strip()
        return key if key.isascii() and key.isprintable() and " " not in key else ""


def secret_name(registry: Registry) -> str:
    """The name under which a person's key for a registry of `KEYED` is kept."""
    return f"registry/{registry.value}"


class Budget:
    """How many times, and for how long in all, one check may try again. For all its registries."""

    def __init__(self, retries: int = 4, seconds: float = 60.0) -> None:
        self._retries = retries
        self._seconds = seconds
        self._lock = Lock()

    def spend(self, seconds: float) -> bool:
        """Take one retry that waits for `seconds`; False where that is more than is left."""
        with self._lock:
            if self._retries < 1 or seconds > self._seconds:
                return False
            self._retries -= 1
            self._seconds -= seconds
            return True


@dataclass(frozen=True, slots=True)
class Enquiry:
    """One check's share in the asking: its retries, and whether it was stopped."""

    budget: Budget = field(default_factory=Budget)
    cancellation: Cancellation | None = None

    def check(self) -> None:
        """Raise `core.cancellation.Cancelled` if the person asked to stop."""
        if self.cancellation is not None:
            self.cancellation.check()


class Asker:
    """Asks registries. May be used from any thread."""

    def __init__(
        self,
        door: Door,
        cache: AnswerCache | None = None,
        *,
        access: Access | None = None,
        pace: Pace | None = None,
        clock: Clock | None = None,
        timer: Timer | None = None,
        dice: Callable[[], float] = random.random,
        answer_seconds: float = LONGEST_ANSWER_SECONDS,
    ) -> None:
        """Ask through `door`. `dice` gives numbers in 0..1 for the jitter of waiting."""
        self._door = door
        self._cache = cache
        self.access = access or Access()
        self._timer = timer or SystemTimer()
        self._pace = pace or Pace(self._timer)
        self._clock = clock or SystemClock()
        self._dice = dice
        self._answer_seconds = answer_seconds

    def ask(self, question: Question, read: Callable[[Reply], T], enquiry: Enquiry) -> T | None:
        """What `read` makes of the answer; None where the registry does not know of it.

        `read` raises `Malformed` for a body of another shape, and then nothing is kept. A kept
        answer is used while it is young enough, also offline. Raises `RegistryError` and
        `core.cancellation.Cancelled`.
        """
        enquiry.check()
        kept = self._kept(question, read)
        if kept is not None:
            return kept[0]
        with self._pace.turn(question.place, enquiry.cancellation):
            # Another check may have asked the same while this one waited for its turn.
            kept = self._kept(question, read)
            if kept is not None:
                return kept[0]
            reply = self._insist(question, enquiry)
        if reply.status in _MISSING:
            result = None
        elif reply.status == 200:
            result = read(reply)
        else:
            raise _refused(question, reply.status)
        if self._cache is not None and len(reply.body) <= MOST_KEPT_BYTES:
            self._cache.put(question.place, question.key, reply)
        return result

    def _kept(self, question: Question, read: Callable[[Reply], T]) -> tuple[T | None] | None:
        """A one-tuple of what a kept answer says; None where none can be used."""
        reply = self._cache.get(question.place, question.key) if self._cache else None
        if reply is None:
            return None
        missing = reply.status in _MISSING
        age = self._clock.now() - reply.asked
        if not timedelta(0) <= age <= (MISSING_AGE if missing else question.age):
            return None
        if missing:
            return (None,)
        try:
            return (read(reply),)
        except errors.Malformed:
            return None

    def _insist(self, question: Question, enquiry: Enquiry) -> Reply:
        """Ask, and ask again after what passes, within the check's budget."""
        tries = 0
        while True:
            paused = self._pace.paused(question.place)
            if paused and not enquiry.budget.spend(paused):
                raise _busy(question, paused)
            self._pace.wait(question.place, enquiry.cancellation)
            try:
                reply, headers = self._once(question, enquiry)
            except (errors.TimedOut, errors.ConnectionCut) as error:
                if not self._may_retry(enquiry, self._back_off(tries)):
                    raise error
            else:
                if reply.status not in _AGAIN:
                    return reply
                said = _retry_after(headers, self._clock.now())
                wait = self._back_off(tries) if said is None else said
                if said is not None:
                    self._pace.pause(question.place, said)
                if not enquiry.budget.spend(wait):
                    raise _busy(question, said)
                self._timer.wait(wait, enquiry.cancellation)
            tries += 1

    def _may_retry(self, enquiry: Enquiry, wait: float) -> bool:
        if not enquiry.budget.spend(wait):
            return False
        self._timer.wait(wait, enquiry.cancellation)
        return True

    def _back_off(self, tries: int) -> float:
        """Seconds before the next try: twice as long each time, and between half and all of it."""
        return min(30.0, 2.0**tries) * (0.5 + self._dice() / 2)

    def _once(self, question: Question, enquiry: Enquiry) -> tuple[Reply, Mapping[str, str]]:
        access = self.access
        url = _with(question.target, access.parameters(question.registry))
        headers = {"Accept": question.accept, **access.headers(question.registry)}
        asked = self._clock.now()
        deadline = _Deadline(self._timer, self._answer_seconds, enquiry.cancellation)
        try:
            with self._door.open(
                "GET", url, Purpose.CITATION, headers=headers, cancellation=deadline
            ) as answer:
                self._pace.learn(question.place, answer.headers)
                body = b""
                if answer.status == 200:
                    body = _body(answer, question)
                media_type = answer.headers.get("content-type", "").partition(";")[0]
                reply = Reply(answer.status, media_type.strip().casefold(), body, asked)
                return reply, answer.headers
        except _Late as error:
            raise errors.TimedOut(
                _words(question, "did not answer in time."), question.registry
            ) from error
        except EgressError as error:
            raise _named(error, question) from error


class _Late(Exception):
    """The answer takes too long as a whole."""


class _Deadline(Cancellation):
    """The person's wish to stop, and the longest time that an answer may take."""

    def __init__(self, timer: Timer, seconds: float, person: Cancellation | None) -> None:
        super().__init__()
        self._timer = timer
        self._until = timer.now() + seconds
        self._person = person

    def check(self) -> None:
        """Raise `Cancelled` where the person asked to stop, `_Late` where time is up."""
        if self._person is not None:
            self._person.check()
        if self._timer.now() > self._until:
            raise _Late


def path(text: str) -> str:
    """An identifier as the end of a path: slashes stay, and nothing in it can lead elsewhere."""
    parts = text.split("/")
    stays = "/:" if {"", ".", ".."}.isdisjoint(parts) else ""
    return quote(text, safe=stays, errors="replace")


def _with(url: str, parameters: tuple[tuple[str, str], ...]) -> str:
    if not parameters:
        return url
    joint = "&" if "?" in url else "?"
    return url + joint + urlencode(parameters, quote_via=quote, errors="replace")


def _body(answer: Answer, question: Question) -> bytes:
    """The whole body, unpacked if the server packed it all the same, up to the limit."""
    encoding = answer.headers.get("content-encoding", "identity").strip().casefold()
    unpack = None
    if encoding in ("gzip", "x-gzip", "deflate"):
        unpack = zlib.decompressobj(wbits=47 if "gzip" in encoding else 15)
    elif encoding not in ("", "identity"):
        raise _malformed(question)
    parts: list[bytes] = []
    left = question.most_bytes
    for chunk in answer.chunks():
        if unpack is not None:
            try:
                chunk = unpack.decompress(chunk, left + 1)
            except zlib.error as error:
                raise _malformed(question) from error
        left -= len(chunk)
        if left < 0:
            raise errors.TooLarge(
                _words(question, "answered with more than any work has. It was not taken in."),
                question.registry,
            )
        parts.append(chunk)
    if unpack is not None and not unpack.eof:
        raise _malformed(question)
    return b"".join(parts)


def _retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds until a server wants to be asked again, where it says so."""
    said = headers.get("retry-after", "").strip()
    if said.isascii() and said.isdigit() and len(said) < 10:
        return float(said)
    try:
        moment = parsedate_to_datetime(said)
    except ValueError:
        return None
    if moment.tzinfo is None:
        return None
    return max(0.0, (moment - now).total_seconds())


def who(question: Question) -> str:
    """Who is asked, for a person."""
    return question.registry.words if question.registry else question.host


def _words(question: Question, what: str) -> str:
    return f"{who(question)} {what}"


def _malformed(question: Question) -> errors.Malformed:
    return errors.Malformed(
        _words(question, "gave an answer that cannot be read. Nothing of it was used."),
        question.registry,
    )


def _busy(question: Question, wait: float | None) -> errors.Busy:
    when = "Try again later."
    if wait is not None and wait > 0:
        when = f"Try again in {_duration(wait)}."
    return errors.Busy(
        _words(question, f"is busy and did not answer. {when}"), question.registry, wait
    )


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} seconds"
    return f"{round(seconds / 60)} minutes" if seconds < 5400 else f"{round(seconds / 3600)} hours"


def _refused(question: Question, status: int) -> errors.RegistryError:
    if status in _NO_KEY:
        return errors.KeyRefused(
            _words(
                question,
                f"did not let this program in (status {status}). Check the key and the contact "
                "address in the settings.",
            ),
            question.registry,
        )
    return errors.RequestRefused(
        _words(question, f"did not understand the question (status {status})."), question.registry
    )


def _named(error: EgressError, question: Question) -> errors.RegistryError:
    """A registry's error for one of the door."""
    registry = question.registry
    if isinstance(error, Offline | Confidential):
        return errors.OfflineMode(str(error), registry)
    if isinstance(error, EgressRefused):
        return errors.HostRefused(str(error), registry)
    if isinstance(error, Silent):
        return errors.TimedOut(_words(question, "did not answer in time."), registry)
    if isinstance(error, Unreachable):
        return errors.NoNetwork(
            _words(question, "could not be reached. Check the connection to the network."),
            registry,
        )
    if isinstance(error, Untrusted):
        return errors.ConnectionCut(str(error), registry)
    return errors.ConnectionCut(
        _words(question, "was cut off before the whole answer had come."), registry
    )
