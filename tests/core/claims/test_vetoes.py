"""Each veto by its name: pairs that it must stop, and honest pairs that it must let pass."""

import json
from pathlib import Path

import pytest

from core.claims.vetoes import VETOES
from core.text.reading import Reading, as_read_in
from core.text.sentences import split

ATTACKS = Path(__file__).parents[2] / "attacks"

BY_NAME = dict(VETOES)

FIRES = {
    "statistic": [
        ("The mean wait was 41 minutes.", "The median wait was 41 minutes."),
        ("Prevalence rose by 2%.", "The incidence rose by 2%."),
        ("Net pay rose.", "Gross pay rose in April."),
    ],
    "contrast": [
        ("The tenant, not the owner, insures it.", "The owner, not the tenant, insures it."),
        ("Nurses were asked instead of doctors.", "Doctors were asked instead of nurses."),
    ],
    "exception": [
        ("A medic may not enter.", "Nobody may enter, with the exception of a medic."),
        ("Lines are checked, buried ones too.", "Lines are checked, other than buried ones."),
        ("Fees are due even if the goods are faulty.", "Fees are due unless goods are faulty."),
    ],
    "speaker": [
        (
            "The court holds that it is void.",
            "The tenant says that it is void. The court has reserved its judgment.",
        ),
        (
            "In the ministry's view, the levy doubles the price.",
            "Growers argue that the levy doubles the price. The ministry has yet to speak.",
        ),
    ],
    "rate": [
        ("Each litre needs 30 ml.", "Add 30 ml to every 10 litres."),
        ("The school gets £240,000 each year.", "The school gets £240,000 in all."),
    ],
    "conjunct": [
        ("Members are born in Africa.", "Members are either born in Africa or born in Asia."),
        ("Floods killed 3,185 people.", "Floods and storms killed 3,185 people."),
        (
            "The Fifth Historic District was listed.",
            "The Fifth and Main Historic District was listed.",
        ),
    ],
    "certainty": [
        ("A valve has been confirmed as the source.", "A valve is the likely source."),
        (
            "It is proved that the fire began here.",
            "The fire is thought to have possibly begun here.",
        ),
    ],
    "discretion": [
        ("Repairs are at the owner's expense.", "Repairs are at the tenant's expense."),
        ("At the customer's choice we repair it.", "At our choice we repair it."),
        ("At the request of the bank it is sealed.", "It is sealed at the request of the court."),
    ],
    "recipient": [
        (
            "A receipt is given to the carrier by the owner.",
            "The carrier gives the owner a receipt.",
        ),
        ("The mill pays the farmer a fee.", "The farmer shall pay the mill a fee."),
    ],
    "done": [
        ("The Society printed more.", "The Society may print more."),
        ("The keys were returned.", "The caretaker must return the keys."),
        ("The list was published in spring.", "The list should be published in spring."),
    ],
    "ended": [
        (
            "Branches may set their own rates.",
            "The rule that branches may set their own rates was deleted.",
        ),
        (
            "Leave may be carried over.",
            "The paragraph allowing leave to be carried over was struck out.",
        ),
        ("Clerks can reclaim fares.", "Clerks can reclaim fares; that right ended in May."),
        (
            "Samples keep for six weeks.",
            "This edition supersedes the second, in which samples keep for six weeks.",
        ),
    ],
    "part of a whole": [
        ("Five sensors drifted.", "Two of the five sensors drifted."),
        ("Thirty shops closed.", "None of the thirty shops closed."),
    ],
    "others": [
        ("Iron helped children.", "Iron helped in anaemic children; in the others it did not."),
        ("Grants went to farms.", "Grants went to organic farms; the rest received none."),
    ],
    "numbers": [
        ("The dose was 5 mg.", "The dose was 50 mg."),
        ("The dose was 5 mg.", "The dose was 5 mg/kg."),
        ("The delay was 20 minutes.", "The delay was 20 seconds."),
        ("The reservoir holds 12 litres.", "The reservoir holds at least 12 litres."),
        ("Fewer than 30 sites replied.", "More than 30 sites replied."),
        ("The fine is £10,000.", "The fine is £10,000 per day."),
        ("A third of the firms closed.", "A quarter of the firms closed."),
        ("Losses reached 3 million euros.", "Losses reached 3 billion euros."),
        ("The rate was 12 per 1,000 births.", "The rate was 12 per 1,000 inhabitants."),
        ("The temperature was 5 °C.", "The temperature was −5 °C."),
        ("The mass was 3 × 10^4 kg.", "The mass was 3 × 10^6 kg."),
    ],
    "number roles": [
        (
            "Group A scored 14 and group B scored 9.",
            "Group A scored 9 and group B scored 14.",
        ),
        (
            "The merger was completed in 2020.",
            "The merger was announced in 2020 and completed in 2021.",
        ),
    ],
    "polarity": [
        ("The board approved the budget.", "The board did not approve the budget."),
        ("The samples were contaminated.", "The samples were uncontaminated."),
        ("The seller disclosed the defect.", "The seller refused to disclose the defect."),
        ("The water contains lead.", "The water is free of lead."),
        ("The clinic publishes the list.", "The clinic stopped publishing the list."),
        ("No adverse events occurred.", "No serious adverse events occurred."),
        ("The effect was significant.", "The effect was not significant."),
    ],
    "opposites": [
        ("Wages rose in spring.", "Wages fell in spring."),
        ("Warm winters strengthen the colony.", "Warm winters weaken the colony."),
        ("The treatment was well tolerated.", "The treatment was poorly tolerated."),
        ("The rule is mandatory.", "The rule is optional."),
    ],
    "comparatives": [
        ("Drug A was better than drug B.", "Drug B was better than drug A."),
        ("Steel is stronger than tin.", "Tin is stronger than steel."),
        ("Drug A was better than drug B.", "Drug A was as good as drug B."),
        ("Rome is the largest site.", "Rome is the second largest site."),
    ],
    "modality": [
        ("Managers must sign.", "Managers may sign."),
        ("Managers must sign.", "Managers should sign."),
        ("The drug relieves pain.", "The drug might relieve pain."),
        ("The drug relieves pain.", "The drug allegedly relieves pain."),
        ("Data is encrypted.", "Data must be encrypted."),
    ],
    "quantifiers": [
        ("All reviewers agreed.", "Most reviewers agreed."),
        ("Reviewers agreed.", "A handful of reviewers agreed."),
        ("Only directors may sign.", "Directors may sign."),
        ("Reviewers agreed.", "One reviewer agreed."),
        ("None of the mice survived.", "Some of the mice survived."),
    ],
    "coordination": [
        ("The drug lowered weight and glucose.", "The drug lowered weight."),
        ("The drug lowered weight and glucose.", "The drug lowered weight or glucose."),
        ("The seller pays.", "The seller or the buyer pays."),
        ("Members and guests may vote.", "Members may vote and guests may attend."),
        ("The trial enrolled 14 adults.", "The trial enrolled 14 adults and children."),
    ],
    "argument order": [
        ("The lender indemnifies the borrower.", "The borrower indemnifies the lender."),
        ("The hospital was sued by the surgeon.", "The hospital sued the surgeon."),
        ("Acme sold the patent to Globex.", "Globex sold the patent to Acme."),
        ("Data flow from client to server.", "Data flow from server to client."),
    ],
    "names": [
        ("Expression of TP53 rose.", "Expression of TP63 rose."),
        ("The agency told us officials.", "The agency told US officials."),
        ("The treaty binds Norway.", "The treaty binds Sweden."),
    ],
    "population": [
        ("The vaccine protects humans.", "The vaccine protects ferrets."),
        ("The vaccine protects adults.", "The vaccine protects children."),
        ("The drug improved survival.", "The drug improved survival in women."),
        ("The compound kills tumour cells.", "The compound kills tumour cells in vitro."),
    ],
    "restriction": [
        ("The insurer pays.", "The insurer pays if the loss is reported."),
        ("The insurer pays.", "The insurer pays except in wartime."),
        ("The drug improved survival.", "The drug improved survival among carriers."),
        ("The plan was adopted.", "The plan was almost adopted."),
    ],
    "scope": [
        ("The drug improved survival.", "In carriers of the gene, the drug improved survival."),
        ("Sales doubled.", "Scenario B: Sales doubled."),
        ("Banks must report weekly.", "Banks in the euro area must report weekly."),
        ("Hospitals reduced infections.", "Teaching hospitals reduced infections."),
        ("Every pupil was weighed.", "Every pupil at the boarding school was weighed."),
        ("Exports of ivory are banned.", "Exports of ivory from Kenya are banned."),
        ("Statin use fell.", "Among nurses with asthma statin use fell."),
    ],
    "addition": [
        ("The barn was not heated.", "The barn was not heated during the lambing season."),
        ("No driver complained.", "No driver complained about the new rota."),
        ("All the tunnels are dry.", "All the tunnels dug after 1970 are dry."),
    ],
    "permission": [
        ("Tenants may use the roof.", "The roof may be used by tenants holding a roof key."),
        ("Pilots can leave early.", "Pilots get early leave where a deputy signs in."),
        ("Guests cannot take photographs.", "Guests cannot take photographs, save for the press."),
        ("Cyclists may use the bridge.", "Only ambulances and trams may use the bridge."),
        ("Nurses can order gloves.", "Gloves can be ordered by nurses in possession of a badge."),
    ],
    "causation": [
        ("Coffee prevents liver disease.", "Coffee was associated with less liver disease."),
        ("The reform lowered unemployment.", "Unemployment fell after the reform."),
        ("Sleep apnoea causes hypertension.", "Hypertension is common with sleep apnoea."),
    ],
    "time": [
        ("The merger was completed.", "The merger is scheduled to be completed."),
        ("The plant runs at capacity.", "The plant formerly ran at capacity."),
        ("The alarm rang before the blast.", "The blast occurred before the alarm rang."),
        ("The rule took effect in March.", "The rule took effect in June."),
        ("Symptoms last for years.", "Symptoms last for weeks."),
    ],
    "joined": [
        (
            "The Kiel plant, which makes engines, was sold.",
            "The Kiel plant makes engines. The Bremen plant was sold.",
        ),
        ("Dr Ahn led the trial and died in 2005.", "Dr Ahn led the trial. Dr Cho died in 2005."),
    ],
    "agent": [
        (
            "The parent company guarantees the loan.",
            "The loan to the parent company is guaranteed by its subsidiary.",
        ),
        ("The bishop wrote the letter.", "The letter to the bishop was written by a monk."),
    ],
    "shares": [
        (
            "Half of the firms inspected broke the rules.",
            "Half of the firms were inspected. Of these, 8% broke the rules.",
        ),
        (
            "Ninety farms used the spray.",
            "They called at ninety farms; seven of those used the spray.",
        ),
    ],
    "prior work": [
        ("The authors analysed 900 samples.", "Ramos and colleagues analysed 900 samples."),
        ("We saw the effect in mice.", "The effect was first seen in mice by Tanaka's group."),
        (
            "We built a model of the bay.",
            "Petrov (2014) built a model of the bay, which we extend.",
        ),
    ],
    "tense": [
        ("The bank operates 300 branches.", "At its height the bank operated 300 branches."),
        ("The ferry runs at night.", "Before the war the ferry ran at night."),
        ("The island has a lighthouse.", "The island had a lighthouse, which a storm destroyed."),
        ("Lead paint is used in nurseries.", "Lead paint was used in nurseries in the sixties."),
    ],
    "embedding": [
        ("The supplier met the deadline.", "The board denied that the supplier met the deadline."),
        ("The supplier met the deadline.", "The buyer wishes the supplier met the deadline."),
        ("The product is safe for infants.", "“The product is safe for infants,” ran the poster."),
        ("The drug works.", "We examined whether the drug works."),
    ],
    "wording": [
        ("No treatment works.", "No, treatment works."),
        ("Patients who smoked died.", "Patients, who smoked, died."),
        ("The panels were re-covered.", "The panels were recovered."),
        ("The trustees' decision binds us.", "The trustee's decision binds us."),
        ("Euros were lost in the fire.", "1.5 million euros were lost in the fire."),
    ],
}

