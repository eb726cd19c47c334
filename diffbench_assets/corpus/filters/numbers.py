"""Numbers with a check: cards, bank accounts and the personal numbers of several countries.

Belongs here: how such a number is written and which check digits it must have. Does not belong here: deciding about a
page (`pii.py`). Rules are those of the public standards: ISO/IEC 7812 (cards), ISO 13616 (IBAN), and each country's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

Check = Callable[[str], bool]


def luhn(digits: str) -> bool:
    """The check of ISO/IEC 7812: every second digit from the right doubled, sum divisible by 10."""
    total = 0
    for place, digit in enumerate(map(int, reversed(digits))):
        doubled = digit * 2 if place % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


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
        and luhn(digits)
    )


# Length by country, ISO 13616 registry.
_IBAN_LENGTHS: Final = {
    code: int(length)
    for length, codes in {
        "15": "NO", "16": "BE", "18": "DK FI FO GL NL", "19": "MK SI", "20": "AT BA EE KZ LT LU XK",
        "21": "CH HR LI LV",
        "22": "BG BH CR DE GB GE IE ME RS VA", "23": "AE GI IL IQ OM SO TL",
        "24": "AD CZ ES MD PK RO SA SE SK TN VG", "25": "LY PT ST", "26": "IS TR", "27": "BI DJ FR GR IT MC MR SM",
        "28": "AL AZ BY CY DO GT HU LB NI PL SV", "29": "BR EG PS QA UA", "30": "JO KW MU", "31": "MT SC", "33": "RU",
    }.items()
    for code in codes.split()
}  # fmt: skip
_IBAN: Final = re.compile(r"(?<!\w)(?a:[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,29})(?!\w)")
_TEST_IBANS: Final = frozenset(
    ["GB82WEST12345698765432", "GB29NWBK60161331926819", "DE89370400440532013000", "FR1420041010050500013M02606",
     "NL91ABNA0417164300", "ES9121000418450200051332", "CH9300762011623852957", "BE68539007547034"]
)  # fmt: skip


def ibans(text: str) -> int:
    """Bank accounts whose country, length and check digits are right; the examples of the standard left out."""
    return sum(_is_iban(match[0]) for match in _IBAN.finditer(text))


def _is_iban(written: str) -> bool:
    compact = re.sub(r"[ -]", "", written)
    length = _IBAN_LENGTHS.get(compact[:2])
    # A word in capitals may follow the number: only as much as the country's numbers are long counts.
    if length is None or len(compact) < length:
        return False
    number = compact[:length]
    return number not in _TEST_IBANS and mod_97(number[4:] + number[:4]) == 1


def mod_97(characters: str) -> int:
    """ISO 7064: the remainder by 97 of digits and letters, letters standing for 10 to 35."""
    return int("".join(str(int(character, 36)) for character in characters)) % 97


def _weighted(digits: str, weights: tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def _is_date(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _two_digit_date(yymmdd: str) -> bool:
    year, month, day = int(yymmdd[:2]), int(yymmdd[2:4]), int(yymmdd[4:6])
    return _is_date(1900 + year, month, day) or _is_date(2000 + year, month, day)


def _china(number: str) -> bool:
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    born = _is_date(int(number[6:10]), int(number[10:12]), int(number[12:14])) and 1900 <= int(number[6:10]) <= 2100
    return born and "10X98765432"[_weighted(number[:17], weights) % 11] == number[17].upper()


def _korea(number: str) -> bool:
    digits = number.replace("-", "")
    check = (11 - _weighted(digits[:12], (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10
    return _two_digit_date(digits[:6]) and check == int(digits[12])


def _taiwan(number: str) -> bool:
    code = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(number[0]) + 10
    return (code // 10 + code % 10 * 9 + _weighted(number[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))) % 10 == 0


def _singapore(number: str) -> bool:
    total = _weighted(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + (4 if number[0] in "TG" else 0)
    return ("JZIHGFEDCBA" if number[0] in "ST" else "XWUTRQPNMLK")[total % 11] == number[8]


def _brazil(number: str) -> bool:
    digits = re.sub(r"\D", "", number)
    first = _weighted(digits, tuple(range(10, 1, -1))) * 10 % 11 % 10
    second = _weighted(digits, tuple(range(11, 1, -1))) * 10 % 11 % 10
    return len(set(digits)) > 1 and digits[9:] == f"{first}{second}"


def _spain(number: str) -> bool:
    compact = number.replace("-", "").replace(" ", "")
    digits = compact[:-1].translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == compact[-1] and len(set(digits)) > 1


_ITALY_ODD: Final = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)


def _italy(number: str) -> bool:
    values = [int(c) if c.isdigit() else ord(c) - 65 for c in number]
    total = sum(_ITALY_ODD[value] if place % 2 == 0 else value for place, value in enumerate(values[:15]))
    return total % 26 == values[15]


def _france(number: str) -> bool:
    digits = number.replace(" ", "").replace("2A", "19").replace("2B", "18")
    return 97 - int(digits[:13]) % 97 == int(digits[13:])


def _poland(number: str) -> bool:
    # The month carries the century: 81 to 92 for the 1800s, 1 to 12 for the 1900s, 21 to 32 for the 2000s and so on.
    century, month = divmod(int(number[2:4]), 20)
    year = (1900, 2000, 2100, 2200, 1800)[century] + int(number[:2])
    check = -_weighted(number[:10], (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10
    return _is_date(year, month, int(number[4:6])) and check == int(number[10])


def _sweden(number: str) -> bool:
    digits = re.sub(r"\D", "", number)[-10:]
    return _two_digit_date(digits[:6]) and luhn(digits)


def _finland(number: str) -> bool:
    day, month, year = int(number[:2]), int(number[2:4]), int(number[4:6])
    check = "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(number[:6] + number[7:10]) % 31]
    return (_is_date(1900 + year, month, day) or _is_date(2000 + year, month, day)) and check == number[10]


def _netherlands(number: str) -> bool:
    digits = re.sub(r"\D", "", number)
    return len(set(digits)) > 1 and (_weighted(digits[:8], (9, 8, 7, 6, 5, 4, 3, 2)) - int(digits[8])) % 11 == 0


def _germany(number: str) -> bool:
    digits = number.replace(" ", "")
    product = 10
    for digit in digits[:10]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return len(set(digits[:10])) in (8, 9) and (11 - product) % 10 == int(digits[10])


def _turkey(number: str) -> bool:
    digits = [int(digit) for digit in number]
    tenth = (sum(digits[0:9:2]) * 7 - sum(digits[1:8:2])) % 10
    return digits[9] == tenth and digits[10] == sum(digits[:10]) % 10


_VERHOEFF_PRODUCT: Final = ("0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
                            "5987604321", "6598710432", "7659821043", "8765932104", "9876543210")  # fmt: skip
_VERHOEFF_TURN: Final = ("0123456789", "1576283094", "5803796142", "8916043527",
                         "9453126870", "4286573901", "2793806415", "7046913258")  # fmt: skip


def _india(number: str) -> bool:
    state = 0
    for place, digit in enumerate(map(int, reversed(re.sub(r"\D", "", number)))):
        state = int(_VERHOEFF_PRODUCT[state][int(_VERHOEFF_TURN[place % 8][digit])])
    return state == 0


def _south_africa(number: str) -> bool:
    return _two_digit_date(number[:6]) and number[10] in "01" and luhn(number)


def _mexico(number: str) -> bool:
    values = ["0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ".index(character) for character in number]
    check = -sum(value * (18 - place) for place, value in enumerate(values[:17])) % 10
    return _two_digit_date(number[4:10]) and check == values[17]


def _united_states(number: str) -> bool:
    area, group, serial = number.split("-")
    # The first is printed on a sample card, the second stood in an old advertisement.
    return number not in ("078-05-1120", "219-09-9999") and "000" < area != "666" and group > "00" and serial > "0000"


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
    _number("CN", r"[1-8]\d{16}[\dXx]", _china),
    _number("KR", r"\d{6}-[1-4]\d{6}", _korea),
    _number("TW", r"[A-Z][12]\d{8}", _taiwan, r"身[分份]證|id (?:no|number|card)"),
    _number("SG", r"[STFG]\d{7}[A-Z]", _singapore),
    _number("BR", r"\d{3}\.\d{3}\.\d{3}-\d\d", _brazil),
    _number("ES", r"(?:\d{8}|[XYZ]-?\d{7})[ -]?[A-HJ-NP-TV-Z]", _spain, r"\b(?:dni|nif|nie|d\.n\.i|n\.i\.[fe])\b"),
    _number("IT", r"[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]", _italy),
    _number("FR", r"[12] ?\d\d ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d", _france),
    _number("PL", r"\d{11}", _poland, r"pesel"),
    _number("SE", r"(?:19|20)?\d{6}[-+]\d{4}", _sweden, r"personnummer|personnr|född"),
    _number("FI", r"[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]", _finland),
    _number("NL", r"\d{9}|\d{4}\.\d\d\.\d{3}", _netherlands, r"\bbsn\b|burgerservicenummer|sofinummer"),
    _number("DE", r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}", _germany, r"steuer-?(?:id|identifikations)|idnr"),
    _number("TR", r"[1-9]\d{10}", _turkey, r"t\.?c\.? ?kimlik|tckn|kimlik"),
    _number("IN", r"[2-9]\d{3}[ -]\d{4}[ -]\d{4}", _india, r"aadhaar|aadhar|uidai|आधार"),
    _number("ZA", r"\d{13}", _south_africa, r"\bid (?:no|number)\b|identity"),
    _number("MX", r"[A-Z]{4}\d{6}[HM][A-Z]{5}[0-9A-Z]\d", _mexico),
    _number("US", r"(?!9)\d{3}-\d\d-\d{4}", _united_states, r"\bssn\b|social security"),
    _number("GB", r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]", _no_check,
            r"national insurance|\bnino\b|\bni (?:no|number)\b"),
)  # fmt: skip
"""Bare digits with one check digit pass by chance one time in ten: those need a word before them that says what they
are. Numbers with a written form of their own, or a check that is hard to pass, need none."""


def personal_numbers(text: str) -> int:
    """Personal numbers of the countries of PERSONAL_NUMBERS that pass their check."""
    return sum(
        kind.check(match[0])
        and (kind.cue is None or kind.cue.search(text, max(0, match.start() - _CUE_REACH), match.start()) is not None)
        for kind in PERSONAL_NUMBERS
        for match in kind.pattern.finditer(text)
    )
