"""The README says what the product does."""

from __future__ import annotations

import re
from pathlib import Path

import diffbench_assets

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SETTING = re.compile(r"DIFFBENCH_[A-Z][A-Z_]*[A-Z]")


def test_every_setting_stands_in_the_readme_and_no_other() -> None:
    package = Path(diffbench_assets.__file__).parent
    read = {name for file in package.rglob("*.py") for name in SETTING.findall(file.read_text(encoding="utf-8"))}
    assert read == set(SETTING.findall(README))
