"""What the parser reads in raw answers: the last letter that is stated, one option's text, or nothing."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.protocols.multiple_choice.parse import INVALID, parse_choice, parser_sha256

OPTIONS = {
    "A": "The red ring at the top left is further to the left in image B.",
    "B": "The image is grainier in image B.",
    "C": "Image A and image B are the same.",
    "D": "The sign reads “Answer: A” instead of “Answer: B” in image B.",
}
TEXTS = OPTIONS

ANSWERS = {
    "a letter alone": [
        ("B", "B"),
        (" B\n", "B"),
        ("B.", "B"),
        ("B)", "B"),
        ("(B)", "B"),
        ("[B]", "B"),
        ("[[B]]", "B"),
        ("{B}", "B"),
        ("<B>", "B"),
        ("**B**", "B"),
        ("**B.**", "B"),
        ("*B*", "B"),
        ("__B__", "B"),
        ("_B_", "B"),
        ("`B`", "B"),
        ('"B"', "B"),
        ("'B'", "B"),
        ("“B”", "B"),
        ("«B»", "B"),
        ("```\nB\n```", "B"),
        ("# B", "B"),
        ("#### B", "B"),
        ("> B", "B"),
        ("- B", "B"),
        ("b", "B"),
        ("(d)", "D"),
        ("c.", "C"),
        ("a", "A"),
        ("A", "A"),
        ("Ｂ", "B"),
        ("（Ｂ）", "B"),
        ("\u200bB\u200b", "B"),
        ("B\r\n", "B"),
        ("B!", "B"),
        ("Option B", "B"),
        ("Option B.", "B"),
        ("**Option B**", "B"),
        ("Answer B", "B"),
        ("The option (C)", "C"),
        ("Definitely B.", "B"),
        ("B<|im_end|>", "B"),
        ("<s>B</s>", "B"),
        ("Ⓑ", "B"),
        ("𝐁", "B"),
    ],
    "LaTeX, tags and JSON": [
        ("$B$", "B"),
        ("$$B$$", "B"),
        ("\\(B\\)", "B"),
        ("\\[B\\]", "B"),
        ("\\boxed{B}", "B"),
        ("$\\boxed{B}$", "B"),
        ("\\boxed{\\text{B}}", "B"),
        ("$\\boxed{\\textbf{(B)}}$", "B"),
        ("\\mathbf{B}", "B"),
        ("The ring has not moved, so the noise must be it. $\\boxed{\\mathrm{B}}$", "B"),
        ("The answer is $B$.", "B"),
        ("<answer>B</answer>", "B"),
        ("<answer>\n B \n</answer>", "B"),
        ("<answer>(B)</answer>", "B"),
        ("<ANSWER>b</ANSWER>", "B"),
        ("I looked at both.<answer>C</answer>", "C"),
        ("<p>B</p>", "B"),
        ("<b>B</b>", "B"),
        ("<|begin_of_box|>B<|end_of_box|>", "B"),
        ('{"answer": "B"}', "B"),
        ('{"answer":"b"}', "B"),
        ("{'answer': 'B'}", "B"),
        ('```json\n{"answer": "B"}\n```', "B"),
        ('{"reasoning": "Image A is darker.", "answer": "C"}', "C"),
        ('{"answer": "C", "reasoning": "Image A and B look alike."}', "C"),
        ('{"choice": ["D"]}', "D"),
        ('{"final_answer": "A"}', "A"),
        ('{"answer": null}', INVALID),
        ('{"answer": ["A", "B"]}', INVALID),
        ('{"A": false, "B": true}', INVALID),
        ("{}", INVALID),
        ("\\boxed{}", INVALID),
    ],
    "a phrase that points at a letter": [
        ("The correct answer is (B)", "B"),
        ("The answer is B. Note that A is tempting.", "B"),
        ("The answer is B. Note that A. would be wrong.", "B"),
        ("The answer is: B", "B"),
        ("Answer: B", "B"),
        ("answer: b", "B"),
        ("ANSWER: B", "B"),
        ("Answer:B", "B"),
        ("Answer：B", "B"),
        ("Answer - B", "B"),
        ("Answer = B", "B"),
        ("Answer: **B**", "B"),
        ("**Answer: B**", "B"),
        ("**Answer:** B", "B"),
        ("**Answer:**\n\nB", "B"),
        ("Ans: B", "B"),
        ("My answer is B.", "B"),
        ("Final answer: B", "B"),
        ("### Final answer\nB", "B"),
        ("Final Answer: Option B", "B"),
        ("The correct option is B", "B"),
        ("The correct option is option B.", "B"),
        ("The true statement is B.", "B"),
        ("The right choice would be D.", "D"),
        ("The correct answer is therefore B.", "B"),
        ("The answer to this question is B.", "B"),
        ("The answer is A because the ring moved.", "A"),
        ("The answer is A.", "A"),
        ("I choose B.", "B"),
        ("I would go with (C).", "C"),
        ("I'd pick D", "D"),
        ("I think it's B.", "B"),
        ("I believe the answer is B.", "B"),
        ("If I had to choose, I'd say B.", "B"),
        ("Choose D.", "D"),
        ("I can see no other change, so I choose B.", "B"),
        ("The image is not darker. So the answer is B.", "B"),
        ("答案是B", "B"),
        ("答案：B。", "B"),
        ("正确答案是 B", "B"),
        ("Antwort: B", "B"),
        ("It must be B.", "B"),
        ("B is correct.", "B"),
        ("Statement B is the correct one.", "B"),
        ("A is false, B is true.", "B"),
        ("A is incorrect. B is correct. C is incorrect. D is incorrect.", "B"),
        ("Option B correctly describes the change.", "B"),
        ("(C) is the right answer", "C"),
        ("Answer: B (confidence 10/10)", "B"),
        ("The answer is **B** The noise is clear.", "B"),
    ],
    "a letter as a label": [
        ("B. " + TEXTS["B"], "B"),
        ("B) " + TEXTS["B"], "B"),
        ("(B) " + TEXTS["B"], "B"),
        ("B: " + TEXTS["B"], "B"),
        ("B - " + TEXTS["B"], "B"),
        ("**B.** " + TEXTS["B"], "B"),
        ("B " + TEXTS["B"], "B"),
        ("A. " + TEXTS["A"], "A"),
        ("D. " + TEXTS["D"], "D"),
        ("B. The picture has more noise.", "B"),
        ("(B) The picture has more noise.", "B"),
        ("b) the picture has more noise", "B"),
        ("B, because there is more noise.", "B"),
        ("B because image A is smooth.", "B"),
        ("Option C: nothing differs", "C"),
        ("B. Image A is smooth, image B is grainy.", "B"),
        ("B. It is grainier than A.", "B"),
        ("I looked twice.\n\nB. " + TEXTS["B"], "B"),
        ("B\n\nImage A is smooth and image B is not.", "B"),
        ("B\n\nA: wrong, the ring is still.\nB: right, there is noise.", "B"),
        ("Answer: D. " + TEXTS["D"], "D"),
        ("\\boxed{D. " + TEXTS["D"] + "}", "D"),
    ],
    "the last statement decides": [
        ("The answer is B. Actually, C.", "C"),
        ("Answer: B\nWait, I see it now.\nAnswer: C", "C"),
        ("B\n\nWait, the ring moved after all.\n\nA", "A"),
        ("First I thought B is correct, but the answer is C.", "C"),
        ("B. No, wait: the correct answer is D.", "D"),
        ("I choose A. On second thought, B.", "B"),
        ("Answer: A\nCorrection: B", "B"),
        ("It's not B, it's C.", "C"),
        ("Not B but C.", "C"),
        ("The answer is B, not C.", "B"),
        ("B rather than C.", "B"),
        ("B (not A)", "B"),
        ("A is wrong, so the answer is D.", "D"),
        ("I hesitate between B and C. Final answer: C", "C"),
        ("Answer: B\n\nB", "B"),
        ("B, B, B", "B"),
        ("The answer is A or B. I choose B.", "B"),
    ],
    "one option's text": [
        (TEXTS["B"], "B"),
        (TEXTS["B"].rstrip("."), "B"),
        (TEXTS["B"].upper(), "B"),
        ("“" + TEXTS["B"] + "”", "B"),
        ("**" + TEXTS["C"] + "**", "C"),
        (TEXTS["D"], "D"),
        (TEXTS["D"].replace("“", '"').replace("”", '"'), "D"),
        ("The correct statement is: " + TEXTS["A"], "A"),
        ("Answer: " + TEXTS["C"], "C"),
        ('{"answer": "' + TEXTS["B"] + '"}', "B"),
        ('The true statement is "' + TEXTS["B"] + '"', "B"),
        ("I compared them. " + TEXTS["B"], "B"),
        ("The image is  grainier\nin image B.", "B"),
        (TEXTS["A"] + "\n" + TEXTS["B"], INVALID),
        ("It is not true that the image is grainier in image B.", INVALID),
        ("The following is wrong: " + TEXTS["B"], INVALID),
        ("The image is grainier.", INVALID),
    ],
    "two letters are no answer": [
        ("A or B", INVALID),
        ("A and B", INVALID),
        ("A, B", INVALID),
        ("A/B", INVALID),
        ("B & C", INVALID),
        ("A B", INVALID),
        ("AB", INVALID),
        ("BC", INVALID),
        ("A\nB", INVALID),
        ("A\nB\nC\nD", INVALID),
        ("A, B, C, D", INVALID),
        ("Answer: A or B", INVALID),
        ("The answer is either A or B.", INVALID),
        ("Both B and C are correct.", INVALID),
        ("The answer is B (or C).", INVALID),
        ("B, possibly C", INVALID),
        ("**A** or **B**", INVALID),
        ("\\boxed{A, B}", INVALID),
        ("<answer>A or B</answer>", INVALID),
        ("The answer is B. Or rather, A or C. The answer is A or C.", INVALID),
        ("A: no\nB: yes\nC: no\nD: no", INVALID),
        ("A. " + TEXTS["A"] + "\nB. " + TEXTS["B"] + "\nC. " + TEXTS["C"] + "\nD. " + TEXTS["D"], INVALID),
        ("**A**\nfalse\n**B**\ntrue\n**C**\nfalse\n**D**\nfalse", INVALID),
        ("B > C > A > D", INVALID),
    ],
    "corrections, and none": [
        ("A, C and D are false; B is true.", "B"),
        ("Not A, not C, not D: B.", "B"),
        ("B it is.", "B"),
        ("B: false", INVALID),
        ("B (wrong)", INVALID),
        ("B ❌", INVALID),
        ("A ✗ B ✓ C ✗ D ✗", INVALID),
        ("A ≠ B", INVALID),
        ("¬B", INVALID),
        ("!B", INVALID),
        ("A+B", INVALID),
        ("~~B~~", INVALID),
        ("<del>B</del> C", "C"),
        ("The correct option is not A but C.", "C"),
        ("It isn't A; it's C.", "C"),
        ("Rather than A, the answer is C.", "C"),
        ("I rule out A, B and D, so C.", "C"),
        ("C instead of A", "C"),
        ("No es A sino C.", "C"),
        ("Die Antwort ist nicht A, sondern C.", "C"),
        ("Ce n'est pas A mais C.", "C"),
        ("Não é A, mas C.", "C"),
        ("Не A, а C", "C"),
        ("不是A而是C", "C"),
        ("正解はAではなくCです。", "C"),
        ("정답은 A가 아니라 C입니다.", "C"),
        ("B — no, wait, C.", "C"),
        ("The answer is B. Sorry, C.", "C"),
        ("I initially thought A, but it's C.", "C"),
        ("A? No. The answer is B.", "B"),
        ("A or B? The answer is B.", "B"),
        ("The answer is B. I am sure that it is not C.", "B"),
        ("Answer: B\n\nExplanation: Option A is wrong because the ring is still.", "B"),
        ("B is correct, but so is C.", INVALID),
        ("B. C too.", INVALID),
        ("B. Possibly C.", INVALID),
        ("B (C is also possible)", INVALID),
        ("The answer is B. The answer is C.", INVALID),
        ("The answer is B. It could also be C.", INVALID),
        ('{"answer": "A", "alternative": "B"}', INVALID),
        ("The true statement is: " + TEXTS["A"] + "\nAnswer: B", INVALID),
        (TEXTS["A"] + " (B)", INVALID),
        ("The answer is B, because " + TEXTS["A"] + " is false.", "B"),
        ("A. " + TEXTS["A"] + "\nB. " + TEXTS["B"] + "\nC. " + TEXTS["C"] + "\nD. " + TEXTS["D"] + "\n\nB", "B"),
    ],
    "images have letters too": [
        ("B has more noise.", INVALID),
        ("B is grainier than A.", INVALID),
        ("The change is in B.", INVALID),
        ("The ring at the right is B", INVALID),
        ("I think B is darker", INVALID),
        ("It is B that is darker.", INVALID),
        ("This is A and that is B.", INVALID),
        ("Plan B is correct", INVALID),
        ("The correct one is in image B.", INVALID),
    ],
    "no letter is stated": [
        ("", INVALID),
        ("   ", INVALID),
        ("I cannot tell.", INVALID),
        ("E", INVALID),
        ("Answer: E", INVALID),
        ("I", INVALID),
        ("Answer: I", INVALID),
        ("1", INVALID),
        ("2.", INVALID),
        ("0 (confidence 10/10)", INVALID),
        ("GRADE: CI", INVALID),
        ("T", INVALID),
        ("True", INVALID),
        ("None", INVALID),
        ("None of the above", INVALID),
        ("All of the above.", INVALID),
        ("The answer is none of the above.", INVALID),
        ("Answer: B\nActually, none of the above.", INVALID),
        ("A ring was added.", INVALID),
        ("The answer is a ring.", INVALID),
        ("The answer is A ring.", INVALID),
        ("A new ring is in image B.", INVALID),
        ("I see a ring.", INVALID),
        ("Image A is darker than image B.", INVALID),
        ("Image B", INVALID),
        ("image B.", INVALID),
        ("Between A and B, the ring moved.", INVALID),
        ("The ring is on the left in A but on the right in B.", INVALID),
        ("From A to B the noise grows.", INVALID),
        ("Images A and B.", INVALID),
        ("A has a ring, but B, on the other hand, has none.", INVALID),
        ("not B", INVALID),
        ("It is not B.", INVALID),
        ("The answer is not B.", INVALID),
        ("The answer isn't B", INVALID),
        ("The answer cannot be B.", INVALID),
        ("I don't think the answer is B.", INVALID),
        ("I would not choose B.", INVALID),
        ("The wrong answer is B.", INVALID),
        ("B is wrong.", INVALID),
        ("B is not correct.", INVALID),
        ("Neither A nor B is correct.", INVALID),
        ("Is the answer B?", INVALID),
        ("Could it be B?", INVALID),
        ("The answer could be B.", INVALID),
        ("If the answer is B, the ring moved.", INVALID),
        ("A-frame houses, a B-movie and vitamin C.", INVALID),
        ("She has a Ph.D. from the U.S.A.", INVALID),
        ("B's brightness is lower.", INVALID),
        ("В", INVALID),
        ("ABCD", INVALID),
        ("ª", INVALID),
        ("I eliminate A, C and D.", INVALID),
        ("Bananas", INVALID),
        ("C++", INVALID),
        ("Error: 429 Too Many Requests", INVALID),
        ("\x00\ud800", INVALID),
    ],
}
CASES = [
    pytest.param(text, letter, id=f"{kind}: {text!r}"[:90]) for kind, rows in ANSWERS.items() for text, letter in rows
]


@pytest.mark.parametrize(("text", "letter"), CASES)
def test_a_raw_answer_is_read_as(text: str, letter: str) -> None:
    assert parse_choice(text, OPTIONS) == letter
    assert parse_choice(text, OPTIONS) == letter


def test_there_are_raw_answers_enough() -> None:
    assert len(CASES) >= 120


WRAPPINGS = [
    "{}", "{}.", "{})", "({})", "[{}]", "[[{}]]", "**{}**", "*{}*", "__{}__", "`{}`", '"{}"', "“{}”", "# {}", "${}$",
    "\\({}\\)", "\\boxed{{{}}}", "$\\boxed{{\\text{{{}}}}}$", "<answer>{}</answer>", '{{"answer": "{}"}}',
    "```\n{}\n```", "Answer: {}", "**Answer:** {}", "Final answer: **{}**", "The answer is {}.", "The answer is ({}).",
    "The correct option is {}.", "I choose {}.", "Option {}", "option ({})",
]  # fmt: skip
PREAMBLES = [
    "",
    "I compared image A and image B.\n\n",
    "A ring is in image A; B has none.\n",
    "Not D.\n",
]


@given(
    st.sampled_from("ABCD"),
    st.sampled_from(WRAPPINGS),
    st.sampled_from(["{}", "**{}**", "({})", '"{}"', "  {}  ", "\n{}\n"]),
    st.sampled_from(PREAMBLES),
    st.booleans(),
)
def test_no_wrapping_changes_the_letter(letter: str, inner: str, outer: str, preamble: str, lower: bool) -> None:
    shown = letter.lower() if lower else letter
    assert parse_choice(preamble + outer.format(inner.format(shown)), OPTIONS) == letter


SAID_IN_MANY_LANGUAGES = """
정답은 {}입니다. | 정답: {} | 답은 {}번입니다 | {}가 정답입니다. | {}가 맞습니다. | 저는 {}를 선택합니다.
따라서 정답은 {}입니다. | {}번 | 正解は{}です。 | 答え：{} | 正解は「{}」です。 | {}が正しいです。
私は{}を選びます。 | 選択肢{}が正しい。 | 答えは{}だと思います。 | 【答え】{} | 答案是{}。 | 正确选项是{} | 我选择{}
选项{}正确 | {}是正确的。 | 因此，答案是{}。 | 【答案】{} | 正確答案是{} | 故选{} | La respuesta correcta es {}.
La respuesta correcta es la {}. | Respuesta: {} | La opción {} es la correcta. | Elijo la {}. | Es la {}.
La bonne réponse est la {}. | Réponse : {} | C'est {}. | L'option {} est correcte. | Je choisis {}.
La reponse est {} | Die richtige Antwort ist {}. | Antwort: {} | Richtig ist {}. | Aussage {} ist korrekt.
Ich wähle {}. | Daher ist {} richtig. | A resposta correta é {}. | Resposta: {} | A opção correta é a letra {}.
A alternativa {} está correta. | Letra {} | La risposta corretta è la {}. | Risposta: {}
L'opzione {} è quella corretta. | Scelgo {}. | Правильный ответ: {} | Правильный ответ — {}.
Верный ответ — вариант {} | Я выбираю {} | {} — правильный ответ | Het juiste antwoord is {}. | Doğru cevap {}
Prawidłowa odpowiedź to {}. | Đáp án đúng là {}. | الإجابة الصحيحة هي {} | सही उत्तर {} है
"""
SAID = [phrase.strip() for line in SAID_IN_MANY_LANGUAGES.strip().splitlines() for phrase in line.split(" | ")]
SAID += [
    "The answer is {}.",
    "Answer: {}",
    "{} is correct.",
    "I choose {}.",
    "It is {}.",
    "Option {} is the true statement.",
    "The correct answer is undoubtedly\n\n{}",
    "By elimination, {} is correct.",
    "Looking closely, I can see that {} is correct.",
    "The statement that describes the images truthfully is {}.",
    "The answer to the puzzle about rings is {}.",
    "Option {} best fits.",
    "{} is therefore correct.",
    "I have selected {}.",
    "If I had to choose one, I would choose {}.",
    "The correct statement is {}: it fits",
    "The answer is {}—the grain is visible.",
    'answer = "{}"',
    "| Answer |\n|---|\n| {} |",
    "✅ {}",
    "Thus, {}.",
    "{} 😊",
]


@given(st.sampled_from(SAID), st.sampled_from("ABCD"), st.sampled_from(["{}", "({})", "**{}**", "“{}”", "`{}`"]))
def test_a_letter_is_read_in_the_languages_of_answers(said: str, letter: str, mark: str) -> None:
    assert parse_choice(said.format(mark.format(letter)), OPTIONS) == letter


QUOTING = [
    "{}. {}",
    "{}: {}",
    "({}) {}",
    "**{}** {}",
    "{}\n{}",
    "The answer is {}: {}",
    "Answer: {}\n\n{}",
    "{} - {}",
    "The answer is {}. {}",
    "Option {}: “{}”",
    '{{"answer": "{}. {}"}}',
    '{{"answer": "{}", "statement": "{}"}}',
]


@given(
    st.sampled_from(QUOTING), st.sampled_from("ABCD"), st.sampled_from("ABCD"), st.permutations(list(OPTIONS.values()))
)
def test_a_letter_that_quotes_another_options_text_is_none(
    quoting: str, letter: str, other: str, texts: list[str]
) -> None:
    options = dict(zip("ABCD", texts, strict=True))
    text = json.dumps(options[other])[1:-1] if quoting.startswith("{{") else options[other]
    assert parse_choice(quoting.format(letter, text), options) == (letter if letter == other else INVALID)


REASONING = [
    "Image A is smooth, image B is grainy.",
    "Option A says the ring moved, which is not the case.",
    "**Analysis:**",
    "Statement C claims they are the same, but they are not.",
    "A is wrong because the ring is still.",
    "A → false",
    "Let's check each option:",
    "A: The ring did not move.",
    "- **B**: the grain is visible",
    "**Option C**: identical? No.",
    "Therefore, we can eliminate A and D.",
    "1. The ring is in the same place in both.",
    "Could it be C? The images differ, so no.",
    "If A were true, the ring would have moved.",
    "I first thought of D.",
    "The answer must be found among A, B, C, D.",
    "Both A and C are wrong.",
    "Hmm, A?",
    "A. " + TEXTS["A"] + "\nB. " + TEXTS["B"] + "\nC. " + TEXTS["C"] + "\nD. " + TEXTS["D"],
]


@given(st.lists(st.sampled_from(REASONING), max_size=4), st.sampled_from(SAID), st.sampled_from("BD"))
def test_what_was_weighed_before_does_not_matter(reasoning: list[str], said: str, letter: str) -> None:
    assert parse_choice("\n".join([*reasoning, "", said.format(letter)]), OPTIONS) == letter


ALTERNATIVES = [
    "{}: {}", "{}? {}?", "{} or {}", "{}/{}", "{} | {}", "{} & {}", "{} + {}", "{}, {}", "{} {}", "{} vs. {}",
    "{} - {}",
    "{} = {}", "{} → {}", "{} > {}", "{} and {}", "either {} or {}", "both {} and {}", "{}, or {}", "{}, possibly {}",
    "{} (or {})", "{} and/or {}", "{}, maybe even {}", "{} o {}", "{} ou {}", "{} oder {}", "{} или {}", "{}或{}",
    "{}か{}",
    "{} 또는 {}", "{} lub {}", "{} veya {}", "{}\n{}", "{}. Or {}.", "{}. Also {}.",
]  # fmt: skip
FRAMES = [
    "{}", "({})", "**{}**", "Answer: {}", "The answer is {}", "The correct option is {}.", "I choose {}.",
    "I think it's {}.",
    "\\boxed{{{}}}", "<answer>{}</answer>", '{{"answer": "{}"}}', "{} is correct.", "{} are correct.", "Option {}",
    "Respuesta: {}", "La réponse est {}.", "Antwort: {}", "Ответ: {}", "答案是{}", "答えは{}です", "정답은 {}입니다",
]  # fmt: skip
MARKS = st.sampled_from(["{}", "({})", "**{}**", "“{}”", "`{}`"])


@given(st.sampled_from(ALTERNATIVES), st.sampled_from(FRAMES), st.permutations("ABCD"), MARKS)
def test_two_letters_are_no_choice_in_any_frame(joined: str, frame: str, letters: list[str], mark: str) -> None:
    text = frame.format(joined.format(*map(mark.format, letters[:2])))
    assert parse_choice(text, OPTIONS) == INVALID


DOUBTS = [
    "{}?", "{}??", "{} ?", "{}?!", "Is it {}?", "Is the answer {}?", "Could it be {}?", "Maybe {}.", "Perhaps {}",
    "{}, maybe",
    "Possibly {}.", "It might be {}.", "It could be {}.", "The answer may be {}.", "I am not sure, {}?", "{}, perhaps?",
    "{} is possible.", "{} could be correct.", "{} might be the answer.", "¿Es la {}?", "Tal vez {}.", "Est-ce {} ?",
    "Peut-être {}.", "Ist es {}?", "Vielleicht {}.", "Talvez {}.", "Forse {}.", "Возможно, {}.", "可能是{}", "是{}吗？",
    "{}ですか？", "{}かもしれません。", "{}입니까?", "아마 {}일 수도 있습니다.",
]  # fmt: skip
DENIALS = [
    "Not {}.", "It is not {}.", "It isn't {}.", "{} is wrong.", "{} is false.", "{} is not correct.", "{} isn't right.",
    "{} cannot be right.", "{}: no", "{}: wrong", "{} (incorrect)", "Anything but {}.", "The answer is not {}.",
    "I don't think it is {}.", "I doubt it is {}.", "The wrong answer is {}.", "{} ❌", "No es {}.",
    "La {} no es correcta.",
    "Ce n'est pas {}.", "{} est faux.", "Es ist nicht {}.", "{} ist falsch.", "Não é {}.", "Non è {}.", "Не {}.",
    "{} неверно.", "不是{}", "{}不对", "{}ではありません。", "{}は間違いです。", "{}가 아닙니다.", "{}는 틀렸습니다.",
]  # fmt: skip


@given(st.sampled_from(DOUBTS + DENIALS), st.sampled_from("BCD"), MARKS)
def test_a_doubt_a_question_or_a_denial_is_no_choice(said: str, letter: str, mark: str) -> None:
    assert parse_choice(said.format(mark.format(letter)), OPTIONS) == INVALID


@given(
    st.lists(st.sampled_from(DENIALS), max_size=3),
    st.sampled_from(SAID),
    st.permutations("ABCD"),
)
def test_what_was_denied_before_does_not_matter(denied: list[str], said: str, letters: list[str]) -> None:
    lines = [denial.format(letter) for denial, letter in zip(denied, letters[1:], strict=False)]
    assert parse_choice("\n".join([*lines, said.format(letters[0])]), OPTIONS) == letters[0]


TURNS = ["Wait, no.", "Actually,", "Correction:", "Sorry, I was wrong.", "No, wait.", "Hmm, on second thought,"]


@given(st.sampled_from(SAID).filter(lambda said: "—the" not in said), st.sampled_from(TURNS), st.permutations("ABCD"))
def test_a_correction_decides_and_without_one_two_statements_are_none(said: str, turn: str, letters: list[str]) -> None:
    first, second = said.format(letters[0]), f"The answer is {letters[1]}."
    assert parse_choice(f"{first}\n{turn} {second}", OPTIONS) == letters[1]
    assert parse_choice(f"{first}\n{second}", OPTIONS) == INVALID


@given(
    st.sampled_from(SAID), st.permutations("ABCD"), st.sampled_from(["No, {} is wrong.", "Wait, {} is not correct."])
)
def test_a_statement_that_is_taken_back_is_none(said: str, letters: list[str], taken_back: str) -> None:
    assert parse_choice(f"{said}\n{taken_back}".format(letters[0], letters[0]), OPTIONS) == INVALID


@given(st.text(st.characters(exclude_characters="AaBbCcDd", max_codepoint=0x2000), max_size=200))
def test_text_without_the_letters_states_none(text: str) -> None:
    assert parse_choice(text, OPTIONS) == INVALID


WORDS = st.sampled_from(
    ["image A", "image B", "in A", "than B", "a", "A", "I", "ring", "the", "is darker", "looks brighter", "moved",
     "not", "and", "from A to B", "no", "it", "Images A and B", "more", "C-clamp", "Ph.D.", "correctly", "plan",
     "answers", "vitamin"]
)  # fmt: skip


@given(st.lists(WORDS, min_size=1, max_size=30).map(" ".join).filter(lambda text: not text.endswith((" A", " a"))))
def test_free_text_about_the_images_states_no_letter(words: str) -> None:
    assert parse_choice(f"The scene {words} ring.", OPTIONS) == INVALID


@given(st.text(string.ascii_letters + string.digits + " \n.,:;()*$_#<>{}[]\"'/\\-", max_size=120))
def test_a_letter_that_is_read_stands_in_the_text_as_a_word(text: str) -> None:
    choice = parse_choice(text, OPTIONS)
    assert choice in (*"ABCD", INVALID)
    words = "".join(char if char.isalnum() else " " for char in text).upper().split()
    assert choice == INVALID or choice in words


@given(st.text(max_size=300))
def test_any_text_gets_a_verdict_and_twice_the_same(text: str) -> None:
    assert parse_choice(text, OPTIONS) == parse_choice(text, OPTIONS)


@given(st.permutations(list(OPTIONS.values())), st.sampled_from("ABCD"))
def test_an_options_text_names_its_letter_wherever_it_stands(texts: list[str], letter: str) -> None:
    options = dict(zip("ABCD", texts, strict=True))
    for answer in (options[letter], f"{letter}. {options[letter]}", json.dumps({"answer": options[letter]})):
        assert parse_choice(answer, options) == letter


def test_equal_options_are_not_told_apart_by_their_text() -> None:
    options = OPTIONS | {"A": "The ring moved.", "B": "The ring moved."}
    assert parse_choice("The ring moved.", options) == INVALID
    assert parse_choice("B. The ring moved.", options) == "B"


@pytest.mark.parametrize("text", ["A " * 4_000, "(" * 60_000, "[" * 60_000, "!" * 60_000 + "B",
                                  "B\n" * 30_000, "answer " * 9_000, "answer is not " * 5_000 + "B"])  # fmt: skip
def test_hostile_lengths_take_seconds_at_most(text: str) -> None:
    assert parse_choice(text, OPTIONS) in ("B", INVALID)


def test_the_version_is_a_hash_of_the_rules() -> None:
    assert len(parser_sha256()) == 64 and parser_sha256() == parser_sha256()
