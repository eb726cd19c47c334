"""Personal data in text and links: counted, never repeated, and not seen in prices, dates, versions or codes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.corpus.filters import Settings, findings
from diffbench_assets.corpus.filters.pii import emails, named_addresses, phones
from diffbench_assets.pages.describe import visible_text
from diffbench_assets.pages.dom import parse


def found(body: str, language: str = "en") -> list[str]:
    html = f"<html lang={language}><head></head><body>{body}</body></html>"
    return [item for item in findings(html, visible_text(parse(html)), None, Settings()) if item.startswith("pii:")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Write to jane.doe@acme-corp.com today", ["jane.doe@acme-corp.com"]),
        ("JANE@ACME.CO.UK, jane@acme.co.uk", ["jane@acme.co.uk", "jane@acme.co.uk"]),
        ("jane [at] acme-corp [dot] org", ["jane@acme-corp.org"]),
        ("jane(at)acme-corp.org", ["jane@acme-corp.org"]),
        ("first+tag@mail.uni-bonn.de.", ["first+tag@mail.uni-bonn.de"]),
        ("<info@lindqvist.se>", ["info@lindqvist.se"]),
    ],
)
def test_mail_addresses(text: str, expected: list[str]) -> None:
    assert list(emails(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "jane@example.com", "a@mail.example.org", "you@your-company.com", "name@domain.com", "me@host.test",
        "root@localhost", "logo@2x.png", "icon@sprite.svg", "@handle", "meet @ noon.today", "npm i pkg@1.2.3",
        "user@site", "email@company.com", "yourname@gmail.com", "a@b", "10 items @ 5.99", "x@y.z@w.com",
    ],
)  # fmt: skip
def test_what_is_nobodys_mail_address(text: str) -> None:
    assert list(emails(text)) == []


@pytest.mark.parametrize(
    ("text", "language", "number"),
    [
        ("+49 30 901820", None, "+4930901820"),
        ("Call us on (212) 736-5000", "en", "+12127365000"),
        ("Telefon: 030 901820", "de", "+4930901820"),
        ("Tél. 01 42 76 40 40", "fr", "+33142764040"),
        ("电话:010-6512 2277", "zh", "+861065122277"),
        ("電話 03-5321-1111", "ja", "+81353211111"),
        ("โทร 02 288 5500", "th", "+6622885500"),
        ("Tel 020 7219 3000", "en-GB", "+442072193000"),
    ],
)
def test_phone_numbers(text: str, language: str | None, number: str) -> None:
    assert phones(text, language) == {number}


@pytest.mark.parametrize(
    "text",
    [
        "Call (212) 555-0143", "+1 202 555 0119", "Tel 01632 960123", "+44 7700 900123", "+1 555 123 4567",
        "$1,234,567.89", "2024-01-15 to 2024-02-28", "version 10.0.19045.3803", "ISBN 978-3-16-148410-0",
        "1280 x 800 pixels", "SKU 212-736-5000", "212 736 5000 sold", "10:30 - 18:45", "192.168.100.200",
        "call it 3.1415926535", "phone 12", "1 000 000 000 people", "Order 4006381333931", "+1 000 000 0000",
    ],
)  # fmt: skip
def test_what_is_no_phone_number(text: str) -> None:
    assert phones(text, "en") == set()


@pytest.mark.parametrize(
    "text",
    [
        "Mr Harold Finch, 12 Baker Street, London",
        "Anna Kowalska, 1450 North Lincoln Avenue",
        "Hans Müller Hauptstraße 12 10115 Berlin",
        "Mme Leroy, 8 rue de la République",
        "Giulia Rossi, Via Garibaldi 14, Torino",
        "Deliver to: Maria Silva Rua Augusta, 250",
        "12 Oak Lane, attn. John Carter",
    ],
)
def test_a_person_beside_a_street_address(text: str) -> None:
    assert named_addresses(text) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Visit our shop at 12 Baker Street, London",
        "John Carter wrote this. Our office is at 12 Oak Lane.",
        "Acme Bakery, Hauptstraße 12, Berlin",
        "The Grand Hotel, 8 rue de la République",
        "5 Star Place to stay",
        "Mr Finch likes long walks in the park",
        "Anna Kowalska, Head of Operations, 12 years",
    ],
)
def test_an_address_without_a_person_or_a_person_without_an_address(text: str) -> None:
    assert named_addresses(text) == 0


def test_findings_name_kinds_and_counts_only() -> None:
    body = """<p>jane.doe@acme-corp.com joe@acme-corp.com</p>
      <a href="mailto:jane.doe@acme-corp.com?subject=Hi">Mail</a><a href="tel:+493090182000">Ring</a>
      <p>Card 4539 1488 0343 6467</p>"""
    assert found(body) == ["pii:email×2", "pii:phone×1", "pii:card×1"]


def test_links_count_although_nobody_reads_their_address() -> None:
    assert found('<a href="mailto:jane%40acme-corp.com">Mail</a>') == ["pii:email×1"]
    assert found('<a href="tel:030-901820">Anrufen</a>', "de") == ["pii:phone×1"]
    assert found('<a href="tel:+12125550123">Call</a><a href="#tel">x</a>') == []


def test_digits_and_signs_of_other_scripts_are_read() -> None:
    assert found("<p>電話：０３－５３２１－１１１１</p>", "ja") == ["pii:phone×1"]
    assert found("<p>jane\u200b.doe＠acme-corp.com</p>") == ["pii:email×1"]


@given(st.text(max_size=300), st.sampled_from(["en", "de", "zh", None]))
def test_any_text_can_be_read(text: str, language: str | None) -> None:
    assert all("@" in address for address in emails(text))
    assert all(number.startswith("+") for number in phones(text, language))
    assert named_addresses(text) >= 0