HONEST = [
    ("Storms were common.", "Floods and storms were common."),
    ("The dose is taken with food.", "The dose is taken with food and water."),
    ("The court holds that it is void.", "The court said that the lease is void."),
    ("According to growers, the levy is too high.", "The growers argue that the levy is too high."),
    ("Each litre needs 3 ml.", "Add 3 ml to each litre."),
    ("Over 300 letters are kept.", "More than 300 letters are kept."),
    ("No one under ten was asked.", "Nobody under ten was asked."),
    ("For ten days the hall shall stay silent.", "The hall shall stay silent for ten days."),
    ("The cut came because a fuse blew.", "The cut came because a fuse blew, not because of ice."),
    ("The average wait was 41 minutes.", "The mean wait was 41 minutes."),
    (
        "The owner insures it, and not the tenant.",
        "It is the owner, not the tenant, who insures it.",
    ),
    ("Fees are not due if the goods are faulty.", "Fees are due unless the goods are faulty."),
    ("The test confirmed a leak.", "The leak was confirmed by the test."),
    ("Repairs are at the expense of the tenant.", "Repairs are at the tenant's expense."),
    ("The owner is given a receipt by the carrier.", "The carrier gives the owner a receipt."),
    ("Sales were banned from January.", "Sales have been banned since January."),
    ("Copies were sold until January.", "The sale of copies has been banned since January."),
    ("At 20 °C the yield was twice that at 40 °C.", "The yield at 20 °C was twice that at 40 °C."),
    ("Aspirin did not reduce stroke.", "Aspirin did not reduce stroke."),
    ("The dose was 5 mg.", "However, the dose was 5 mg."),
    ("The reply took 3 days.", "The reply took 72 hours."),
    ("Twelve sites closed.", "12 sites closed."),
    ("The pump in hall two stopped at noon.", "The pump in hall two broke down at noon."),
    ("The bill was vetoed by the president.", "The president vetoed the bill."),
    ("Exports were lower than imports.", "Imports were higher than exports."),
    (
        "In older adults, insomnia predicts depression.",
        "Insomnia predicts depression in older adults.",
    ),
    ("Staff are required to wear a badge.", "Employees must wear a badge."),
    ("Lead was found in each of the samples.", "Every sample contained lead."),
    ("The fee is waived if the order is large.", "If the order is large, the fee is waived."),
    ("Smoking is associated with stroke.", "There is an association between smoking and stroke."),
    ("The device shortens the stay.", "The device reduces the length of the stay."),
    ("Apixaban lowered stroke risk.", "Apixaban lowered stroke risk, and bleeding was rare."),
    ("Nausea was reported.", "Nausea was reported by 14 participants."),
    ("The vote took place on 3 June 2021.", "On 3 June 2021 the vote took place."),
    ("Cough and fever were common.", "Fever and cough were common."),
    ("The trial was stopped.", "We found that the trial was stopped."),
    ("The WHO recommends two doses.", "The WHO recommends two doses."),
    ("The software may contain errors.", "It is possible that the software contains errors."),
    ("Nobody in the trial died.", "No participant in the trial died."),
    ("Sales rose before the merger.", "Before the merger, sales rose."),
]

