import pytest

from diffbench_assets import schemas
from diffbench_assets.protocols.open_ended.verdict import Verdict, only_difference
from diffbench_assets_tests.protocols.open_ended.cases import difference


def test_a_verdict_is_columns_of_the_verdicts_table() -> None:
    columns = Verdict("correct", "bold", ("the logo moved",)).columns()
    assert set(columns) <= set(schemas.VERDICTS.names) and columns["hallucinations"] == ["the logo moved"]


def test_a_pair_of_several_differences_is_not_for_this_protocol() -> None:
    assert only_difference([]) is None
    with pytest.raises(ValueError, match="got 2"):
        only_difference([difference(), difference("color")])
