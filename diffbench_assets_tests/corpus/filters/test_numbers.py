"""Numbers with check digits: found when right, left alone when one digit is off or when they are something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn
from stdnum.iban import calc_check_digits

from diffbench_assets.corpus.filters.numbers import cards, ibans, personal_numbers


@pytest.mark.parametrize(
    "text",
    [
        "Card 4539 1488 0343 6467 expires soon",
        "4539148803436467",
        "5425-2334-3010-9903",
        "Amex 3437 343735 28389",
        "3056 930902 5912",
    ],
)
def test_card_number(text: str) -> None:
    assert cards(text) == 1


@pytest.mark.parametrize(
    "text",
    [
        "4539 1488 0343 6468",  # check digit off by one
        "4242 4242 4242 4242",  # published for testing
        "4006381333931",  # a barcode
        "45 39 14 88 03 43 64 67",  # no card is grouped like this
        "4444 4444 4444 4444",
        "order 9999148803436467",  # no issuer
        "v4.539148803436467",
        "0000000000000000",
    ],
)
def test_what_is_no_card_number(text: str) -> None:
    assert cards(text) == 0


@given(st.text(alphabet="0123456789", min_size=14, max_size=14).filter(lambda body: len(set(body)) > 3), st.data())
def test_one_wrong_digit_makes_it_no_card_number(body: str, data: st.DataObject) -> None:
    right = f"4{body}{luhn.calc_check_digit('4' + body)}"
    place = data.draw(st.integers(1, len(right) - 1))
    other = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != right[place]]))
    published = right in ("4242424242424242", "4111111111111111", "4012888888881881", "4000056655665556")
    assert cards(right) == (not published)
    assert cards(right[:place] + other + right[place + 1 :]) == 0


def iban(country: str, account: str) -> str:
    return f"{country}{calc_check_digits(f'{country}00{account}')}{account}"


@given(st.text(alphabet="0123456789", min_size=18, max_size=18))
def test_iban_of_any_german_account(account: str) -> None:
    number = iban("DE", account)
    spaced = " ".join(number[start : start + 4] for start in range(0, len(number), 4))
    expected = 0 if number == "DE89370400440532013000" else 1
    assert ibans(f"IBAN: {number}") == ibans(f"IBAN {spaced} BIC COBADEFF") == expected


@pytest.mark.parametrize(
    "text",
    [
        "DE89 3704 0044 0532 0130 00",  # the example of the standard
        "DE90 3704 0044 0532 0130 01",  # wrong check digits
        "GB12 ABCD 1234",  # too short
        "ZZ68 5390 0754 7034 1234",  # no such country
        "SERIAL AB12 CDEF 3456 GHIJ 7890",
        "MODEL FR14XX20041010050500013M026",
    ],
)
def test_what_is_no_iban(text: str) -> None:
    assert ibans(text) == 0


PERSONAL = {
    "CN": "身份证 11010519491231002X",
    "KR": "주민등록번호 850101-1234566",
    "TW": "身分證 A123456789",
    "SG": "NRIC S1234567D",
    "BR": "CPF: 529.982.247-25",
    "ES": "DNI: 12345678Z",
    "ES foreigners": "NIE X1234567L",
    "IT": "CF RSSMRA85T10A562S",
    "FR": "n° 2 55 08 14 168 025 38",
    "PL": "PESEL 44051401359",
    "SE": "personnummer 811228-9874",
    "FI": "131052-308T",
    "NL": "BSN 111222333",
    "DE": "Steuer-ID 86 095 742 719",
    "TR": "T.C. Kimlik No 10000000146",
    "IN": "Aadhaar: 2341 2341 2346",
    "ZA": "ID number 8001015009087",
    "MX": "CURP HEGG560427MVZRRL04",
    "US": "SSN 536-90-4399",
    "GB": "National Insurance QQ 12 34 56 C, no: AB 12 34 56 C",
}


@pytest.mark.parametrize("country", PERSONAL)
def test_personal_number_of_a_country(country: str) -> None:
    assert personal_numbers(PERSONAL[country]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "11010519491231002X".replace("2X", "3X"),
        "850101-1234565",
        "CPF: 529.982.247-26",
        "CPF 111.111.111-11",
        "DNI 12345678A",
        "size 12345678Z of the catalogue",  # no word says what it is
        "44051401359",  # eleven digits
        "Aadhaar 1234 5678 9012",
        "SSN 000-12-3456",
        "SSN 078-05-1120",  # printed on a sample card
        "date 2024-01-15",
        "phone 811228-9874",
        "131352-308T",  # no such month
        "personnummer 811328-9874",
        "PESEL 44053401359",
        "AB 12 34 56 C is a bus line",
    ],
)
def test_what_is_no_personal_number(text: str) -> None:
    assert personal_numbers(text) == 0


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert cards(text) >= 0 and ibans(text) >= 0 and personal_numbers(text) >= 0


@given(st.text(alphabet="0123456789.-/ A", max_size=80))
def test_any_run_of_digits_can_be_read(text: str) -> None:
    assert cards(text) >= 0 and ibans(text) >= 0 and personal_numbers(f"pesel bsn aadhaar kimlik {text}") >= 0
