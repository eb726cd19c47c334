"""Numbers with a check: cards, bank accounts and the personal numbers of several countries.

Belongs here: how such a number is written in running text, and which ones belong to nobody. Does not belong here: check
digits (python-stdnum knows them), or deciding about a page (`pii.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from stdnum import iban, luhn
from stdnum.br import cpf
from stdnum.cn import ric
from stdnum.de import idnr as idnr_de
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.in_ import aadhaar
from stdnum.it import codicefiscale
from stdnum.kr import rrn
from stdnum.mx import curp
from stdnum.nl import bsn
from stdnum.pl import pesel
from stdnum.se import personnummer
from stdnum.tr import tckimlik
from stdnum.us import ssn
from stdnum.za import idnr as idnr_za

Check = Callable[[str], bool]

_CARD: Final = re.compile(r"(?<![\w.,-])(?a:\d(?:[ -]?\d){13,18})(?![\w-]|[.,]\d)")
# Issuer ranges and lengths of the networks in wide use. The old 13-digit numbers are left out: they look like barcodes.
_ISSUERS: Final = re.compile(
    r"4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|220[0-4]\d{12}"
)
_GROUPINGS: Final = frozenset({(4, 4, 4, 4), (4, 4, 4, 4, 1), (4, 4, 4, 4, 2), (4, 4, 4, 4, 3), (4, 6, 5), (4, 6, 4)})
# Numbers that payment services publish for testing.
_TEST_CARDS: Final = frozenset(
    ["4242424242424242", "4111111111111111", "4012888888881881", "4000056655665556", "5555555555554444",
     "5105105105105100", "2223003122003222", "378282246310005", "371449635398431", "6011111111111117",
     "6011000990139424", "3530111333300000", "3566002020360505", "30569309025904", "38520000023237"]
)  # fmt: skip


def cards(text: str) -> int:
    """Card numbers of the networks in wide use, in groups or unbroken, that pass the check; test numbers left out."""
    return sum(_is_card(match[0]) for match in _CARD.finditer(text))


def _is_card(written: str) -> bool:
    groups = re.split(r"[ -]", written)
    digits = "".join(groups)
    return (
        (len(groups) == 1 or tuple(map(len, groups)) in _GROUPINGS)
        and _ISSUERS.fullmatch(digits) is not None
        and digits not in _TEST_CARDS
        and len(set(digits)) > 3
        and luhn.is_valid(digits)
    )


_IBAN: Final = re.compile(r"(?<!\w)(?a:[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,29})(?!\w)")
_SHORTEST_IBAN: Final = 15
_TEST_IBANS: Final = frozenset(
    ["GB82WEST12345698765432", "GB29NWBK60161331926819", "DE89370400440532013000", "FR1420041010050500013M02606",
     "NL91ABNA0417164300", "ES9121000418450200051332", "CH9300762011623852957", "BE68539007547034"]
)  # fmt: skip


def ibans(text: str) -> int:
    """Bank accounts whose country, length and check digits are right; the examples of the standard left out."""
    return sum(_is_iban(match[0]) for match in _IBAN.finditer(text))


def _is_iban(written: str) -> bool:
    compact = re.sub(r"[ -]", "", written)
    # A word in capitals may follow the number; every country has one length, so at most one beginning is an account.
    beginnings = (compact[:length] for length in range(_SHORTEST_IBAN, len(compact) + 1))
    number = next((some for some in beginnings if iban.is_valid(some, check_country=False)), None)
    return number is not None and number not in _TEST_IBANS


def _weighted(digits: str, weights: tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))


def _taiwan(number: str) -> bool:
    code = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(number[0]) + 10
    return (code // 10 + code % 10 * 9 + _weighted(number[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))) % 10 == 0


def _singapore(number: str) -> bool:
    total = _weighted(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + (4 if number[0] in "TG" else 0)
    return ("JZIHGFEDCBA" if number[0] in "ST" else "XWUTRQPNMLK")[total % 11] == number[8]


def _spain(number: str) -> bool:
    return dni.is_valid(number) or nie.is_valid(number)


def _no_check(number: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class PersonalNumber:
    """A personal number of one country. `cue` must stand shortly before one that has a weak check or none."""

    country: str
    pattern: re.Pattern[str]
    check: Check
    cue: re.Pattern[str] | None = None


def _number(country: str, pattern: str, check: Check, cue: str | None = None) -> PersonalNumber:
    return PersonalNumber(
        country,
        re.compile(rf"(?<![\w.,/-])(?a:{pattern})(?![\w-]|[.,]\d)"),
        check,
        re.compile(cue, re.IGNORECASE) if cue else None,
    )


_CUE_REACH: Final = 40

PERSONAL_NUMBERS: Final = (
    _number("CN", r"[1-8]\d{16}[\dXx]", ric.is_valid),
    _number("KR", r"\d{6}-[1-4]\d{6}", rrn.is_valid),
    _number("TW", r"[A-Z][12]\d{8}", _taiwan, r"身[分份]證|id (?:no|number|card)"),
    _number("SG", r"[STFG]\d{7}[A-Z]", _singapore),
    _number("BR", r"\d{3}\.\d{3}\.\d{3}-\d\d", cpf.is_valid),
    _number("ES", r"(?:\d{8}|[XYZ]-?\d{7})[ -]?[A-HJ-NP-TV-Z]", _spain, r"\b(?:dni|nif|nie|d\.n\.i|n\.i\.[fe])\b"),
    _number("IT", r"[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]", codicefiscale.is_valid),
    _number("FR", r"[12] ?\d\d ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d", nir.is_valid),
    _number("PL", r"\d{11}", pesel.is_valid, r"pesel"),
    _number("SE", r"(?:19|20)?\d{6}[-+]\d{4}", personnummer.is_valid, r"personnummer|personnr|född"),
    _number("FI", r"[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]", hetu.is_valid),
    _number("NL", r"\d{9}|\d{4}\.\d\d\.\d{3}", bsn.is_valid, r"\bbsn\b|burgerservicenummer|sofinummer"),
    _number("DE", r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}", idnr_de.is_valid, r"steuer-?(?:id|identifikations)|idnr"),
    _number("TR", r"[1-9]\d{10}", tckimlik.is_valid, r"t\.?c\.? ?kimlik|tckn|kimlik"),
    _number("IN", r"[2-9]\d{3}[ -]\d{4}[ -]\d{4}", aadhaar.is_valid, r"aadhaar|aadhar|uidai|आधार"),
    _number("ZA", r"\d{13}", idnr_za.is_valid, r"\bid (?:no|number)\b|identity"),
    _number("MX", r"[A-Z]{4}\d{6}[HM][A-Z]{5}[0-9A-Z]\d", curp.is_valid),
    _number("US", r"(?!9)\d{3}-\d\d-\d{4}", ssn.is_valid, r"\bssn\b|social security"),
    _number("GB", r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]", _no_check,
            r"national insurance|\bnino\b|\bni (?:no|number)\b"),
)  # fmt: skip
"""Bare digits with one check digit pass by chance one time in ten: those need a word before them that says what they
are. Numbers with a written form of their own, or a check that is hard to pass, need none."""


def personal_numbers(text: str) -> int:
    """Personal numbers of the countries of PERSONAL_NUMBERS that pass their check."""
    return sum(
        kind.check(match[0])
        and len(set(filter(str.isdigit, match[0]))) > 1  # 111.111.111-11 passes, and is a placeholder
        and (kind.cue is None or kind.cue.search(text, max(0, match.start() - _CUE_REACH), match.start()) is not None)
        for kind in PERSONAL_NUMBERS
        for match in kind.pattern.finditer(text)
    )
