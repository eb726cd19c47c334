"""At most so many pages of one kind, drawn so that a corpus can grow without being drawn anew.

Belongs here: how many of each kind, and which. Does not belong here: what a kind is, or dropping pages for what they
are.

Every page draws a lot, the hash of the seed and its id, and of each kind the smallest lots stay. So a page that is
added changes nothing in other kinds, and in its own pushes out the largest lot or none; a smaller cap keeps a subset.
(Under a share, pages of other kinds may move the cap.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

from diffbench_assets.corpus import out_of_core
from diffbench_assets.errors import UserError
from diffbench_assets.lake import quoted

CAP: Final = 800
"""Pages of one of the 15 site domains (DiffSpot, appendix F: that makes the largest one ~7 % of the corpus)."""


@dataclass(frozen=True)
class Drawn:
    """What a capped sample holds: pages of each kind before and after, and the cap that was used."""

    before: Mapping[str | None, int]
    after: Mapping[str | None, int]
    cap: int


def effective_cap(counts: Iterable[int], cap: int | None = CAP, share: float | None = None) -> int:
    """How many pages of one kind may stay, given the pages of each kind: `cap`, and fewer where `share` asks for it.

    The share holds for what is kept, where every cut makes the whole smaller too. With cap c a kind of n pages keeps
    min(n, c), and the largest kind has the share max min(n, c) / Σ min(n, c), which never falls when c grows. The
    answer is the largest c whose share is allowed; no sample that honours the share has more pages. Raises UserError
    when even one page of each kind is too large a share: of k kinds one has 1/k at least.
    """
    if cap is not None and cap < 1 or share is not None and not 0 < share <= 1:
        raise UserError(f"a cap is 1 page or more and a share is above 0 and at most 1; they are {cap} and {share}")
    sizes = [count for count in counts if count > 0]
    largest = max(sizes, default=1)
    if cap is not None:
        largest = min(largest, cap)
    if share is None or not sizes:
        return largest if cap is None else cap
    allowed = Fraction(str(share))
    low, high = 0, largest
    while low < high:
        middle = (low + high + 1) // 2
        if middle <= allowed * sum(min(size, middle) for size in sizes):
            low = middle
        else:
            high = middle - 1
    if low == 0:
        raise UserError(
            f"no kind can be at most {share} of the sample when there are {len(sizes)} of them: allow a share of "
            f"{1 / len(sizes):.4f} or more"
        )
    return low


def capped_sample_files(
    files: Sequence[str | Path],
    out: Path,
    *,
    seed: object,
    cap: int | None = CAP,
    share: float | None = None,
    by: str = "domain",
    key: str = "page_id",
    where: str = "true",
    memory_limit: str = out_of_core.MEMORY_LIMIT,
    threads: int | None = None,
) -> Drawn:
    """Of Parquet files of any size: writes the ids and kinds that stay to `out`, ordered by id.

    `where` is an SQL condition on the files' columns, for example `drop_reason IS NULL`. Raises UserError for files
    that cannot be read and as `effective_cap`.
    """
    with out_of_core.connect(out.parent, memory_limit, threads) as connection:
        columns = f"{quoted(key)}::VARCHAR AS id, {quoted(by)}::VARCHAR AS kind"
        out_of_core.name_inputs(connection, "page", files, columns, where)
        before = Counter(dict(connection.execute("SELECT kind, count(*) FROM page GROUP BY kind").fetchall()))
        most = effective_cap(before.values(), cap, share)
        connection.execute("SET VARIABLE seed = $seed", {"seed": str(seed)})
        connection.execute("SET VARIABLE cap = $cap", {"cap": most})
        out_of_core.write(connection, out_of_core.query("capped_sample"), out)
    return Drawn(before, {kind: min(count, most) for kind, count in before.items()}, most)
