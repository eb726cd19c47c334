"""The README says what the product does."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
from PIL import Image

import diffbench_assets
from diffbench_assets.lake import Lake
from diffbench_assets.schemas import PAIRS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SETTING = re.compile(r"DIFFBENCH_[A-Z][A-Z_]*[A-Z]")


def test_every_setting_stands_in_the_readme_and_no_other() -> None:
    package = Path(diffbench_assets.__file__).parent
    read = {name for file in package.rglob("*.py") for name in SETTING.findall(file.read_text(encoding="utf-8"))}
    assert read == set(SETTING.findall(README))


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """./lake, with two pairs in two cells."""
    picture = io.BytesIO()
    Image.new("RGB", (4, 3)).save(picture, "PNG")
    image = {"bytes": picture.getvalue(), "path": "x.png"}
    for cell in ("color.easy", "no_diff"):
        pair = {"pair_id": f"of {cell}", "image_before": image, "image_after": image, "description": "It grew."}
        Lake(str(tmp_path / "lake")).write(PAIRS.of("webdiff"), [pair], {"cell": cell}, fingerprint="f")
    monkeypatch.chdir(tmp_path)


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


READERS = _blocks("python")


@pytest.mark.parametrize("snippet", READERS, ids=[snippet.split()[1] for snippet in READERS])
def test_the_readme_opens_a_lake(lake: None, snippet: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", "hf")
    pytest.importorskip(snippet.split()[1])
    found: dict[str, Any] = {}
    exec(snippet, found)
    assert sorted(found["pairs"]["pair_id"]) == ["of color.easy", "of no_diff"]
    if "datasets" in found:
        assert found["pairs"][0]["image_before"].size == (4, 3)
    else:
        assert sorted(found["pairs"]["cell"]) == ["color.easy", "no_diff"]


@pytest.mark.parametrize("query", _blocks("sql"))
def test_the_readme_queries_a_lake(lake: None, query: str) -> None:
    found = duckdb.sql(query)
    assert {"pair_id", "cell"} <= {*found.columns} and len(found.fetchall()) == 2
