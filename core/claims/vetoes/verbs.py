"""Forms of verbs: the past and the present of one verb, with the irregular ones as data."""

from core.claims.vetoes.words import words_of
from core.resource import load_json

BE_NOW = frozenset({"is", "are"})
BE_THEN = frozenset({"was", "were"})
BE = BE_NOW | BE_THEN | {"be", "been", "being"}

_AUXILIARIES = (
    BE
    | {"has", "have", "had", "having", "get", "gets", "got", "to", "do", "does", "did", "not"}
    | {"may", "might", "can", "cannot", "could", "must", "shall", "should", "will", "would"}
)


def verbs(name: str) -> frozenset[str]:
    """The words of a class of `resources/gates/verbs.json`."""
    return frozenset(load_json("gates/verbs.json")[name])


def bases(past: str) -> frozenset[str]:
    """The infinitives of which `past`, in lower case, may be the simple past; often but one."""
    if irregular := load_json("gates/verbs.json")["past"].get(past):
        return frozenset({irregular})
    if not past.endswith("ed") or len(past) < 5:
        return frozenset()
    out = {past[:-2], past[:-1]}
    if past.endswith("ied"):
        out = {past[:-3] + "y"}
    elif past[-3] == past[-4]:
        out.add(past[:-3])
    return frozenset(out)


def participle_bases(participle: str) -> frozenset[str]:
    """The infinitives of which `participle`, in lower case, may be the past participle."""
    irregular = load_json("gates/verbs.json")["participles"].get(participle)
    return frozenset({irregular}) if irregular else bases(participle)


def active_forms(participle: str) -> frozenset[str]:
    """The finite forms, in the present and the past, of the verb of a past participle."""
    own = participle_bases(participle)
    irregular = load_json("gates/verbs.json")["past"]
    past = {then for then, base in irregular.items() if base in own}
    regular = {participle} if participle.endswith("ed") else set()
    return frozenset(past | regular).union(*map(present_forms, own))


def present_forms(base: str) -> frozenset[str]:
    """How a verb reads in the present: "publish", "publishes"."""
    if base == "have":
        return frozenset({"have", "has"})
    third = base[:-1] + "ies" if base.endswith("y") and base[-2:-1] not in "aeou" else base + "s"
    hissing = base.endswith(("s", "sh", "ch", "x", "z", "o"))
    return frozenset({base, base + "es" if hissing else third})


def finite(keys: list[str], at: int) -> bool:
    """Whether the word at `at` may be a verb with a subject: nothing before it forbids that."""
    return at > 0 and keys[at - 1] not in (
        _AUXILIARIES | verbs("prepositions") | words_of("determiners")
    )