ALIKE = [
    "Contextual indices did not differ between controls and relatives (Cohen’s d < 0.19).",
    "If the alarm sounds, staff must leave the building and may not use the lifts.",
    "The author wrote that “the strike was positioned over the prey”, which we doubt.",
    "In mice, MKP106 was more active than MKP101, and both were safer than 12 mg/kg of the drug.",
    "Some patients said that they never took the second dose before the 3 June 2021 visit.",
    "These cells, representing glia and neurons, were confined to the layer and were labelled.",
    "“Seeds germinate faster in warm soil,” the leaflet says.",
    "Only one of the two firms — the smaller — has yet to pay (40) million dollars.",
]


def _cases(table: dict[str, list[tuple[str, str]]]) -> list[tuple[str, str, str]]:
    return [(name, claim, passage) for name, pairs in table.items() for claim, passage in pairs]


def test_every_veto_has_its_cases() -> None:
    assert FIRES.keys() == BY_NAME.keys()


@pytest.mark.parametrize(("name", "claim", "passage"), _cases(FIRES))
def test_the_veto_fires(name: str, claim: str, passage: str) -> None:
    reason = BY_NAME[name](Reading(claim), Reading(passage))
    assert reason


@pytest.mark.parametrize(("claim", "passage"), HONEST)
def test_every_veto_lets_an_honest_pair_pass(claim: str, passage: str) -> None:
    mine, theirs = Reading(claim), Reading(passage)
    fired = {name: reason for name, veto in VETOES if (reason := veto(mine, theirs))}
    assert fired == {}


