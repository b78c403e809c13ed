"""What is left beside a citation that was read: enough of it makes another citation."""

import pytest

from core.citations.read import read_frameworks
from core.citations.unread import unread


def left(text: str) -> list[str]:
    return [unread(text, citation) for citation in read_frameworks(text).citations]


@pytest.mark.parametrize(
    "text",
    [
        "GDPR Article 17 bis",
        "SOC 2 CC10.1",
        "NIST CSF 2.0 PR.ZZ-01",
        "PCI DSS v5.0 requirement 8.3.1",
        "NIST CSF 3.0 PR.AA-01",
        "AC-2 enhancement 99 of NIST SP 800-53",
        "CCPA 1798.100 (zz)",
    ],
)
def test_what_was_not_read_is_seen(text: str) -> None:
    assert any(left(text)), left(text)


@pytest.mark.parametrize(
    "text",
    [
        "GDPR Article 17",
        "GDPR Article 28(3)(a) applies.",
        "ISO/IEC 27001:2022 A.5.19",
        "SOC 2 CC6.1",
        "PCI DSS 4.0 requirement 8.3.1",
        "PCI DSS v4.0.1, 8.3.1",
        "NIST CSF 2.0 PR.AA-01",
        "NIST SP 800-53 AC-2(1)",
        "GDPR is in force. See section 3.",
        "Articles 12 to 14 GDPR",
        "45 CFR 164.308(a)(1)(ii)(A)",
    ],
)
def test_a_citation_that_was_read_whole_leaves_nothing(text: str) -> None:
    assert not any(left(text)), left(text)
