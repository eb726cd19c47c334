"""How true stored pages are, and what reading them costs: every page of a folder as the product ingests it.

    python -m benchmarks.pages FOLDER [--pages 20] [--save DIR]

Each page is read by the browser and made self-contained; what it looked like is compared with the stored page in the
project's own renderer.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from diffbench_assets.pages.ingest import Made, reading
from diffbench_assets.pages.sources import HtmlSource, RawPage, read_source


def report(pages: Sequence[RawPage], made: Sequence[Made], seconds: float) -> str:
    """The table that is printed."""
    agreements = [done.agreement for done in made if done.agreement is not None]
    equal = sum(value == 1.0 for value in agreements)
    sizes = sorted(len(done.page.html or "") for done in made)
    lines = [
        f"pages                    {len(made)}",
        f"kept                     {len(agreements)}",
        f"byte-equal               {equal} ({equal / len(made):.1%} of all pages)",
        f"mean pixel agreement     {statistics.fmean(agreements):.4%}" if agreements else "no page",
        *(
            f"agreement >= {floor:<5}       {sum(value >= floor for value in agreements)}"
            for floor in (0.9999, 0.999, 0.99, 0.9)
        ),
        f"size                     median {sizes[len(sizes) // 2] >> 10} KB, largest {sizes[-1] >> 10} KB",
        f"seconds a page           {seconds / len(made):.3f}",
        "worst:",
    ]
    rows = sorted(zip(made, pages, strict=True), key=lambda row: (row[0].agreement or -1.0, row[1].url))
    for done, page in rows[:10]:
        found = f"{done.agreement:.4%}" if done.agreement is not None else "no page"
        lines.append(f"  {found:>9}  {page.url}  {done.page.drop_reason or ''}")
    return "\n".join(lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=0, help="the first so many (default: all)")
    parser.add_argument("--save", type=Path, help="a folder for the stored pages")
    arguments = parser.parse_args()
    source = HtmlSource(name="pages", kind="html", path=str(arguments.folder))
    pages = list(islice(read_source(source), arguments.pages or None))
    with reading() as make:
        clock = time.perf_counter()
        made = make(pages)
        seconds = time.perf_counter() - clock
    if arguments.save:
        arguments.save.mkdir(parents=True, exist_ok=True)
        for page, done in zip(pages, made, strict=True):
            (arguments.save / page.url.replace("/", "_")).write_text(done.page.html or done.page.drop_reason or "")
    print(report(pages, made, seconds))


if __name__ == "__main__":
    main()
