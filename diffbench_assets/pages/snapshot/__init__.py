"""Live pages as self-contained HTML: the rendered document with its styles, pictures and fonts inside.

`snapshot()` writes a live page down while the browser still has it; `to_page()` makes a stored page of that text, with
the same pixels. Does not belong here: visiting pages, or deciding which copy is like enough (`similarity.py`).
"""

from diffbench_assets.pages.snapshot.capture import Fonts, SnapshotFailed, prepare_snapshot, take_snapshot
from diffbench_assets.pages.snapshot.finish import to_page

__all__ = ["Fonts", "SnapshotFailed", "prepare_snapshot", "take_snapshot", "to_page"]
