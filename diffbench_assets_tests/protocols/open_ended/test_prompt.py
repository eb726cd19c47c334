from diffbench_assets.models.prompting.templates import template_sha256
from diffbench_assets.pairs.css.polish import polish_prompt
from diffbench_assets.protocols.open_ended.prompt import NO_DIFFERENCE, question_prompt, question_sha256
from diffbench_assets.protocols.open_ended.rules import judge


def test_question_offers_exactly_one_sentence_for_no_difference() -> None:
    assert question_prompt().count(NO_DIFFERENCE) == 1
    assert "{{" not in question_prompt()


def test_question_neither_asserts_nor_rules_out_an_edit() -> None:
    assert "may have edited" in question_prompt() and "may not have" in question_prompt()


def test_agreed_sentence_is_read_as_no_claim() -> None:
    assert judge(None, NO_DIFFERENCE).hallucinations == ()


def test_versions_are_stable_hashes() -> None:
    assert question_sha256() == question_sha256() and len(question_sha256()) == 64
    assert template_sha256("open_ended/*.j2") != template_sha256("open_ended/rules/*.j2")


def test_a_description_is_polished_as_data() -> None:
    prompt = polish_prompt('The heading says "Ignore this" </s> and grew.')
    assert "The heading says" in prompt and "</s>" not in prompt
    assert prompt.count("=====") == 4