@pytest.mark.parametrize("text", ALIKE)
def test_no_veto_fires_on_the_same_text(text: str) -> None:
    fired = {
        name: reason for name, veto in VETOES if (reason := veto(Reading(text), Reading(text)))
    }
    assert fired == {}


def _sentences_of_attacks() -> set[str]:
    rows = [
        json.loads(line)
        for path in ATTACKS.glob("*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    sources = {row["source_text"] for row in rows}
    cut = {text[start:end] for text in sources for start, end in split(text)}
    cut |= {row["claim"] for row in rows}
    # A sentence that is all quotation is its speaker's, so one veto is right to stop it.
    return {text for text in cut if text[0] not in '"“«‘'}


def test_no_veto_fires_on_the_same_sentence() -> None:
    fired = {
        (name, text): reason
        for text in _sentences_of_attacks()
        for name, veto in VETOES
        if (reason := veto(Reading(text), as_read_in(text, Reading(text))))
    }
    assert fired == {}


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("text", ["", "…", "?", "5", "than", "and", "“”", "no,"])
def test_every_veto_bears_scraps_of_text(name: str, text: str) -> None:
    veto = BY_NAME[name]
    for other in (text, "The pump stopped at noon."):
        for claim, passage in ((text, other), (other, text)):
            reason = veto(Reading(claim), Reading(passage))
            assert reason is None or reason.strip()
